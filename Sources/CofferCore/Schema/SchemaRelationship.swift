extension Schema {
    /// A property that refers to other models.
    ///
    /// `@Model` makes a relationship of every property whose type is a model, an optional model or an array of models;
    /// `@Relationship` says more about it. A ``Schema`` finds the destination and the inverse.
    ///
    /// Two relationships are equal when they describe the same stored property; key paths, which a file cannot hold, do
    /// not count.
    public final class Relationship: SchemaProperty, CustomDebugStringConvertible, @unchecked Sendable {
        /// What becomes of the related models when a model is deleted.
        public enum DeleteRule: String, Codable, Hashable, Sendable {
            /// Nothing; references to the deleted model are left to the program.
            case noAction
            /// References to the deleted model are removed.
            case nullify
            /// The related models are deleted too.
            case cascade
            /// The model cannot be deleted while it has related models.
            case deny
        }

        /// A wish about a relationship.
        public struct Option: Codable, Hashable, CustomDebugStringConvertible, Sendable {
            private enum Kind: String, Codable, Sendable {
                case unique
            }

            private let kind: Kind

            /// No two models refer to the same model. For to-one relationships.
            public static var unique: Option { Option(kind: .unique) }

            /// The option as it is written in source.
            public var debugDescription: String { kind.rawValue }

            private init(kind: Kind) { self.kind = kind }

            /// Reads an option.
            ///
            /// - Throws: `DecodingError` for a name that this version of Coffer does not know.
            public init(from decoder: any Decoder) throws {
                kind = try decoder.singleValueContainer().decode(Kind.self)
            }

            /// Writes the option as text.
            public func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                try container.encode(kind)
            }
        }

        /// The property's name in the model class.
        public var name: String
        /// The key path of the property; nil in a schema that was read from a file.
        public var keypath: AnyKeyPath?
        /// The wishes about the relationship.
        public var options: [Option]
        /// The name of the entity that the related models belong to.
        public var destination: String
        /// What becomes of the related models when a model is deleted.
        public var deleteRule: DeleteRule
        /// The name of the relationship on the other side that mirrors this one; nil for none.
        public var inverseName: String?
        /// The key path of the relationship on the other side.
        public var inverseKeyPath: AnyKeyPath?
        /// The least number of related models; 0 or nil for no limit.
        public var minimumModelCount: Int?
        /// The largest number of related models; 0 or nil for no limit.
        public var maximumModelCount: Int?
        /// Text that makes two otherwise equal versions of the relationship differ.
        public var hashModifier: String?

        var _originalName: String?
        var _decodedShape: (isToMany: Bool, isOptional: Bool)?
        /// What ``valueType`` is to a store.
        public private(set) var _valueShape: _ValueShape

        /// The name under which older versions of the schema know the relationship; equal to ``name`` unless given.
        public var originalName: String {
            get { _originalName ?? name }
            set { _originalName = newValue == name ? nil : newValue }
        }

        /// The declared Swift type; a stand-in for a relationship that was read from a file.
        public var valueType: any Any.Type {
            didSet {
                _valueShape = _ValueShape(valueType)
                _decodedShape = nil
            }
        }

        /// Makes the description that stands in `@Relationship(…)`; the schema fills in the rest.
        ///
        /// - Parameters:
        ///   - options: wishes about the relationship.
        ///   - deleteRule: what becomes of the related models.
        ///   - minimumModelCount: the least number of related models, for to-many relationships.
        ///   - maximumModelCount: the largest number of related models; 0 or nil for no limit.
        ///   - originalName: the property's name in older versions of the schema.
        ///   - inverse: the relationship on the other side that mirrors this one. Name it on one side only.
        ///   - hashModifier: text that makes equal versions differ.
        public init(
            _ options: Option..., deleteRule: DeleteRule = .nullify, minimumModelCount: Int? = 0,
            maximumModelCount: Int? = 0, originalName: String? = nil, inverse: AnyKeyPath? = nil,
            hashModifier: String? = nil
        ) {
            self.name = ""
            self.options = options
            self.destination = ""
            self.deleteRule = deleteRule
            self.minimumModelCount = minimumModelCount
            self.maximumModelCount = maximumModelCount
            self._originalName = originalName
            self.inverseKeyPath = inverse
            self.hashModifier = hashModifier
            self.valueType = Any.self
            self._valueShape = _ValueShape(Any.self)
        }

        /// Whether the relationship leads to one model at most.
        public var isToOneRelationship: Bool {
            if let decoded = _decodedShape { return !decoded.isToMany }
            if case .toMany = _valueShape.kind { return false }
            return true
        }

        /// Whether the property may be nil.
        public var isOptional: Bool { _decodedShape?.isOptional ?? _valueShape.isOptional }
        /// Whether no two models may refer to the same model.
        public var isUnique: Bool { options.contains(.unique) }
        /// Always false.
        public var isAttribute: Bool { false }
        /// Always true.
        public var isRelationship: Bool { true }
        /// Always false.
        public var isTransient: Bool { false }

        // MARK: Equality and text

        /// Compares what stores see of the two relationships.
        public static func == (left: Relationship, right: Relationship) -> Bool {
            left === right
                || (left.name == right.name && left.originalName == right.originalName
                    && left.destination == right.destination && left.inverseName == right.inverseName
                    && left.isToOneRelationship == right.isToOneRelationship && left.isOptional == right.isOptional
                    && left.deleteRule == right.deleteRule && Set(left.options) == Set(right.options)
                    && left.limits == right.limits && left.hashModifier == right.hashModifier)
        }

        /// Hashes part of what `==` compares.
        public func hash(into hasher: inout Hasher) {
            hasher.combine(name)
            hasher.combine(destination)
        }

        /// The relationship on one line: `stops: [Stop] inverse trip, cascade`.
        public var debugDescription: String {
            var text = "\(name): \(isToOneRelationship ? destination : "[\(destination)]")\(isOptional ? "?" : "")"
            if let inverseName { text += " inverse \(inverseName)," }
            text += " \(deleteRule.rawValue)"
            if !options.isEmpty { text += " [\(options.map(\.debugDescription).joined(separator: ", "))]" }
            if originalName != name { text += " was \(originalName)" }
            return text
        }

        /// The limits on the number of models, with 0 for none.
        private var limits: [Int] { [minimumModelCount ?? 0, maximumModelCount ?? 0] }

        // MARK: Codable

        /// Reads a relationship; its key paths are nil.
        ///
        /// - Throws: `DecodingError` for a missing member or an unknown option.
        public init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: _PropertyCodingKeys.self)
            name = try values.decode(String.self, forKey: .name)
            _originalName = try values.decodeIfPresent(String.self, forKey: .originalName)
            destination = try values.decode(String.self, forKey: .destination)
            options = try values.decodeIfPresent([Option].self, forKey: .options) ?? []
            deleteRule = try values.decode(DeleteRule.self, forKey: .deleteRule)
            inverseName = try values.decodeIfPresent(String.self, forKey: .inverse)
            minimumModelCount = try values.decodeIfPresent(Int.self, forKey: .minimumCount) ?? 0
            maximumModelCount = try values.decodeIfPresent(Int.self, forKey: .maximumCount) ?? 0
            hashModifier = try values.decodeIfPresent(String.self, forKey: .hashModifier)
            valueType = _UnknownType.self
            _valueShape = _ValueShape(_UnknownType.self)
            _decodedShape = (
                isToMany: try values.decodeIfPresent(Bool.self, forKey: .isToMany) ?? false,
                isOptional: try values.decodeIfPresent(Bool.self, forKey: .isOptional) ?? false
            )
        }

        /// Writes the relationship, without its key paths.
        public func encode(to encoder: any Encoder) throws {
            var values = encoder.container(keyedBy: _PropertyCodingKeys.self)
            try values.encode(name, forKey: .name)
            try values.encodeIfPresent(_originalName, forKey: .originalName)
            try values.encode(destination, forKey: .destination)
            if !isToOneRelationship { try values.encode(true, forKey: .isToMany) }
            if isOptional { try values.encode(true, forKey: .isOptional) }
            if !options.isEmpty { try values.encode(options, forKey: .options) }
            try values.encode(deleteRule, forKey: .deleteRule)
            try values.encodeIfPresent(inverseName, forKey: .inverse)
            if limits[0] != 0 { try values.encode(limits[0], forKey: .minimumCount) }
            if limits[1] != 0 { try values.encode(limits[1], forKey: .maximumCount) }
            try values.encodeIfPresent(hashModifier, forKey: .hashModifier)
        }

        /// A relationship that can be changed without changing this one.
        func _copy() -> Relationship {
            let copy = Relationship(
                deleteRule: deleteRule, minimumModelCount: minimumModelCount,
                maximumModelCount: maximumModelCount, originalName: _originalName, inverse: inverseKeyPath,
                hashModifier: hashModifier)
            copy.name = name
            copy.keypath = keypath
            copy.options = options
            copy.destination = destination
            copy.inverseName = inverseName
            copy.valueType = valueType
            copy._decodedShape = _decodedShape
            return copy
        }
    }
}
