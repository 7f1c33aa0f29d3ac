import Coffer
import Foundation

@testable import CofferRecords

extension FuzzTarget {
    /// Records as an engine hands them out.
    static let records = FuzzTarget(name: "records", summary: "records of rows") { bytes in
        let store = try InMemoryStore(InMemoryStoreConfiguration("fuzz", schema: FuzzWorld.schema))
        guard let space = store.core.layout.space(of: "FuzzBerry") else { return }
        // The first byte says whose row it is, and how the record is put into the store.
        let (mode, content) = (bytes.first ?? 0, UnsafeRawBufferPointer(rebasing: bytes.dropFirst()))
        let record = try Record(content)
        for field in 0..<record.fieldCount {
            _ = (record.kind(field), record.word(field), record.bytes(field), record.link(field))
        }
        try decodedAgain(content, space)
        let name = mode & 1 == 0 ? "FuzzBerry" : "FuzzBush"
        let rows = store.core.layout.space(of: name)?.rows ?? RecordSchema.metadata
        try store.core.engine.write { writer in
            for key in 1...2 as ClosedRange<Int64> {
                try writer.put(rows, withUnsafeBytes(of: key.bigEndian) { Array($0) }, Array(content))
            }
        }
        try FuzzWorld.use(store)
    }

    /// What can be decoded is the same once it was written again.
    private static func decodedAgain(_ bytes: UnsafeRawBufferPointer, _ space: RecordSpace) throws {
        let decoder = RecordDecoder(space)
        func batch() -> RowBatch { RowBatch(entityName: space.entityName, width: space.width, storeIdentifier: nil) }
        let first = batch()
        try decoder.append(bytes, key: 1, to: first)
        var cells: [RowCell] = []
        for slot in 0..<space.width { cells.append(first.cell(row: 0, slot: slot)) }
        // Slots of lists are no fields.
        let links = space.fields.map { cells[$0.slot].kind == .reference ? cells[$0.slot].integer : 0 }
        var heap: [UInt8] = []
        for slot in cells.indices where cells[slot].kind == .text || cells[slot].kind == .blob {
            let content = first.bytes(of: cells[slot])
            cells[slot] = RowCell(cells[slot].kind, bits: UInt64(heap.count), length: content.count)
            heap.append(contentsOf: content)
        }
        heap.append(0)
        let size = space.encoder.size(cells)
        let output = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 8)
        defer { output.deallocate() }
        space.encoder.write(cells, heap, links: links, to: output)
        let second = batch()
        try decoder.append(UnsafeRawBufferPointer(output), key: 1, to: second)
        for field in space.fields {
            let (a, b) = (first.cell(row: 0, slot: field.slot), second.cell(row: 0, slot: field.slot))
            let isSame =
                a.kind == b.kind
                && (a.kind == .text || a.kind == .blob
                    ? first.bytes(of: a).elementsEqual(second.bytes(of: b))
                    : a.kind == .null || a.kind == .absent || a.bits == b.bits)
            try demand(isSame, "\(field.property) is \(a) and, written again, \(b)")
        }
    }
}
