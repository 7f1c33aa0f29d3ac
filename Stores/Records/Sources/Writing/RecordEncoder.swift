import CofferCore
import Foundation

/// Writes cells as a record, straight into the memory where it is to stay.
struct RecordEncoder: Sendable {
    /// What records carry in their headers, by the place of the entity in the hierarchy.
    private let numbers: [UInt16]
    /// The slot that says the place of a row's entity; nil where there is but one.
    private let kindSlot: Int?
    /// The slot of each field.
    private let slots: [Int]

    init(numbers: [Int], kindSlot: Int?, slots: [Int]) {
        self.numbers = numbers.map { UInt16(truncatingIfNeeded: $0) }
        self.kindSlot = kindSlot
        self.slots = slots
    }

    @inline(__always)
    private func number(_ cells: UnsafePointer<RowCell>) -> UInt16 {
        guard let kindSlot else { return numbers[0] }
        let kind = Int(truncatingIfNeeded: cells[kindSlot].integer)
        return numbers.indices.contains(kind) ? numbers[kind] : numbers[0]
    }

    /// The size of the record of a new row.
    @inline(__always)
    func size(_ cells: UnsafePointer<RowCell>) -> Int {
        var size = Record.headerSize &+ slots.count &* 9
        for slot in slots where cells[slot].kind == .text || cells[slot].kind == .blob { size &+= cells[slot].length }
        return size
    }

    /// Writes a new row; nothing for what it does not say.
    ///
    /// - Parameter links: the keys that the links lead to, by field.
    @inline(__always)
    func write(
        _ cells: UnsafePointer<RowCell>, _ heap: UnsafePointer<UInt8>, links: [Int64],
        to output: UnsafeMutableRawBufferPointer
    ) {
        guard var target = Target(output, number(cells), slots.count) else { return }
        for (field, slot) in slots.enumerated() {
            let cell = cells[slot]
            switch cell.kind {
            case .text, .blob: target.put(field, cell.kind, heap + Int(cell.bits), cell.length)
            case .reference: target.put(field, .reference, UInt64(bitPattern: links[field]))
            case .absent: target.put(field, .null, 0)
            case let kind: target.put(field, kind, kind == .null ? 0 : cell.bits)
            }
        }
    }

    /// The size of a record after the change of some fields.
    func size(_ old: Record, _ cells: UnsafePointer<RowCell>) -> Int {
        var size = Record.headerSize &+ slots.count &* 9
        for (field, slot) in slots.enumerated() {
            let kind = cells[slot].kind
            if kind == .text || kind == .blob {
                size &+= cells[slot].length
            } else if kind == .absent, old.kind(field) == .text || old.kind(field) == .blob {
                size &+= old.bytes(field).count
            }
        }
        return size
    }

    /// Writes a record with some fields changed; absent cells leave what was there.
    func write(
        _ old: Record, _ cells: UnsafePointer<RowCell>, _ heap: UnsafePointer<UInt8>, links: [Int64],
        to output: UnsafeMutableRawBufferPointer
    ) {
        guard var target = Target(output, UInt16(truncatingIfNeeded: old.entity), slots.count) else { return }
        for (field, slot) in slots.enumerated() {
            let cell = cells[slot]
            switch cell.kind {
            case .text, .blob: target.put(field, cell.kind, heap + Int(cell.bits), cell.length)
            case .reference: target.put(field, .reference, UInt64(bitPattern: links[field]))
            case .absent:
                let kind = old.kind(field)
                if kind == .text || kind == .blob {
                    let bytes = old.bytes(field)
                    target.put(field, kind, bytes.baseAddress, bytes.count)
                } else {
                    target.put(field, kind, old.word(field))
                }
            case let kind: target.put(field, kind, kind == .null ? 0 : cell.bits)
            }
        }
    }

    /// The memory of a record that is being written.
    private struct Target {
        private let base: UnsafeMutableRawPointer
        private let words: Int
        private let heap: UnsafeMutableRawPointer
        private var heapCount = 0

        @inline(__always)
        init?(_ output: UnsafeMutableRawBufferPointer, _ entity: UInt16, _ count: Int) {
            guard let base = output.baseAddress else { return nil }
            self.base = base
            words = Record.headerSize + count
            heap = base + Record.headerSize + count * 9
            base.storeBytes(of: Record.version, as: UInt8.self)
            base.storeBytes(of: 0, toByteOffset: 1, as: UInt8.self)
            base.storeBytes(of: entity.littleEndian, toByteOffset: 2, as: UInt16.self)
            base.storeBytes(of: UInt16(truncatingIfNeeded: count).littleEndian, toByteOffset: 4, as: UInt16.self)
            base.storeBytes(of: 0, toByteOffset: 6, as: UInt16.self)
        }

        @inline(__always)
        mutating func put(_ field: Int, _ kind: CellKind, _ word: UInt64) {
            base.storeBytes(of: kind.rawValue, toByteOffset: Record.headerSize &+ field, as: UInt8.self)
            base.storeBytes(of: word.littleEndian, toByteOffset: words &+ field &* 8, as: UInt64.self)
        }

        @inline(__always)
        mutating func put(_ field: Int, _ kind: CellKind, _ bytes: UnsafeRawPointer?, _ count: Int) {
            put(field, kind, UInt64(truncatingIfNeeded: heapCount) | UInt64(truncatingIfNeeded: count) << 32)
            if let bytes { memcpy(heap + heapCount, bytes, count) }
            heapCount &+= count
        }
    }
}
