/// One ordered table of an engine: what the store asks for by name, and what it keeps there.
///
/// A store makes its tables from the schema (see ``RecordSchema``) and hands the same values to every transaction.
public final class RecordTable: Hashable, Sendable {
    /// What a table holds. An engine may use it, for instance to leave out of a document what follows from other tables.
    public enum Role: Hashable, Sendable {
        /// What the store says about itself: format, schema, counters of keys.
        case metadata
        /// The store's history: a text for each save, by its number in eight bytes, the highest first. The entry zero is
        /// the greatest number that was deleted.
        case history
        /// Records by row key (see ``Record``). A hierarchy of entities shares one table, under its topmost name.
        case rows(entity: String)
        /// Keys made of a row's values and its row key; follows from the rows. See ``IndexKey``.
        case index(entity: String, properties: [String])
        /// The words of the rows' texts; follows from the rows. Its keys are those of ``index(entity:properties:)`` in
        /// nothing but that they end with the row key.
        case words(entity: String, properties: [String])
        /// The links of a to-one relationship, by the row they lead to; the order of a list that the rows on the other
        /// side have is kept here and nowhere else. See ``LinkKey``.
        case links(entity: String, property: String)
        /// One side of the pairs of a to-many relationship that has no to-one side.
        case pairs(entity: String, property: String)
    }

    /// The table's name, unique in a store. Letters, digits, dots and underscores, as far as those of the schema are.
    public let name: String
    /// What the table holds.
    public let role: Role
    /// The place of the table among those of the store, from zero on, for engines that keep handles in an array.
    public let index: Int

    /// Makes a table.
    ///
    /// - Parameters:
    ///   - name: its name, unique in a store.
    ///   - role: what it holds.
    ///   - index: its place among the tables of the store.
    public init(name: String, role: Role, index: Int) {
        self.name = name
        self.role = role
        self.index = index
    }

    /// Whether both are the same place of the same table.
    public static func == (left: RecordTable, right: RecordTable) -> Bool {
        left === right || left.index == right.index && left.name == right.name && left.role == right.role
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
