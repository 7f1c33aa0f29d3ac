import Foundation

/// Reads one row of a batch into a model; the macro's code drives it.
///
/// A reader is only valid during the call it is passed to.
public struct _RowReader {
    // Unowned: whoever makes a reader keeps batch and home alive, and a row is read without touching a reference count.
    @usableFromInline unowned(unsafe) let batch: RowBatch
    @usableFromInline var cells: UnsafePointer<RowCell>
    @usableFromInline var mask: UInt64
    /// Resolves references to models; nil where a row is read outside any context.
    @usableFromInline unowned(unsafe) let home: _ModelHome?

    @inlinable
    init(_ batch: RowBatch, row: Int, mask: UInt64 = .max, home: _ModelHome?) {
        self.batch = batch
        self.cells = batch._cells(ofRow: row)
        self.mask = mask
        self.home = home
    }

    /// Goes on to another row of the same batch.
    @inlinable @inline(__always)
    mutating func move(to row: Int, mask: UInt64 = .max) {
        cells = batch._cells(ofRow: row)
        self.mask = mask
    }

    /// Whether a property shall be taken from the row.
    @inlinable @inline(__always)
    public func wants(_ slot: Int) -> Bool { mask & _slotBit(slot) != 0 }

    /// The bytes of a text or blob cell.
    @inlinable @inline(__always)
    public func bytes(_ cell: RowCell) -> UnsafeRawBufferPointer { batch.bytes(of: cell) }

    /// Reads a scalar; nil where the row does not say.
    @inlinable @inline(__always)
    public func value<T: PersistentScalar>(_ slot: Int) throws -> T? {
        let cell = cells[slot]
        if cell.kind == .absent { return nil }
        if let value = T._decode(cell, self) { return value }
        throw mismatch(slot, T.self)
    }

    /// Reads an enumeration stored by its raw value.
    @inlinable
    public func value<T: RawRepresentable & Codable>(_ slot: Int) throws -> T? where T.RawValue: PersistentScalar {
        let cell = cells[slot]
        if cell.kind == .absent { return nil }
        guard let raw = T.RawValue._decode(cell, self), let value = T(rawValue: raw) else {
            throw mismatch(slot, T.self)
        }
        return value
    }

    @inlinable
    public func value<T: RawRepresentable & Codable>(_ slot: Int) throws -> T?? where T.RawValue: PersistentScalar {
        let cell = cells[slot]
        if cell.kind == .absent { return nil }
        if cell.kind == .null { return .some(nil) }
        guard let raw = T.RawValue._decode(cell, self), let value = T(rawValue: raw) else {
            throw mismatch(slot, T.self)
        }
        return .some(value)
    }

    /// Reads a `Codable` value from its canonical JSON.
    @_disfavoredOverload
    public func value<T: Codable>(_ slot: Int) throws -> T? { try coded(slot) }

    /// Reads a value of any type from its coded form.
    public func coded<T: Codable>(_ slot: Int) throws -> T? {
        let cell = cells[slot]
        switch cell.kind {
        case .absent: return nil
        case .text, .blob: return try decodeComposite(cell, slot)
        case .null:
            if let none = _nilValue(of: T.self) { return none }
            throw mismatch(slot, T.self)
        default: throw mismatch(slot, T.self)
        }
    }

    private func decodeComposite<T: Codable>(_ cell: RowCell, _ slot: Int) throws -> T {
        do {
            return try CompositeCoding.decode(T.self, from: bytes(cell))
        } catch {
            throw SwiftDataError(
                .valueDecoding, entity: batch.entityName, property: propertyName(slot),
                detail: "the stored value is no \(T.self)", underlying: error)
        }
    }

    /// Reads a required to-one relationship.
    public func value<T: PersistentModel>(_ slot: Int) throws -> T? {
        let cell = cells[slot]
        if cell.kind == .absent { return nil }
        guard let home else { return nil }
        return try home.resolve(cell, in: batch, slot: slot, as: T.self)
    }

    /// Reads an optional to-one relationship.
    public func value<T: PersistentModel>(_ slot: Int) throws -> T?? {
        let cell = cells[slot]
        if cell.kind == .absent { return nil }
        if cell.kind == .null { return .some(nil) }
        guard let home else { return nil }
        return .some(try home.resolve(cell, in: batch, slot: slot, as: T.self))
    }

    /// Reads a to-many relationship; nil, which means on demand, where the row carries no links.
    public func value<T: PersistentModel>(_ slot: Int) throws -> [T]? {
        try home?.resolveMany(cells[slot], in: batch, slot: slot, as: T.self)
    }

    public func value<T: PersistentModel>(_ slot: Int) throws -> [T]?? {
        if cells[slot].kind == .null { return .some(nil) }
        guard let models = try home?.resolveMany(cells[slot], in: batch, slot: slot, as: T.self) else { return nil }
        return .some(models)
    }

    /// Reads a value that a value transformer keeps as bytes.
    public func transformed<T>(_ slot: Int, by transformer: ValueTransformer.Type) throws -> T? {
        try transformed(slot, by: transformer.init())
    }

    public func transformed<T>(_ slot: Int, by name: String) throws -> T? {
        guard let transformer = ValueTransformer(forName: NSValueTransformerName(name)) else {
            throw SwiftDataError(
                .valueDecoding, entity: batch.entityName, property: propertyName(slot),
                detail: "no value transformer is registered as “\(name)”")
        }
        return try transformed(slot, by: transformer)
    }

    private func transformed<T>(_ slot: Int, by transformer: ValueTransformer) throws -> T? {
        let cell = cells[slot]
        if cell.kind == .absent { return nil }
        let data = cell.kind == .null ? nil : Data(bytes(cell))
        guard let value = transformer.reverseTransformedValue(data) as? T else {
            if let none = _nilValue(of: T.self) { return none }
            throw mismatch(slot, T.self)
        }
        return value
    }

    func propertyName(_ slot: Int) -> String? { home?.descriptor.properties[safe: slot]?.name }

    @usableFromInline
    func mismatch(_ slot: Int, _ type: Any.Type) -> SwiftDataError {
        let kind = cells[slot].kind
        return SwiftDataError(
            kind == .null ? .missingRequiredValue : .valueDecoding, entity: batch.entityName,
            property: propertyName(slot),
            detail: "the store holds \(kind == .null ? "no value" : kind.words), and the property's type is \(type)")
    }
}

extension CellKind {
    /// The kind as errors speak of it.
    var words: String {
        switch self {
        case .absent, .integer, .unsigned, .identifier: "an \(self) value"
        default: "a \(self) value"
        }
    }
}

/// The bit of a property in a mask; properties from the 55th on share one.
@inlinable @inline(__always)
public func _slotBit(_ slot: Int) -> UInt64 {
    1 &<< UInt64(truncatingIfNeeded: slot < 54 ? slot : 54)
}

extension Array {
    subscript(safe index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}
