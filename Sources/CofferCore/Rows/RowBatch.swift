import Foundation

/// Rows of one entity, packed: what a store hands out of a fetch and takes in of a save.
///
/// A batch is a rectangle of two-word cells, one column for each property slot, beside one heap that holds all text
/// and bytes. Filling it allocates nothing per row, and a snapshot is a view of one of its rows (see
/// ``DefaultSnapshot``). A store appends rows with ``appendRow(key:)`` and the `set…` members; once handed over a
/// batch is never changed again, which is what makes sharing it between threads sound.
///
/// ```swift
/// let batch = RowBatch(entityName: "Trip", width: 2, storeIdentifier: store.identifier)
/// let row = batch.appendRow(key: 1)
/// batch.setText("Rome".utf8, row: row, slot: 0)
/// batch.set(RowCell(.integer, bits: 3), row: row, slot: 1)
/// ```
public final class RowBatch: @unchecked Sendable {
    /// Store and entity of the rows' identifiers.
    public let space: _IdentifierSpace
    /// Store and entity of the rows that are of entities below that of ``space``, in the order of
    /// ``FetchPlan/subentityNames``.
    public let subspaces: [_IdentifierSpace]
    /// The class of the rows; the context sets it in the batches it makes.
    var descriptor: _ModelDescriptor?
    /// The classes of rows of other entities, in the order of ``subspaces``.
    var subdescriptors: [_ModelDescriptor] = []
    /// Which entity each row is of: 0 for that of ``space``, otherwise counted from one in ``subspaces``. Rows that are
    /// not in it are of that of ``space``.
    private(set) var entityIndexes: [UInt16] = []
    /// Whether links are kept as identifiers, which name the entity of the row they lead to, instead of as mere keys.
    /// Stores of SwiftData's own protocols may give rows of two classes of a hierarchy the same key.
    @usableFromInline var keepsEntities = false
    /// The number of property slots of a row.
    public let width: Int
    /// The number of rows.
    @inlinable public var count: Int { rowCount }

    // A batch is filled by one thread and then never changed, so the checks of exclusive access would find nothing.
    @exclusivity(unchecked) @usableFromInline var rowCount = 0
    @exclusivity(unchecked) @usableFromInline var cells: UnsafeMutablePointer<RowCell>
    @exclusivity(unchecked) @usableFromInline var keys: UnsafeMutablePointer<Int64>
    @exclusivity(unchecked) @usableFromInline var heap: UnsafeMutablePointer<UInt8>
    @exclusivity(unchecked) @usableFromInline var rowCapacity: Int
    @exclusivity(unchecked) @usableFromInline var heapCapacity: Int
    @exclusivity(unchecked) @usableFromInline var heapCount = 0
    /// Single identifiers and lists of them with keys that are no integers; empty for Coffer's own stores.
    public var identifiers: [PersistentIdentifier] = []
    /// Lists of identifiers with keys that are no integers; empty for Coffer's own stores.
    public var identifierLists: [[PersistentIdentifier]] = []
    /// The rows' identifiers where their keys are no integers.
    var rowIdentifiers: [PersistentIdentifier] = []
    /// Whose each row is, in a fetch of ``FetchScope/related(ownerEntity:slot:owners:)``; otherwise empty.
    public var owners: [Int64] = []

    /// An empty batch.
    ///
    /// - Parameters:
    ///   - space: store and entity of the rows.
    ///   - width: the number of property slots.
    ///   - capacity: rows to make room for.
    ///   - subspaces: store and entity of rows of subentities, where the batch may have such.
    public init(space: _IdentifierSpace, width: Int, capacity: Int = 16, subspaces: [_IdentifierSpace] = []) {
        self.space = space
        self.subspaces = subspaces
        self.width = width
        rowCapacity = max(capacity, 1)
        heapCapacity = rowCapacity * 64
        cells = .allocate(capacity: rowCapacity * max(width, 1))
        keys = .allocate(capacity: rowCapacity)
        heap = .allocate(capacity: heapCapacity)
    }

