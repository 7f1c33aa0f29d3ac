import Coffer
import Foundation

struct Girth: Codable, Hashable, Sendable {
    var width: Int
    var tag: String?
}

enum Urgency: Int, Codable, CaseIterable, Comparable, Sendable {
    case express = 1, post = 7, freight = 3

    /// Not the order of the raw values.
    static func < (left: Urgency, right: Urgency) -> Bool { left.days < right.days }
    private var days: Int {
        switch self {
        case .express: 1
        case .post: 3
        case .freight: 9
        }
    }
}

@Model final class Wharf {
    var name: String
    var city: String?
    @Relationship(inverse: \Casket.wharf) var caskets: [Casket] = []
    init(_ name: String, city: String?) {
        self.name = name
        self.city = city
    }
}

@Model final class CasketItem {
    var label: String
    var weight: Int
    var price: Double
    var casket: Casket?
    init(_ label: String, _ weight: Int, price: Double = 1) {
        self.label = label
        self.weight = weight
        self.price = price
    }
}

/// A model with a property for each kind of node.
@Model final class Casket {
    var code: Int
    var n: Int
    var low: Int
    var text: String
    var note: String?
    var small: Int8
    var real: Double
    var nums: [Int]
    var words: [String]
    var urgency: Urgency
    var urgencies: [Urgency]
    var counts: [String: Int]
    var girth: Girth?
    var isOpen: Bool
    var wharf: Wharf?
    @Relationship(inverse: \CasketItem.casket) var items: [CasketItem] = []

    init(_ code: Int, n: Int, low: Int, _ text: String, note: String?, small: Int8, real: Double) {
        self.code = code
        self.n = n
        self.low = low
        self.text = text
        self.note = note
        self.small = small
        self.real = real
        nums = []
        words = []
        urgency = .post
        urgencies = []
        counts = [:]
        isOpen = code.isMultiple(of: 2)
    }

    /// Rows with what stops a Swift program among their values: zero, the largest numbers, empty collections, nil.
    static func make() -> [Casket] {
        let wharves = [Wharf("Kiel", city: "Kiel"), Wharf("Bari", city: nil)]
        let caskets = [
            Casket(1, n: 2, low: 1, "aab", note: "red", small: 1, real: 2.5),
            Casket(2, n: 0, low: 5, "", note: nil, small: 0, real: -0.0),
            Casket(3, n: .max, low: .min, "Grün", note: "", small: .max, real: .infinity),
            Casket(4, n: .min, low: 3, "ab b", note: "aab", small: .min, real: .nan),
            Casket(5, n: -1, low: -3, "e\u{301}tude", note: nil, small: -1, real: 1e300),
            Casket(6, n: 7, low: 7, "nul\0ab", note: "blue", small: 7, real: 0.5),
        ]
        let nums: [[Int]] = [[1, 2, 3], [], [.max, 1], [.min], [2, 2], [5, 4, 3, 2]]
        let words: [[String]] = [["a", "b"], [], ["b"], ["", "aab"], ["é"], ["ab", "c", "a"]]
        let counts: [[String: Int]] = [
            ["a": 1], [:], ["a": 3, "b": 0], ["": 7], ["é": 5], ["c": 2, "ab": 9],
        ]
        let girths: [Girth?] = [Girth(width: 1, tag: nil), nil, Girth(width: .max, tag: "x")]
        let labels = ["pin", "nut", "", "cog"]
        let prices = [1.5, .nan, -2]
        for (index, casket) in caskets.enumerated() {
            casket.nums = nums[index]
            casket.words = words[index]
            casket.counts = counts[index]
            casket.urgency = Urgency.allCases[index % 3]
            casket.urgencies = Array(Urgency.allCases.prefix(index % 4))
            casket.girth = girths[index % 3]
            casket.wharf = index % 3 == 2 ? nil : wharves[index % 3]
            for number in 0..<index % 4 {
                let place = number + index
                let weight = (number * 3 + index) % 5 - 1
                casket.items.append(CasketItem(labels[place % 4], weight, price: prices[place % 3]))
            }
        }
        return caskets
    }
}

/// A predicate and what it means, by a closure over objects: nil where a Swift program would stop.
struct NodeForm {
    let name: String
    let predicate: Predicate<Casket>
    let closure: (Casket) -> Bool?

    init(_ name: String, _ predicate: Predicate<Casket>, _ closure: @escaping (Casket) -> Bool?) {
        self.name = name
        self.predicate = predicate
        self.closure = closure
    }
}

extension Array {
    func at(_ index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
    func part(_ lower: Int, _ upper: Int) -> [Element]? {
        lower >= 0 && lower <= upper && upper <= count ? Array(self[lower..<upper]) : nil
    }
}

extension Int {
    func plus(_ other: Int) -> Int? {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? nil : sum
    }
    func times(_ other: Int) -> Int? {
        let (product, overflow) = multipliedReportingOverflow(by: other)
        return overflow ? nil : product
    }
    func over(_ other: Int) -> Int? {
        let (quotient, overflow) = dividedReportingOverflow(by: other)
        return overflow ? nil : quotient
    }
    func modulo(_ other: Int) -> Int? {
        let (rest, overflow) = remainderReportingOverflow(dividingBy: other)
        return overflow ? nil : rest
    }
}
