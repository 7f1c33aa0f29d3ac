import Foundation

// What operators give where Swift would stop: nil, which a filter calls unknown.

/// Kleene's conjunction: false wins over unknown.
func both(_ left: Bool?, _ right: Bool?) -> Bool? {
    left == false || right == false ? false : left == nil || right == nil ? nil : true
}

/// Kleene's disjunction: true wins over unknown.
func either(_ left: Bool?, _ right: Bool?) -> Bool? {
    left == true || right == true ? true : left == nil || right == nil ? nil : false
}

func opposite(_ value: Bool?) -> Bool? { value.map { !$0 } }

extension FixedWidthInteger {
    func plus(_ other: Self) -> Self? {
        let (result, overflows) = addingReportingOverflow(other)
        return overflows ? nil : result
    }
    func minus(_ other: Self) -> Self? {
        let (result, overflows) = subtractingReportingOverflow(other)
        return overflows ? nil : result
    }
    func times(_ other: Self) -> Self? {
        let (result, overflows) = multipliedReportingOverflow(by: other)
        return overflows ? nil : result
    }
    func over(_ other: Self) -> Self? {
        let (result, overflows) = dividedReportingOverflow(by: other)
        return overflows ? nil : result
    }
    func modulo(_ other: Self) -> Self? {
        let (result, overflows) = remainderReportingOverflow(dividingBy: other)
        return overflows ? nil : result
    }
    var size: Self? { self < 0 ? (0 as Self).minus(self) : self }
}

extension Double {
    /// The number without its fraction.
    var whole: Int? { Int(exactly: rounded(.towardZero)) }
}

extension String {
    /// Whether another text is part of this one, by characters.
    func has(_ part: String) -> Bool {
        let (all, wanted) = (Array(self), Array(part))
        if wanted.count > all.count { return false }
        return (0...all.count - wanted.count).contains { Array(all[$0..<$0 + wanted.count]) == wanted }
    }

    /// The text with its characters composed: what the functions that go by a locale look at.
    var composed: String { precomposedStringWithCanonicalMapping }

    func begins(_ part: String) -> Bool { Array(self).starts(with: Array(part)) }
    func ends(_ part: String) -> Bool { Array(self).reversed().starts(with: Array(part).reversed()) }
}

extension Array {
    /// Whether one element meets a condition: a chain of disjunctions.
    func some(_ test: (Element) -> Bool?) -> Bool? { reduce(false) { either($0, test($1)) } }

    /// Whether all elements meet a condition: a chain of conjunctions.
    func every(_ test: (Element) -> Bool?) -> Bool? { reduce(true) { both($0, test($1)) } }

    /// How many elements meet a condition; nil where that is unknown of one.
    func number(_ test: (Element) -> Bool?) -> Int? {
        reduce(0) { count, element in count.flatMap { count in test(element).map { $0 ? count + 1 : count } } }
    }

    /// The element at an index; nil where there is none.
    func at(_ index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}
