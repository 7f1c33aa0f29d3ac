extension Schema {
    /// Uniqueness constraints over properties of a model, written as `#Unique<Trip>([\.name], [\.start, \.place])`.
    ///
    /// No two models have the same values for the properties of a constraint. Saving a second such model updates the
    /// first.
    public final class Unique<M: PersistentModel>: SchemaProperty, CustomDebugStringConvertible, @unchecked Sendable {
        /// The names of the members in the encoded form.
        public enum CodingKeys: CodingKey {
            /// The properties of each constraint.
            case constraints
        }

        /// A name for messages.
        public var name: String
        /// The same as ``name`` unless set.
        public var originalName: String
        /// The model's type.
        public var valueType: any Any.Type
        /// The constraints: the properties of each.
        public let constraints: [[PartialKeyPath<M>]]

        /// Always true.
        public var isUnique: Bool { true }

        /// Declares constraints.
        ///
        /// - Parameter constraints: the properties of each constraint, which are unique together.
        public init(_ constraints: [PartialKeyPath<M>]...) {
            self.constraints = constraints
            (name, originalName, valueType) = ("unique", "unique", M.self)
        }

        /// Whether both declare the same constraints in the same order.
        public static func == (left: Unique, right: Unique) -> Bool { left.constraints == right.constraints }

        /// Hashes what `==` compares.
        public func hash(into hasher: inout Hasher) { hasher.combine(constraints) }

        /// The declaration with property names.
        public var debugDescription: String {
            let lists = constraints.map { "[\(Schema._names(of: $0, in: M.self).joined(separator: ", "))]" }
            return "Unique<\(Schema.entityName(for: M.self))>(\(lists.joined(separator: ", ")))"
        }

        /// Reads constraints; the model's own metadata turns names into key paths.
        ///
        /// - Throws: `DecodingError` for a name that is no property of the model.
        public init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            constraints = try values.decode([[String]].self, forKey: .constraints).map { names in
                try Schema._keyPaths(named: names, in: M.self, codingPath: decoder.codingPath)
            }
            (name, originalName, valueType) = ("unique", "unique", M.self)
        }

        /// Writes the constraints by property name.
        public func encode(to encoder: any Encoder) throws {
            var values = encoder.container(keyedBy: CodingKeys.self)
            try values.encode(constraints.map { Schema._names(of: $0, in: M.self) }, forKey: .constraints)
        }
    }
}

extension Schema.Unique: _ConstraintProperty {
    static var _isUniqueness: Bool { true }

    var _keyPaths: [(paths: [AnyKeyPath], isRTree: Bool)] { constraints.map { ($0, false) } }
}
