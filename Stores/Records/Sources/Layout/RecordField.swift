import CofferCore

/// A property whose value is in the record: an attribute or a to-one link.
public final class RecordField: Sendable {
    /// The field's place in the record.
    public let number: Int
    /// The property's slot in the rows of a batch.
    public let slot: Int
    /// The property's name.
    public let property: String
    /// The entity that declares it.
    public let entityName: String
    /// Whether every row of the space must have a value.
    public let isRequired: Bool
    /// How the values of an attribute are kept; nil for a link.
    public let storage: ScalarStorage?
    /// The type of an attribute's values as they are kept; nil for a link, and for values that are coded or transformed.
    package let scalarType: (any PersistentScalar.Type)?
    /// The space a link leads to, by index; nil for an attribute.
    public let destination: Int?
    /// Where the rows with a link are found from its other end; nil for an attribute.
    public let links: RecordTable?
    /// The field of the link on the other side; nil where that is a list, or nothing.
    let partner: Int?
    /// The kinds of cell the field takes, as a bit mask by raw value.
    private let acceptedCells: UInt16

    /// What a space knows of a property beside the property itself.
    struct Place {
        let number: Int
        let slot: Int
        let entity: Schema.Entity
        /// Whether all rows of the space have the property, rather than those of a subentity only.
        let isOfAll: Bool
    }

    convenience init(
        _ place: Place, relationship: Schema.Relationship, destination: Int, links: RecordTable, partner: Int?
    ) {
        self.init(
            place, property: relationship.name, isOptional: relationship.isOptional, storage: nil,
            destination: destination, links: links, partner: partner, kinds: [.reference])
    }

    convenience init(_ place: Place, attribute: Schema.Attribute) {
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
            place, property: attribute.name, isOptional: attribute.isOptional, storage: storage,
            scalarType: attribute._scalarType, destination: nil, links: nil, kinds: kinds)
    }

    /// Stands for the entity of a row in a space of several; it is no field of the record, but in its header.
    convenience init(kindSlot slot: Int, of root: Schema.Entity) {
        self.init(
            Place(number: -1, slot: slot, entity: root, isOfAll: true), property: "entity", isOptional: false,
            storage: .integer, destination: nil, links: nil, kinds: [.integer])
    }

    private init(
        _ place: Place, property: String, isOptional: Bool, storage: ScalarStorage?,
        scalarType: (any PersistentScalar.Type)? = nil, destination: Int?, links: RecordTable?, partner: Int? = nil,
        kinds: [CellKind]
    ) {
        number = place.number
        slot = place.slot
        entityName = place.entity.name
        isRequired = place.isOfAll && !isOptional
        self.property = property
        self.storage = storage
        self.scalarType = scalarType
        self.destination = destination
        self.links = links
        self.partner = partner
        let kinds = isRequired ? kinds : kinds + [.null, .absent]
        acceptedCells = kinds.reduce(0) { $0 | 1 << UInt16($1.rawValue) }
    }

    /// Whether a cell may stand in the field.
    @inline(__always)
    func accepts(_ cell: RowCell) -> Bool { acceptedCells & (1 << UInt16(cell.kind.rawValue)) != 0 }
}
