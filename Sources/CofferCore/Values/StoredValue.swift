import Foundation

/// One value as a store keeps it.
///
/// Every persisted property maps to one of these cases without loss: a `Date` to the seconds of its own `Double`, a
/// `Decimal` to text that sorts as the number does, a `UUID` to sixteen bytes, a `Codable` structure to canonical JSON
/// text. A store needs to know these cases only, never a Swift type.
///
/// Filters carry their constants in this form; rows carry the same values packed (see ``RowBatch``).
public enum StoredValue: Hashable, Sendable {
    /// No value.
    case null
    /// A signed integer, a Boolean (0 or 1), or an unsigned integer that fits.
    case integer(Int64)
    /// An unsigned integer above `Int64.max`; it sorts after every ``integer(_:)``.
    case unsigned(UInt64)
    /// A floating-point number or a date (seconds since 2001-01-01 00:00 UTC).
    case real(Double)
    /// Text in Unicode normalisation form C.
    case text(String)
    /// Raw bytes.
    case blob([UInt8])
    /// A link to one row.
    case reference(PersistentIdentifier)
    /// Links to many rows, in order.
    case references([PersistentIdentifier])

    /// Whether this is ``null``.
    public var isNull: Bool {
        if case .null = self { true } else { false }
    }
}
