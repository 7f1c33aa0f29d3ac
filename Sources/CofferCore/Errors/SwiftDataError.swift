import Foundation

/// What SwiftData calls throw: a code, and where it happened.
///
/// Catch by code; the rest of the error does not matter for the match:
///
/// ```swift
/// do {
///     try context.save()
/// } catch SwiftDataError.modelValidationFailure {
///     …
/// }
/// ```
///
/// Stores and the core throw with as much of the place as they know:
///
/// ```swift
/// throw SwiftDataError(.missingRequiredValue, operation: .save, entity: "Thing", property: "owner")
/// ```
///
/// Two errors are equal when their codes are, so that tests can expect `SwiftDataError.unsupportedPredicate` whatever
/// the place. Neither ``description`` nor ``errorDescription`` holds values of the user's data.
public struct SwiftDataError: Error, Hashable {
    /// What went wrong.
    public let code: Code
    /// What was being done; nil when unknown.
    public var operation: Operation?
    /// The name of the store's configuration; nil when no store or several are concerned.
    public var store: String?
    /// The entity concerned.
    public var entity: String?
    /// The property concerned.
    public var property: String?
    /// The path of the file or folder concerned.
    public var file: String?
    /// What happened, in words and without values of the user's data.
    public var detail: String?
    /// The error that caused this one.
    public var underlying: (any Error)?

    /// Makes an error.
    ///
    /// - Parameters:
    ///   - code: what went wrong.
    ///   - operation: what was being done.
    ///   - store: the name of the store's configuration.
    ///   - entity: the entity concerned.
    ///   - property: the property concerned.
    ///   - file: the path of the file or folder concerned.
    ///   - detail: what happened, in words; leave values of the user's data out.
    ///   - underlying: the error that caused this one.
    public init(
        _ code: Code, operation: Operation? = nil, store: String? = nil, entity: String? = nil,
        property: String? = nil, file: String? = nil, detail: String? = nil, underlying: (any Error)? = nil
    ) {
        self.code = code
        self.operation = operation
        self.store = store
        self.entity = entity
        self.property = property
        self.file = file
        self.detail = detail
        self.underlying = underlying
    }

    /// What was being done when an error happened.
    public struct Operation: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The name of the operation, as messages show it.
        public let rawValue: String

        /// Names an operation; stores may have operations of their own.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The name.
        public var description: String { rawValue }

        /// Checking a schema.
        public static let validateSchema = Operation(rawValue: "checking the schema")
        /// Opening a container or a store.
        public static let open = Operation(rawValue: "opening")
        /// Closing a store.
        public static let close = Operation(rawValue: "closing")
        /// Fetching models, identifiers or a count.
        public static let fetch = Operation(rawValue: "fetching")
        /// Loading the values of a model that is referred to.
        public static let load = Operation(rawValue: "loading a model")
        /// Inserting a model into a context.
        public static let insert = Operation(rawValue: "inserting")
        /// Deleting models, one by one or all that match.
        public static let delete = Operation(rawValue: "deleting")
        /// Updating many models at once.
        public static let update = Operation(rawValue: "updating")
        /// Saving a context.
        public static let save = Operation(rawValue: "saving")
        /// Bringing a store to a newer version of the schema.
        public static let migrate = Operation(rawValue: "migrating")
        /// Copying a store into one of another kind.
        public static let convert = Operation(rawValue: "converting")
        /// Reading or deleting history.
        public static let history = Operation(rawValue: "reading history")
        /// Removing all data of a store.
        public static let erase = Operation(rawValue: "erasing")
        /// Checking a store's integrity.
        public static let check = Operation(rawValue: "checking the store")
    }

    /// Whether an error has the code of the pattern; what `catch SwiftDataError.unknownSchema` does.
    public static func ~= (pattern: SwiftDataError, error: any Error) -> Bool {
        (error as? SwiftDataError)?.code == pattern.code
    }

    /// Whether the codes are the same.
    public static func == (left: SwiftDataError, right: SwiftDataError) -> Bool { left.code == right.code }

    /// Hashes the code.
    public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

extension SwiftDataError {
    /// The error with the places filled in that it does not name itself; for layers that know more than the thrower.
    ///
    /// - Returns: a copy; what the error names already stays.
    public func adding(
        operation: Operation? = nil, store: String? = nil, entity: String? = nil, property: String? = nil,
        file: String? = nil
    ) -> SwiftDataError {
        var copy = self
        copy.operation = self.operation ?? operation
        copy.store = self.store ?? store
        copy.entity = self.entity ?? entity
        copy.property = self.property ?? property
        copy.file = self.file ?? file
        return copy
    }
}

extension SwiftDataError: CustomStringConvertible, LocalizedError {
    /// The code, the place and the cause on one line, as in
    /// `missingRequiredValue while saving, Thing.owner: a property that is not optional has no value`.
    public var description: String {
        var place = code.rawValue
        if let operation { place += " while \(operation)" }
        switch (entity, property) {
        case (let entity?, let property?): place += ", \(entity).\(property)"
        case (let entity?, nil): place += ", \(entity)"
        case (nil, let property?): place += ", property \(property)"
        case (nil, nil): break
        }
        if let store { place += ", in store \"\(store)\"" }
        if let file { place += ", at \(file)" }
        var causes = [detail ?? code.summary].compactMap { $0 }
        if let underlying { causes.append(Self.text(of: underlying)) }
        return causes.isEmpty ? place : place + ": " + causes.joined(separator: "; ")
    }

    /// The same as ``description``.
    public var errorDescription: String? { description }

    /// The cause in a few words, without the place.
    public var failureReason: String? { code.summary }

    /// An underlying error in words. Only errors known to hold no values of the user's data show their own text.
    private static func text(of error: any Error) -> String {
        switch error {
        case let error as SwiftDataError: error.description
        case let error as DataStoreError: error.description
        case let error as DecodingError: text(of: error)
        case let error as EncodingError: text(of: error)
        default: String(describing: type(of: error)) + errorCode(of: error)
        }
    }

    private static func errorCode(of error: any Error) -> String {
        guard let error = error as? any CustomNSError else { return "" }
        return " (code \(error.errorCode))"
    }

    private static func text(of error: DecodingError) -> String {
        switch error {
        case .keyNotFound(let key, let context): "no member \(path(context.codingPath + [key]))"
        case .typeMismatch(let type, let context): "no \(type) at \(path(context.codingPath))"
        case .valueNotFound(let type, let context): "no value of type \(type) at \(path(context.codingPath))"
        case .dataCorrupted(let context): "damaged data at \(path(context.codingPath))"
        @unknown default: "damaged data"
        }
    }

    private static func text(of error: EncodingError) -> String {
        switch error {
        case .invalidValue(let value, let context):
            "a \(type(of: value)) that cannot be encoded at \(path(context.codingPath))"
        @unknown default: "a value that cannot be encoded"
        }
    }

    private static func path(_ keys: [any CodingKey]) -> String {
        keys.isEmpty ? "the top" : keys.map(\.stringValue).joined(separator: ".")
    }
}
