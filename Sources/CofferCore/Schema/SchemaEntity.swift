extension Schema {
    /// One kind of model: its properties, its constraints and its place in a hierarchy.
    ///
    /// Two entities are equal when names, own properties (in any order), constraints, indexes and the names of their
    /// relatives are.
    public final class Entity: Codable, Hashable, CustomDebugStringConvertible, @unchecked Sendable {
        /// The entity's name: the bare name of its model class.
        public var name: String
        /// The entities of the direct subclasses that the schema has.
        public var subentities: Set<Entity> = [] {
            didSet { for entity in subentities where entity._superentity !== self { entity.superentity = self } }
        }
        /// The name of the entity of the superclass; nil when that is no model.
        public var superentityName: String?
        /// The class's own persisted properties, in the order of their declaration.
        public var storedProperties: [any SchemaProperty]
        /// The persisted properties of all superclasses, those of the topmost first.
        public var inheritedProperties: [any SchemaProperty] = []
        /// The properties that are unique together, one list for each constraint that the class declares itself,
        /// including the single properties that are unique on their own.
        public var uniquenessConstraints: [[String]] = []
        /// The properties of each index that the class declares itself, in order.
        public var indices: [[String]] = []
        /// Which of ``indices`` are to be R-trees.
        public var _rtreeIndices: Set<[String]> = []
        /// The properties with text that the class itself declares for full-text search, each once, in order.
        public var fullText: [String] = []
        /// The model class; nil of an entity made by hand or read from a file.
        public internal(set) var _modelType: (any PersistentModel.Type)?

        private weak var _superentity: Entity?

        /// The entity of the superclass; nil when that is no model. The schema, not this reference, keeps it alive.
        public var superentity: Entity? {
            get { _superentity }
            set {
                if let old = _superentity, old !== newValue { old.subentities.remove(self) }
                _superentity = newValue
                superentityName = newValue?.name
                inheritedProperties = newValue?.properties ?? []
                if let newValue, !newValue.subentities.contains(where: { $0 === self }) {
                    newValue.subentities.insert(self)
                }
            }
        }

        /// Makes an entity without properties.
        public init(_ name: String) {
            self.name = name
            self.storedProperties = []
        }

        /// Makes an entity with properties, which its subentities inherit.
        ///
        /// - Parameters:
        ///   - name: the entity's name.
        ///   - subentities: the direct subentities.
        ///   - properties: the entity's own attributes and relationships; indexes and constraints may be among them.
        public convenience init(_ name: String, subentities: Entity..., properties: any SchemaProperty...) {
            self.init(name, properties: properties)
            self.subentities = Set(subentities)
            for entity in subentities { entity.superentity = self }
        }

        /// Makes an entity with properties.
        ///
        /// - Parameters:
        ///   - name: the entity's name.
        ///   - properties: the entity's own attributes and relationships; indexes and constraints may be among them.
        public convenience init(_ name: String, properties: any SchemaProperty...) {
            self.init(name, properties: properties)
        }

        init(_ name: String, properties: [any SchemaProperty]) {
            self.name = name
            self.storedProperties = properties.filter { !($0 is any _ConstraintProperty) }
            for property in storedProperties where property.isUnique { addConstraint([property.name]) }
            for case let constraint as any _ConstraintProperty in properties { declare(constraint) }
        }

        // MARK: Properties

        /// All persisted properties: the inherited ones, then the class's own, each in the order of declaration.
        public var properties: [any SchemaProperty] { inheritedProperties + storedProperties }

        /// All attributes, inherited ones too. Setting it replaces the entity's own and leaves the inherited ones.
        public var attributes: Set<Attribute> {
            get { Set(properties.lazy.compactMap { $0 as? Attribute }) }
            set { replaceOwn(with: newValue) }
        }

        /// All relationships, inherited ones too. Setting it replaces the entity's own and leaves the inherited ones.
        public var relationships: Set<Relationship> {
            get { Set(properties.lazy.compactMap { $0 as? Relationship }) }
            set { replaceOwn(with: newValue) }
        }

        /// ``attributes`` by name.
        public var attributesByName: [String: Attribute] {
            get { Self.byName(properties.lazy.compactMap { $0 as? Attribute }) }
            set { attributes = Set(newValue.values) }
        }

        /// ``relationships`` by name.
        public var relationshipsByName: [String: Relationship] {
            get { Self.byName(properties.lazy.compactMap { $0 as? Relationship }) }
            set { relationships = Set(newValue.values) }
        }

        /// ``storedProperties`` by name. Setting it keeps the order of those that stay and adds new ones by name.
        public var storedPropertiesByName: [String: any SchemaProperty] {
            get { Dictionary(storedProperties.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first }) }
            set { storedProperties = Self.merged(storedProperties, with: newValue) }
        }

        /// ``inheritedProperties`` by name. Setting it keeps the order of those that stay and adds new ones by name.
        public var inheritedPropertiesByName: [String: any SchemaProperty] {
            get { Dictionary(inheritedProperties.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first }) }
            set { inheritedProperties = Self.merged(inheritedProperties, with: newValue) }
        }

        /// The relationship of that name, an inherited one too, without making a dictionary.
        func _relationship(named name: String) -> Relationship? {
            for case let relationship as Relationship in storedProperties where relationship.name == name {
                return relationship
            }
            for case let relationship as Relationship in inheritedProperties where relationship.name == name {
                return relationship
            }
            return nil
        }

        private static func byName<P: SchemaProperty>(_ properties: some Sequence<P>) -> [String: P] {
            Dictionary(properties.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        }

        private static func merged(
            _ old: [any SchemaProperty], with new: [String: any SchemaProperty]
        ) -> [any SchemaProperty] {
            let kept = old.compactMap { new[$0.name] }
            let names = Set(old.map(\.name))
            return kept + new.filter { !names.contains($0.key) }.sorted { $0.key < $1.key }.map(\.value)
        }

        /// Replaces the own properties of one kind, in place where the name stays.
        private func replaceOwn<P: SchemaProperty>(with new: Set<P>) {
            let inherited = Set(inheritedProperties.map(\.name))
            var pending: [String: P] = [:]
            for property in new where !inherited.contains(property.name) { pending[property.name] = property }
            storedProperties = storedProperties.compactMap { property -> (any SchemaProperty)? in
                guard property is P else { return property }
                return pending.removeValue(forKey: property.name)
            }
            storedProperties += pending.values.sorted { $0.name < $1.name }
        }

        // MARK: Constraints

        /// Adds a uniqueness constraint unless there is one over the same properties.
        func addConstraint(_ names: [String]) {
            let known = uniquenessConstraints.contains { Set($0) == Set(names) }
            if !known { uniquenessConstraints.append(names) }
        }

        /// Adds what `#Index`, `#Unique` or `#FullText` declare.
        func declare(_ constraint: any _ConstraintProperty) {
            let isFullText = Swift.type(of: constraint)._isFullText
            let isUniqueness = Swift.type(of: constraint)._isUniqueness
            guard let model = constraint.valueType as? any PersistentModel.Type else { return }
            for (paths, isRTree) in constraint._keyPaths where !paths.isEmpty {
                let names = Schema._names(of: paths, in: model)
                if isFullText {
                    for name in names where !fullText.contains(name) { fullText.append(name) }
                } else if isUniqueness {
                    addConstraint(names)
                } else {
                    if !indices.contains(names) { indices.append(names) }
                    if isRTree { _rtreeIndices.insert(names) }
                }
            }
        }

        // MARK: Equality and text

        /// Compares what stores see of the two entities.
        public static func == (left: Entity, right: Entity) -> Bool {
            if left === right { return true }
            guard left.name == right.name, left.superentityName == right.superentityName,
                Set(left.subentities.map(\.name)) == Set(right.subentities.map(\.name)),
                left.storedProperties.count == right.storedProperties.count,
                Set(left.uniquenessConstraints) == Set(right.uniquenessConstraints),
                Set(left.indices) == Set(right.indices), left._rtreeIndices == right._rtreeIndices,
                Set(left.fullText) == Set(right.fullText)
            else { return false }
            let others = right.storedPropertiesByName
            return left.storedProperties.allSatisfy { property in
                others[property.name].map { property._isEqual(to: $0) } ?? false
            }
        }

        /// Hashes the name.
        public func hash(into hasher: inout Hasher) { hasher.combine(name) }

        /// The entity with a property to a line.
        public var debugDescription: String {
            var lines = [superentityName.map { "\(name): \($0)" } ?? name]
            lines += storedProperties.map { property in
                "    " + ((property as? any CustomDebugStringConvertible)?.debugDescription ?? property.name)
            }
            if !uniquenessConstraints.isEmpty { lines.append("    unique \(Self.text(uniquenessConstraints))") }
            if !indices.isEmpty { lines.append("    index \(Self.text(indices))") }
            if !fullText.isEmpty { lines.append("    full text \(Self.text([fullText]))") }
            return lines.joined(separator: "\n")
        }

        private static func text(_ lists: [[String]]) -> String {
            lists.map { "[\($0.joined(separator: ", "))]" }.joined(separator: " ")
        }

        // MARK: Codable

        private enum CodingKeys: String, CodingKey {
            case name, superentity, properties, uniquenessConstraints, indices, fullText
        }

        /// Reads an entity. The schema that it is read with links it to its superentity.
        ///
        /// - Throws: `DecodingError` for a form that is damaged.
        public init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            name = try values.decode(String.self, forKey: .name)
            superentityName = try values.decodeIfPresent(String.self, forKey: .superentity)
            storedProperties = try values.decode([_EncodedProperty].self, forKey: .properties).map(\.property)
            uniquenessConstraints = try values.decodeIfPresent([[String]].self, forKey: .uniquenessConstraints) ?? []
            let indices = try values.decodeIfPresent([_EncodedIndex].self, forKey: .indices) ?? []
            self.indices = indices.map(\.properties)
            _rtreeIndices = Set(indices.filter { $0.isRTree == true }.map(\.properties))
            fullText = try values.decodeIfPresent([String].self, forKey: .fullText) ?? []
        }

        /// Writes the entity with its own properties; those it inherits stand with the superentity.
        public func encode(to encoder: any Encoder) throws {
            var values = encoder.container(keyedBy: CodingKeys.self)
            try values.encode(name, forKey: .name)
            try values.encodeIfPresent(superentityName, forKey: .superentity)
            try values.encode(storedProperties.map(_EncodedProperty.init), forKey: .properties)
            if !uniquenessConstraints.isEmpty {
                try values.encode(uniquenessConstraints, forKey: .uniquenessConstraints)
            }
            if !indices.isEmpty {
                try values.encode(
                    indices.map { _EncodedIndex(properties: $0, isRTree: _rtreeIndices.contains($0) ? true : nil) },
                    forKey: .indices)
            }
            if !fullText.isEmpty { try values.encode(fullText, forKey: .fullText) }
        }
    }
}
