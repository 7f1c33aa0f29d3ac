/// A place in the history of stores that number their transactions: for each store, by identifier, the number of the
/// last transaction before the place.
///
/// Tokens of one store are ordered by that number. A token of several stores comes after another when it is ahead in
/// one store and behind in none; tokens for which neither holds are in some order that never changes. Stores that only one
/// of two tokens knows count where the others say nothing. Of tokens without a store in common each comes after the other:
/// whoever asks for what came after a token of a store that is gone gets everything rather than nothing.
public struct DefaultHistoryToken: HistoryToken {
    /// Transaction numbers by store identifier.
    public typealias TokenType = [String: Int64]

    private let numbers: [String: Int64]

    private enum CodingKeys: String, CodingKey {
        case numbers = "tokenValue"
    }

    /// Transaction numbers by store identifier; never nil.
    public var tokenValue: [String: Int64]? { numbers }

    /// Makes a token; for stores.
    ///
    /// - Parameter tokenValue: the number of the last transaction, by store identifier.
    public init(_ tokenValue: [String: Int64]) { numbers = tokenValue }

    /// A number made of the token's value: equal for equal tokens, in every run of the program.
    public var id: Int {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        func add(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        for (store, number) in sorted {
            store.utf8.forEach(add)
            add(0xff)
            withUnsafeBytes(of: number.littleEndian) { $0.forEach(add) }
        }
        return Int(truncatingIfNeeded: hash)
    }

    /// Whether the left token comes first.
    public static func < (left: DefaultHistoryToken, right: DefaultHistoryToken) -> Bool {
        // The sum grows whenever a store moves on, so it orders tokens as the stores do; the rest only breaks ties.
        let common = left.numbers.keys.filter { right.numbers[$0] != nil }
        if common.isEmpty, !left.numbers.isEmpty, !right.numbers.isEmpty { return true }
        let (shared, others) = (left.sum(of: common), right.sum(of: common))
        if shared != others { return shared < others }
        let (one, other) = (left.sum, right.sum)
        if one != other { return one < other }
        return left.sorted.lexicographicallyPrecedes(right.sorted) { $0 < $1 }
    }

    private func sum(of stores: [String]) -> Int128 { stores.reduce(0) { $0 + Int128(numbers[$1] ?? 0) } }

    private var sum: Int128 { numbers.values.reduce(0) { $0 + Int128($1) } }

    private var sorted: [(String, Int64)] { numbers.sorted { $0.key < $1.key } }
}