    /// An empty batch.
    ///
    /// - Parameters:
    ///   - entityName: the entity of the rows.
    ///   - width: how many slots each row has.
    ///   - storeIdentifier: the store of the rows; nil for rows that are in none yet.
    ///   - capacity: for how many rows room is made at first. The batch grows by itself.
    public convenience init(entityName: String, width: Int, storeIdentifier: String?, capacity: Int = 16) {
        self.init(
            space: .shared(entityName: entityName, storeIdentifier: storeIdentifier), width: width, capacity: capacity)
    }

    deinit {
        cells.deallocate()
        keys.deallocate()
        heap.deallocate()
    }

    /// The name of the rows' entity.
    public var entityName: String { space.entityName }

    /// Bytes of memory the rows take.
    public var byteCount: Int {
        count * (width * MemoryLayout<RowCell>.stride + MemoryLayout<Int64>.stride) + heapCount
    }

    // MARK: Filling

    /// Appends a row of absent cells.
    ///
    /// - Returns: the index of the row.
    @discardableResult
    public func appendRow(key: Int64) -> Int {
        if count == rowCapacity { growRows() }
        keys[count] = key
        (cells + count * width).initialize(repeating: RowCell(.absent), count: width)
        rowCount += 1
        return rowCount - 1
    }

    /// Appends a row whose key is no integer.
    @discardableResult
    public func appendRow(identifier: PersistentIdentifier) -> Int {
        let row = appendRow(key: identifier._key)
        if identifier._textKey != nil || !rowIdentifiers.isEmpty {
            while rowIdentifiers.count < row { rowIdentifiers.append(self.identifier(ofRow: rowIdentifiers.count)) }
            rowIdentifiers.append(identifier)
        }
        return row
    }

    /// Forgets all rows and keeps the memory, so that a loop of small fetches allocates once.
    public func removeAll() {
        rowCount = 0
        heapCount = 0
        identifiers.removeAll(keepingCapacity: true)
        identifierLists.removeAll(keepingCapacity: true)
        rowIdentifiers.removeAll(keepingCapacity: true)
        owners.removeAll(keepingCapacity: true)
        entityIndexes.removeAll(keepingCapacity: true)
    }

    /// Says which entity a row is of; has to be said of every row of a plan with ``FetchPlan/subentityNames``.
    ///
    /// - Parameters:
    ///   - index: 0 for the plan's own entity, otherwise the place in ``FetchPlan/subentityNames``, from one.
    ///   - row: the row.
    @inline(__always)
    public func setEntity(_ index: Int, ofRow row: Int) {
        if entityIndexes.count == row {
            entityIndexes.append(UInt16(index))
        } else {
            while entityIndexes.count <= row { entityIndexes.append(0) }
            entityIndexes[row] = UInt16(index)
        }
    }

    /// Which entity a row is of, as ``setEntity(_:ofRow:)`` counts.
    @inline(__always)
    public func entityIndex(ofRow row: Int) -> Int { row < entityIndexes.count ? Int(entityIndexes[row]) : 0 }

    /// The name of a row's own entity.
    public func entityName(ofRow row: Int) -> String { space(ofRow: row).entityName }

    /// Store and entity of a row's identifier.
    func space(ofRow row: Int) -> _IdentifierSpace {
        let index = entityIndex(ofRow: row)
        return index == 0 ? space : subspaces[safe: index - 1] ?? space
    }

    /// The class of a row.
    func descriptor(ofRow row: Int) -> _ModelDescriptor? {
        let index = entityIndex(ofRow: row)
        return index == 0 ? descriptor : subdescriptors[safe: index - 1] ?? descriptor
    }

    /// Forgets which entities the rows from one on are of.
    func truncateEntities(to count: Int) {
        if entityIndexes.count > count { entityIndexes.removeLast(entityIndexes.count - count) }
    }

