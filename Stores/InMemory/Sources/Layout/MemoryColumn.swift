import CofferCore

/// A property whose value a row keeps itself: an attribute or a to-one link.
struct MemoryColumn: Hashable, Sendable {
    /// The property's slot in the rows of a batch.
    let slot: Int
    /// The property's name.
    let property: String
    let isRequired: Bool
    /// The table a link leads to, by index; nil for an attribute.
    let destination: Int?
    /// The slot of the link on the other side; nil where that is a list, or nothing.
    var partner: Int?
    /// The kinds of cell the column takes, as a bit mask by raw value.
    let acceptedCells: UInt16

    init(slot: Int, relationship: Schema.Relationship, destination: Int) {
        self.init(
            slot: slot, property: relationship.name, isRequired: !relationship.isOptional, destination: destination,
            kinds: [.reference])
    }

    init(slot: Int, attribute: Schema.Attribute) {
        let kinds: [CellKind] =
            switch attribute._storage {
            case .boolean, .integer: [.integer]
            case .unsigned: [.integer, .unsigned]
            case .real, .date: [.real]
            case .text, .url, .decimal: [.text]
            case .blob, .uuid: [.blob]
            }
        self.init(
            slot: slot, property: attribute.name, isRequired: !attribute.isOptional, destination: nil, kinds: kinds)
    }

    private init(slot: Int, property: String, isRequired: Bool, destination: Int?, kinds: [CellKind]) {
        self.slot = slot
        self.property = property
        self.isRequired = isRequired
        self.destination = destination
        let kinds = isRequired ? kinds : kinds + [.null, .absent]
        acceptedCells = kinds.reduce(0) { $0 | 1 << UInt16($1.rawValue) }
    }

    /// Whether a cell may stand in the column.
    @inline(__always)
    func accepts(_ cell: RowCell) -> Bool { acceptedCells & (1 << UInt16(cell.kind.rawValue)) != 0 }
}
