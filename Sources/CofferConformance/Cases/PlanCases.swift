import CofferCore

/// Fetch plans, given to a store of rows without a context.
enum PlanCases {
    static func add(_ cases: inout CaseList) {
        var own = CaseList(cases.area)
        slots(&own)
        scopes(&own)
        filters(&own)
        order(&own)
        blocks(&own)
        for item in own.cases {
            let id = String(item.id.dropFirst(cases.area.count + 1))
            cases.add(id, item.claim, needs: [.rows] + item.needs, item.body)
        }
    }

    private static func slots(_ cases: inout CaseList) {
        cases.add("whole-rows", "A plan without slots gives every stored value, and no absent cell among them") {
            trial in
            let rows = try trial.rows()
            try rows.insertOne(Story.argo)
            let found = try rows.fetch(FetchPlan(entityName: "Ship"))
            let expected: SeamRows.Row = [
                "name": .text("Argo"), "tonnage": .integer(300), "nickname": .null, "launched": .real(0), "home": .null,
            ]
            var values = try trial.unwrap(found.first, "the row").values
            values["crew"] = nil
            try trial.equal(values, expected, "the values")
        }
        cases.add("slots", "A plan with slots gives the values of those slots") { trial in
            let rows = try trial.rows()
            _ = try rows.insertShips(["Argo", "Beagle"])
            let plan = FetchPlan(entityName: "Ship", slots: rows.slots("Ship", ["name", "nickname"]))
            let found = try rows.fetch(plan)
            try trial.equal(found.map { $0.values["name"] }, [.text("Argo"), .text("Beagle")], "the names")
            try trial.equal(found.map { $0.values["nickname"] }, [.null, .null], "the nicknames")
        }
        cases.add(
            "slots-filter", "A plan may filter and sort by slots that it does not ask for",
            needs: [.filtering, .sorting]
        ) { trial in
            let rows = try trial.rows()
            _ = try rows.insertShips(["Argo", "Beagle", "Cutty"])
            let plan = FetchPlan(
                entityName: "Ship", filter: rows.compare("Ship", "tonnage", .greater, 0),
                sort: [SortKey(path: rows.slots("Ship", ["tonnage"]), isDescending: true)],
                slots: rows.slots("Ship", ["name"]))
            try trial.equal(
                try rows.fetch(plan).map { $0.values["name"] }, [.text("Cutty"), .text("Beagle")], "the names")
        }
        cases.add("reused-batch", "Rows are appended to the batch that is handed in, which may be used again") {
            trial in
            let rows = try trial.rows()
            _ = try rows.insertShips(["Argo", "Beagle"])
            let batch = rows.emptyBatch("Ship")
            for _ in 0..<3 {
                try rows.store.fetchRows(FetchPlan(entityName: "Ship"), into: batch)
                try trial.equal(
                    rows.rows(of: batch).map { $0.values["name"] }, [.text("Argo"), .text("Beagle")], "the names")
                batch.removeAll()
            }
        }
        cases.add("snapshot-of-time", "Rows that were handed out do not change with the store") { trial in
            let rows = try trial.rows()
            let keys = try rows.insertShips(["Argo", "Beagle"])
            let batch = rows.emptyBatch("Ship")
            try rows.store.fetchRows(FetchPlan(entityName: "Ship"), into: batch)
            try rows.commit(
                update: [rows.batch("Ship", [(keys[0], ["name": .text("Ark")])])], delete: [("Ship", [keys[1]])])
            try trial.equal(
                rows.rows(of: batch).map { $0.values["name"] }, [.text("Argo"), .text("Beagle")], "the names")
        }
    }

