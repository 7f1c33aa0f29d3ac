import CofferCore

/// One column of an entity's table that keeps the values of one property.
struct SQLiteColumn: Sendable, Hashable {
    /// How cells are bound and read.
    enum Kind: UInt8, Sendable, Hashable {
        case integer
        /// As integers; above `Int64.max` as eight bytes, big-endian, which sort after all integers.
        case unsigned
        /// As floating-point numbers; not-a-number, which SQLite cannot keep, as eight bytes.
        case real
        case text
        case blob
        /// The key of a row of another table.
        case reference

        init(_ storage: ScalarStorage) {
            switch storage {
            case .boolean, .integer: self = .integer
            case .unsigned: self = .unsigned
            case .real, .date: self = .real
            case .text, .url, .decimal: self = .text
            case .blob, .uuid: self = .blob
            }
        }

        /// The kinds of cell that the column takes, as a bit mask by raw value.
        var acceptedCells: UInt16 {
            switch self {
            case .integer: Self.mask(.integer)
            case .unsigned: Self.mask(.integer, .unsigned)
            case .real: Self.mask(.real)
            case .text: Self.mask(.text)
            case .blob: Self.mask(.blob)
            case .reference: Self.mask(.reference)
            }
        }

        private static func mask(_ kinds: CellKind...) -> UInt16 {
            kinds.reduce(0) { $0 | 1 << UInt16($1.rawValue) }
        }
    }

    /// The property's slot in the rows of a batch.
    let slot: Int
    /// The property's name.
    let property: String
    /// The column's name.
    let name: String
    let kind: Kind
    /// How the property keeps its values; nil for a link.
    let storage: ScalarStorage?
    let isRequired: Bool
    /// Whether rows of other classes lie in the table, too, which leave the column empty.
    let isOfSubclass: Bool
    /// Whether a superclass declares the property.
    private(set) var isInherited = false
    /// The table a link leads to, by index.
    let destination: Int?
    /// The name of the column that says where the row stands in the other side's list; nil where there is no list.
    let positionName: String?
    /// The name of the index of the rows that have such a place.
    let placeIndexName: String?
    /// Whether large values lie in files of their own; the column then has the file's name, as text.
    let isExternal: Bool
    /// The names as they stand in SQL text.
    let quoted: String
    let quotedPosition: String?

    init(
        slot: Int, property: String, name: String, kind: Kind, storage: ScalarStorage?, isRequired: Bool,
        isOfSubclass: Bool = false, destination: Int?, positionName: String?, placeIndexName: String?,
        isExternal: Bool = false
    ) {
        self.slot = slot
        self.property = property
        self.name = name
        self.kind = kind
        self.storage = storage
        self.isRequired = isRequired
        self.isOfSubclass = isOfSubclass
        self.destination = destination
        self.positionName = positionName
        self.placeIndexName = placeIndexName
        self.isExternal = isExternal
        quoted = SQLiteName.quoted(name)
        quotedPosition = positionName.map(SQLiteName.quoted)
    }

    /// The column as subclasses have it.
    var inherited: SQLiteColumn {
        var copy = self
        copy.isInherited = true
        return copy
    }

    /// The declared type.
    ///
    /// A column that is declared REAL keeps numbers without a fraction as integers, and with them −0 as 0. Nothing
    /// tells the two dates apart; of other numbers the sign is kept, by a type that SQLite takes for BLOB, which
    /// leaves values as they are.
    var declaredType: String {
        switch kind {
        case .integer, .unsigned, .reference: "INTEGER"
        case .real: storage == .date ? "REAL" : "REAL BLOB"
        case .text: "TEXT"
        case .blob: "BLOB"
        }
    }

    /// The kinds of cell the column takes, nothing included where it may be missing.
    var acceptedCells: UInt16 {
        var cells = kind.acceptedCells
        if isExternal { cells |= 1 << UInt16(CellKind.text.rawValue) }
        if !isRequired { cells |= 1 << UInt16(CellKind.null.rawValue) | 1 << UInt16(CellKind.absent.rawValue) }
        return cells
    }
}
