import CofferCore
import Foundation

/// A comparison of one of a row's own values with a constant, tested on the record as it lies in memory.
///
/// The meaning is that of `RowFilter`: what cannot be ordered is merely unequal. A class, since a term is used for one
/// record after the other, and copying its parts would cost more than the comparison.
final class RecordTerm {
    /// What came of a comparison; a term has a bit for each that it accepts.
    private enum Outcome {
        static let less: UInt8 = 1
        static let equal: UInt8 = 2
        static let greater: UInt8 = 4
        static let unordered: UInt8 = 8
    }

    let field: RecordField
    private let number: Int
    /// The place of an entity in its hierarchy by what records carry; for terms about that, which is no field.
    private let kinds: [Int]
    let comparison: FilterComparison
    /// What the constant is; `.absent` for a link that nothing in the store has.
    private let kind: CellKind
    private let word: UInt64
    private let content: [UInt8]
    private let accepted: UInt8

    /// The term of a condition; nil where the condition is no such comparison.
    convenience init?(
        _ condition: FilterExpression, _ space: RecordSpace, _ layout: RecordSchema, storeIdentifier: String
    ) {
        switch condition {
        case .compare(let comparison, .property(let path), .constant(let value, _)):
            self.init(path, comparison, value, space, layout, storeIdentifier)
        case .compare(let comparison, .constant(let value, _), .property(let path)):
            self.init(path, comparison.mirrored, value, space, layout, storeIdentifier)
        case .property(let path) where path.type.storage == .boolean:
            self.init(path, .equal, .integer(1), space, layout, storeIdentifier)
        case .not(.property(let path)) where path.type.storage == .boolean:
            self.init(path, .notEqual, .integer(1), space, layout, storeIdentifier)
        default: return nil
        }
    }

    private init?(
        _ path: FilterPath, _ comparison: FilterComparison, _ value: StoredValue, _ space: RecordSpace,
        _ layout: RecordSchema, _ storeIdentifier: String
    ) {
        guard path.variable.number == 0, let step = path.ownStep,
            let field = space.field(ofSlot: step.slot)
                ?? space.kindField.flatMap({ $0.slot == step.slot ? $0 : nil })
        else { return nil }
        var content: [UInt8] = []
        let isEquality = comparison == .equal || comparison == .notEqual
        switch value {
        case .null:
            guard isEquality else { return nil }
            (kind, word) = (.null, 0)
        case .integer(let number): (kind, word) = (.integer, UInt64(bitPattern: number))
        case .unsigned(let number): (kind, word) = (.unsigned, number)
        case .real(let number): (kind, word) = (.real, number.bitPattern)
        case .text(let text):
            content = Array(text.utf8)
            (kind, word) = (.text, 0)
        case .blob(let bytes):
            content = bytes
            (kind, word) = (.blob, 0)
        case .reference(let identifier):
            guard isEquality, let destination = field.destination else { return nil }
            let isOurs =
                layout.spaces[destination].holds(identifier.entityName) && identifier._textKey == nil
                && identifier.storeIdentifier == storeIdentifier
            (kind, word) = isOurs ? (.reference, UInt64(bitPattern: identifier._key)) : (.absent, 0)
        case .references: return nil
        }
        self.field = field
        number = field.number
        kinds = field.number < 0 ? space.kinds : []
        self.comparison = comparison
        self.content = content
        accepted =
            switch comparison {
            case .equal: Outcome.equal
            case .notEqual: Outcome.less | Outcome.greater | Outcome.unordered
            case .less: Outcome.less
            case .lessOrEqual: Outcome.less | Outcome.equal
            case .greater: Outcome.greater
            case .greaterOrEqual: Outcome.greater | Outcome.equal
            }
    }

    /// The key that a link must have; nil inside where no row has it, nil outside where the term is no such demand.
    var requiredLink: Int64?? {
        guard comparison == .equal, field.destination != nil else { return nil }
        switch kind {
        case .reference: return .some(Int64(bitPattern: word))
        case .absent: return .some(nil)
        default: return nil
        }
    }

    /// Appends the constant to an index key; false where it is none that an index finds.
    func append(to key: inout IndexKey) -> Bool {
        if kind == .absent || kind == .real && Double(bitPattern: word).isNaN { return false }
        content.withUnsafeBytes { key.append(kind, word: word, content: $0) }
        return true
    }

    /// Whether the constant is nil, which is equal to nil and not ordered with anything.
    var isNil: Bool { kind == .null }

    /// What index keys of the values begin with that the constant is ordered with, from the first to the one behind.
    var tags: (first: IndexKey.Tag, behind: IndexKey.Tag) {
        switch kind {
        case .integer, .unsigned: (.integer, .real)
        case .real: (.real, .notANumber)
        case .text: (.text, .blob)
        case .blob: (.blob, .reference)
        default: (.reference, .end)
        }
    }

    // MARK: Testing

    /// Whether a record meets the term.
    @inline(__always)
    func matches(_ record: Record) -> Bool {
        if number < 0 {
            let place = record.entity < kinds.count ? kinds[record.entity] : -1
            return accepted & Self.order(Int64(place), Int64(bitPattern: word)) != 0
        }
        let cell = record.kind(number)
        let outcome: UInt8
        switch kind {
        case .null: outcome = cell == .null ? Outcome.equal : Outcome.unordered
        case .integer:
            switch cell {
            case .integer: outcome = Self.order(record.integer(number), Int64(bitPattern: word))
            case .unsigned: outcome = Outcome.greater
            default: outcome = Outcome.unordered
            }
        case .unsigned:
            switch cell {
            case .integer: outcome = Outcome.less
            case .unsigned: outcome = Self.order(record.word(number), word)
            default: outcome = Outcome.unordered
            }
        case .real:
            if cell == .real {
                let (value, bound) = (record.real(number), Double(bitPattern: word))
                outcome =
                    value == bound
                    ? Outcome.equal
                    : value < bound ? Outcome.less : value > bound ? Outcome.greater : Outcome.unordered
            } else {
                outcome = Outcome.unordered
            }
        case .text, .blob:
            outcome = cell == kind ? compareContent(record.bytes(number)) : Outcome.unordered
        case .reference:
            outcome = cell == .reference && record.word(number) == word ? Outcome.equal : Outcome.unordered
        default: outcome = Outcome.unordered
        }
        return accepted & outcome != 0
    }

    @inline(__always)
    private static func order<T: Comparable>(_ left: T, _ right: T) -> UInt8 {
        left == right ? Outcome.equal : left < right ? Outcome.less : Outcome.greater
    }

    private func compareContent(_ bytes: UnsafeRawBufferPointer) -> UInt8 {
        // Most values differ in length or at once, where nothing but equality is asked.
        if accepted == Outcome.equal, bytes.count != content.count { return Outcome.unordered }
        let order = content.withUnsafeBytes { RecordOrder.compareBytes(bytes, $0) }
        return order == 0 ? Outcome.equal : order < 0 ? Outcome.less : Outcome.greater
    }
}