    private static func scopes(_ cases: inout CaseList) {
        cases.add("keys", "Rows are fetched by their keys") { trial in
            let rows = try trial.rows()
            let keys = try rows.insertShips((0..<20).map { "ship \($0)" })
            let wanted = [keys[13], keys[2], keys[7]]
            let found = try rows.fetch(FetchPlan(entityName: "Ship", scope: .keys(wanted)))
            try trial.equal(Set(found.map(\.key)), Set(wanted), "the keys")
            for row in found {
                let place = keys.firstIndex(of: row.key) ?? -1
                try trial.equal(row.values["name"], .text("ship \(place)"), "the name of a row")
            }
        }
        cases.add("missing-keys", "Keys without a row are left out") { trial in
            let rows = try trial.rows()
            let keys = try rows.insertShips(["Argo", "Beagle"])
            try rows.commit(delete: [("Ship", [keys[0]])])
            let found = try rows.fetch(
                FetchPlan(entityName: "Ship", scope: .keys([keys[0], keys[1], keys[1] + 1000, .max, -5])))
            try trial.equal(found.map(\.key), [keys[1]], "the keys")
            try trial.equal(try rows.fetch(FetchPlan(entityName: "Ship", scope: .keys([]))), [], "no keys, no rows")
        }
        cases.add("keys-plan", "Keys may be filtered, sorted and cut to a page", needs: [.filtering, .sorting]) {
            trial in
            let rows = try trial.rows()
            let keys = try rows.insertShips((0..<20).map { "ship \($0)" })
            let plan = FetchPlan(
                entityName: "Ship", scope: .keys(Array(keys[5..<15])),
                filter: rows.compare("Ship", "tonnage", .notEqual, 12),
                sort: [SortKey(path: rows.slots("Ship", ["tonnage"]), isDescending: true)], limit: 4, offset: 1)
            try trial.equal(
                try rows.fetch(plan).map(\.key), [13, 11, 10, 9].map { keys[$0] }, "the keys")
        }
        cases.add("many-keys", "Two thousand keys are no problem") { trial in
            let rows = try trial.rows()
            let keys = try rows.insertShips((0..<2000).map { "ship \($0)" })
            let found = try rows.fetch(FetchPlan(entityName: "Ship", scope: .keys(keys.reversed())))
            try trial.equal(found.map(\.key).sorted(), keys.sorted(), "the keys")
        }
        cases.add("related", "Related rows come owner by owner, each with its owner's key") { trial in
            let (rows, ships, sailors) = try crews(trial)
            let found = try rows.fetch(rows.relatedPlan("Ship", "crew", [ships[1], ships[0]]))
            try trial.equal(
                Dictionary(grouping: found, by: \.owner).mapValues { Set($0.map(\.key)) },
                [ships[0]: [sailors[0], sailors[1]], ships[1]: [sailors[2]]], "the crews")
            var seen: [Int64] = []
            for row in found where seen.last != row.owner { seen.append(row.owner ?? 0) }
            try trial.equal(seen.count, 2, "the number of runs of one owner")
            try trial.equal(
                found.map { $0.values["ship"] }, found.map { rows.link($0.owner ?? 0, "Ship") }, "the links back")
        }
        cases.add("related-none", "Owners without related rows, and owners that do not exist, give none") { trial in
            let (rows, ships, _) = try crews(trial)
            try trial.equal(
                try rows.fetch(rows.relatedPlan("Ship", "crew", [ships[2], ships[2] + 999])), [], "the rows")
            try trial.equal(try rows.fetch(rows.relatedPlan("Ship", "crew", [])), [], "the rows of no owner")
        }
        cases.add(
            "related-lists", "Related rows of many-to-many and one-way lists come in the lists' order",
            needs: [.ordered]
        ) {
            trial in
            let rows = try trial.rows()
            let keys = try rows.commit(insert: [
                rows.batch("Skill", [-1, -2, -3].map { ($0, ["label": .text("\($0)")]) }),
                rows.batch("Harbour", [-1, -2, -3].map { ($0, ["name": .text("\($0)"), "depth": .real(1)]) }),
                rows.batch(
                    "Sailor",
                    [(-1, ["name": .text("Ada"), "age": .integer(1), "skills": rows.list([-2, -3, -1], "Skill")])]),
                rows.batch(
                    "Voyage",
                    [(-1, ["title": .text("v"), "day": .integer(1), "calls": rows.list([-3, -1, -2], "Harbour")])]),
            ])
            let (skills, harbours) = (keys[0], keys[1])
            try trial.equal(
                try rows.related("Sailor", "skills", keys[2]), [keys[2][0]: [skills[1], skills[2], skills[0]]],
                "the many-to-many list")
            try trial.equal(
                try rows.related("Voyage", "calls", keys[3]), [keys[3][0]: [harbours[2], harbours[0], harbours[1]]],
                "the one-way list")
            try trial.equal(
                try rows.related("Skill", "sailors", skills),
                Dictionary(uniqueKeysWithValues: skills.map { ($0, keys[2]) }),
                "the other side of the pairs")
        }
    }

