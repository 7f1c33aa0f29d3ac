import Coffer
import Foundation
import Testing

extension RowTests {
    /// Random plans, which go by indexes, links and scans, against the core's own filter and sort over all rows.
    @Suite("Rows: plans") struct PlanTests {
        @Model final class Sample {
            #Index<Sample>([\.number], [\.text], [\.number, \.text], [\.real, \.number])
            #Unique<Sample>([\.code])
            var number: Int?
            var text: String
            var real: Double?
            var big: UInt64
            var code: String?
            var parent: Sample?
            @Relationship(inverse: \Sample.parent) var children: [Sample] = []
            init() {
                text = ""
                big = 0
            }
        }

        static let long = String(repeating: "long", count: 200)
        static let texts = ["", "a", "a\0", "a\0b", "b", "bb", "é", long, long + "a", long + "b"]
        static let reals: [Double] = [-.infinity, -1, -0.0, 0, 0.5, .infinity, .nan]

        func fill(_ shop: RowWorkshop, _ random: inout RandomCommitTests.Generator) throws {
            for _ in 0..<3 {
                let keys = try shop.rows("Sample").keys.sorted()
                let rows = (1...120).map { number -> (Int64, RowWorkshop.Row) in
                    var row: RowWorkshop.Row = [:]
                    row["number"] = Bool.random(using: &random) ? .integer(.random(in: 0...9, using: &random)) : .null
                    row["text"] = .text(Self.texts.randomElement(using: &random)!)
                    row["real"] =
                        Int.random(in: 0..<4, using: &random) == 0
                        ? .null : .real(Self.reals.randomElement(using: &random)!)
                    row["big"] =
                        Bool.random(using: &random) ? .unsigned(.max) : .integer(.random(in: 0...3, using: &random))
                    row["code"] =
                        Bool.random(using: &random)
                        ? .null : .text("\(Int.random(in: 0...200, using: &random))" + Self.long)
                    row["parent"] = keys.randomElement(using: &random).map { shop.link($0, "Sample") } ?? .null
                    return (Int64(-number), row)
                }
                let moved = keys.filter { _ in Int.random(in: 0..<4, using: &random) == 0 }.map { key in
                    (key, ["number": StoredValue.integer(3), "text": .text(Self.texts.randomElement(using: &random)!)])
                }
                let dead = keys.filter { key in
                    !moved.contains { $0.0 == key } && Int.random(in: 0..<9, using: &random) == 0
                }
                // Links to deleted rows are cut; those of new rows must lead to rows that stay.
                let kept = rows.map { key, row -> (Int64, RowWorkshop.Row) in
                    var row = row
                    if case .reference(let parent)? = row["parent"], dead.contains(parent._key) {
                        row["parent"] = .null
                    }
                    return (key, row)
                }
                try shop.save(
                    insert: [shop.batch("Sample", kept)], update: [shop.batch("Sample", moved)],
                    delete: [("Sample", dead)])
            }
        }

        func slot(_ shop: RowWorkshop, _ name: String) -> Int {
            shop.store.schema.entitiesByName["Sample"]?.properties.firstIndex { $0.name == name } ?? -1
        }

        func property(_ shop: RowWorkshop, _ name: String, _ type: FilterType) -> FilterExpression {
            let destination: String? = name == "parent" ? "Sample" : nil
            return .property(
                FilterPath(
                    variable: .row(of: "Sample"),
                    steps: [FilterStep(slot: slot(shop, name), name: name, destination: destination)], type: type))
        }

