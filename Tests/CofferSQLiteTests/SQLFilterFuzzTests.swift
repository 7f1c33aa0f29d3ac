import Foundation
import Testing

@testable import CofferCore
@testable import CofferSQLite

/// Random filters, in SQL and in memory: both must know nil from false from unknown in the same way.
@Suite struct SQLFilterFuzzTests {
    /// Makes well-typed filters, the same ones every time.
    struct RandomFilters {
        var state: UInt64
        var variables = 1

        mutating func next(_ count: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((state >> 33) % UInt64(count))
        }

        let row = FilterVariable.row(of: "Gadget")

        func property(_ names: [String], _ variable: FilterVariable) -> FilterExpression {
            var descriptor = variable.entityName == "Part" ? Part._$descriptor : Gadget._$descriptor
            var steps: [FilterStep] = []
            var type = FilterType(.link(entity: descriptor.entityName))
            var isOptional = false
            for name in names {
                let slot = descriptor.slotsByName[name] ?? 0
                let link = descriptor.relationships[slot]
                type = FilterType(of: descriptor.properties[slot].metadata.valueType)
                isOptional = isOptional || type.isOptional
                steps.append(FilterStep(slot: slot, name: name, destination: link?.destination.entityName))
                if let link { descriptor = link.destination }
            }
            return .property(FilterPath(variable: variable, steps: steps, type: type.optional(isOptional)))
        }

        enum Sort: CaseIterable { case integer, text, real }

        mutating func leaf(_ sort: Sort, _ variable: FilterVariable?) -> FilterExpression {
            if let variable, next(2) == 0 {
                switch sort {
                case .integer:
                    return property([["weight"], ["spare", "weight"], ["gadget", "serial"]][next(3)], variable)
                case .text: return property([["name"], ["spare", "name"], ["gadget", "note"]][next(3)], variable)
                case .real: return property([["gadget", "price"], ["gadget", "rating"]][next(2)], variable)
                }
            }
            switch sort {
            case .integer:
                switch next(4) {
                case 0: return .constant(.integer([0, 1, -3, .max][next(4)]), .integer)
                case 1: return .count(rows("parts"))
                default: return property(["serial"], row)
                }
            case .text:
                switch next(6) {
                case 0: return .constant(.text(["", "a", "report", "Ada"][next(4)]), FilterType(.scalar(.text)))
                case 1: return property(["name"], row)
                case 2: return property(["maker", "name"], row)
                case 3: return property(["maker", "parent", "country"], row)
                case 4: return .constant(.null, FilterType(.scalar(.text), isOptional: true))
                default: return property(["note"], row)
                }
            case .real:
                switch next(4) {
                case 0: return .constant(.real([0, 2.5, .nan, -.infinity][next(4)]), FilterType(.scalar(.real)))
                case 1: return property(["price"], row)
                default: return property(["rating"], row)
                }
            }
        }

        mutating func rows(_ name: String) -> FilterSequence {
            guard case .property(let path) = property([name], row) else { fatalError("no path") }
            defer { variables += 1 }
            return FilterSequence(.rows(path), variable: FilterVariable(number: variables, entityName: "Part"))
        }

        mutating func value(_ sort: Sort, _ depth: Int, _ variable: FilterVariable?) -> FilterExpression {
            if depth == 0 { return leaf(sort, variable) }
            switch next(8) {
            case 0: return .coalesce(value(sort, depth - 1, variable), value(sort, depth - 1, variable))
            case 1:
                return .conditional(
                    condition(depth - 1, variable), value(sort, depth - 1, variable), value(sort, depth - 1, variable))
            case 2: return .ifPresent(leaf(.text, variable), value(sort, depth - 1, variable))
            case 3:
                let body = value(sort, depth - 1, variable)
                return .require(next(2) == 0 ? body : leaf(.text, variable), body)
            case 4 where sort == .integer:
                let symbols: [FilterOperator] = [.add, .subtract, .multiply, .divide, .remainder]
                return .arithmetic(
                    symbols[next(5)], value(.integer, depth - 1, variable), value(.integer, depth - 1, variable), .int)
            case 4 where sort == .real:
                return .arithmetic(
                    .divide, value(.real, depth - 1, variable), value(.real, depth - 1, variable), .double)
            case 5 where sort == .integer: return .length(value(.text, depth - 1, variable))
            case 6 where sort == .integer: return .negative(value(.integer, depth - 1, variable), .int)
            default: return leaf(sort, variable)
            }
        }

        mutating func condition(_ depth: Int, _ variable: FilterVariable?) -> FilterExpression {
            if depth == 0 { return property([["isNew"], ["flag"]][next(2)], row) }
            let sort = Sort.allCases[next(3)]
            switch next(11) {
            case 0: return .all((0..<next(4)).map { _ in condition(depth - 1, variable) })
            case 1: return .any((0..<next(4)).map { _ in condition(depth - 1, variable) })
            case 2, 3: return .not(condition(depth - 1, variable))
            case 4:
                let rows = rows("parts")
                return .exists(rows.where(condition(depth - 1, rows.variable)))
            case 5:
                let rows = rows("parts")
                return .every(rows, condition(depth - 1, rows.variable))
            case 6:
                let list = FilterList(
                    [.text("report"), .text(""), next(2) == 0 ? .null : .text("Ada")],
                    elementType: FilterType(.scalar(.text), isOptional: true))
                let sequence = FilterSequence(
                    .captured(list), variable: FilterVariable(number: variables, entityName: nil))
                variables += 1
                return .includes(sequence, value(.text, depth - 1, variable))
            case 7:
                let tests: [FilterTextTest] = [.contains, .startsWith, .endsWith]
                return .text(tests[next(3)], value(.text, depth - 1, variable), leaf(.text, variable))
            case 8: return .coalesce(condition(depth - 1, variable), condition(depth - 1, variable))
            default:
                let comparisons: [FilterComparison] = [
                    .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual,
                ]
                return .compare(
                    comparisons[next(6)], value(sort, depth - 1, variable), value(sort, depth - 1, variable))
            }
        }
    }

    @Test func randomFilters() throws {
        let world = try SQLFilterTests().world
        let batch = world.batch("Gadget")
        var maker = RandomFilters(state: 7)
        var inSQL = 0
        for round in 0..<4000 {
            maker.variables = 1
            let filter = maker.condition(1 + round % 4, nil)
            let memory = try RowFilter(filter).matches(in: batch, world).map { "\(batch.key(ofRow: $0))" }
            do {
                let query = try SQLQuery.compile(
                    FetchPlan(entityName: "Gadget", filter: filter), world, storeIdentifier: "S")
                let sql = query.select([query.key])
                let found = try world.rows(sql, query.bindings)
                inSQL += 1
                if found != memory {
                    Issue.record("round \(round): \(filter)\n\(sql)\nmemory \(memory)\nSQL    \(found)")
                    return
                }
            } catch DataStoreError.preferInMemoryFilter {
                continue
            }
        }
        #expect(inSQL > 3600)
    }
}
