extension Schema {
    /// Indexes over properties of a model, written as `#Index<Trip>([\.name], [\.start, \.name])`.
    ///
    /// An index makes filters and sorts on its properties faster and changes nothing else.
    public final class Index<M: PersistentModel>: SchemaProperty, CustomDebugStringConvertible, @unchecked Sendable {
        /// One index, by its kind.
        public enum Types<P: PersistentModel> {
            /// Ordered by the properties in turn; serves equality, ranges and sorts.
            case binary([PartialKeyPath<P>])
            /// For ranges over several numbers at once. A store that has no such index says so when it is opened.
            case rtree([PartialKeyPath<P>])

            /// The properties of the index, in order.
            var keyPaths: [PartialKeyPath<P>] {
                switch self {
                case .binary(let paths), .rtree(let paths): paths
                }
            }
        }

        /// The names of the members in the encoded form.
        public enum CodingKeys: CodingKey {
            /// The properties of each index.
            case indices
        }

        /// A name for messages.
        public var name: String
        /// The same as ``name`` unless set.
        public var originalName: String
        /// The model's type.
        public var valueType: any Any.Type
        /// The indexes, as declared.
        public let indices: [Types<M>]

        /// Always false: an index constrains nothing.
        public var isUnique: Bool { false }

        /// Declares indexes of chosen kinds.
        public init(_ indices: Types<M>...) {
            self.indices = indices
            (name, originalName, valueType) = ("index", "index", M.self)
        }

        /// Declares ordered indexes.
        ///
        /// - Parameter binaryIndices: the properties of each index, in order.
        public init(_ binaryIndices: [PartialKeyPath<M>]...) {
            self.indices = binaryIndices.map { .binary($0) }
            (name, originalName, valueType) = ("index", "index", M.self)
        }

        /// Whether both declare the same indexes in the same order.
        public static func == (left: Index, right: Index) -> Bool {
            left === right || left.content.elementsEqual(right.content, by: ==)
        }

        /// Hashes what `==` compares.
        public func hash(into hasher: inout Hasher) {
            for (isRTree, paths) in content {
                hasher.combine(isRTree)
                hasher.combine(paths)
            }
        }

        private var content: [(Bool, [AnyKeyPath])] { _keyPaths.map { ($0.isRTree, $0.paths) } }

        /// The declaration with property names.
        public var debugDescription: String {
            let lists = _keyPaths.map { entry in
                let names = Schema._names(of: entry.paths, in: M.self).joined(separator: ", ")
                return (entry.isRTree ? "rtree" : "") + "[\(names)]"
            }
            return "Index<\(Schema.entityName(for: M.self))>(\(lists.joined(separator: ", ")))"
        }

        /// Reads indexes; the model's own metadata turns names into key paths.
        ///
        /// - Throws: `DecodingError` for a name that is no property of the model.
        public init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            indices = try values.decode([_EncodedIndex].self, forKey: .indices).map { index in
                let paths: [PartialKeyPath<M>] = try Schema._keyPaths(
                    named: index.properties, in: M.self, codingPath: decoder.codingPath)
                return index.isRTree == true ? .rtree(paths) : .binary(paths)
            }
            (name, originalName, valueType) = ("index", "index", M.self)
        }

        /// Writes the indexes by property name.
        public func encode(to encoder: any Encoder) throws {
            var values = encoder.container(keyedBy: CodingKeys.self)
            try values.encode(
                _keyPaths.map {
                    _EncodedIndex(properties: Schema._names(of: $0.paths, in: M.self), isRTree: $0.isRTree ? true : nil)
                }, forKey: .indices)
        }
    }
}

/// One index or constraint in an encoded schema.
struct _EncodedIndex: Codable, Hashable {
    var properties: [String]
    var isRTree: Bool?
}

extension Schema.Index: _ConstraintProperty {
    static var _isUniqueness: Bool { false }

    var _keyPaths: [(paths: [AnyKeyPath], isRTree: Bool)] {
        indices.map { index in
            if case .rtree = index { return (index.keyPaths, true) }
            return (index.keyPaths, false)
        }
    }
}
