import CofferCore

/// A property whose value is in the record: an attribute or a to-one link.
public final class RecordField: Sendable {
    /// The field's place in the record.
    public let number: Int
    /// The property's slot in the rows of a batch.
    public let slot: Int
    /// The property's name.
    public let property: String
    public let isRequired: Bool
    /// How the values of an attribute are kept; nil for a link.
    public let storage: ScalarStorage?
    /// The space a link leads to, by index; nil for an attribute.
    public let destination: Int?
    /// Where the rows with a link are found from its other end; nil for an attribute.
    public let links: RecordTable?
    /// The kinds of cell the field takes, as a bit mask by raw value.
    private let acceptedCells: UInt16

    convenience init(number: Int, slot: Int, relationship: Schema.Relationship, destination: Int, links: RecordTable) {
        self.init(
            number: number, slot: slot, property: relationship.name, isRequired: !relationship.isOptional, storage: nil,
            destination: destination, links: links, kinds: [.reference])
    }

    convenience init(number: Int, slot: Int, attribute: Schema.Attribute) {
        let storage = attribute._storage
        let kinds: [CellKind] =
            switch storage {
            case .boolean, .integer: [.integer]
            case .unsigned: [.integer, .unsigned]
            case .real, .date: [.real]
            case .text, .url, .decimal: [.text]
            case .blob, .uuid: [.blob]
            }
        self.init(
            number: number, slot: slot, property: attribute.name, isRequired: !attribute.isOptional, storage: storage,
            destination: nil, links: nil, kinds: kinds)
    }

    private init(
        number: Int, slot: Int, property: String, isRequired: Bool, storage: ScalarStorage?, destination: Int?,
        links: RecordTable?, kinds: [CellKind]
    ) {
        self.number = number
        self.slot = slot
        self.property = property
        self.isRequired = isRequired
        self.storage = storage
        self.destination = destination
        self.links = links
        let kinds = isRequired ? kinds : kinds + [.null, .absent]
        acceptedCells = kinds.reduce(0) { $0 | 1 << UInt16($1.rawValue) }
    }

    /// Whether a cell may stand in the field.
    @inline(__always)
    func accepts(_ cell: RowCell) -> Bool { acceptedCells & (1 << UInt16(cell.kind.rawValue)) != 0 }
}