    /// Puts the entities of the last rows into another order, as ``_reorder(_:from:)`` does with the rest.
    func reorderEntities(_ order: [Int], from first: Int) {
        if entityIndexes.isEmpty { return }
        let indexes = order.map { entityIndex(ofRow: $0) }
        for (offset, index) in indexes.enumerated() { setEntity(index, ofRow: first + offset) }
    }

    /// Sets a cell. What it refers to in the batch, the bytes of a text for instance, has to be there already.
    ///
    /// - Complexity: O(1); neither row nor slot is checked.
    @inlinable
    public func set(_ cell: RowCell, row: Int, slot: Int) {
        cells[row * width + slot] = cell
    }

    /// Replaces a row's key, as a store does that has just given the row one.
    public func setKey(_ key: Int64, row: Int) {
        keys[row] = key
    }

    /// Copies text that is in normalisation form C already.
    public func setText(_ bytes: UnsafeRawBufferPointer, row: Int, slot: Int) {
        cells[row * width + slot] = RowCell(.text, bits: UInt64(append(bytes)), length: bytes.count)
    }

    /// Copies raw bytes.
    public func setBlob(_ bytes: UnsafeRawBufferPointer, row: Int, slot: Int) {
        cells[row * width + slot] = RowCell(.blob, bits: UInt64(append(bytes)), length: bytes.count)
    }

    /// Copies the keys of a to-many relationship, in order.
    public func setReferences(_ targets: [Int64], row: Int, slot: Int) {
        targets.withUnsafeBytes { bytes in
            cells[row * width + slot] = RowCell(.references, bits: UInt64(append(bytes)), length: bytes.count)
        }
    }

    /// Copies bytes to the heap and answers their offset.
    ///
    /// Complexity: amortised O(bytes).
    @inline(__always)
    func append(_ bytes: UnsafeRawBufferPointer) -> Int {
        let offset = heapCount
        if bytes.count > heapCapacity - heapCount { growHeap(by: bytes.count) }
        if let base = bytes.baseAddress { memcpy(heap + offset, base, bytes.count) }
        heapCount += bytes.count
        return offset
    }

    @usableFromInline
    func growRows() {
        let capacity = rowCapacity * 2
        let newCells = UnsafeMutablePointer<RowCell>.allocate(capacity: capacity * max(width, 1))
        newCells.moveInitialize(from: cells, count: count * width)
        cells.deallocate()
        cells = newCells
        let newKeys = UnsafeMutablePointer<Int64>.allocate(capacity: capacity)
        newKeys.moveInitialize(from: keys, count: count)
        keys.deallocate()
        keys = newKeys
        rowCapacity = capacity
    }