    private static func filters(_ cases: inout CaseList) {
        cases.add("compare", "Each comparison of a filter is the one that is asked for", needs: [.filtering]) { trial in
            let rows = try trial.rows()
            let keys = try rows.insertShips(["a", "b", "c", "d"])
            let expected: [(FilterComparison, [Int])] = [
                (.equal, [2]), (.notEqual, [0, 1, 3]), (.less, [0, 1]), (.lessOrEqual, [0, 1, 2]), (.greater, [3]),
                (.greaterOrEqual, [2, 3]),
            ]
            for (comparison, places) in expected {
                let plan = FetchPlan(entityName: "Ship", filter: rows.compare("Ship", "tonnage", comparison, 2))
                try trial.equal(
                    try rows.fetch(plan).map(\.key), places.map { keys[$0] }, "tonnage \(comparison.rawValue) 2")
            }
        }
        cases.add("nil", "Nil equals nil and nothing else", needs: [.filtering]) { trial in
            let rows = try trial.rows()
            let keys = try rows.insert(
                "Ship",
                [
                    SeamRows.ship("a"), SeamRows.ship("b", nickname: .text("")),
                    SeamRows.ship("c", nickname: .text("x")),
                ])
            let nickname = rows.property("Ship", "nickname")
            let null = FilterExpression.constant(.null, FilterType(.scalar(.text), isOptional: true))
            let text = FilterExpression.constant(.text("x"), FilterType(.scalar(.text)))
            let expected: [(FilterExpression, [Int])] = [
                (.compare(.equal, nickname, null), [0]), (.compare(.notEqual, nickname, null), [1, 2]),
                (.compare(.equal, nickname, text), [2]), (.compare(.notEqual, nickname, text), [0, 1]),
                (.not(.compare(.equal, nickname, text)), [0, 1]),
            ]
            for (filter, places) in expected {
                let plan = FetchPlan(entityName: "Ship", filter: filter)
                try trial.equal(try rows.fetch(plan).map(\.key), places.map { keys[$0] }, "\(filter)")
            }
        }
        cases.add("combine", "all, any and not combine conditions; none of them is true, or false", needs: [.filtering])
        { trial in
            let rows = try trial.rows()
            let keys = try rows.insertShips(["a", "b", "c", "d"])
            let low = rows.compare("Ship", "tonnage", .less, 2)
            let odd = FilterExpression.any([
                rows.compare("Ship", "tonnage", .equal, 1), rows.compare("Ship", "tonnage", .equal, 3),
            ])
            let expected: [(FilterExpression, [Int])] = [
                (.all([low, odd]), [1]), (.any([low, odd]), [0, 1, 3]), (.not(odd), [0, 2]),
                (.all([]), [0, 1, 2, 3]), (.any([]), []), (.boolean(true), [0, 1, 2, 3]), (.boolean(false), []),
            ]
            for (filter, places) in expected {
                let plan = FetchPlan(entityName: "Ship", filter: filter)
                try trial.equal(try rows.fetch(plan).map(\.key), places.map { keys[$0] }, "\(filter)")
            }
        }
        cases.add(
            "unknown", "What would stop a program, such as a division by zero, matches no row", needs: [.filtering]
        ) { trial in
            let rows = try trial.rows()
            let keys = try rows.insertShips(["a", "b", "c"])
            let tonnage = rows.property("Ship", "tonnage")
            let ten = FilterExpression.constant(.integer(10), .integer)
            let quotient = FilterExpression.arithmetic(.divide, ten, tonnage, .int)
            let one = FilterExpression.constant(.integer(1), .integer)
            let condition = FilterExpression.compare(.greater, quotient, one)
            for (filter, places) in [
                (condition, [1, 2]), (.not(condition), []), (.any([condition, .boolean(true)]), [0, 1, 2]),
            ] {
                let plan = FetchPlan(entityName: "Ship", filter: filter)
                try trial.equal(try rows.fetch(plan).map(\.key), places.map { keys[$0] }, "\(filter)")
            }
        }
    }

