import CofferCore

/// How a schema lies in an engine: the spaces of its entities and all their tables.
///
/// It follows from the schema and the store's numbering alone.
public final class RecordSchema: Sendable {
    /// The table with what the store says about itself; the first of every store.
    public static let metadata = RecordTable(name: "_coffer", role: .metadata, index: 0)

    /// The table with the history; the second of every store, though a store that was made by an earlier version may
    /// lack it while it is open for reading only.
    public static let history = RecordTable(name: "_coffer_history", role: .history, index: 1)

    /// The spaces of the entities: one for each hierarchy of classes.
    public let spaces: [RecordSpace]
    /// All tables, the one of the metadata first; each stands at its ``RecordTable/index``.
    public let tables: [RecordTable]
    package let pairs: [RecordPairs]
    /// The links that lead to each space, by its index.
    let linksTo: [[(space: Int, field: Int)]]
    package let numbering: RecordNumbering
    /// The hierarchies of the schema; nil where it has none.
    let hierarchies: FlatHierarchies?
    private let byName: [String: Int]

    /// Lays a schema out.
    ///
    /// - Parameters:
    ///   - schema: the schema.
    ///   - numbering: the numbers that the store has given out; those that are missing are added.
    /// - Throws: `SwiftDataError` for what a store of records cannot keep; it names entity and property.
    public init(_ schema: Schema, numbering: RecordNumbering = RecordNumbering()) throws {
        var numbering = numbering
        numbering.add(schema)
        self.numbering = numbering
        var builder = RecordSchemaBuilder(schema, numbering)
        try builder.build()
        let spaces = builder.spaces
        self.spaces = spaces
        tables = builder.tables
        pairs = builder.pairs
        hierarchies = builder.hierarchies
        byName = builder.spaceOfEntity
        linksTo = spaces.map { target in
            spaces.flatMap { space in
                space.links.filter { $0.destination == target.index }.map { (space.index, $0.number) }
            }
        }
    }

    /// The space of an entity, which it may share with its hierarchy; nil where the schema does not have it.
    public func space(of entityName: String) -> RecordSpace? { byName[entityName].map { spaces[$0] } }

    /// A plan in the slots of the spaces.
    @inline(__always)
    func flat(_ plan: FetchPlan) -> FetchPlan { hierarchies?.plan(plan) ?? plan }

    /// The names of all entities.
    var entityNames: some Sequence<String> { byName.keys }

    /// The space whose rows a to-many relationship holds, by index.
    package func destination(of place: RecordSpace.ListPlace) -> Int {
        switch place {
        case .inverse(let space, _): space
        case .pairs(let pairs, let side): self.pairs[pairs].space(at: side.opposite)
        }
    }

    /// The table in which a to-many relationship's rows are found by their owner.
    package func table(of place: RecordSpace.ListPlace) -> RecordTable? {
        switch place {
        case .inverse(let space, let field): spaces[space].fields[field].links
        case .pairs(let pairs, let side): self.pairs[pairs].table(at: side)
        }
    }
}