        func term(_ shop: RowWorkshop, _ keys: [Int64], _ random: inout RandomCommitTests.Generator) -> FilterExpression
        {
            let comparisons: [FilterComparison] = [
                .equal, .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual,
            ]
            let comparison = comparisons.randomElement(using: &random)!
            func compare(_ name: String, _ storage: ScalarStorage, _ value: StoredValue) -> FilterExpression {
                let type = FilterType(.scalar(storage), isOptional: true)
                return .compare(comparison, property(shop, name, type), .constant(value, type))
            }
            switch Int.random(in: 0..<8, using: &random) {
            case 0, 1: return compare("number", .integer, .integer(.random(in: -1...10, using: &random)))
            case 2: return compare("text", .text, .text(Self.texts.randomElement(using: &random)!))
            case 3: return compare("real", .real, .real(Self.reals.randomElement(using: &random)!))
            case 4: return compare("big", .unsigned, Bool.random(using: &random) ? .unsigned(.max) : .integer(2))
            case 5: return compare("code", .text, .text("\(Int.random(in: 0...200, using: &random))" + Self.long))
            case 6:
                let type = FilterType(.scalar(.integer), isOptional: true)
                return .compare(
                    Bool.random(using: &random) ? .equal : .notEqual, property(shop, "number", type),
                    .constant(.null, type)
                )
            default:
                let type = FilterType(.link(entity: "Sample"), isOptional: true)
                return .compare(
                    Bool.random(using: &random) ? .equal : .notEqual, property(shop, "parent", type),
                    .constant(shop.link(keys.randomElement(using: &random)!, "Sample"), type))
            }
        }

        /// Rows for links of filters, from everything in one batch.
        struct Source: RowSource {
            let batch: RowBatch
            let slot: Int
            func row(_ key: Int64, of entityName: String) -> DefaultSnapshot? {
                (0..<batch.count).first { batch.key(ofRow: $0) == key }.map { DefaultSnapshot(batch, row: $0) }
            }
            func members(of owner: DefaultSnapshot, slot: Int) -> [DefaultSnapshot] { [] }
            func destination(ofSlot slot: Int, in entityName: String) -> String? { slot == self.slot ? "Sample" : nil }
        }

        @Test(arguments: TestStore.rowStores, 1...4 as ClosedRange<UInt64>)
        func sameAsFilteringAllRows(_ store: TestStore, _ seed: UInt64) throws {
            var random = RandomCommitTests.Generator(state: seed &* 77_777)
            let shop = try RowWorkshop(store, Sample.self)
            try fill(shop, &random)
            let width = shop.store.schema.entitiesByName["Sample"]?.properties.count ?? 0
            let all = RowBatch(entityName: "Sample", width: width, storeIdentifier: shop.store.identifier)
            try shop.store.fetchRows(FetchPlan(entityName: "Sample"), into: all)
            let source = Source(batch: all, slot: slot(shop, "parent"))
            let keys = (0..<all.count).map { all.key(ofRow: $0) }
            #expect(keys == keys.sorted() && keys.count > 200)
            for _ in 0..<400 {
                var terms = (0..<Int.random(in: 0...3, using: &random)).map { _ in term(shop, keys, &random) }
                if !terms.isEmpty, Int.random(in: 0..<5, using: &random) == 0 {
                    terms = [.any([terms[0], term(shop, keys, &random)])] + terms.dropFirst()
                }
                var plan = FetchPlan(entityName: "Sample", filter: terms.isEmpty ? nil : .all(terms))
                if Int.random(in: 0..<3, using: &random) > 0 {
                    let names = [
                        ["number"], ["text"], ["number", "text"], ["real", "number"], ["code"], ["big"],
                        ["parent", "text"],
                    ]
                    let isDescending = Bool.random(using: &random)
                    let list = names.randomElement(using: &random)!
                    plan.sort =
                        list[0] == "parent"
                        ? [SortKey(path: list.map { slot(shop, $0) }, isDescending: isDescending)]
                        : list.map { SortKey(path: [slot(shop, $0)], isDescending: isDescending) }
                }
                if Bool.random(using: &random) { plan.limit = Int.random(in: 0...30, using: &random) }
                if Int.random(in: 0..<3, using: &random) == 0 { plan.offset = Int.random(in: 0...20, using: &random) }
                let expected = try RowQuery(plan).rows(of: all, in: source).map { all.key(ofRow: $0) }
                #expect(try shop.store.fetchKeys(plan) == expected, "\(plan)")
                #expect(try shop.store.countRows(plan) == expected.count, "\(plan)")
                let blocks = try shop.blocks(plan, of: 16)
                #expect(blocks.flatMap { $0.map(\.key) } == expected, "\(plan)")
                #expect(blocks.dropLast().allSatisfy { $0.count == 16 })
            }
        }
    }
}
