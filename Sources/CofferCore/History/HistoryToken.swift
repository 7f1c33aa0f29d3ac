/// A place in the history of one or several stores. Tokens of the same stores are ordered by time.
///
/// Keep a token in its coded form between runs of a program.
public protocol HistoryToken: Comparable, Codable, Hashable, Identifiable, Sendable {
    /// What the token is made of.
    associatedtype TokenType: Codable & Hashable & Sendable
    /// What the token is made of; nil for a place before all transactions.
    var tokenValue: TokenType? { get }
}
