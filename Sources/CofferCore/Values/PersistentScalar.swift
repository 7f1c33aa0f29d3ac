import Foundation

/// A type whose values a store keeps in one cell: numbers, text, dates, data, identifiers, and optionals of them.
///
/// Conformances are Coffer's own; other types are stored through their `Codable` or raw value.
public protocol PersistentScalar: Sendable {
    /// The kinds of cell the type's values are kept in; tells a store the column's type.
    static var _storage: ScalarStorage { get }
    /// The value of a cell, or nil where the cell cannot be of this type.
    static func _decode(_ cell: RowCell, _ row: _RowReader) -> Self?
    /// Writes the value into a cell.
    func _encode(_ row: _RowWriter, _ slot: Int)
    /// The value by itself, as a filter's constant has it.
    var _stored: StoredValue { get }
}

/// How the values of a scalar type are kept.
public enum ScalarStorage: String, Codable, Hashable, Sendable {
    /// True or false, an `integer` cell.
    case boolean
    /// Up to 64 signed bits.
    case integer
    /// Up to 64 bits without a sign: `integer` cells, and `unsigned` ones above `Int64.max`.
    case unsigned
    /// A floating-point number of 64 bits.
    case real
    /// Text, in normalisation form C.
    case text
    /// Bytes.
    case blob
    /// Seconds since 2001, a `real` cell.
    case date
    /// Sixteen bytes.
    case uuid
    /// The text of a URL.
    case url
    /// Text that sorts as the numbers do (see ``DecimalText``).
    case decimal
}

extension PersistentScalar where Self: FixedWidthInteger {
    public static var _storage: ScalarStorage { Self.max > Int64.max ? .unsigned : .integer }

    @inlinable @inline(__always)
    public static func _decode(_ cell: RowCell, _ row: _RowReader) -> Self? {
        switch cell.kind {
        case .integer: Self(exactly: cell.integer)
        case .unsigned: Self(exactly: cell.bits)
        default: nil
        }
    }

    @inlinable @inline(__always)
    public func _encode(_ row: _RowWriter, _ slot: Int) {
        if let signed = Int64(exactly: self) {
            row.set(RowCell(.integer, bits: UInt64(bitPattern: signed)), slot)
        } else {
            row.set(RowCell(.unsigned, bits: UInt64(truncatingIfNeeded: self)), slot)
        }
    }

    public var _stored: StoredValue {
        Int64(exactly: self).map(StoredValue.integer) ?? .unsigned(UInt64(truncatingIfNeeded: self))
    }
}

extension Int: PersistentScalar {}
extension Int8: PersistentScalar {}
extension Int16: PersistentScalar {}
extension Int32: PersistentScalar {}
extension Int64: PersistentScalar {}
extension UInt: PersistentScalar {}
extension UInt8: PersistentScalar {}
extension UInt16: PersistentScalar {}
extension UInt32: PersistentScalar {}
extension UInt64: PersistentScalar {}

extension Bool: PersistentScalar {
    public static var _storage: ScalarStorage { .boolean }

    @inlinable @inline(__always)
    public static func _decode(_ cell: RowCell, _ row: _RowReader) -> Bool? {
        cell.kind == .integer && cell.bits < 2 ? cell.bits == 1 : nil
    }

    @inlinable @inline(__always)
    public func _encode(_ row: _RowWriter, _ slot: Int) { row.set(RowCell(.integer, bits: self ? 1 : 0), slot) }

    public var _stored: StoredValue { .integer(self ? 1 : 0) }
}

extension Double: PersistentScalar {
    public static var _storage: ScalarStorage { .real }

    @inlinable @inline(__always)
    public static func _decode(_ cell: RowCell, _ row: _RowReader) -> Double? {
        cell.kind == .real ? cell.real : nil
    }

    @inlinable @inline(__always)
    public func _encode(_ row: _RowWriter, _ slot: Int) { row.set(RowCell(.real, bits: bitPattern), slot) }

    public var _stored: StoredValue { .real(self) }
}

extension Float: PersistentScalar {
    public static var _storage: ScalarStorage { .real }

    public static func _decode(_ cell: RowCell, _ row: _RowReader) -> Float? {
        guard cell.kind == .real else { return nil }
        let number = Float(cell.real)
        guard number.isNaN else { return number }
        let sign = UInt32(truncatingIfNeeded: cell.bits >> 32) & 1 << 31
        return Float(bitPattern: sign | Self.nanBits | UInt32(truncatingIfNeeded: cell.bits >> 29) & 0x7F_FFFF)
    }

    public func _encode(_ row: _RowWriter, _ slot: Int) { widened._encode(row, slot) }

    public var _stored: StoredValue { .real(widened) }

    private static let nanBits: UInt32 = 0xFF << 23

    /// The number as a `Double`, which holds every `Float`. Converting a NaN would make a signalling one quiet, so its
    /// bits are moved.
    private var widened: Double {
        guard isNaN else { return Double(self) }
        let sign = UInt64(bitPattern & 1 << 31) << 32
        return Double(bitPattern: sign | 0x7FF << 52 | UInt64(bitPattern & 0x7F_FFFF) << 29)
    }
}

extension String: PersistentScalar {
    public static var _storage: ScalarStorage { .text }

    @inlinable @inline(__always)
    public static func _decode(_ cell: RowCell, _ row: _RowReader) -> String? {
        cell.kind == .text ? String(decoding: row.bytes(cell), as: UTF8.self) : nil
    }

    @inlinable @inline(__always)
    public func _encode(_ row: _RowWriter, _ slot: Int) { row.setText(self, slot) }

    public var _stored: StoredValue { .text(TextNormalisation.normalised(self)) }
}

extension Optional: PersistentScalar where Wrapped: PersistentScalar {
    public static var _storage: ScalarStorage { Wrapped._storage }

    @inlinable @inline(__always)
    public static func _decode(_ cell: RowCell, _ row: _RowReader) -> Wrapped?? {
        if cell.kind == .null { return .some(nil) }
        return Wrapped._decode(cell, row).map { .some($0) }
    }

    @inlinable @inline(__always)
    public func _encode(_ row: _RowWriter, _ slot: Int) {
        if let self { self._encode(row, slot) } else { row.set(RowCell(.null), slot) }
    }

    public var _stored: StoredValue { self?._stored ?? .null }
}
