import CofferCore

/// Commits, given to a store of rows without a context.
enum CommitCases {
    static func add(_ cases: inout CaseList) {
        var own = CaseList(cases.area)
        changes(&own)
        checks(&own)
        for item in own.cases {
            let id = String(item.id.dropFirst(cases.area.count + 1))
            cases.add(id, item.claim, needs: [.rows] + item.needs, item.body)
        }
    }

    private static func changes(_ cases: inout CaseList) {
        cases.add("keys", "A commit answers a positive key for each new row, batch by batch, in their order") { trial in
            let rows = try trial.rows()
            let keys = try rows.commit(insert: [
                rows.batch("Skill", [(-9, ["label": .text("a")]), (-4, ["label": .text("b")])]),
                rows.batch("Passport", [(-7, ["number": .text("p")])]),
                rows.batch("Skill", [(-2, ["label": .text("c")])]),
            ])
            try trial.equal(keys.map(\.count), [2, 1, 1], "the numbers of keys")
            try trial.expect(keys.joined().allSatisfy { $0 > 0 }, "they are positive", came: "\(keys)")
            try trial.equal(
                try rows.values("Skill", "label"),
                [keys[0][0]: .text("a"), keys[0][1]: .text("b"), keys[2][0]: .text("c")], "the skills by key")
            try trial.equal(try rows.values("Passport", "number"), [keys[1][0]: .text("p")], "the passports by key")
        }
        cases.add("empty", "A commit without changes is no error") { trial in
            let rows = try trial.rows()
            try trial.equal(try rows.commit(), [], "the keys")
            try trial.equal(try rows.commit(insert: [rows.emptyBatch("Ship")]), [[]], "the keys of an empty batch")
        }
        cases.add("links", "Links to new rows follow them, whichever batch comes first") { trial in
            for isShipFirst in [true, false] {
                let rows = try trial.rows()
                let ships = rows.batch("Ship", [(-1, SeamRows.ship("a")), (-2, SeamRows.ship("b"))])
                let sailors = rows.batch(
                    "Sailor",
                    [
                        (-1, ["name": .text("x"), "age": .integer(1), "ship": rows.link(-2, "Ship")]),
                        (-2, ["name": .text("y"), "age": .integer(1), "ship": rows.link(-1, "Ship")]),
                    ])
                let keys = try rows.commit(insert: isShipFirst ? [ships, sailors] : [sailors, ships])
                let (shipKeys, sailorKeys) = isShipFirst ? (keys[0], keys[1]) : (keys[1], keys[0])
                let links = try rows.values("Sailor", "ship")
                try trial.equal(
                    sailorKeys.map { links[$0] }, [rows.link(shipKeys[1], "Ship"), rows.link(shipKeys[0], "Ship")],
                    "the links")
            }
        }
        cases.add("scattered-keys", "Temporary keys may be any negative numbers") { trial in
            let rows = try trial.rows()
            let far: [Int64] = [-1, -1_000_000, .min, -5_000_000_000]
            let keys = try rows.commit(insert: [
                rows.batch("Ship", far.map { ($0, SeamRows.ship("\($0)")) }),
                rows.batch(
                    "Sailor",
                    far.map { ($0, ["name": .text("\($0)"), "age": .integer(1), "ship": rows.link($0, "Ship")]) }),
            ])
            let names = try rows.values("Ship", "name")
            let sailors = try rows.all("Sailor")
            for key in keys[1] {
                guard case .reference(let ship)? = sailors[key]?["ship"] else { continue }
                try trial.equal(names[ship._key], sailors[key]?["name"], "the ship of a sailor")
            }
        }
        cases.add("circle", "New rows may be linked in a circle, and to themselves") { trial in
            let rows = try trial.rows()
            func sailor(_ key: Int64, _ mentor: Int64) -> (Int64, SeamRows.Row) {
                (key, ["name": .text("\(key)"), "age": .integer(1), "mentor": rows.link(mentor, "Sailor")])
            }
            let keys = try rows.commit(insert: [
                rows.batch("Sailor", [sailor(-1, -2), sailor(-2, -3), sailor(-3, -1), sailor(-4, -4)])
            ])[0]
            let links = try rows.values("Sailor", "mentor")
            try trial.equal(
                keys.map { links[$0] }, [keys[1], keys[2], keys[0], keys[3]].map { rows.link($0, "Sailor") },
                "the links")
        }
        cases.add("absent", "An update leaves absent cells as they are, and takes null as a value") { trial in
            let rows = try trial.rows()
            let keys = try rows.insert("Ship", [SeamRows.ship("Argo", tonnage: 5, nickname: .text("x"))])
            try rows.commit(update: [rows.batch("Ship", [(keys[0], ["tonnage": .integer(6)])])])
            var row = try rows.all("Ship")[keys[0]]
            try trial.equal(row?["name"], .text("Argo"), "a value that the update does not have")
            try trial.equal(row?["nickname"], .text("x"), "another one")
            try trial.equal(row?["tonnage"], .integer(6), "the value of the update")
            try rows.commit(update: [rows.batch("Ship", [(keys[0], ["nickname": .null])])])
            row = try rows.all("Ship")[keys[0]]
            try trial.equal(row?["nickname"], .null, "the value that became null")
            try trial.equal(row?["tonnage"], .integer(6), "the value beside it")
        }
        cases.add("lists", "A list that is written replaces the list; one that is absent stays") { trial in
            let rows = try trial.rows()
            let harbours = try rows.insert("Harbour", (0..<4).map { ["name": .text("\($0)"), "depth": .real(1)] })
            let voyage = try rows.insert(
                "Voyage",
                [["title": .text("v"), "day": .integer(1), "calls": rows.list(Array(harbours[0..<3]), "Harbour")]])
            try rows.commit(update: [rows.batch("Voyage", [(voyage[0], ["day": .integer(2)])])])
            try trial.equal(
                Set(try rows.related("Voyage", "calls", voyage)[voyage[0]] ?? []), Set(harbours[0..<3]),
                "the list after another change")
            try rows.commit(
                update: [
                    rows.batch("Voyage", [(voyage[0], ["calls": rows.list([harbours[3], harbours[1]], "Harbour")])])
                ])
            try trial.equal(
                Set(try rows.related("Voyage", "calls", voyage)[voyage[0]] ?? []), [harbours[1], harbours[3]],
                "the list after its change")
            try rows.commit(update: [rows.batch("Voyage", [(voyage[0], ["calls": rows.list([], "Harbour")])])])
            try trial.equal(try rows.related("Voyage", "calls", voyage), [:], "the emptied list")
        }
        cases.add("delete", "Deleted rows are gone, their links cut, their places in lists closed") { trial in
            let rows = try trial.rows()
            let ships = try rows.insertShips(["a", "b"])
            let sailors = try rows.insert(
                "Sailor",
                (0..<4).map { ["name": .text("\($0)"), "age": .integer(1), "ship": rows.link(ships[$0 % 2], "Ship")] })
            try rows.commit(delete: [("Ship", [ships[0]]), ("Sailor", [sailors[3]])])
            try trial.equal(Set(try rows.all("Ship").keys), [ships[1]], "the ships")
            let links = try rows.values("Sailor", "ship")
            try trial.equal(
                links, [sailors[0]: .null, sailors[1]: rows.link(ships[1], "Ship"), sailors[2]: .null], "the links")
            try trial.equal(try rows.related("Ship", "crew", ships), [ships[1]: [sailors[1]]], "the crews")
        }
        cases.add("delete-missing", "Deleting a row that is not there is no error") { trial in
            let rows = try trial.rows()
            let keys = try rows.insertShips(["a", "b"])
            try rows.commit(delete: [("Ship", [keys[0], keys[0] + 500])])
            try rows.commit(delete: [("Ship", [keys[0]])])
            try trial.equal(Set(try rows.all("Ship").keys), [keys[1]], "the ships")
        }
        cases.add("several-batches", "Several batches of one entity are all written") { trial in
            let rows = try trial.rows()
            let keys = try rows.insertShips(["a", "b", "c", "d"])
            try rows.commit(
                insert: [
                    rows.batch("Ship", [(-1, SeamRows.ship("e"))]), rows.batch("Ship", [(-2, SeamRows.ship("f"))]),
                ],
                update: [
                    rows.batch("Ship", [(keys[0], ["name": .text("A")])]),
                    rows.batch("Ship", [(keys[1], ["tonnage": .integer(9)])]),
                ], delete: [("Ship", [keys[2]]), ("Ship", [keys[3]])])
            let names = try rows.values("Ship", "name").values.map { "\($0)" }.sorted()
            try trial.equal(names, ["A", "b", "e", "f"].map { "\(StoredValue.text($0))" }, "the names")
        }
    }

