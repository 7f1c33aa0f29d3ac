extension Schema {
    /// A value that a model keeps in its own row.
    ///
    /// `@Model` makes the attributes of a class; stores read them from ``Schema/Entity/attributes``. Two attributes are
    /// equal when they describe the same stored property: name, original name, type, options and hash modifier. The
    /// default value belongs to the program and does not count.
    public class Attribute: SchemaProperty, CustomDebugStringConvertible, @unchecked Sendable {
        /// The property's name in the model class.
        public var name: String
        /// The wishes about how the value is kept.
        public var options: [Option]
        /// Text that makes two otherwise equal versions of the attribute differ, so that a migration sees a change.
        public var hashModifier: String?

        var _originalName: String?
        /// What ``valueType`` is to a store. Kept up to date rather than found out when asked, since schemas are read
        /// from several threads.
        public private(set) var _valueShape: _ValueShape
        /// The type's name and stored form, where they were read from a file.
        var _decodedType: _EncodedType?
        var _default: _DefaultValue?

        /// The name under which older versions of the schema know the attribute; equal to ``name`` unless given.
        public var originalName: String {
            get { _originalName ?? name }
            set { _originalName = newValue == name ? nil : newValue }
        }

        /// The declared Swift type, optionals included.
        ///
        /// Of an attribute read from a file the type is known when it is one that stores keep as such; otherwise it
        /// is a stand-in and ``valueTypeName`` has its name.
        public var valueType: any Any.Type {
            didSet {
                _valueShape = _ValueShape(valueType)
                _decodedType = nil
            }
        }

        /// The value a new property has in rows that were stored before it existed; nil for none.
        ///
        /// A default written as an expression (`Date.now`, `UUID()`) is evaluated when this is first read, once.
        public var defaultValue: Any? {
            get { _default?.value }
            set { _default = newValue.map { _DefaultValue(explicit: $0) } }
        }

        /// Makes the description that stands in `@Attribute(…)`; the schema fills in name and type.
        public init(_ options: Option..., originalName: String? = nil, hashModifier: String? = nil) {
            self.name = ""
            self._originalName = originalName
            self.options = options
            self.hashModifier = hashModifier
            self.valueType = Any.self
            self._valueShape = _ValueShape(Any.self)
        }

        /// Makes an attribute by hand.
        ///
        /// - Parameters:
        ///   - name: the property's name.
        ///   - originalName: its name in older versions of the schema; nil when it was not renamed.
        ///   - options: wishes about how it is kept.
        ///   - valueType: the Swift type, optional if the value may be missing.
        ///   - defaultValue: what older rows have for a property that is new.
        ///   - hashModifier: text that makes equal versions differ.
        public init(
            name: String, originalName: String? = nil, options: [Option] = [], valueType: any Any.Type,
            defaultValue: Any? = nil, hashModifier: String? = nil
        ) {
            self.name = name
            self._originalName = originalName == name ? nil : originalName
            self.options = options
            self.valueType = valueType
            self._valueShape = _ValueShape(valueType)
            self.hashModifier = hashModifier
            self._default = defaultValue.map { _DefaultValue(explicit: $0) }
        }

        /// Whether the value may be missing: whether ``valueType`` is an optional. Setting it wraps or unwraps nothing;
        /// it overrules the type.
        public var isOptional: Bool {
            get { _isOptional ?? _decodedType?.isOptional ?? _valueShape.isOptional }
            set {
                _isOptional = newValue
                _decodedType?.isOptional = newValue
            }
        }
        private var _isOptional: Bool?

        /// Always true.
        public var isAttribute: Bool { true }
        /// Always false.
        public var isRelationship: Bool { false }
        /// Whether the attribute is ``Option/ephemeral``: change-tracked, but in no store.
        public var isTransient: Bool { options.contains(.ephemeral) }
        /// Whether no two models may have the same value.
        public var isUnique: Bool { options.contains(.unique) }

        /// Whether a value transformer makes what the store keeps.
        public var isTransformable: Bool {
            if options.contains(where: { $0._transformerName != nil }) { return true }
            if let decoded = _decodedType { return decoded.form == .transformable }
            if case .transformable = _valueShape.kind { return true }
            return false
        }

        /// The name of the declared type without optionals; it survives encoding for every type.
        public var valueTypeName: String { _decodedType?.name ?? String(describing: _valueShape.wrapped) }

        // MARK: Equality and text

        /// Compares what stores see of the two attributes.
        public static func == (left: Attribute, right: Attribute) -> Bool { left._isSame(as: right) }

        func _isSame(as other: Attribute) -> Bool {
            self === other
                || (name == other.name && originalName == other.originalName && Set(options) == Set(other.options)
                    && hashModifier == other.hashModifier && encodedType == other.encodedType
                    && isOptional == other.isOptional
                    && (type(of: self) == type(of: other) || hasUnknownMembers || other.hasUnknownMembers))
        }

        /// Whether the value may be a structure whose members nobody wrote down, as earlier versions of Coffer did not.
        private var hasUnknownMembers: Bool { _decodedType?.form == .codable && !(self is CompositeAttribute) }

        /// Hashes part of what `==` compares.
        public func hash(into hasher: inout Hasher) {
            hasher.combine(name)
            hasher.combine(isOptional)
        }

        /// The attribute on one line: `name: String? [unique] was title`.
        public var debugDescription: String {
            var text = "\(name): \(valueTypeName)\(isOptional ? "?" : "")"
            if !options.isEmpty { text += " [\(options.map(\.debugDescription).joined(separator: ", "))]" }
            if originalName != name { text += " was \(originalName)" }
            return text
        }

        // MARK: Codable

        /// Reads an attribute.
        ///
        /// - Throws: `DecodingError` for a missing member or an unknown option.
        public required init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: _PropertyCodingKeys.self)
            name = try values.decode(String.self, forKey: .name)
            _originalName = try values.decodeIfPresent(String.self, forKey: .originalName)
            options = try values.decodeIfPresent([Option].self, forKey: .options) ?? []
            hashModifier = try values.decodeIfPresent(String.self, forKey: .hashModifier)
            let type = try _EncodedType(from: values)
            valueType = type.swiftType
            _valueShape = _ValueShape(type.swiftType)
            _default = try _DefaultValue.decode(from: values, type: type)
            _decodedType = type
        }

        /// Writes the attribute. A default value is written when it is a scalar given as a value, not an expression:
        /// expressions may give another value each time, and the written form must not change by itself.
        public func encode(to encoder: any Encoder) throws {
            var values = encoder.container(keyedBy: _PropertyCodingKeys.self)
            try values.encode(name, forKey: .name)
            try values.encodeIfPresent(_originalName, forKey: .originalName)
            if !options.isEmpty { try values.encode(options, forKey: .options) }
            try values.encodeIfPresent(hashModifier, forKey: .hashModifier)
            try encodedType.encode(to: &values)
            try _default?.encode(to: &values, type: encodedType)
        }

        /// The type in its encodable form.
        var encodedType: _EncodedType {
            if let decoded = _decodedType { return decoded }
            return _EncodedType(
                _valueShape, isOptional: isOptional, isTransformable: isTransformable,
                isOpaque: options.contains(.codable))
        }

        /// The same, as a composite where there are members.
        func _copy(withMembers members: [Attribute]?) -> Attribute {
            guard let members else { return _copy() }
            let copy = CompositeAttribute(
                name: name, originalName: _originalName, options: options, valueType: valueType,
                hashModifier: hashModifier)
            _copyState(to: copy)
            copy.properties = members
            return copy
        }

        /// An attribute that can be changed without changing this one.
        func _copy() -> Attribute {
            let copy = Attribute(
                name: name, originalName: _originalName, options: options, valueType: valueType,
                hashModifier: hashModifier)
            _copyState(to: copy)
            return copy
        }

        func _copyState(to copy: Attribute) {
            copy._decodedType = _decodedType
            copy._default = _default
            copy._isOptional = _isOptional
        }
    }
}