    private static func order(_ cases: inout CaseList) {
        cases.add("natural-order", "Without an order rows come by ascending keys") { trial in
            let rows = try trial.rows()
            let keys = try rows.insertShips((0..<50).map { "ship \($0)" })
            try rows.commit(delete: [("Ship", [keys[3], keys[20]])])
            let more = try rows.insertShips(["new"])
            let expected = (keys.filter { ![keys[3], keys[20]].contains($0) } + more).sorted()
            try trial.equal(try rows.fetch(FetchPlan(entityName: "Ship")).map(\.key), expected, "the keys")
        }
        cases.add(
            "ties", "Rows that an order finds equal come by ascending keys, in both directions", needs: [.sorting]
        ) {
            trial in
            let rows = try trial.rows()
            let keys = try rows.insert("Ship", (0..<12).map { SeamRows.ship("x", tonnage: Int64($0 % 3)) })
            for isDescending in [false, true] {
                let plan = FetchPlan(
                    entityName: "Ship",
                    sort: [SortKey(path: rows.slots("Ship", ["tonnage"]), isDescending: isDescending)])
                let expected = (isDescending ? [2, 1, 0] : [0, 1, 2]).flatMap { rest in
                    (0..<12).filter { $0 % 3 == rest }.map { keys[$0] }
                }
                try trial.equal(try rows.fetch(plan).map(\.key), expected, "the keys, descending: \(isDescending)")
            }
        }
        cases.add("page", "Offset and limit cut the order", needs: [.filtering, .sorting]) { trial in
            let rows = try trial.rows()
            let keys = try rows.insertShips((0..<30).map { "ship \($0)" })
            for (offset, limit) in [(0, 5), (5, 5), (13, 4), (28, 5), (30, 1), (0, 0), (3, Int.max)] {
                let plan = FetchPlan(
                    entityName: "Ship", filter: rows.compare("Ship", "tonnage", .notEqual, 7),
                    sort: [SortKey(path: rows.slots("Ship", ["tonnage"]), isDescending: true)], limit: limit,
                    offset: offset)
                let expected = keys.enumerated().filter { $0.offset != 7 }.map(\.element).reversed().dropFirst(offset)
                    .prefix(limit)
                try trial.equal(try rows.fetch(plan).map(\.key), Array(expected), "offset \(offset), limit \(limit)")
            }
        }
        cases.add("unsorted-page", "Offset and limit cut the natural order as well") { trial in
            let rows = try trial.rows()
            let keys = try rows.insertShips((0..<30).map { "ship \($0)" })
            for (offset, limit) in [(0, 5), (7, 9), (28, 5), (40, 1)] {
                let plan = FetchPlan(entityName: "Ship", limit: limit, offset: offset)
                try trial.equal(
                    try rows.fetch(plan).map(\.key), Array(keys.dropFirst(offset).prefix(limit)),
                    "offset \(offset), limit \(limit)")
            }
        }
        cases.add("sort-kinds", "Values of each kind are ordered, nil first", needs: [.sorting]) { trial in
            let rows = try trial.rows()
            let values: [StoredValue] = [.text("b"), .null, .text("a"), .text(""), .text("B"), .null, .text("é")]
            let keys = try rows.insert("Ship", values.map { SeamRows.ship("x", nickname: $0) })
            let plan = FetchPlan(entityName: "Ship", sort: [SortKey(path: rows.slots("Ship", ["nickname"]))])
            try trial.equal(try rows.fetch(plan).map(\.key), [1, 5, 3, 4, 2, 0, 6].map { keys[$0] }, "the keys")
        }
    }

