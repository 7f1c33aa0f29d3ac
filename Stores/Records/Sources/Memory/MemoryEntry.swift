import Foundation

/// A key and its value in one block of memory, which lies where it is as long as anybody uses it.
final class MemoryEntry: @unchecked Sendable {
    private let base: UnsafeMutableRawPointer
    private let keyCount: Int
    private let valueCount: Int

    /// - Parameter fill: writes the value.
    init(_ key: UnsafeRawBufferPointer, count: Int, _ fill: (UnsafeMutableRawBufferPointer) -> Void) {
        base = .allocate(byteCount: max(key.count + count, 1), alignment: 8)
        keyCount = key.count
        valueCount = count
        if let bytes = key.baseAddress { base.copyMemory(from: bytes, byteCount: key.count) }
        fill(UnsafeMutableRawBufferPointer(start: base + key.count, count: count))
    }

    deinit { base.deallocate() }

    var key: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base, count: keyCount) }
    var value: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base + keyCount, count: valueCount) }

    /// Negative where the entry's key comes before another one, zero where they are equal.
    @inline(__always)
    func compare(_ other: UnsafeRawBufferPointer) -> Int { RecordOrder.compareBytes(key, other) }
}
