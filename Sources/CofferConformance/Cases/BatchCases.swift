import CofferCore
import Foundation

/// Deletions and updates by predicate, with and without a context.
enum BatchCases {
    static func add(_ cases: inout CaseList) {
        byContext(&cases)
        plain(&cases)
        deletes(&cases)
        updates(&cases)
    }

    private static func byContext(_ cases: inout CaseList) {
        cases.add("cascade", "A deletion by predicate takes along what the rows own, and cuts links to them") { trial in
            try trial.tell()
            try trial.write { context in
                try context.delete(model: Sailor.self, where: #Predicate { $0.name == "Ada" })
            }
            try trial.read { context in
                try trial.equal(try context.all(Passport.self).map(\.number), ["P-2"], "the passports")
                let bo = try context.only(Sailor.self, where: #Predicate { $0.name == "Bo" })
                try trial.expect(bo.mentor == nil, "the pupil has no mentor")
                let argo = try context.only(Ship.self, where: #Predicate { $0.name == "Argo" })
                try trial.equal(argo.crew.map(\.name).sorted(), ["Bo", "Cem"], "the crew")
                let stars = try context.only(Skill.self, where: #Predicate { $0.label == "stars" })
                try trial.equal(stars.sailors.map(\.name), ["Eli"], "who knows the stars")
            }
        }
        cases.add("one-way", "Nothing leads to a row that was deleted by predicate, nor from it") { trial in
            try trial.tell()
            try trial.write { context in
                try context.delete(model: Ship.self, where: #Predicate { $0.tonnage < 500 })
                try context.delete(model: Harbour.self, where: #Predicate { $0.name == "Dover" })
            }
            try trial.read { context in
                let voyage = try context.only(Voyage.self)
                try trial.expect(voyage.ship == nil, "the voyage has no ship")
                try trial.equal(voyage.calls.map(\.name), ["Brest", "Cadiz"], "the ports of call")
                let free = try context.count(Sailor.self, where: #Predicate { $0.ship == nil })
                try trial.equal(free, 7, "the number of sailors without a ship")
            }
        }
        cases.add("deny", "A deletion by predicate that a rule refuses leaves everything as it was") { trial in
            try trial.tell()
            let context = try trial.context()
            try context.delete(model: Harbour.self)
            let error = try trial.fails(.deleteDenied, when: "deleting harbours with ships") { try context.save() }
            try trial.equal(error.entity, "Harbour", "the entity that the error names")
            try trial.equal(error.property, "fleet", "the property that the error names")
            try trial.read { context in
                try trial.equal(try context.count(Harbour.self), 3, "the number of harbours")
                try trial.equal(try context.count(Berth.self), 5, "the number of berths")
            }
        }
        cases.add("whole", "Entities are emptied together, though one alone could not be") { trial in
            try trial.tell()
            try trial.write { context in
                try context.delete(model: Harbour.self)
                try context.delete(model: Ship.self)
            }
            try trial.read { context in
                try trial.equal(try context.count(Harbour.self), 0, "the number of harbours")
                try trial.equal(try context.count(Berth.self), 0, "the number of berths")
                try trial.equal(try context.count(Sailor.self), 8, "the number of sailors")
                try trial.expect(try context.only(Voyage.self).calls.isEmpty, "the voyage calls nowhere")
            }
        }
        cases.add("update", "An update by predicate gives each row what its expression says") { trial in
            try trial.tell()
            try trial.write { context in
                try context.update(model: Sailor.self, where: #Predicate { $0.age < 40 }) {
                    $0.set(\.age, to: #Expression { $0.age * 2 + 1 })
                    $0.set(\.name, to: #Expression { $0.rank ?? $0.name })
                    $0.rank = nil
                }
            }
            try trial.read { context in
                let sailors = try context.all(Sailor.self).map { "\($0.name) \($0.age) \($0.rank ?? "-")" }
                try trial.equal(
                    sailors.sorted(),
                    [
                        "Ada 41 captain", "Bo 39 -", "Eli 52 captain", "Fay 39 -", "Gus 64 captain", "cook 55 -",
                        "mate 67 -", "mate 67 -",
                    ], "the sailors")
            }
        }
        cases.add("overflow", "An update that has no value for a row throws, and changes nothing") { trial in
            try trial.tell()
            let context = try trial.context()
            let error = try trial.fails(.valueOutOfRange, when: "multiplying too much") {
                try context.update(model: Sailor.self) { $0.set(\.age, to: #Expression { $0.age * (Int.max / 50) }) }
            }
            try trial.equal(error.property, "age", "the property that the error names")
            try context.save()
            try trial.read { context in
                try trial.equal(try context.count(Sailor.self, where: #Predicate { $0.age > 64 }), 0, "changed rows")
            }
        }
    }

    // MARK: Models without relationships, which a `DataStoreBatching` is asked for

    /// Saves letters, and freight with keys of its own, which no case deletes.
    private static func post(_ trial: ConformanceTrial) throws {
        trial.use(Letter.self, Cargo.self)
        trial.isDirect = true
        try trial.write { context in
            for code in ["A", "B", "C", "D", "E", "F"] { context.insert(Letter(code: code, title: "letter \(code)")) }
            for key in 0..<3 { context.insert(Cargo(key)) }
        }
    }

    /// Checks which letters are gone, and that nothing else is.
    private static func gone(_ trial: ConformanceTrial, _ codes: [String]) throws {
        try trial.read { context in
            let left = try context.all(Letter.self).map { "\($0.code) \($0.title)" }
            let all = ["A", "B", "C", "D", "E", "F"]
            let missing = all.filter { !left.contains("\($0) letter \($0)") }
            try trial.equal(missing, codes, "the letters that are gone")
            try trial.equal(left.count, all.count - codes.count, "the number of letters that are left")
            try trial.equal(try context.all(Cargo.self).map(\.key).sorted(), [0, 1, 2], "the rows of another class")
        }
    }

    private static func plain(_ cases: inout CaseList) {
        cases.add("rows", "A deletion by predicate, without relationships, deletes the rows that match and no others") {
            trial in
            try post(trial)
            try trial.write { try $0.delete(model: Letter.self, where: #Predicate { $0.code > "D" || $0.code == "B" }) }
            try gone(trial, ["B", "E", "F"])
            try trial.write { try $0.delete(model: Letter.self, where: #Predicate { $0.code == "Z" }) }
            try gone(trial, ["B", "E", "F"])
        }
        cases.add("class", "A deletion without a predicate empties its class and no other") { trial in
            try post(trial)
            try trial.write { try $0.delete(model: Letter.self) }
            try gone(trial, ["A", "B", "C", "D", "E", "F"])
        }
        cases.add("history", "History tells of a deletion by predicate as of any other", needs: [.historyProviding]) {
            trial in
            try post(trial)
            let context = try trial.context()
            let rows = Dictionary(
                try context.all(Letter.self).map { ($0.persistentModelID, $0.code) }, uniquingKeysWith: { $1 })
            // Another context, which has none of the models: what it deletes, the store has to find.
            let other = try trial.context()
            var token = try other.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()).last?.token
            func told(_ expected: [String], _ what: String) throws {
                let known = try trial.unwrap(token, "the latest token")
                let news = try other.fetchHistory(
                    HistoryDescriptor<DefaultHistoryTransaction>(predicate: #Predicate { $0.token > known }))
                try trial.equal(news.count, 1, "the number of transactions of \(what)")
                var (codes, preserved): ([String], [String]) = ([], [])
                for change in news.flatMap(\.changes) {
                    guard case .delete(let delete as DefaultHistoryDelete<Letter>) = change else {
                        return try trial.expect(false, "\(what) is told as deletions of letters", came: "\(change)")
                    }
                    codes.append(rows[delete.changedPersistentIdentifier] ?? "an unknown row")
                    preserved.append(delete.tombstone[\.code] as? String ?? "nothing")
                }
                try trial.equal(codes.sorted(), expected, "the letters that are told to be gone by \(what)")
                try trial.equal(preserved.sorted(), expected, "the codes that outlive the letters of \(what)")
                token = news.last?.token
            }
            try other.delete(model: Letter.self, where: #Predicate { $0.code < "C" })
            try other.save()
            try told(["A", "B"], "a deletion with a predicate")
            try other.delete(model: Letter.self)
            try other.save()
            try told(["C", "D", "E", "F"], "a deletion without one")
        }
    }

    // MARK: Without a context

    private static func changes(_ change: (inout RowChanges) -> Void) -> RowChanges {
        var changes = RowChanges(editingState: EditingState(author: "conformance"))
        change(&changes)
        return changes
    }

    private static func deletes(_ cases: inout CaseList) {
        cases.add(
            "delete-keys", "A deletion by filter says of which rows, those of the delete rules included",
            needs: [.rows, .batchDelete]
        ) { trial in
            let rows = try trial.rows()
            let harbours = try rows.insert(
                "Harbour", ["Brest", "Cadiz"].map { ["name": .text($0), "depth": .real(9)] })
            let berths = try rows.insert(
                "Berth",
                harbours.map { ["number": .integer($0), "length": .null, "harbour": rows.link($0, "Harbour")] })
            let name = FilterExpression.constant(.text("Brest"), FilterType(.scalar(.text)))
            let plan = FetchPlan(
                entityName: "Harbour", filter: .compare(.equal, rows.property("Harbour", "name"), name))
            let result = try rows.store.commit(changes { $0.batchDeletes = [RowBatchDelete(plan)] })
            let deleted = result.batchDeleted.filter { !$0.keys.isEmpty }.map { "\($0.entityName) \($0.keys)" }
            try trial.equal(
                deleted.sorted(), ["Berth [\(berths[0])]", "Harbour [\(harbours[0])]"], "what was deleted")
            try trial.equal(try rows.all("Harbour").keys.sorted(), [harbours[1]], "the harbours")
            try trial.equal(try rows.all("Berth").keys.sorted(), [berths[1]], "the berths")
        }
        cases.add(
            "delete-except", "A deletion by filter spares some rows and takes others besides",
            needs: [.rows, .batchDelete]
        ) { trial in
            let rows = try trial.rows()
            let keys = try rows.insertShips((0..<6).map { "ship \($0)" })
            var delete = RowBatchDelete(
                FetchPlan(entityName: "Ship", filter: rows.compare("Ship", "tonnage", .less, 4)))
            delete.except = [keys[1], keys[2]]
            delete.besides = [("Ship", [keys[5], keys[0]])]
            let result = try rows.store.commit(changes { $0.batchDeletes = [delete] })
            try trial.equal(
                result.batchDeleted.flatMap(\.keys).sorted(), [keys[0], keys[3], keys[5]], "the deleted keys")
            try trial.equal(try rows.all("Ship").keys.sorted(), [keys[1], keys[2], keys[4]], "the ships")
        }
        cases.add(
            "delete-first", "A deletion by filter sees the rows as they were, and not the new ones of its save",
            needs: [.rows, .batchDelete]
        ) { trial in
            let rows = try trial.rows()
            let keys = try rows.insertShips(["a", "b"])
            let plan = FetchPlan(entityName: "Ship", filter: rows.compare("Ship", "tonnage", .equal, 0))
            _ = try rows.store.commit(
                changes {
                    $0.inserted = [rows.batch("Ship", [(-1, SeamRows.ship("new", tonnage: 0))])]
                    $0.updated = [rows.batch("Ship", [(keys[1], ["tonnage": .integer(0)])])]
                    $0.batchDeletes = [RowBatchDelete(plan)]
                })
            try trial.equal(
                try rows.values("Ship", "name").values.map { "\($0)" }.sorted(),
                [StoredValue.text("b"), .text("new")].map { "\($0)" }, "the ships")
        }
    }

    private static func updates(_ cases: inout CaseList) {
        cases.add(
            "update-keys", "An update by filter sets what it says, and says of which rows",
            needs: [.rows, .batchUpdate]
        ) { trial in
            let rows = try trial.rows()
            let keys = try rows.insertShips((0..<5).map { "ship \($0)" })
            var update = RowBatchUpdate(
                FetchPlan(entityName: "Ship", filter: rows.compare("Ship", "tonnage", .greater, 1)),
                [
                    RowAssignment(
                        slot: rows.slot("Ship", "tonnage"),
                        value: .arithmetic(
                            .add, rows.property("Ship", "tonnage"), .constant(.integer(10), .integer), .int)),
                    RowAssignment(
                        slot: rows.slot("Ship", "nickname"), value: rows.property("Ship", "name")),
                ])
            update.except = [keys[4]]
            let result = try rows.store.commit(changes { $0.batchUpdates = [update] })
            try trial.equal(result.batchUpdated.flatMap(\.keys).sorted(), [keys[2], keys[3]], "the changed keys")
            let tonnages = try rows.values("Ship", "tonnage")
            try trial.equal(keys.map { tonnages[$0] }, [0, 1, 12, 13, 4].map { .integer($0) }, "the tonnages")
            let nicknames = try rows.values("Ship", "nickname")
            try trial.equal(
                keys.map { nicknames[$0] }, [.null, .null, .text("ship 2"), .text("ship 3"), .null], "the nicknames")
        }
        cases.add(
            "update-unknown", "An update that has no value for a row is refused as a whole, with the rest of its save",
            needs: [.rows, .batchUpdate, .transactions]
        ) { trial in
            let rows = try trial.rows()
            _ = try rows.insertShips(["a", "b", "c"])
            let before = try rows.dump()
            let update = RowBatchUpdate(
                FetchPlan(entityName: "Ship"),
                [
                    RowAssignment(
                        slot: rows.slot("Ship", "tonnage"),
                        value: .arithmetic(
                            .divide, .constant(.integer(10), .integer), rows.property("Ship", "tonnage"), .int))
                ])
            try trial.fails(.valueOutOfRange, when: "dividing by zero") {
                _ = try rows.store.commit(
                    changes {
                        $0.inserted = [rows.batch("Ship", [(-1, SeamRows.ship("new"))])]
                        $0.batchUpdates = [update]
                    })
            }
            try trial.equal(try rows.dump(), before, "what the store holds")
        }
    }
}
