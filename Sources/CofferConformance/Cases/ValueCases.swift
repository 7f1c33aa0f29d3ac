import CofferCore
import Foundation

/// Values of every kind, without loss.
enum ValueCases {
    static func add(_ cases: inout CaseList) {
        numbers(&cases)
        text(&cases)
        others(&cases)
    }

    /// Saves a model for each value and answers what is read, by key.
    private static func roundTrip<V>(
        _ trial: ConformanceTrial, _ values: [V], _ keyPath: ReferenceWritableKeyPath<Cargo, V>,
        check: ([Cargo]) throws -> Void
    ) throws {
        trial.use(Cargo.self)
        try trial.write { context in
            for (key, value) in values.enumerated() {
                let cargo = Cargo(key)
                cargo[keyPath: keyPath] = value
                context.insert(cargo)
            }
        }
        try trial.read { try check(try $0.all(Cargo.self, by: SortDescriptor(\.key))) }
    }

    /// The same for values that can be compared.
    private static func same<V: Equatable>(
        _ trial: ConformanceTrial, _ values: [V], _ keyPath: ReferenceWritableKeyPath<Cargo, V>, line: Int = #line
    ) throws {
        try roundTrip(trial, values, keyPath) { read in
            try trial.equal(read.map { $0[keyPath: keyPath] }, values, "the values", line: line)
        }
    }

    private static func bits(_ value: Double) -> String {
        let digits = String(value.bitPattern, radix: 16)
        return "0x" + String(repeating: "0", count: 16 - digits.count) + digits
    }

