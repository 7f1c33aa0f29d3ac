import Foundation

extension Character: PersistentScalar {
    public static var _storage: ScalarStorage { .text }

    public static func _decode(_ cell: RowCell, _ row: _RowReader) -> Character? {
        guard let text = String._decode(cell, row), text.count == 1 else { return nil }
        return text.first
    }

    public func _encode(_ row: _RowWriter, _ slot: Int) { row.setText(String(self), slot) }

    public var _stored: StoredValue { String(self)._stored }
}

extension Date: PersistentScalar {
    public static var _storage: ScalarStorage { .date }

    @inlinable @inline(__always)
    public static func _decode(_ cell: RowCell, _ row: _RowReader) -> Date? {
        cell.kind == .real ? Date(timeIntervalSinceReferenceDate: cell.real) : nil
    }

    @inlinable @inline(__always)
    public func _encode(_ row: _RowWriter, _ slot: Int) {
        row.set(RowCell(.real, bits: timeIntervalSinceReferenceDate.bitPattern), slot)
    }

    public var _stored: StoredValue { .real(timeIntervalSinceReferenceDate) }
}

extension Data: PersistentScalar {
    public static var _storage: ScalarStorage { .blob }

    public static func _decode(_ cell: RowCell, _ row: _RowReader) -> Data? {
        cell.kind == .blob ? Data(row.bytes(cell)) : nil
    }

    public func _encode(_ row: _RowWriter, _ slot: Int) {
        withUnsafeBytes { row.batch.setBlob($0, row: row.row, slot: slot) }
    }

    public var _stored: StoredValue { .blob([UInt8](self)) }
}

extension UUID: PersistentScalar {
    public static var _storage: ScalarStorage { .uuid }

    @inlinable
    public static func _decode(_ cell: RowCell, _ row: _RowReader) -> UUID? {
        guard cell.kind == .blob, cell.length == 16 else { return nil }
        return UUID(uuid: row.bytes(cell).loadUnaligned(as: uuid_t.self))
    }

    @inlinable
    public func _encode(_ row: _RowWriter, _ slot: Int) {
        withUnsafeBytes(of: uuid) { row.batch.setBlob($0, row: row.row, slot: slot) }
    }

    public var _stored: StoredValue { withUnsafeBytes(of: uuid) { .blob([UInt8]($0)) } }
}

extension URL: PersistentScalar {
    public static var _storage: ScalarStorage { .url }

    /// Between a base and the part relative to it; no URL's text holds a space.
    private static let separator = " "

    public static func _decode(_ cell: RowCell, _ row: _RowReader) -> URL? {
        guard let text = String._decode(cell, row) else { return nil }
        let parts = text.split(separator: separator, maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return URL(string: text) }
        return URL(string: String(parts[0]), relativeTo: URL(string: String(parts[1])))
    }

    public func _encode(_ row: _RowWriter, _ slot: Int) { row.setText(storedText, slot) }

    public var _stored: StoredValue { .text(storedText) }

    private var storedText: String {
        guard let baseURL else { return relativeString }
        return relativeString + Self.separator + baseURL.absoluteString
    }
}

extension Decimal: PersistentScalar {
    public static var _storage: ScalarStorage { .decimal }

    public static func _decode(_ cell: RowCell, _ row: _RowReader) -> Decimal? {
        String._decode(cell, row).flatMap(DecimalText.decimal)
    }

    public func _encode(_ row: _RowWriter, _ slot: Int) { row.setText(DecimalText.text(self), slot) }

    public var _stored: StoredValue { .text(DecimalText.text(self)) }
}
