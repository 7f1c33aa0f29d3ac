import Foundation

/// Writes one model's values into a row of a batch; the macro's code drives it.
public struct _RowWriter {
    // Unowned, like a reader's.
    @usableFromInline unowned(unsafe) let batch: RowBatch
    @usableFromInline let row: Int
    @usableFromInline let mask: UInt64
    @usableFromInline unowned(unsafe) let descriptor: _ModelDescriptor

    @inlinable
    init(_ batch: RowBatch, row: Int, mask: UInt64 = .max, descriptor: _ModelDescriptor) {
        self.batch = batch
        self.row = row
        self.mask = mask
        self.descriptor = descriptor
    }

    /// Whether the property belongs to what is written.
    @inlinable @inline(__always)
    public func wants(_ slot: Int) -> Bool { mask & _slotBit(slot) != 0 }

    @inlinable @inline(__always)
    public func set(_ cell: RowCell, _ slot: Int) { batch.set(cell, row: row, slot: slot) }

    /// Stores text, normalised.
    @inlinable
    public func setText(_ text: String, _ slot: Int) {
        var text = text
        let done = text.withUTF8 { bytes in
            guard TextNormalisation.isSurelyNormal(bytes) else { return false }
            batch.setText(UnsafeRawBufferPointer(bytes), row: row, slot: slot)
            return true
        }
        if !done { batch.set(.text(TextNormalisation.normalised(text)), row: row, slot: slot) }
    }

    /// Writes a scalar; nothing where it was never loaded.
    @inlinable @inline(__always)
    public func put<T: PersistentScalar>(_ slot: Int, _ value: T?) throws {
        if let value { value._encode(self, slot) }
    }

    @inlinable
    public func put<T: RawRepresentable & Codable>(_ slot: Int, _ value: T?) throws where T.RawValue: PersistentScalar {
        if let value { value.rawValue._encode(self, slot) }
    }

    @inlinable
    public func put<T: RawRepresentable & Codable>(_ slot: Int, _ value: T??) throws
    where T.RawValue: PersistentScalar {
        guard let value else { return }
        if let value { value.rawValue._encode(self, slot) } else { set(RowCell(.null), slot) }
    }

    /// Writes a `Codable` value as canonical JSON; nil of an optional as no value.
    @_disfavoredOverload
    public func put<T: Codable>(_ slot: Int, _ value: T?) throws { try putCoded(slot, value) }

    /// Writes a value of any type in its coded form.
    public func putCoded<T: Codable>(_ slot: Int, _ value: T?) throws {
        guard let value else { return }
        if _isNil(value) {
            set(RowCell(.null), slot)
            return
        }
        do {
            batch.set(.text(try CompositeCoding.encode(value)), row: row, slot: slot)
        } catch {
            throw SwiftDataError(
                .valueEncoding, entity: batch.entityName, property: descriptor.properties[safe: slot]?.name,
                detail: "a \(T.self) could not be encoded", underlying: error)
        }
    }

    @inlinable
    public func put<T: PersistentModel>(_ slot: Int, _ value: T?) throws {
        if let value { reference(slot, value) }
    }

    @inlinable
    public func put<T: PersistentModel>(_ slot: Int, _ value: T??) throws {
        guard let value else { return }
        if let value { reference(slot, value) } else { set(RowCell(.null), slot) }
    }

    public func put<T: PersistentModel>(_ slot: Int, _ value: [T]?) throws {
        if let value { references(slot, value) }
    }

    public func put<T: PersistentModel>(_ slot: Int, _ value: [T]??) throws {
        guard let value else { return }
        if let value { references(slot, value) } else { set(RowCell(.null), slot) }
    }

    @inlinable
    func reference<T: PersistentModel>(_ slot: Int, _ model: T) {
        let key = model._$key
        if key != 0, model._$extras == nil, !batch.keepsEntities {
            set(RowCell(.reference, bits: UInt64(bitPattern: key)), slot)
        } else {
            batch.set(.reference(model.persistentModelID), row: row, slot: slot)
        }
    }

    private func references<T: PersistentModel>(_ slot: Int, _ models: [T]) {
        for model in models where model._$flags & _Flag.textKey != 0 || model._$key == 0 || batch.keepsEntities {
            batch.set(.references(models.map { $0.persistentModelID }), row: row, slot: slot)
            return
        }
        let start = batch._heapOffset
        for model in models {
            withUnsafeBytes(of: model._$key) { _ = batch._append(.references, $0.baseAddress, $0.count) }
        }
        set(RowCell(.references, bits: UInt64(start), length: models.count * 8), slot)
    }

    public func putTransformed<T>(_ slot: Int, _ value: T?, by transformer: ValueTransformer.Type) throws {
        try putTransformed(slot, value, by: transformer.init())
    }

    public func putTransformed<T>(_ slot: Int, _ value: T?, by name: String) throws {
        guard let transformer = ValueTransformer(forName: NSValueTransformerName(name)) else {
            throw SwiftDataError(
                .valueEncoding, entity: batch.entityName, property: descriptor.properties[safe: slot]?.name,
                detail: "no value transformer is registered as “\(name)”")
        }
        try putTransformed(slot, value, by: transformer)
    }

    private func putTransformed<T>(_ slot: Int, _ value: T?, by transformer: ValueTransformer) throws {
        guard let value else { return }
        if _isNil(value) {
            set(RowCell(.null), slot)
            return
        }
        guard let data = transformer.transformedValue(value) as? Data else {
            throw SwiftDataError(
                .valueEncoding, entity: batch.entityName, property: descriptor.properties[safe: slot]?.name,
                detail: "the value transformer gave no data")
        }
        batch.set(.blob([UInt8](data)), row: row, slot: slot)
    }
}
