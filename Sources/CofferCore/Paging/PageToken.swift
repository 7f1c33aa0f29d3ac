import Foundation

/// Where a page of a fetch ended, so that the next one can begin there.
///
/// A token does not count models, it remembers the last one's place in the order: models that come or go elsewhere
/// neither shift the next page nor repeat anything in it. It is a value that can be kept, encoded or handed out as
/// text; it holds the values by which the fetch is sorted, as they were.
///
/// ```swift
/// let page = try context.fetchPage(descriptor)
/// let text = page.next?.description
/// …
/// let next = try context.fetchPage(descriptor, after: text.map { try PageToken($0) })
/// ```
public struct PageToken: Hashable, Sendable {
    /// The last model of the page.
    let identifier: PersistentIdentifier
    /// A hash of the entity and the order of the fetch.
    let fetch: UInt64
    /// The values that the last model was sorted by.
    let values: [StoredValue]

    init(identifier: PersistentIdentifier, fetch: UInt64, values: [StoredValue]) {
        self.identifier = identifier
        self.fetch = fetch
        self.values = values
    }

    /// Reads a token from its ``description``.
    ///
    /// - Throws: ``SwiftDataError/invalidPageToken`` where the text is damaged.
    public init(_ description: String) throws {
        guard let bytes = Self.bytes(description), let token = Self(bytes: bytes) else {
            throw SwiftDataError(.invalidPageToken, operation: .fetch, detail: "the token is damaged")
        }
        self = token
    }

    private init?(bytes: [UInt8]) {
        var reader = PageTokenReader(bytes)
        guard reader.checksum(), reader.byte() == Self.version, let fetch = reader.word(),
            let entity = reader.text(), let hasStore = reader.byte(), let store = reader.text(),
            let hasText = reader.byte(), let key = reader.word(), let text = reader.text(),
            let count = reader.word(), count <= 64
        else { return nil }
        var values: [StoredValue] = []
        for _ in 0..<count {
            guard let value = reader.value() else { return nil }
            values.append(value)
        }
        guard reader.isAtEnd else { return nil }
        let space = _IdentifierSpace.shared(entityName: entity, storeIdentifier: hasStore == 1 ? store : nil)
        identifier =
            hasText == 1
            ? PersistentIdentifier(_space: space, text: text)
            : PersistentIdentifier(_space: space, key: Int64(bitPattern: key))
        self.fetch = fetch
        self.values = values
    }

    private static let version: UInt8 = 1

    private var bytes: [UInt8] {
        var writer = PageTokenWriter()
        writer.put(byte: Self.version)
        writer.put(fetch)
        writer.put(identifier.entityName)
        writer.put(byte: identifier.storeIdentifier == nil ? 0 : 1)
        writer.put(identifier.storeIdentifier ?? "")
        writer.put(byte: identifier._textKey == nil ? 0 : 1)
        writer.put(identifier._textKey == nil ? UInt64(bitPattern: identifier._key) : 0)
        writer.put(identifier._textKey ?? "")
        writer.put(UInt64(values.count))
        for value in values { writer.put(value) }
        return writer.checked()
    }

    // MARK: Text

    /// Base 64 with the letters that need no escaping in addresses and file names.
    private static func text(_ bytes: [UInt8]) -> String {
        Data(bytes).base64EncodedString().replacingOccurrences(of: "+", with: "-")
            .replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "=", with: "")
    }

    private static func bytes(_ text: String) -> [UInt8]? {
        guard text.utf8.allSatisfy({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "/") }) else { return nil }
        var text = text.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
        text += String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        return Data(base64Encoded: text).map { [UInt8]($0) }
    }
}

extension PageToken {
    /// Whether both begin at the same place; by their bytes, since not-a-number is not equal to itself.
    public static func == (left: PageToken, right: PageToken) -> Bool { left.bytes == right.bytes }

    public func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
}

extension PageToken: CustomStringConvertible {
    /// The token as opaque text, of letters, digits, `-` and `_`.
    public var description: String { Self.text(bytes) }
}

extension PageToken: Codable {
    /// Reads the text of a token.
    ///
    /// - Throws: ``SwiftDataError/invalidPageToken`` where it is damaged.
    public init(from decoder: any Decoder) throws {
        try self.init(try decoder.singleValueContainer().decode(String.self))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
