import Foundation
import Testing

@testable import CofferCore
@testable import CofferSQLite

/// Filters in SQL and in memory against `Predicate.evaluate` over the models themselves.
@Suite struct SQLFilterTests {
    let world: SQLFilterWorld
    static let day = Date(timeIntervalSinceReferenceDate: 1000)

    init() throws {
        let makers = [
            Maker(name: "Ada", country: "FR", founded: Self.day),
            Maker(name: "Bo", country: nil, founded: .distantPast),
            Maker(name: "É\u{301}", country: "", founded: Date(timeIntervalSinceReferenceDate: 2000)),
        ]
        makers[1].parent = makers[0]
        makers[2].parent = makers[1]
        let labels = ["red", "blue", "%", "Red"].map { Label(text: $0) }
        let texts = [
            "Report", "report", "100%", "a_b", "axb", "O'Neil", "", "Café", "Cafe\u{301} noir", "x\u{301}",
            "👩‍👩‍👧🇩🇪🇫🇷",
            "a\r\nb", "nul\0tail", "nul", "Résumé", "\"quoted\\\"", "zebra", "\u{10FFFF}", "ﬁne", "straße",
            "Ab\u{600}c", "12", "2", "10",
        ]
        var gadgets: [Gadget] = []
        var parts: [Part] = []
        for (index, text) in texts.enumerated() {
            let gadget = Gadget(serial: index - 3, name: text)
            gadget.note = index % 3 == 0 ? nil : text
            gadget.small = Int8([100, -128, 0, 27, 127][index % 5])
            gadget.big = [0, 7, UInt64(Int64.max), UInt64(Int64.max) + 1, .max][index % 5]
            gadget.price = [0, -0.0, 2.5, .nan, .infinity, -1, 0.1][index % 7]
            gadget.rating = index % 4 == 0 ? nil : [3.5, .nan, 0.5, -.infinity][index % 4]
            gadget.ratio = Float(index) / 3
            gadget.due = index % 5 == 0 ? nil : Date(timeIntervalSinceReferenceDate: Double(index) * 250)
            gadget.added = Date(timeIntervalSinceReferenceDate: Double(index % 6) * 500)
            gadget.mass = Decimal(index * index) / 8 - 5
            gadget.code = UUID(uuid: (UInt8(index), 0, 0, 0, 0, 0, 64, 0, 128, 0, 0, 0, 0, 0, 0, UInt8(index % 3)))
            gadget.kind = Kind.allCases[index % 3]
            gadget.prior = index % 4 == 0 ? .live : index % 4 == 1 ? .retired : nil
            gadget.level = Level.allCases[index % 3]
            gadget.isNew = index % 2 == 0
            gadget.flag = [true, false, nil][index % 3]
            gadget.data = Data((0..<index % 4).map { UInt8($0) })
            gadget.link = index % 3 == 1 ? URL(string: "https://a.example/\(index)") : nil
            gadget.tags = [[], ["a"], ["b", "a", ""], ["nul\0tail"], ["É", "a\"b"]][index % 5]
            gadget.nums = [[], [1, 2, 3], [-1], [Int.max, Int.min]][index % 4]
            gadget.marks = [[], [0.1, .nan], [1e300, -0.0], [2]][index % 4]
            gadget.kinds = [[], [.live], [.draft, .retired]][index % 3]
            gadget.spot = [nil, Spot(x: 0, label: nil), Spot(x: 3, label: "É")][index % 3]
            gadget.trail = index % 3 == 0 ? [] : [Spot(x: index % 4, label: "k")]
            gadget.extra = index % 2 == 0 ? [:] : ["k": index]
            gadget.maker = index % 4 == 3 ? nil : makers[index % 4 % 3]
            for number in 0..<index % 4 {
                let part = Part(name: "p\(number)", weight: number * index)
                part.spare = number > 0 ? parts.last : nil
                part.gadget = gadget
                parts.append(part)
            }
            gadget.labels = labels.enumerated().filter { (index >> $0.offset) & 1 == 1 }.map(\.element)
            gadgets.append(gadget)
        }
        world = try SQLFilterWorld(gadgets: gadgets, makers: makers, parts: parts, labels: labels)
    }

