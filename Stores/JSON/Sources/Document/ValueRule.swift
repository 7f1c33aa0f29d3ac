import CofferCore
import CofferRecords
import Foundation

/// What a value has to be beyond the form in which its property is kept. What is not looked at when a document is read
/// would show when the row is fetched.
enum ValueRule: Equatable {
    /// The form says all.
    case none
    /// A `Float`, which is kept as a `Double`.
    case single
    /// The coded form of a value, which is JSON. Whether it is that of the property's type only the program knows.
    case coded
    /// A value of a type that not all of the form are of.
    case scalar(any PersistentScalar.Type)

    init(_ field: RecordField) {
        guard let type = field.scalarType else {
            self = field.storage == .text ? .coded : .none
            return
        }
        let isWhole = ValueRule.whole.contains { $0 == type }
        self = type == Float.self ? .single : isWhole ? .none : .scalar(type)
    }

    /// Types that have every value of the form that they are kept in, or whose values are read as such.
    private static let whole: [any PersistentScalar.Type] = [
        Bool.self, Int.self, Int64.self, UInt.self, UInt64.self, Double.self, String.self, Date.self, Data.self,
        UUID.self, Decimal.self,
    ]

    static func == (left: ValueRule, right: ValueRule) -> Bool {
        switch (left, right) {
        case (.none, .none), (.single, .single), (.coded, .coded): true
        case (.scalar(let one), .scalar(let other)): one == other
        default: false
        }
    }

    /// What is wrong with the value of the only row of a batch; nil where nothing is.
    func problem(_ batch: RowBatch, _ slot: Int) -> String? {
        switch self {
        case .none, .single: return nil
        case .scalar(let type):
            return batch._holds(type, row: 0, slot: slot) ? nil : "a value of the type \(type) is expected"
        case .coded:
            let text = batch.bytes(of: batch.cell(row: 0, slot: slot))
            return JSONTree.isValue(text) ? nil : "the coded form of a value, which is JSON, is expected"
        }
    }

    /// The nearest number that a `Float` can be, not-a-number with its bits; nil where that is none.
    static func rounded(_ number: Double) -> Double? {
        if !number.isFinite { return number }
        let single = Float(number)
        return single.isFinite ? Double(single) : nil
    }
}
