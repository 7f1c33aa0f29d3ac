import Foundation

extension Schema.Attribute {
    /// A wish about how an attribute is kept, written as `@Attribute(.unique, .externalStorage)`.
    public struct Option: Codable, Hashable, CustomDebugStringConvertible, Sendable {
        enum Kind: Hashable, Sendable {
            case unique
            case transformable(String)
            case externalStorage
            case allowsCloudEncryption
            case preserveValueOnDeletion
            case ephemeral
            case spotlight
            case codable
        }

        let kind: Kind
        /// The transformer's class where the source named the class and not a name.
        let _transformer: (any Any.Type)?

        private init(_ kind: Kind, transformer: (any Any.Type)? = nil) {
            self.kind = kind
            self._transformer = transformer
        }

        /// No two models have the same value; saving a second one updates the first.
        public static var unique: Option { Option(.unique) }
        /// Values larger than ``ExternalFiles/threshold`` are kept in files beside the store's file rather than in it,
        /// and read when the property is first read.
        ///
        /// For what is kept as bytes: `Data`, and values that a transformer makes. Elsewhere, and in a store without
        /// files, it changes nothing. Such a property can carry neither uniqueness nor an index.
        public static var externalStorage: Option { Option(.externalStorage) }
        /// A service may keep the value encrypted. Local stores have nothing to do for it.
        public static var allowsCloudEncryption: Option { Option(.allowsCloudEncryption) }
        /// History keeps the value of a deleted model, readable from the ``HistoryTombstone``.
        public static var preserveValueOnDeletion: Option { Option(.preserveValueOnDeletion) }
        /// Changes of the value count as changes of the model, but no store keeps it.
        public static var ephemeral: Option { Option(.ephemeral) }
        /// A search service may index the value. Local stores have nothing to do for it.
        public static var spotlight: Option { Option(.spotlight) }
        /// The value is kept in the coded form of its type, whatever the type, closed to filters, sorts and
        /// migrations: a predicate or an order that names the property throws.
        public static var codable: Option { Option(.codable) }

        /// The value is kept as what a transformer makes of it.
        ///
        /// - Parameter transformer: the class; it need not be registered.
        public static func transformable(by transformer: ValueTransformer.Type) -> Option {
            Option(.transformable(String(describing: transformer)), transformer: transformer)
        }

        /// The value is kept as what a transformer makes of it.
        ///
        /// - Parameter transformer: the name under which the transformer is registered when the store is opened.
        public static func transformable(by transformer: String) -> Option {
            Option(.transformable(transformer))
        }

        /// The name of the transformer, for ``transformable(by:)-swift.type.method``.
        public var _transformerName: String? {
            if case .transformable(let name) = kind { return name }
            return nil
        }

        /// Compares what is wished; a transformer counts by its name.
        public static func == (left: Option, right: Option) -> Bool { left.kind == right.kind }

        /// Hashes what `==` compares.
        public func hash(into hasher: inout Hasher) { hasher.combine(kind) }

        /// The option as it is written in source.
        public var debugDescription: String {
            switch kind {
            case .transformable(let name): "transformable(by: \(name))"
            default: code
            }
        }

        private static let plain: [Option] = [
            .unique, .externalStorage, .allowsCloudEncryption, .preserveValueOnDeletion, .ephemeral, .spotlight,
            .codable,
        ]

        /// The stable name of the option in an encoded schema.
        private var code: String {
            switch kind {
            case .unique: "unique"
            case .transformable(let name): "transformable:" + name
            case .externalStorage: "externalStorage"
            case .allowsCloudEncryption: "allowsCloudEncryption"
            case .preserveValueOnDeletion: "preserveValueOnDeletion"
            case .ephemeral: "ephemeral"
            case .spotlight: "spotlight"
            case .codable: "codable"
            }
        }

        /// Reads an option.
        ///
        /// - Throws: `DecodingError` for a name that this version of Coffer does not know.
        public init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            let code = try container.decode(String.self)
            if code.hasPrefix("transformable:") {
                self = .transformable(by: String(code.dropFirst("transformable:".count)))
            } else if let option = Self.plain.first(where: { $0.code == code }) {
                self = option
            } else {
                throw DecodingError.dataCorruptedError(
                    in: container, debugDescription: "\(code) is no option of an attribute")
            }
        }

        /// Writes the option as text.
        public func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(code)
        }
    }
}