    /// Runs a predicate in three ways; all must agree.
    @discardableResult
    func check(
        _ predicate: Predicate<Gadget>, runsInSQL: Bool = true, sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> String {
        let expected = world.gadgets.filter { (try? predicate.evaluate($0)) ?? false }.map(\.serial)
        let filter = try PredicateLowering.filter(predicate)
        let batch = world.batch("Gadget")
        let memory = try RowFilter(filter).matches(in: batch, world).map { Int(batch.cell(row: $0, slot: 0).integer) }
        #expect(memory == expected, "in memory: \(filter)", sourceLocation: sourceLocation)
        do {
            let query = try SQLQuery.compile(
                FetchPlan(entityName: "Gadget", filter: filter), world, storeIdentifier: "S")
            let sql = query.select([SQLQuery.column("serial")])
            let found = try world.rows(sql, query.bindings).compactMap { Int($0) }
            #expect(found == expected, "\(filter)\n\(sql)", sourceLocation: sourceLocation)
            let unordered = try SQLQuery.compile(
                FetchPlan(entityName: "Gadget", filter: filter), world, storeIdentifier: "S", isOrdered: false)
            let count = try world.rows(unordered.count(), unordered.bindings)
            #expect(count == ["\(expected.count)"], sourceLocation: sourceLocation)
            #expect(runsInSQL, sourceLocation: sourceLocation)
            return unordered.condition ?? ""
        } catch DataStoreError.preferInMemoryFilter {
            #expect(!runsInSQL, "\(filter)", sourceLocation: sourceLocation)
            return ""
        } catch let failure as SQLFilterFailure {
            Issue.record("\(failure.text)\n\(filter)", sourceLocation: sourceLocation)
            return ""
        }
    }

    @Test func comparisons() throws {
        let name = "report"
        let composed = "Caf\u{E9}"
        let code = world.gadgets[4].code
        let mass = world.gadgets[9].mass
        let big = UInt64(Int64.max) + 1
        let notANumber = Double.nan
        #expect(try check(#Predicate { $0.serial > 5 }) == "t0.\"serial\" > ?1")
        #expect(try check(#Predicate { $0.name == name }) == "t0.\"name\" = ?1")
        #expect(try check(#Predicate { $0.note == name }) == "t0.\"note\" = ?1")
        try check(#Predicate { $0.name == composed })
        try check(#Predicate { $0.name < "a" })
        try check(#Predicate { $0.serial <= 4 && 0 <= $0.serial })
        try check(#Predicate { $0.price > 0 })
        try check(#Predicate { $0.price >= 0 || $0.price < -0.5 })
        try check(#Predicate { !($0.price > 0.05) })
        try check(#Predicate { $0.price == 0 })
        try check(#Predicate { $0.price != 2.5 })
        try check(#Predicate { $0.price == notANumber })
        try check(#Predicate { $0.price != notANumber })
        try check(#Predicate { $0.price < notANumber || $0.price >= notANumber })
        try check(#Predicate { $0.price == $0.price })
        try check(#Predicate { $0.price != $0.price })
        try check(#Predicate { !($0.price < $0.price) })
        try check(#Predicate { $0.rating == $0.rating })
        try check(#Predicate { ($0.rating ?? 1) == $0.price })
        try check(#Predicate { ($0.rating ?? 2.5) != $0.price })
        try check(#Predicate { $0.big == big })
        try check(#Predicate { $0.big > 100 })
        try check(#Predicate { $0.big < big })
        try check(#Predicate { $0.code == code })
        try check(#Predicate { $0.code < code })
        try check(#Predicate { $0.mass == mass })
        try check(#Predicate { $0.mass > 1.5 })
        try check(#Predicate { $0.isNew })
        try check(#Predicate { !$0.isNew })
        try check(#Predicate { $0.isNew == ($0.serial > 4) })
        try check(#Predicate { _ in true })
        try check(#Predicate { _ in false })
    }

    @Test func nilsAndOptionals() throws {
        let day = Self.day
        let nothing: String? = nil
        let something: String? = "report"
        try check(#Predicate { $0.note != "report" })
        try check(#Predicate { !($0.note == "report") })
        try check(#Predicate { $0.note == nil })
        try check(#Predicate { $0.note != nil })
        try check(#Predicate { !($0.note == nil) })
        try check(#Predicate { $0.note == nothing })
        try check(#Predicate { $0.note == something })
        try check(#Predicate { $0.note != something && $0.note! == $0.name })
        try check(#Predicate { ($0.note ?? "report") == "report" })
        try check(#Predicate { ($0.rating ?? 0) >= 2.5 })
        try check(#Predicate { $0.rating.flatMap { $0 > 1 } ?? true })
        try check(#Predicate { $0.due.flatMap { $0 > day } ?? false })
        try check(#Predicate { !($0.due.flatMap { $0 > day } ?? false) })
        try check(#Predicate { $0.flag == true })
        try check(#Predicate { $0.flag != true })
        try check(#Predicate { $0.flag ?? true })
        try check(#Predicate { !($0.flag ?? false) })
        try check(#Predicate { $0.note!.isEmpty })
        try check(#Predicate { if let note = $0.note { note == "nul" } else { $0.serial < 0 } })
        try check(#Predicate { $0.note == nil ? $0.serial > 3 : $0.serial < 3 })
        try check(#Predicate { $0.note?.isEmpty == true })
        try check(#Predicate { $0.note?.count == 3 })
        try check(#Predicate { $0.rating != 3.5 })
        try check(#Predicate { $0.rating == nil || $0.rating! < 1 })
    }

    @Test func links() throws {
        let day = Self.day
        #expect(try check(#Predicate { $0.maker == nil }) == "t0.\"maker\" IS NULL")
        try check(#Predicate { $0.maker != nil })
        try check(#Predicate { $0.maker == nil && $0.serial > 3 })
        try check(#Predicate { $0.maker?.name == "Ada" })
        try check(#Predicate { $0.maker?.name != "Ada" })
        try check(#Predicate { !($0.maker?.name == "Ada") })
        try check(#Predicate { ($0.maker?.name ?? "none") == "none" })
        try check(#Predicate { $0.maker?.country == nil })
        try check(#Predicate { $0.maker?.country == "" })
        try check(#Predicate { $0.maker?.parent?.name == "Ada" })
        try check(#Predicate { $0.maker?.parent == nil })
        try check(#Predicate { $0.maker?.parent?.parent?.country != nil })
        try check(#Predicate { $0.maker!.name == "Bo" })
        try check(#Predicate { $0.maker!.country == nil })
        try check(#Predicate { $0.maker?.name.contains("d") == true })
        try check(#Predicate { $0.maker?.gadgets.isEmpty == false })
        try check(#Predicate { ($0.maker?.gadgets.count ?? 0) > 6 })
        try check(#Predicate { $0.maker.flatMap { $0.founded > day } ?? true })
        try check(#Predicate { ($0.maker?.country ?? $0.note) == nil })
    }

    @Test func quantifiers() throws {
        try check(#Predicate { $0.parts.isEmpty })
        try check(#Predicate { !$0.parts.isEmpty })
        try check(#Predicate { $0.parts.isEmpty == false })
        try check(#Predicate { $0.parts.count == 0 })
        try check(#Predicate { $0.parts.count > 1 })
        try check(#Predicate { !($0.parts.count > 0) })
        try check(#Predicate { $0.parts.contains { $0.weight > 10 } })
        try check(#Predicate { !$0.parts.contains { $0.weight > 10 } })
        try check(#Predicate { $0.parts.allSatisfy { $0.weight < 10 } })
        try check(#Predicate { $0.parts.filter { $0.weight > 4 }.count == 2 })
        try check(#Predicate { $0.parts.filter { $0.weight > 4 }.isEmpty })
        try check(#Predicate { gadget in gadget.parts.contains { $0.weight > gadget.serial } })
        try check(#Predicate { gadget in gadget.parts.contains { $0.spare?.name == "p0" } })
        try check(#Predicate { $0.parts.allSatisfy { $0.spare?.name != "p0" } })
        try check(#Predicate { $0.labels.contains { $0.text == "red" } })
        try check(#Predicate { $0.labels.count >= 2 })
        try check(#Predicate { $0.labels.isEmpty })
        try check(
            #Predicate { gadget in gadget.labels.contains { $0.gadgets.contains { $0.serial == gadget.serial + 1 } } })
        try check(#Predicate { $0.maker?.gadgets.contains { $0.name == "zebra" } == true })
        try check(#Predicate { ($0.maker?.children.contains { $0.name == "Bo" }) ?? false })
        try check(#Predicate { $0.labels.allSatisfy { $0.gadgets.allSatisfy { $0.serial > -3 } } })
    }

    @Test func capturedCollections() throws {
        let names = ["report", "nul", "nul\0tail", "Caf\u{E9}"]
        let many = (0..<2000).map { "n\($0)" } + ["zebra", "", "\"quoted\\\"", "nul\0tail"]
        let serials = Set(0..<100).subtracting([7])
        let none: [Int] = []
        let kinds: [Kind] = [.draft, .retired]
        let codes = world.gadgets.prefix(12).map(\.code)
        let few = Array(codes.prefix(2))
        let prices = [0.1, 2.5, .nan, 0]
        let optional: [String?] = [nil, "report"]
        let notes: [String?] = ["report"]
        let bigs: [UInt64] = [7, .max]
        let dates = (0..<20).map { Date(timeIntervalSinceReferenceDate: Double($0) * 500) }
        try check(#Predicate { names.contains($0.name) })
        try check(#Predicate { !names.contains($0.name) })
        try check(#Predicate { many.contains($0.name) })
        try check(#Predicate { serials.contains($0.serial) })
        try check(#Predicate { none.contains($0.serial) })
        try check(#Predicate { !none.contains($0.serial) })
        try check(#Predicate { kinds.contains($0.kind) })
        try check(#Predicate { codes.contains($0.code) })
        try check(#Predicate { few.contains($0.code) })
        try check(#Predicate { prices.contains($0.price) })
        try check(#Predicate { optional.contains($0.note) })
        try check(#Predicate { !optional.contains($0.note) })
        try check(#Predicate { notes.contains($0.note) })
        try check(#Predicate { !notes.contains($0.note) })
        try check(#Predicate { bigs.contains($0.big) })
        try check(#Predicate { dates.contains($0.added) })
        try check(#Predicate { gadget in names.contains { $0 == gadget.name } })
        try check(#Predicate { gadget in many.allSatisfy { $0 != gadget.name } })
    }

    @Test func storedCollections() throws {
        let live = Kind.live
        try check(#Predicate { $0.tags.contains("a") })
        try check(#Predicate { $0.tags.contains("É") })
        try check(#Predicate { $0.tags.contains("nul") })
        try check(#Predicate { $0.tags.contains("nul\0tail") })
        try check(#Predicate { $0.tags.contains("a\"b") })
        try check(#Predicate { !$0.tags.contains("a") })
        try check(#Predicate { $0.tags.isEmpty })
        try check(#Predicate { $0.tags.count == 3 })
        try check(#Predicate { $0.tags.contains { $0.isEmpty } })
        try check(#Predicate { $0.nums.contains(2) })
        try check(#Predicate { $0.nums.allSatisfy { $0 < 3 } })
        try check(#Predicate { $0.marks.contains(0.1) })
        try check(#Predicate { $0.marks.contains(0) })
        try check(#Predicate { $0.marks.contains { $0 > 1 } })
        try check(#Predicate { $0.kinds.contains(live) })
        try check(#Predicate { $0.nums.filter { $0 > 1 }.count > 1 })
        let tags = ["a"]
        try check(#Predicate { $0.tags == tags })
        try check(#Predicate { $0.tags != tags })
    }

    @Test func text() throws {
        for part in [
            "%", "_", "'", "", "e", "\u{301}", "\n", "\r\n", "🇪🇫",
            "🇩🇪", "👧", "x", "caf", "Caf\u{E9}", "nul\0", "\"", "b",
        ] {
            try check(#Predicate { $0.name.contains(part) })
            try check(#Predicate { $0.name.starts(with: part) })
            try check(#Predicate { !$0.name.contains(part) })
            // Foundation tells composed from decomposed text here when a mark is looked for by itself.
            if part != "\u{301}" { try check(#Predicate { $0.name.localizedStandardContains(part) }) }
        }
        try check(#Predicate { $0.name.isEmpty })
        try check(#Predicate { !$0.name.isEmpty })
        try check(#Predicate { $0.name.count > 3 })
        try check(#Predicate { $0.name.count == 1 })
        try check(#Predicate { $0.note?.starts(with: "Re") ?? false })
        let same = ComparisonResult.orderedSame
        try check(#Predicate { $0.name.caseInsensitiveCompare("REPORT") == same })
        let last = "\u{10FFFF}"
        try check(#Predicate { $0.name.starts(with: last) })
        try check(#Predicate { $0.name.contains($0.note ?? "a") })
    }

    @Test func arithmetic() throws {
        try check(#Predicate { $0.serial % 2 == 1 && $0.serial / 2 == 1 })
        try check(#Predicate { $0.serial % 3 == -1 })
        try check(#Predicate { $0.serial + 2 > 7 })
        try check(#Predicate { $0.serial * -1 < 3 })
        try check(#Predicate { -$0.serial == 2 })
        try check(#Predicate { $0.price * 2 == 5 })
        try check(#Predicate { $0.price - $0.price == 0 })
        try check(#Predicate { $0.price - $0.price != 0 })
        try check(#Predicate { $0.price / 2 > 0 })
        try check(#Predicate { $0.mass * 2 > 1 })
        try check(#Predicate { $0.ratio * 3 == 1 })
        try check(#Predicate { (1...3).contains($0.serial) })
        try check(#Predicate { !(1..<3).contains($0.serial) })
        let range = Self.day...Date(timeIntervalSinceReferenceDate: 1500)
        try check(#Predicate { range.contains($0.added) })
    }

    @Test func whatSwiftWouldStopAtIsUnknown() throws {
        // Not run against `evaluate`: that would stop.
        let sum: Predicate<Gadget> = #Predicate { $0.small + 1 > 0 }
        let negated: Predicate<Gadget> = #Predicate { !($0.small + 1 > 0) }
        let division: Predicate<Gadget> = #Predicate { 10 / $0.serial > 2 || $0.serial == 0 }
        let unwrapped: Predicate<Gadget> = #Predicate { $0.note! == "report" || $0.serial == 0 }
        let unwrappedElement: Predicate<Gadget> = #Predicate { $0.parts.contains { $0.spare!.weight > 1 } }
        let expected: [(Predicate<Gadget>, [Int])] = [
            (sum, world.gadgets.filter { $0.small < 127 && $0.small >= 0 }.map(\.serial)),
            (negated, world.gadgets.filter { $0.small < 0 }.map(\.serial)),
            (unwrapped, [-2, 0]),
            (
                unwrappedElement,
                world.gadgets.filter { $0.parts.contains { ($0.spare?.weight ?? 0) > 1 } }.map(\.serial)
            ),
            (division, world.gadgets.map(\.serial).filter { $0 == 0 || 10 / $0 > 2 }),
        ]
        for (predicate, serials) in expected {
            let filter = try PredicateLowering.filter(predicate)
            let batch = world.batch("Gadget")
            let memory = try RowFilter(filter).matches(in: batch, world).map {
                Int(batch.cell(row: $0, slot: 0).integer)
            }
            #expect(memory == serials)
            let query = try SQLQuery.compile(
                FetchPlan(entityName: "Gadget", filter: filter), world, storeIdentifier: "S")
            let found = try world.rows(query.select([SQLQuery.column("serial")]), query.bindings)
            #expect(found == serials.map(String.init))
        }
    }

    @Test func enumerationsAndComposites() throws {
        let live = Kind.live
        let prior: Kind? = .live
        let middle = Level.middle
        let spot = Spot(x: 3, label: "E\u{301}")
        let wrapped: Spot? = spot
        try check(#Predicate { $0.kind == live })
        try check(#Predicate { $0.kind != live })
        try check(#Predicate { $0.prior == live })
        try check(#Predicate { $0.prior != prior })
        try check(#Predicate { $0.prior == nil })
        try check(#Predicate { $0.kind.rawValue == "live" })
        try check(#Predicate { $0.level > middle })
        try check(#Predicate { $0.level <= middle })
        try check(#Predicate { $0.spot?.x == 0 })
        try check(#Predicate { $0.spot?.x != 0 })
        try check(#Predicate { $0.spot?.label == "É" })
        try check(#Predicate { $0.spot?.label == nil })
        try check(#Predicate { $0.spot!.far > 0.1 })
        try check(#Predicate { $0.spot == wrapped })
        try check(#Predicate { $0.spot == nil })
        try check(#Predicate { $0.spot != spot })
        try check(#Predicate { $0.trail.contains { $0.x > 1 } })
        try check(#Predicate { $0.trail.contains(spot) })
        try check(#Predicate { $0.added.timeIntervalSinceReferenceDate > 600 })
    }

    @Test func identifiers() throws {
        let makers = world.makers
        func identifier(_ key: Int, _ store: String = "S", _ entity: String = "Gadget") throws -> PersistentIdentifier {
            try .identifier(for: store, entityName: entity, primaryKey: key)
        }
        func found(_ predicate: Predicate<Gadget>) throws -> [Int64] {
            let filter = try PredicateLowering.filter(predicate)
            let batch = world.batch("Gadget")
            let memory = try RowFilter(filter).matches(in: batch, world).map { batch.key(ofRow: $0) }
            let query = try SQLQuery.compile(
                FetchPlan(entityName: "Gadget", filter: filter), world, storeIdentifier: "S")
            #expect(try world.rows(query.select([query.key]), query.bindings) == memory.map(String.init), "\(filter)")
            return memory
        }
        let third = try identifier(3)
        let maker = try identifier(2, "S", "Maker")
        let foreign = try identifier(3, "other")
        let several = try [identifier(1), identifier(5), identifier(2, "other"), identifier(99)]
        let many = try (1...20).map { try identifier($0 * 2) }
        #expect(try found(#Predicate { $0.persistentModelID == third }) == [3])
        #expect(try found(#Predicate { $0.persistentModelID != third }).count == world.gadgets.count - 1)
        #expect(try found(#Predicate { $0.id == third }) == [3])
        #expect(try found(#Predicate { $0.persistentModelID == foreign }) == [])
        #expect(try found(#Predicate { several.contains($0.persistentModelID) }) == [1, 5])
        #expect(try found(#Predicate { many.contains($0.persistentModelID) }).count == 12)
        let ofMaker = world.gadgets.filter { $0.maker === makers[1] }.map { $0._$key }
        #expect(try found(#Predicate { $0.maker?.persistentModelID == maker }) == ofMaker)
        #expect(
            try found(#Predicate { $0.maker?.persistentModelID != maker }).count == world.gadgets.count - ofMaker.count)
    }

    @Test func compositions() throws {
        let parts: [Predicate<Gadget>] = [
            #Predicate { $0.serial > 2 }, #Predicate { $0.note == nil }, #Predicate { $0.maker?.name != "Ada" },
            #Predicate { $0.parts.contains { $0.weight > 3 } },
        ]
        try check(Predicate(all: parts))
        try check(Predicate(any: parts))
        try check(Predicate(not: parts[1]))
        try check(Predicate(all: [Predicate(any: Array(parts.prefix(2))), Predicate(not: parts[3])]))
        try check(Predicate(all: [Predicate<Gadget>]()))
        try check(Predicate(any: [Predicate<Gadget>]()))
        try check(Predicate(any: Array(repeating: parts, count: 10).flatMap { $0 }))
    }
}
