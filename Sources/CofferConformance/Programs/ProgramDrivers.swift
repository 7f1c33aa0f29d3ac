import CofferCore
import Foundation

/// Runs the steps of a program on a store.
protocol ProgramDriver {
    /// Saves changes that make sense.
    func save(_ changes: [Program.Change]) throws
    /// Tries to, in a way that fails.
    func fail(_ changes: [Program.Change]) throws
    func answer(_ query: Program.Query) throws -> [String]
    func reopen() throws
    /// Everything that is stored, a line a row, as ``ProgramModel/picture`` has it.
    func picture() throws -> [String]
}

/// Works with contexts.
final class ContextDriver: ProgramDriver {
    private let trial: ConformanceTrial
    private let faults = StoreFaults()

    init(_ trial: ConformanceTrial) {
        self.trial = trial
        trial.layers = [faults]
    }

    func save(_ changes: [Program.Change]) throws { try changed(changes).save() }

    func fail(_ changes: [Program.Change]) throws {
        let context = try changed(changes)
        guard context.hasChanges else { return }
        faults.fail(.save)
        try SaveCases.expectFault(trial) { try context.save() }
    }

    private func changed(_ changes: [Program.Change]) throws -> ModelContext {
        let context = try trial.context()
        func ship(_ id: Int) throws -> Ship? {
            let name = ProgramModel.name(id)
            return id == 0 ? nil : try context.only(Ship.self, where: #Predicate { $0.name == name })
        }
        func sailor(_ id: Int) throws -> Sailor {
            let name = ProgramModel.name(id)
            return try context.only(Sailor.self, where: #Predicate { $0.name == name })
        }
        for change in changes {
            switch change {
            case .newShip(let id, let tonnage, let nickname):
                let name = ProgramModel.nickname(nickname)
                context.insert(Ship(ProgramModel.name(id), tonnage: tonnage, nickname: name))
            case .newSailor(let id, let age, let shipID):
                let sailor = Sailor(ProgramModel.name(id), age: age)
                context.insert(sailor)
                sailor.ship = try ship(shipID)
            case .setShip(let id, let tonnage, let nickname):
                let ship = try ship(id)
                ship?.tonnage = tonnage
                ship?.nickname = ProgramModel.nickname(nickname)
            case .setSailor(let id, let age, let shipID):
                let sailor = try sailor(id)
                sailor.age = age
                sailor.ship = try ship(shipID)
            case .deleteShip(let id):
                if let ship = try ship(id) { context.delete(ship) }
            case .deleteSailor(let id): context.delete(try sailor(id))
            }
        }
        return context
    }

    func answer(_ query: Program.Query) throws -> [String] {
        let above = query.above
        var descriptor = FetchDescriptor<Ship>(
            predicate: #Predicate { $0.tonnage > above },
            sortBy: [
                SortDescriptor(\.tonnage, order: query.isDescending ? .reverse : .forward), SortDescriptor(\.name),
            ])
        descriptor.fetchOffset = query.offset
        if query.limit >= 0 { descriptor.fetchLimit = query.limit }
        let context = try trial.context()
        let names = try context.fetch(descriptor).map(\.name)
        try trial.equal(try context.fetchCount(descriptor), names.count, "the count of a query")
        return names
    }

    func reopen() throws { if trial.has(.reopening) { trial.close() } }

    func picture() throws -> [String] {
        let context = try trial.context()
        let lines =
            try context.all(Ship.self).map {
                ProgramModel.line(ship: $0.name, $0.tonnage, $0.nickname, crew: $0.crew.map(\.name).sorted())
            } + context.all(Sailor.self).map { ProgramModel.line(sailor: $0.name, $0.age, $0.ship?.name) }
        return lines.sorted()
    }
}

/// Works with a store of rows directly.
final class RowDriver: ProgramDriver {
    private let trial: ConformanceTrial
    /// The store as it was opened last; nil while it is being opened anew, which need not work beside another opening.
    private var opened: SeamRows?
    /// The keys of the rows by their numbers.
    private var ships: [Int: Int64] = [:]
    private var sailors: [Int: Int64] = [:]

    init(_ trial: ConformanceTrial) throws {
        self.trial = trial
        opened = try trial.rows()
    }

    private func rows() throws -> SeamRows { try trial.unwrap(opened, "the open store") }

    func save(_ changes: [Program.Change]) throws { try commit(changes, isBroken: false) }

    func fail(_ changes: [Program.Change]) throws {
        guard trial.has(.checking) else { return }
        try trial.fails(.missingRequiredValue, when: "a commit with a row without a name") {
            try commit(changes, isBroken: true)
        }
    }

    /// Makes one commit of all changes: of several changes to a row, all but the last are forgotten.
    private func commit(_ changes: [Program.Change], isBroken: Bool) throws {
        let rows = try rows()
        var newShips: [Int: SeamRows.Row] = [:], newSailors: [Int: (row: SeamRows.Row, ship: Int)] = [:]
        var oldShips = newShips, oldSailors = newSailors
        var gone: (ships: Set<Int>, sailors: Set<Int>) = ([], [])
        func shipRow(_ id: Int, _ tonnage: Int, _ nickname: Int) -> SeamRows.Row {
            let text = ProgramModel.nickname(nickname).map {
                StoredValue.text($0.precomposedStringWithCanonicalMapping)
            }
            return SeamRows.ship(ProgramModel.name(id), tonnage: Int64(tonnage), nickname: text ?? .null)
        }
        func sailorRow(_ id: Int, _ age: Int) -> SeamRows.Row {
            ["name": .text(ProgramModel.name(id)), "age": .integer(Int64(age))]
        }
        for change in changes {
            switch change {
            case .newShip(let id, let tonnage, let nickname): newShips[id] = shipRow(id, tonnage, nickname)
            case .newSailor(let id, let age, let ship): newSailors[id] = (sailorRow(id, age), ship)
            case .setShip(let id, let tonnage, let nickname):
                let row = shipRow(id, tonnage, nickname)
                if newShips[id] == nil { oldShips[id] = row } else { newShips[id] = row }
            case .setSailor(let id, let age, let ship):
                let row = (row: sailorRow(id, age), ship: ship)
                if newSailors[id] == nil { oldSailors[id] = row } else { newSailors[id] = row }
            case .deleteShip(let id):
                if newShips.removeValue(forKey: id) == nil { gone.ships.insert(id) }
                oldShips[id] = nil
                for sailor in newSailors.keys where newSailors[sailor]?.ship == id { newSailors[sailor]?.ship = 0 }
                for sailor in oldSailors.keys where oldSailors[sailor]?.ship == id { oldSailors[sailor]?.ship = 0 }
            case .deleteSailor(let id):
                if newSailors.removeValue(forKey: id) == nil { gone.sailors.insert(id) }
                oldSailors[id] = nil
            }
        }
        func link(_ ship: Int) -> StoredValue {
            ship == 0 ? .null : rows.link(newShips[ship] == nil ? ships[ship] ?? 0 : Int64(-ship), "Ship")
        }
        func linked(_ entry: (row: SeamRows.Row, ship: Int)) -> SeamRows.Row {
            entry.row.merging(["ship": link(entry.ship)]) { $1 }
        }
        let (shipIDs, sailorIDs) = (newShips.keys.sorted(), newSailors.keys.sorted())
        var sailorRows = sailorIDs.map { (Int64(-$0), newSailors[$0].map(linked) ?? [:]) }
        if isBroken { sailorRows.append((-1_000_000, ["age": .integer(1)])) }
        let keys = try rows.commit(
            insert: [
                rows.batch("Sailor", sailorRows), rows.batch("Ship", shipIDs.map { (Int64(-$0), newShips[$0] ?? [:]) }),
            ],
            update: [
                rows.batch("Ship", oldShips.sorted { $0.key < $1.key }.map { (ships[$0.key] ?? 0, $0.value) }),
                rows.batch(
                    "Sailor", oldSailors.sorted { $0.key < $1.key }.map { (sailors[$0.key] ?? 0, linked($0.value)) }),
            ],
            delete: [
                ("Ship", gone.ships.compactMap { ships[$0] }.sorted()),
                ("Sailor", gone.sailors.compactMap { sailors[$0] }.sorted()),
            ])
        for (id, key) in zip(sailorIDs, keys[0]) { sailors[id] = key }
        for (id, key) in zip(shipIDs, keys[1]) { ships[id] = key }
        for id in gone.ships { ships[id] = nil }
        for id in gone.sailors { sailors[id] = nil }
    }

    func answer(_ query: Program.Query) throws -> [String] {
        let rows = try rows()
        let slots = ["tonnage", "name"].map { rows.slot("Ship", $0) }
        let plan = FetchPlan(
            entityName: "Ship", filter: rows.compare("Ship", "tonnage", .greater, Int64(query.above)),
            sort: [SortKey(path: [slots[0]], isDescending: query.isDescending), SortKey(path: [slots[1]])],
            limit: query.limit < 0 ? nil : query.limit, offset: query.offset)
        return try rows.fetch(plan).map { Self.text($0.values["name"]) }
    }

    func reopen() throws {
        guard trial.has(.reopening) else { return }
        opened = nil
        opened = try trial.rows()
    }

    func picture() throws -> [String] {
        let rows = try rows()
        let shipRows = try rows.all("Ship")
        let sailorRows = try rows.all("Sailor")
        let names = shipRows.mapValues { Self.text($0["name"]) }
        let crews = try rows.related("Ship", "crew", shipRows.keys.sorted())
        let lines =
            shipRows.map { key, row in
                let crew = (crews[key] ?? []).map { Self.text(sailorRows[$0]?["name"]) }.sorted()
                var nickname: String?
                if case .text(let text)? = row["nickname"] { nickname = text }
                return ProgramModel.line(
                    ship: Self.text(row["name"]), Self.number(row["tonnage"]), nickname, crew: crew)
            }
            + sailorRows.values.map { row in
                var ship: String?
                if case .reference(let identifier)? = row["ship"] { ship = names[identifier._key] ?? "lost" }
                return ProgramModel.line(sailor: Self.text(row["name"]), Self.number(row["age"]), ship)
            }
        return lines.sorted()
    }

    private static func text(_ value: StoredValue?) -> String { if case .text(let text)? = value { text } else { "?" } }
    private static func number(_ value: StoredValue?) -> Int {
        if case .integer(let number)? = value { Int(number) } else { .min }
    }
}