    private static func numbers(_ cases: inout CaseList) {
        cases.add("integers", "Signed integers keep their limits") { trial in
            try same(trial, [.min, .min + 1, -1, 0, 1, .max - 1, .max], \.integer)
        }
        cases.add("small-integers", "Narrow integers keep their limits and their nil") { trial in
            try same(trial, [nil, .min, -1, 0, 1, .max], \.small)
        }
        cases.add("unsigned", "Unsigned integers keep their whole range, in their order") { trial in
            let values: [UInt64] = [.max, 0, 1 << 63, (1 << 63) - 1, .max - 1, 1]
            try same(trial, values, \.unsigned)
            let half: UInt64 = 1 << 63
            try trial.read { context in
                try trial.equal(
                    try context.all(Cargo.self, by: SortDescriptor(\.unsigned)).map(\.unsigned), values.sorted(),
                    "the order")
                try trial.equal(
                    try context.count(Cargo.self, where: #Predicate { $0.unsigned >= half }), 3, "the large half")
            }
        }
        cases.add("booleans", "True, false and nil are three values") { trial in
            try same(trial, [nil, true, false], \.flag)
            try trial.read { context in
                try trial.equal(try context.count(Cargo.self, where: #Predicate { $0.flag == true }), 1, "true")
                try trial.equal(try context.count(Cargo.self, where: #Predicate { $0.flag == false }), 1, "false")
                try trial.equal(try context.count(Cargo.self, where: #Predicate { $0.flag == nil }), 1, "nil")
            }
        }
        cases.add("doubles", "Floating-point numbers keep every bit") { trial in
            let values: [Double] = [
                0, -0.0, 0.1, .pi, .greatestFiniteMagnitude, -.greatestFiniteMagnitude, .leastNonzeroMagnitude,
                .leastNormalMagnitude, .infinity, -.infinity, .nan, 9_007_199_254_740_992,
            ]
            try roundTrip(trial, values, \.double) { read in
                try trial.equal(read.count, values.count, "the number of rows")
                for (cargo, value) in zip(read, values) {
                    try trial.equal(bits(cargo.double), bits(value), "the bits of \(value)")
                }
            }
        }
        cases.add("nan", "A number that is none is a value, not nil, and equals nothing") { trial in
            try same(trial, [nil, 1.5, .infinity], \.maybeDouble)
            try trial.write { context in
                let cargo = Cargo(9)
                cargo.maybeDouble = .nan
                context.insert(cargo)
            }
            let nan = Double.nan
            try trial.read { context in
                try trial.equal(
                    try context.count(Cargo.self, where: #Predicate { $0.maybeDouble == nil }), 1, "nil")
                try trial.equal(
                    try context.count(Cargo.self, where: #Predicate { $0.maybeDouble != nil }), 3, "not nil")
                try trial.equal(
                    try context.count(Cargo.self, where: #Predicate { $0.maybeDouble == nan }), 0, "equal to NaN")
            }
        }
        cases.add("decimals", "Decimals keep every digit, and are ordered as numbers") { trial in
            let values = [
                "0", "-1.5", "123456789012345678901234567890.12345678", "0.00000000000000000000000000000001", "10", "9",
                "-1000000000000000000000000000000000", "9.5",
            ].compactMap { Decimal(string: $0) }
            try same(trial, values, \.decimal)
            let limit = Decimal(95) / 10
            try trial.read { context in
                try trial.equal(
                    try context.all(Cargo.self, by: SortDescriptor(\.decimal)).map(\.decimal), values.sorted(),
                    "the order")
                try trial.equal(
                    try context.count(Cargo.self, where: #Predicate { $0.decimal > limit }),
                    values.count { $0 > limit }, "larger than 9.5")
            }
        }
    }

    static let texts = [
        "", " ", "a", "a\0b", "\0", "caf\u{E9}", "👩‍👩‍👧‍👦", "🇩🇪🇫🇷", "ﬁ", "각", "\u{FEFF}bom", "line\nbreak\r\n\ttab",
        "\"quotes\" 'and' `ticks`", "%_\\", "\u{10FFFF}", "مرحبا", "null", "NULL", "nil", "$null", "0", "1e3",
        "{\"a\":1}",
    ]

    private static func text(_ cases: inout CaseList) {
        cases.add("text", "Text of every kind is read back as it was, and found") { trial in
            try same(trial, texts, \.text)
            try trial.read { context in
                for (key, text) in texts.enumerated() {
                    let found = try context.all(Cargo.self, where: #Predicate { $0.text == text })
                    try trial.equal(found.map(\.key), [key], "the rows of text \(key)")
                }
            }
        }
        cases.add("optional-text", "Nil and the empty text are two values") { trial in
            try same(trial, [nil, "", "x"], \.maybeText)
            try trial.read { context in
                try trial.equal(
                    try context.all(Cargo.self, where: #Predicate { $0.maybeText == nil }).map(\.key), [0], "nil")
                try trial.equal(
                    try context.all(Cargo.self, where: #Predicate { $0.maybeText == "" }).map(\.key), [1], "empty")
            }
        }
        cases.add("canonical-text", "Composed and decomposed text is the same, in equality and order") { trial in
            trial.use(Cargo.self)
            try trial.write { context in
                for (key, text) in ["cafe\u{301}", "caf\u{E9}", "cafe", "caff"].enumerated() {
                    let cargo = Cargo(key)
                    cargo.text = text
                    context.insert(cargo)
                }
            }
            try trial.read { context in
                for text in ["caf\u{E9}", "cafe\u{301}"] {
                    let found = try context.all(Cargo.self, where: #Predicate { $0.text == text })
                    try trial.equal(Set(found.map(\.key)), [0, 1], "the rows that equal it")
                    try trial.equal(
                        try context.count(Cargo.self, where: #Predicate { $0.text < text }), 2, "the rows below it")
                }
            }
        }
        cases.add("characters", "A character may be made of several scalars") { trial in
            try same(trial, ["a", "\0", "é", "👩‍👩‍👧‍👦", "🇩🇪", "\r\n", "각"], \.character)
        }
        cases.add("large-text", "A megabyte of text is read back whole") { trial in
            let large = String(repeating: "0123456789abcdé", count: 1 << 16)
            try same(trial, ["before", large, "after"], \.text)
            try trial.write { try $0.only(Cargo.self, where: #Predicate { $0.key == 1 }).text = "short" }
            try trial.read { context in
                try trial.equal(
                    try context.all(Cargo.self, by: SortDescriptor(\.key)).map(\.text), ["before", "short", "after"],
                    "the texts after the change")
            }
        }
    }

    private static func others(_ cases: inout CaseList) {
        cases.add("dates", "Dates keep every bit, the far ones too") { trial in
            let values =
                [0, 0.1, -0.1, 793_109_282.061, 707_796_892.765_163_1, -978_307_200, 4e11, 1e-9]
                .map(Date.init(timeIntervalSinceReferenceDate:)) + [.distantPast, .distantFuture]
            try same(trial, values, \.date)
            try trial.read { context in
                try trial.equal(
                    try context.all(Cargo.self, by: SortDescriptor(\.date)).map(\.date), values.sorted(), "the order")
                let date = values[4]
                try trial.equal(
                    try context.all(Cargo.self, where: #Predicate { $0.date == date }).map(\.key), [4], "the row found")
            }
        }
        cases.add("data", "Data keeps every byte; empty data is not nil") { trial in
            try same(trial, [nil, Data(), Data([0]), Data((0...255).map { UInt8($0) })], \.data)
            let empty = Data()
            try trial.read { context in
                try trial.equal(
                    try context.all(Cargo.self, where: #Predicate { $0.data == empty }).map(\.key), [1], "empty data")
                try trial.equal(
                    try context.all(Cargo.self, where: #Predicate { $0.data == nil }).map(\.key), [0], "no data")
            }
        }
        cases.add("large-data", "Four megabytes are read back whole") { trial in
            var large = Data(count: 4 << 20)
            for index in stride(from: 0, to: large.count, by: 4099) { large[index] = UInt8(truncatingIfNeeded: index) }
            try roundTrip(trial, [Data([1]), large, Data([2])], \.data) { read in
                try trial.equal(read.map { $0.data?.count }, [1, 4 << 20, 1], "the sizes")
                try trial.expect(read[1].data == large, "every byte is as it was")
            }
        }
        cases.add("uuids", "UUIDs keep their bytes, and are found") { trial in
            let values = [
                UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1)), UUID(),
                UUID(uuid: (255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255)),
            ]
            try same(trial, values, \.uuid)
            let one = values[1]
            try trial.read { context in
                try trial.equal(
                    try context.all(Cargo.self, where: #Predicate { $0.uuid == one }).map(\.key), [1], "the row found")
            }
        }
        cases.add("urls", "URLs keep their spelling and their base") { trial in
            let base = URL(string: "https://example.com/a/b/?q=1")
            let values = [
                nil, URL(string: "https://example.com"), URL(string: "../up?x=%20y#frag", relativeTo: base),
                URL(string: "mailto:a@b.example"), URL(fileURLWithPath: "/tmp/ü ä/%/file"),
            ]
            try roundTrip(trial, values, \.url) { read in
                try trial.equal(read.map(\.url?.absoluteString), values.map { $0?.absoluteString }, "the addresses")
                try trial.equal(read.map(\.url?.baseURL), values.map { $0?.baseURL }, "the bases")
            }
        }
        cases.add("enumerations", "Enumerations are kept by their raw values, and found") { trial in
            try same(trial, [.dry, .liquid, .live, .dry], \.kind)
        }
        cases.add("structures", "Codable structures, and nil for them") { trial in
            let values = [nil, Crate(width: 1.5, label: "π\0"), Crate(width: -0.0, label: "")]
            try same(trial, values, \.crate)
            try trial.write { try $0.only(Cargo.self, where: #Predicate { $0.key == 1 }).crate?.label = "changed" }
            try trial.read { context in
                let read = try context.all(Cargo.self, by: SortDescriptor(\.key))
                try trial.equal(read.map(\.crate?.label), [nil, "changed", ""], "the labels after a change")
            }
        }
        cases.add("collections", "Arrays of values keep their order, empty ones too") { trial in
            try same(trial, [[], ["b", "a", "b"], [""], ["1", "\0", "é"]], \.marks)
        }
        cases.add("all-nil", "A row whose optional properties are all nil is a row") { trial in
            trial.use(Cargo.self)
            try trial.write { $0.insert(Cargo(1)) }
            try trial.read { context in
                let cargo = try context.only(Cargo.self)
                try trial.expect(
                    cargo.small == nil && cargo.flag == nil && cargo.maybeDouble == nil && cargo.maybeText == nil
                        && cargo.data == nil && cargo.url == nil && cargo.crate == nil, "every optional is nil")
                try trial.equal(cargo.key, 1, "the key")
            }
        }
    }
}

struct Crate: Codable, Hashable, Sendable {
    var width: Double
    var label: String
}

enum CargoKind: String, Codable, Sendable {
    case dry, liquid, live
}

@Model final class Cargo {
    var key: Int
    var integer = 0
    var small: Int8?
    var unsigned: UInt64 = 0
    var flag: Bool?
    var double = 0.0
    var maybeDouble: Double?
    var decimal = Decimal(0)
    var text = ""
    var maybeText: String?
    var character: Character = "x"
    var date = Date(timeIntervalSinceReferenceDate: 0)
    var data: Data?
    var uuid = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    var url: URL?
    var kind = CargoKind.dry
    var crate: Crate?
    var marks: [String] = []

    init(_ key: Int) { self.key = key }
}
