extension Schema {
    /// An attribute whose value is a struct of the program, with members that filters and sorts can name.
    ///
    /// A ``Schema`` describes every such attribute so, unless it is `.codable` or `.transformable`. The members are the
    /// struct's stored properties, whatever its coding calls them; structs of the standard library and of Foundation,
    /// collections and enumerations have none. A struct with other members than a store was made with is another version
    /// of the schema.
    public final class CompositeAttribute: Attribute, @unchecked Sendable {
        /// The members, each an attribute of its own; a member that is a struct again is a composite too.
        public var properties: [Attribute] = []

        /// Makes a composite by hand; its members are set afterwards.
        ///
        /// - Parameters:
        ///   - name: the property's name.
        ///   - originalName: its name in older versions of the schema; nil when it was not renamed.
        ///   - options: wishes about how it is kept.
        ///   - valueType: the Swift type, optional if the value may be missing.
        ///   - defaultValue: what older rows have for a property that is new.
        ///   - hashModifier: text that makes equal versions differ.
        public override init(
            name: String, originalName: String? = nil, options: [Option] = [], valueType: any Any.Type,
            defaultValue: Any? = nil, hashModifier: String? = nil
        ) {
            super.init(
                name: name, originalName: originalName, options: options, valueType: valueType,
                defaultValue: defaultValue, hashModifier: hashModifier)
        }

        /// Compares what stores see of the two attributes and of their members, in order.
        public static func == (left: CompositeAttribute, right: CompositeAttribute) -> Bool {
            left._isSame(as: right)
        }

        override func _isSame(as other: Attribute) -> Bool {
            guard super._isSame(as: other) else { return false }
            return (other as? CompositeAttribute).map { properties == $0.properties } ?? true
        }

        /// Reads a composite.
        ///
        /// - Throws: `DecodingError` for a missing member or an unknown option.
        public required init(from decoder: any Decoder) throws {
            try super.init(from: decoder)
            let values = try decoder.container(keyedBy: _PropertyCodingKeys.self)
            let members = try values.decodeIfPresent([_EncodedProperty].self, forKey: .properties) ?? []
            properties = members.compactMap { $0.property as? Attribute }
        }

        /// Writes the composite with its members.
        public override func encode(to encoder: any Encoder) throws {
            try super.encode(to: encoder)
            var values = encoder.container(keyedBy: _PropertyCodingKeys.self)
            try values.encode(properties.map(_EncodedProperty.init), forKey: .properties)
        }

        /// The attribute with its members in braces.
        public override var debugDescription: String {
            super.debugDescription + " { \(properties.map(\.debugDescription).joined(separator: "; ")) }"
        }

        override func _copy() -> Attribute {
            let copy = CompositeAttribute(
                name: name, originalName: _originalName, options: options,
                valueType: valueType, hashModifier: hashModifier)
            _copyState(to: copy)
            copy.properties = properties.map { $0._copy() }
            return copy
        }
    }
}