    @usableFromInline
    func growHeap(by bytes: Int) {
        heapCapacity = max(heapCapacity * 2, heapCount + bytes)
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: heapCapacity)
        larger.moveInitialize(from: heap, count: heapCount)
        heap.deallocate()
        heap = larger
    }

    /// Copies all cells of another batch's row into this one's last row.
    ///
    /// - Parameter keepsEntities: whether links stay identifiers where the other batch keeps them so.
    func copyCells(
        from other: RowBatch, row: Int, keepsEntities: Bool = true,
        remap: (PersistentIdentifier) -> PersistentIdentifier
    ) {
        let source = other.descriptor(ofRow: row)
        if subspaces.isEmpty { descriptor = source }
        if keepsEntities, other.keepsEntities { self.keepsEntities = true }
        for slot in 0..<min(width, other.width) {
            let destination = source?.relationships[safe: slot].flatMap { $0 }.map {
                _IdentifierSpace.shared(
                    entityName: $0.destination.entityName, storeIdentifier: other.space.storeIdentifier)
            }
            let cell = other.cell(row: row, slot: slot)
            if cell.kind == .absent { continue }
            switch other.value(of: cell, destination: destination) {
            case .reference(let target): set(.reference(remap(target)), row: count - 1, slot: slot)
            case .references(let targets): set(.references(targets.map(remap)), row: count - 1, slot: slot)
            case let value: set(value, row: count - 1, slot: slot)
            }
        }
    }

    // MARK: Reading

    /// The cell in a row and a slot.
    ///
    /// - Complexity: O(1).
    @inlinable
    public func cell(row: Int, slot: Int) -> RowCell { cells[row * width + slot] }

    /// The key of a row whose keys are integers.
    ///
    /// - Complexity: O(1).
    @inlinable
    public func key(ofRow row: Int) -> Int64 { keys[row] }

    /// The identifier of a row.
    public func identifier(ofRow row: Int) -> PersistentIdentifier {
        if row < rowIdentifiers.count { return rowIdentifiers[row] }
        return Self.identifier(key: keys[row], in: subspaces.isEmpty ? space : space(ofRow: row))
    }

    /// The bytes of a text, blob or list cell; valid while the batch lives and is not appended to.
    @inlinable
    public func bytes(of cell: RowCell) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: heap + Int(cell.bits), count: cell.length)
    }

    /// The keys of a `references` cell.
    public func keys(of cell: RowCell) -> [Int64] {
        let bytes = bytes(of: cell)
        return (0..<bytes.count / 8).map { bytes.loadUnaligned(fromByteOffset: $0 * 8, as: Int64.self) }
    }

    /// The value of a cell by itself.
    ///
    /// - Parameters:
    ///   - cell: the cell.
    ///   - destination: the space of the relationship's destination; needed for references only.
    public func value(of cell: RowCell, destination: _IdentifierSpace? = nil) -> StoredValue {
        switch cell.kind {
        case .absent, .null: .null
        case .integer: .integer(cell.integer)
        case .unsigned: .unsigned(cell.bits)
        case .real: .real(cell.real)
        case .text: .text(String(decoding: bytes(of: cell), as: UTF8.self))
        case .blob: .blob([UInt8](bytes(of: cell)))
        case .reference: .reference(Self.identifier(key: cell.integer, in: destination ?? space))
        case .references: .references(keys(of: cell).map { Self.identifier(key: $0, in: destination ?? space) })
        case .identifier: .reference(identifiers[Int(cell.bits)])
        case .identifiers: .references(identifierLists[Int(cell.bits)])
        }
    }

    /// The identifier of a key: one of the given space, or a temporary one where the key is negative.
    public static func identifier(key: Int64, in space: _IdentifierSpace) -> PersistentIdentifier {
        if key >= 0 || space.storeIdentifier == nil { return PersistentIdentifier(_space: space, key: key) }
        return PersistentIdentifier(
            _space: .shared(entityName: space.entityName, storeIdentifier: nil), key: key)
    }

    /// Puts a value into a cell; text must be in normalisation form C.
    public func set(_ value: StoredValue, row: Int, slot: Int) {
        switch value {
        case .null: set(RowCell(.null), row: row, slot: slot)
        case .integer(let number): set(RowCell(.integer, bits: UInt64(bitPattern: number)), row: row, slot: slot)
        case .unsigned(let number): set(RowCell(.unsigned, bits: number), row: row, slot: slot)
        case .real(let number): set(RowCell(.real, bits: number.bitPattern), row: row, slot: slot)
        case .text(var text): text.withUTF8 { setText(UnsafeRawBufferPointer($0), row: row, slot: slot) }
        case .blob(let bytes): bytes.withUnsafeBytes { setBlob($0, row: row, slot: slot) }
        case .reference(let identifier):
            if identifier._textKey == nil, !keepsEntities {
                set(RowCell(.reference, bits: UInt64(bitPattern: identifier._key)), row: row, slot: slot)
            } else {
                identifiers.append(identifier)
                set(RowCell(.identifier, bits: UInt64(identifiers.count - 1)), row: row, slot: slot)
            }
        case .references(let list):
            if !keepsEntities, list.allSatisfy({ $0._textKey == nil }) {
                setReferences(list.map(\._key), row: row, slot: slot)
            } else {
                identifierLists.append(list)
                set(RowCell(.identifiers, bits: UInt64(identifierLists.count - 1)), row: row, slot: slot)
            }
        }
    }
}
