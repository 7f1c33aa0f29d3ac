import CofferCore

/// Lines of a journal: a checksum of eight digits, a space, a JSON object, the end of the line.
///
/// A line that does not end, or the very last one with a wrong checksum, was being written when its process ended: the
/// save had not returned, and the line is as good as none.
struct JournalText {
    private let bytes: [UInt8]
    /// The objects of the sound lines.
    private(set) var lines: [Range<Int>] = []
    /// Where the sound lines end.
    private(set) var end = 0

    /// - Parameter firstLine: the number of the first line, for errors.
    /// - Throws: `corruptStore` for a damaged line that others follow.
    init(_ bytes: [UInt8], firstLine: Int = 1) throws {
        self.bytes = bytes
        while let stop = bytes[end...].firstIndex(of: UInt8(ascii: "\n")) {
            guard isSound(end..<stop) else {
                if stop == bytes.count - 1 { return }
                throw SwiftDataError(
                    .corruptStore, detail: "line \(firstLine + lines.count) of the journal is damaged")
            }
            lines.append(end + 9..<stop)
            end = stop + 1
        }
    }

    private init(sound bytes: [UInt8], isWhole: inout Bool) {
        self.bytes = bytes
        while let stop = bytes[end...].firstIndex(of: UInt8(ascii: "\n")) {
            guard isSound(end..<stop) else {
                isWhole = false
                return
            }
            lines.append(end + 9..<stop)
            end = stop + 1
        }
    }

    /// The lines of a damaged journal up to the first that is not sound, and whether that are all.
    static func sound(_ bytes: [UInt8]) -> (text: JournalText, isWhole: Bool) {
        var isWhole = true
        let text = JournalText(sound: bytes, isWhole: &isWhole)
        return (text, isWhole)
    }

    private func isSound(_ line: Range<Int>) -> Bool {
        guard line.count > 9, bytes[line.lowerBound + 8] == UInt8(ascii: " ") else { return false }
        return bytes[line.prefix(8)].elementsEqual(Checksum.digits(bytes[line.dropFirst(9)]))
    }

    /// Whether bytes without a sound line are what is left of a first save that did not return: the beginning of a
    /// journal, or as much of it as had reached the disk, which has zeros for the rest.
    var isTornBeginning: Bool {
        lines.isEmpty
            && zip(bytes, JournalHeader.beginning).enumerated().allSatisfy { index, pair in
                let isDigit = index < 8 && Character(UnicodeScalar(pair.0)).isHexDigit
                return pair.0 == 0 || isDigit || index >= 8 && pair.0 == pair.1
            }
    }

    /// Runs a body with a line parsed.
    func withObject<T>(_ line: Range<Int>, _ body: (JSONNode) throws -> T) throws -> T {
        try bytes.withUnsafeBytes { bytes in
            guard let tree = JSONTree(UnsafeRawBufferPointer(rebasing: bytes[line])) else {
                throw SwiftDataError(.corruptStore, detail: "it is no JSON")
            }
            return try tree.withRoot(body)
        }
    }

    /// A line of an object.
    static func line(_ object: JSONText) -> [UInt8] {
        Checksum.digits(object.bytes) + [UInt8(ascii: " ")] + object.bytes + [UInt8(ascii: "\n")]
    }
}

/// The first line of a journal: which state of which archive the others follow.
struct JournalHeader {
    /// The version of the format that this version of Coffer writes: saves have numbers since 2.
    static let formatVersion: Int64 = 2
    /// What every journal begins with, whatever its checksum.
    fileprivate static let beginning = Array("00000000 {\"coffer journal\": ".utf8)

    let identifier: String
    let generation: Int64
    /// Whether saves have numbers.
    let isNumbered: Bool

    init(identifier: String, generation: Int64) {
        self.identifier = identifier
        self.generation = generation
        isNumbered = true
    }

    init(_ object: JSONNode) throws {
        guard let format = object.member("coffer journal")?.integer, format > 0,
            let identifier = object.member(Document.identifier)?.string,
            let generation = object.member(Document.generation)?.integer
        else { throw Self.stranger }
        try Document.checkFormat(format, of: "journal", known: Self.formatVersion)
        isNumbered = format > 1
        self.identifier = identifier
        self.generation = generation
    }

    static var stranger: SwiftDataError {
        SwiftDataError(.corruptStore, detail: "what lies beside the archive is no journal of Coffer's")
    }

    func line() throws -> [UInt8] {
        var text = JSONText()
        text.append("{\"coffer journal\": ")
        text.append(Self.formatVersion)
        text.append(", \"identifier\": ")
        try text.append(string: identifier)
        text.append(", \"generation\": ")
        text.append(generation)
        text.append("}")
        return JournalText.line(text)
    }
}
