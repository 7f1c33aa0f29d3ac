/// Where filters and sorters in memory find the rows that others are linked to.
public protocol RowSource {
    /// The row of a key; nil where there is none.
    ///
    /// - Throws: what the store throws that is asked.
    func row(_ key: Int64, of entityName: String) throws -> DefaultSnapshot?
    /// The row of an identifier whose key may be no integer; by default only integer keys lead anywhere.
    ///
    /// - Throws: what the store throws that is asked.
    func row(_ identifier: PersistentIdentifier) throws -> DefaultSnapshot?
    /// The rows that a to-many relationship holds.
    ///
    /// - Throws: what the store throws that is asked.
    func members(of owner: DefaultSnapshot, slot: Int) throws -> [DefaultSnapshot]
    /// The entity a to-one relationship leads to; nil where the property is none.
    func destination(ofSlot slot: Int, in entityName: String) -> String?
    /// Whether a row is of an entity or of one below it; by default the row's identifier must name that very entity.
    func isRow(_ row: DefaultSnapshot, of entityName: String) -> Bool
    /// All entities of the hierarchy that an entity is part of, topmost first; by default none.
    ///
    /// A link's key says nothing of the entity of the row. A source that answers has identifiers of a hierarchy compared
    /// by their keys alone, which then have to be unique in it.
    func hierarchy(of entityName: String) -> [String]
    /// Whether ``hierarchy(of:)`` ever answers; by default not.
    var hasHierarchies: Bool { get }
}

extension RowSource {
    public func row(_ identifier: PersistentIdentifier) throws -> DefaultSnapshot? {
        identifier._textKey == nil ? try row(identifier._key, of: identifier.entityName) : nil
    }

    public func isRow(_ row: DefaultSnapshot, of entityName: String) -> Bool {
        row.persistentIdentifier.entityName == entityName
    }

    public func hierarchy(of entityName: String) -> [String] { [] }
    public var hasHierarchies: Bool { false }
}

/// A source without any rows, for filters that follow no links.
public struct NoRows: RowSource {
    /// A source without rows.
    public init() {}

    public func row(_ key: Int64, of entityName: String) -> DefaultSnapshot? { nil }
    public func members(of owner: DefaultSnapshot, slot: Int) -> [DefaultSnapshot] { [] }
    public func destination(ofSlot slot: Int, in entityName: String) -> String? { nil }
}
