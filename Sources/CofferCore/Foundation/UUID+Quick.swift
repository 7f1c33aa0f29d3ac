import Foundation

extension UUID {
    /// A random identifier (version 4), as `UUID()` gives one; that opens a device file each time, which takes longer than
    /// all else that a context needs to be made.
    static func quick() -> UUID {
        var random = SystemRandomNumberGenerator()
        let (high, low) = (random.next(), random.next())
        let bits = (
            (high & ~0xF000 | 0x4000).bigEndian, (low & ~(0b11 << 62) | 0b10 << 62).bigEndian
        )
        return withUnsafeBytes(of: bits) { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }
}