    private static func checks(_ cases: inout CaseList) {
        cases.add("unknown-entity", "Rows of an entity that the schema lacks are refused by name") { trial in
            let rows = try trial.rows()
            let ghost = RowBatch(entityName: "Ghost", width: 1, storeIdentifier: rows.store.identifier)
            ghost.appendRow(key: -1)
            let error = try trial.fails(.unknownModelType, when: "inserting a row of an unknown entity") {
                try rows.commit(insert: [ghost])
            }
            try trial.equal(error.entity, "Ghost", "the entity that the error names")
        }
        cases.add("missing-row", "An update of a row that is not there is refused, and nothing else is stored") {
            trial in
            let rows = try trial.rows()
            let keys = try rows.insertShips(["a"])
            let before = try rows.dump()
            try trial.fails(.modelNotFound, when: "updating a row that was never there") {
                try rows.commit(
                    insert: [rows.batch("Ship", [(-1, SeamRows.ship("b"))])],
                    update: [rows.batch("Ship", [(keys[0] + 77, ["name": .text("x")])])])
            }
            try trial.equal(try rows.dump(), before, "the store")
        }
        cases.add("required", "A required value that is missing is refused by name", needs: [.checking]) { trial in
            let rows = try trial.rows()
            for row in [["name": .null, "tonnage": .integer(1), "launched": .real(0)], ["tonnage": .integer(1)]]
                as [SeamRows.Row]
            {
                let error = try trial.fails(.missingRequiredValue, when: "inserting a ship without a name") {
                    try rows.insertOne(row)
                }
                try trial.equal(error.entity, "Ship", "the entity that the error names")
                try trial.equal(error.property, "name", "the property that the error names")
            }
            try trial.equal(try rows.all("Ship").count, 0, "the number of rows")
        }
        cases.add("wrong-kind", "A value of a wrong kind is refused by name", needs: [.checking]) { trial in
            let rows = try trial.rows()
            let wrong: SeamRows.Row = ["name": .integer(1), "tonnage": .integer(1), "launched": .real(0)]
            let error = try trial.fails(.valueEncoding, when: "inserting a number as a name") {
                try rows.insertOne(wrong)
            }
            try trial.equal(error.property, "name", "the property that the error names")
            try trial.equal(try rows.all("Ship").count, 0, "the number of rows")
        }
        cases.add("broken-link", "A link to a row that is not there is refused by name", needs: [.checking]) { trial in
            let rows = try trial.rows()
            let ships = try rows.insertShips(["a"])
            for target in [ships[0] + 99, -50] as [Int64] {
                let row: SeamRows.Row = ["name": .text("x"), "age": .integer(1), "ship": rows.link(target, "Ship")]
                let error = try trial.fails(.invalidRelationship, when: "linking to no row") {
                    try rows.insert("Sailor", [row])
                }
                try trial.equal(error.entity, "Sailor", "the entity that the error names")
                try trial.equal(error.property, "ship", "the property that the error names")
            }
            try trial.equal(try rows.all("Sailor").count, 0, "the number of rows")
        }
        for (id, position) in [("torn-start", 0), ("torn-middle", 25), ("torn-end", 49)] {
            cases.add(
                id, "A commit that fails at row \(position + 1) of 50 leaves the store as it was",
                needs: [.transactions, .checking]
            ) { trial in
                let rows = try trial.rows()
                let ships = try rows.insertShips(["a", "b", "c"])
                try rows.insert(
                    "Sailor", [["name": .text("x"), "age": .integer(1), "ship": rows.link(ships[0], "Ship")]])
                let before = try rows.dump()
                let sailors = (0..<50).map { index -> (Int64, SeamRows.Row) in
                    let ship = index == position ? ships[2] + 99 : ships[1]
                    return (
                        Int64(-1 - index),
                        ["name": .text("\(index)"), "age": .integer(1), "ship": rows.link(ship, "Ship")]
                    )
                }
                for _ in 0..<2 {
                    try trial.fails(.invalidRelationship, when: "a commit with one broken link") {
                        try rows.commit(
                            insert: [rows.batch("Sailor", sailors), rows.batch("Ship", [(-1, SeamRows.ship("d"))])],
                            update: [rows.batch("Ship", [(ships[1], ["name": .text("B"), "tonnage": .integer(77)])])],
                            delete: [("Ship", [ships[0]])])
                    }
                    try trial.equal(try rows.dump(), before, "the store")
                }
                try rows.commit(update: [rows.batch("Ship", [(ships[1], ["name": .text("B")])])])
                try trial.equal(try rows.values("Ship", "name")[ships[1]], .text("B"), "a commit after the failed ones")
            }
        }
        cases.add(
            "torn-reopened", "A commit that failed has left nothing for the next opening either",
            needs: [.transactions, .checking, .reopening]
        ) { trial in
            let before = try failAndDump(trial)
            try trial.equal(try trial.rows().dump(), before, "the store")
        }
    }

    private static func failAndDump(_ trial: ConformanceTrial) throws -> [String] {
        let rows = try trial.rows()
        let ships = try rows.insertShips(["a", "b"])
        let before = try rows.dump()
        try trial.fails(.invalidRelationship, when: "a commit with a broken link") {
            try rows.commit(
                insert: [
                    rows.batch("Ship", [(-1, SeamRows.ship("c"))]),
                    rows.batch(
                        "Sailor", [(-1, ["name": .text("x"), "age": .integer(1), "ship": rows.link(999, "Ship")])]),
                ], update: [rows.batch("Ship", [(ships[0], ["name": .text("A")])])], delete: [("Ship", [ships[1]])])
        }
        return before
    }
}
