import CofferCore

/// A property whose value a row keeps itself: an attribute or a to-one link.
struct MemoryColumn: Hashable, Sendable {
    /// The property's slot in the rows of a batch.
    let slot: Int
    /// The property's name.
    let property: String
    /// The entity that declares it.
    let entityName: String
    let isRequired: Bool
    /// The table a link leads to, by index; nil for an attribute.
    let destination: Int?
    /// The slot of the link on the other side; nil where that is a list, or nothing.
    var partner: Int?
    /// The kinds of cell the column takes, as a bit mask by raw value.
    let acceptedCells: UInt16

    /// A link.
    ///
    /// - Parameter isOfAll: whether all rows of the table have the property, rather than those of a subclass only.
    init(slot: Int, relationship: Schema.Relationship, of entity: Schema.Entity, destination: Int, isOfAll: Bool) {
        self.init(
            slot: slot, property: relationship.name, entityName: entity.name,
            isRequired: isOfAll && !relationship.isOptional, destination: destination, kinds: [.reference])
    }

    /// The number of a row's entity in a table of several.
    init(kindSlot slot: Int, of entity: Schema.Entity) {
        self.init(
            slot: slot, property: "entity", entityName: entity.name, isRequired: true, destination: nil,
            kinds: [.integer])
    }

    /// An attribute.
    init(slot: Int, attribute: Schema.Attribute, of entity: Schema.Entity, isOfAll: Bool) {
        let kinds: [CellKind] =
            switch attribute._storage {
            case .boolean, .integer: [.integer]
            case .unsigned: [.integer, .unsigned]
            case .real, .date: [.real]
            case .text, .url, .decimal: [.text]
            case .blob, .uuid: [.blob]
            }
        self.init(
            slot: slot, property: attribute.name, entityName: entity.name,
            isRequired: isOfAll && !attribute.isOptional, destination: nil, kinds: kinds)
    }

    private init(
        slot: Int, property: String, entityName: String, isRequired: Bool, destination: Int?, kinds: [CellKind]
    ) {
        self.slot = slot
        self.property = property
        self.entityName = entityName
        self.isRequired = isRequired
        self.destination = destination
        let kinds = isRequired ? kinds : kinds + [.null, .absent]
        acceptedCells = kinds.reduce(0) { $0 | 1 << UInt16($1.rawValue) }
    }

    /// Whether a cell may stand in the column.
    @inline(__always)
    func accepts(_ cell: RowCell) -> Bool { acceptedCells & (1 << UInt16(cell.kind.rawValue)) != 0 }
}
