/// What a store should hold after a program, in plain Swift.
struct ProgramModel: Equatable {
    struct ShipRow: Equatable {
        var tonnage: Int
        var nickname: String?
    }

    struct SailorRow: Equatable {
        var age: Int
        /// The ship's number; zero for none.
        var ship: Int
    }

    var ships: [Int: ShipRow] = [:]
    var sailors: [Int: SailorRow] = [:]

    /// The changes that make sense here: the rows they name are there, and none is deleted twice.
    func sound(_ changes: [Program.Change]) -> [Program.Change] {
        var copy = self
        return changes.filter { copy.apply($0) }
    }

    /// Makes a change.
    ///
    /// - Returns: whether it makes sense.
    @discardableResult
    mutating func apply(_ change: Program.Change) -> Bool {
        switch change {
        case .newShip(let id, let tonnage, let nickname):
            guard ships[id] == nil else { return false }
            ships[id] = ShipRow(tonnage: tonnage, nickname: Self.nickname(nickname))
        case .newSailor(let id, let age, let ship):
            guard sailors[id] == nil, ship == 0 || ships[ship] != nil else { return false }
            sailors[id] = SailorRow(age: age, ship: ship)
        case .setShip(let id, let tonnage, let nickname):
            guard ships[id] != nil else { return false }
            ships[id] = ShipRow(tonnage: tonnage, nickname: Self.nickname(nickname))
        case .setSailor(let id, let age, let ship):
            guard sailors[id] != nil, ship == 0 || ships[ship] != nil else { return false }
            sailors[id] = SailorRow(age: age, ship: ship)
        case .deleteShip(let id):
            guard ships.removeValue(forKey: id) != nil else { return false }
            for sailor in sailors.keys where sailors[sailor]?.ship == id { sailors[sailor]?.ship = 0 }
        case .deleteSailor(let id): return sailors.removeValue(forKey: id) != nil
        }
        return true
    }

    static func nickname(_ number: Int) -> String? {
        Program.nicknames.indices.contains(number) ? Program.nicknames[number] : nil
    }

    /// The names of the ships that a query should find, in order.
    func answer(_ query: Program.Query) -> [String] {
        let found = ships.filter { $0.value.tonnage > query.above }.map {
            (tonnage: $0.value.tonnage, name: Self.name($0.key))
        }
        .sorted { left, right in
            if left.tonnage != right.tonnage { return (left.tonnage < right.tonnage) != query.isDescending }
            return left.name < right.name
        }
        return found.dropFirst(query.offset).prefix(query.limit < 0 ? .max : query.limit).map(\.name)
    }

    /// The name under which a row is stored: three digits and more, so that names sort as numbers do.
    static func name(_ id: Int) -> String { String(repeating: "0", count: max(0, 4 - "\(id)".count)) + "\(id)" }

    /// Everything, a line a row.
    var picture: [String] {
        let lines =
            ships.map { id, ship in
                let crew = sailors.filter { $0.value.ship == id }.map { Self.name($0.key) }.sorted()
                return Self.line(ship: Self.name(id), ship.tonnage, ship.nickname, crew: crew)
            }
            + sailors.map { id, sailor in
                Self.line(sailor: Self.name(id), sailor.age, sailor.ship == 0 ? nil : Self.name(sailor.ship))
            }
        return lines.sorted()
    }

    static func line(ship: String, _ tonnage: Int, _ nickname: String?, crew: [String]) -> String {
        "ship \(ship) \(tonnage) \(nickname.map { $0.debugDescription } ?? "nil") \(crew)"
    }

    static func line(sailor: String, _ age: Int, _ ship: String?) -> String {
        "sailor \(sailor) \(age) \(ship ?? "ashore")"
    }
}