    private static func blocks(_ cases: inout CaseList) {
        cases.add("blocks", "Rows in blocks are the rows of the plan, in its order") { trial in
            let rows = try trial.rows()
            let keys = try rows.insertShips((0..<103).map { "ship \($0)" })
            for (offset, limit) in [(0, nil), (10, 50), (0, 0)] as [(Int, Int?)] {
                let plan = FetchPlan(entityName: "Ship", limit: limit, offset: offset)
                let batch = rows.emptyBatch("Ship")
                var found: [SeamRows.Found] = []
                try rows.store.fetchBlocks(plan, into: batch, of: 10) { found += rows.rows(of: $0) }
                try trial.equal(
                    found.map(\.key), Array(keys.dropFirst(offset).prefix(limit ?? .max)), "the keys of the blocks")
                try trial.expect(
                    found.allSatisfy { $0.values["name"] == .text("ship \(keys.firstIndex(of: $0.key) ?? -1)") },
                    "each row has its own name")
                try trial.equal(batch.count, 0, "the rows left in the batch")
            }
        }
        cases.add("related-blocks", "Blocks never divide the rows of one owner") { trial in
            let rows = try trial.rows()
            let ships = try rows.insertShips((0..<8).map { "ship \($0)" })
            _ = try rows.insert(
                "Sailor",
                (0..<40).map {
                    ["name": .text("s\($0)"), "age": .integer(1), "ship": rows.link(ships[$0 % 8], "Ship")]
                })
            let batch = rows.emptyBatch("Sailor")
            var blocks: [[Int64]] = []
            try rows.store.fetchBlocks(rows.relatedPlan("Ship", "crew", ships), into: batch, of: 7) { block in
                blocks.append(rows.rows(of: block).compactMap(\.owner))
            }
            try trial.equal(blocks.reduce(0) { $0 + $1.count }, 40, "the number of rows")
            for owner in ships {
                try trial.equal(blocks.count { $0.contains(owner) }, 1, "the blocks with rows of one owner")
            }
        }
        cases.add("blocks-end", "What a block's taker throws ends the fetch and comes out") { trial in
            let rows = try trial.rows()
            _ = try rows.insertShips((0..<50).map { "ship \($0)" })
            let batch = rows.emptyBatch("Ship")
            try SaveCases.expectFault(trial) {
                try rows.store.fetchBlocks(FetchPlan(entityName: "Ship"), into: batch, of: 10) { _ in
                    throw StoreFaults.Fault()
                }
            }
            try trial.equal(try rows.fetch(FetchPlan(entityName: "Ship")).count, 50, "the number of rows afterwards")
        }
        cases.add("unknown-entity", "A plan for an entity that the schema lacks is refused by name") { trial in
            let rows = try trial.rows()
            let batch = RowBatch(entityName: "Ghost", width: 1, storeIdentifier: rows.store.identifier)
            let error = try trial.fails(.unknownModelType, when: "fetching an unknown entity") {
                try rows.store.fetchRows(FetchPlan(entityName: "Ghost"), into: batch)
            }
            try trial.equal(error.entity, "Ghost", "the entity that the error names")
        }
    }

    /// Three ships with two, one and no sailors.
    private static func crews(
        _ trial: ConformanceTrial
    ) throws -> (rows: SeamRows, ships: [Int64], sailors: [Int64]) {
        let rows = try trial.rows()
        let keys = try rows.commit(insert: [
            rows.batch("Ship", [-1, -2, -3].map { ($0, SeamRows.ship("\($0)")) }),
            rows.batch(
                "Sailor",
                [(-1, -1), (-2, -1), (-3, -2)].map {
                    ($0, ["name": .text("\($0)"), "age": .integer(1), "ship": rows.link($1, "Ship")])
                }),
        ])
        return (rows, keys[0], keys[1])
    }
}

extension Story {
    /// The row of a ship without a crew.
    static let argo: [String: StoredValue] = SeamRows.ship("Argo", tonnage: 300)
}

extension SeamRows {
    func insertOne(_ ship: Row) throws { try insert("Ship", [ship]) }
}
