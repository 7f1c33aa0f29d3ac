extension Schema {
    /// The texts of a model that full-text search looks into, written as `#FullText<Article>([\.title, \.body])`.
    ///
    /// A store with ``StoreCapabilities/Features/fullText`` keeps an index of their words. It makes searches faster and
    /// changes nothing else.
    public final class FullText<M: PersistentModel>: SchemaProperty, CustomDebugStringConvertible, @unchecked Sendable {
        /// The names of the members in the encoded form.
        public enum CodingKeys: CodingKey {
            /// The properties whose words are indexed.
            case properties
        }

        /// A name for messages.
        public var name: String
        /// The same as ``name`` unless set.
        public var originalName: String
        /// The model's type.
        public var valueType: any Any.Type
        /// The properties, as declared.
        public let properties: [PartialKeyPath<M>]

        /// Always false: the declaration constrains nothing.
        public var isUnique: Bool { false }

        /// Declares properties for full-text search.
        ///
        /// - Parameter properties: properties of the type `String` or `String?`.
        public init(_ properties: [PartialKeyPath<M>]) {
            self.properties = properties
            (name, originalName, valueType) = ("fullText", "fullText", M.self)
        }

        /// Whether both declare the same properties in the same order.
        public static func == (left: FullText, right: FullText) -> Bool { left.properties == right.properties }

        /// Hashes what `==` compares.
        public func hash(into hasher: inout Hasher) { hasher.combine(properties) }

        /// The declaration with property names.
        public var debugDescription: String {
            let names = Schema._names(of: properties, in: M.self).joined(separator: ", ")
            return "FullText<\(Schema.entityName(for: M.self))>([\(names)])"
        }

        /// Reads a declaration; the model's own metadata turns names into key paths.
        ///
        /// - Throws: `DecodingError` for a name that is no property of the model.
        public init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            properties = try Schema._keyPaths(
                named: values.decode([String].self, forKey: .properties), in: M.self, codingPath: decoder.codingPath)
            (name, originalName, valueType) = ("fullText", "fullText", M.self)
        }

        /// Writes the properties by name.
        public func encode(to encoder: any Encoder) throws {
            var values = encoder.container(keyedBy: CodingKeys.self)
            try values.encode(Schema._names(of: properties, in: M.self), forKey: .properties)
        }
    }
}

extension Schema.FullText: _ConstraintProperty {
    static var _isUniqueness: Bool { false }
    static var _isFullText: Bool { true }

    var _keyPaths: [(paths: [AnyKeyPath], isRTree: Bool)] { [(properties, false)] }
}

extension Schema.Entity {
    /// The properties of the entity for full-text search, inherited ones first.
    public var allFullText: [String] {
        var names: [String] = []
        for entity in lineage.reversed() {
            for name in entity.fullText where !names.contains(name) { names.append(name) }
        }
        return names
    }
}

extension _ModelDescriptor {
    /// See ``fullTextSlots``.
    func findFullTextSlots() -> [Int] {
        var slots: [Int] = []
        for type in Schema._lineage(of: type) {
            for case let declaration as any _ConstraintProperty in type._$constraints
            where Swift.type(of: declaration)._isFullText {
                for keyPath in declaration._keyPaths.flatMap(\.paths) {
                    guard let slot = slot(of: keyPath), isText(slot), !slots.contains(slot) else { continue }
                    slots.append(slot)
                }
            }
        }
        return slots.isEmpty ? properties.indices.filter(isText) : slots
    }

    /// Whether a property is text that lies open in a store.
    func isText(_ slot: Int) -> Bool {
        let property = properties[slot]
        guard _ValueShape(property.metadata.valueType).wrapped == String.self else { return false }
        guard let attribute = property.metadata.metadata as? Schema.Attribute else { return true }
        return !attribute.isTransient && !attribute.options.contains(.codable)
            && !attribute.options.contains { $0._transformerName != nil }
    }
}
