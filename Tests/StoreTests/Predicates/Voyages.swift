import Coffer
import Foundation

enum Weather: String, Codable, Sendable { case fair, foul }

struct Cargo: Codable, Hashable, Sendable {
    var kind: String
    var tons: Int
}

@Model final class Skipper {
    var name: String
    var city: String?
    @Relationship(inverse: \Voyage.skipper) var voyages: [Voyage] = []
    init(_ name: String, city: String?) {
        self.name = name
        self.city = city
    }
}

@Model final class Port {
    var name: String
    var nights: Int
    var voyage: Voyage?
    init(_ name: String, _ nights: Int) {
        self.name = name
        self.nights = nights
    }
}

@Model final class Voyage {
    var code: Int
    var name: String
    var note: String?
    var days: Int
    var miles: Double
    var weather: Weather
    var cargo: Cargo?
    var start: Date
    var isOpen: Bool
    var tags: [String]
    var skipper: Skipper?
    @Relationship(inverse: \Port.voyage) var ports: [Port] = []

    init(_ code: Int, _ name: String, _ note: String?, days: Int, miles: Double) {
        self.code = code
        self.name = name
        self.note = note
        self.days = days
        self.miles = miles
        weather = code % 2 == 0 ? .fair : .foul
        cargo = code % 3 == 0 ? nil : Cargo(kind: code % 2 == 0 ? "tea" : "Tin", tons: code * 10)
        start = Date(timeIntervalSinceReferenceDate: Double(code) * 1000)
        isOpen = code % 4 < 2
        tags = code % 2 == 0 ? ["new", name] : []
    }
}

extension Voyage {
    /// Eight voyages, with what there is to be nil, empty, negative, capital and foreign.
    static func make() -> [Voyage] {
        let ada = Skipper("Ada", city: "Rome")
        let bo = Skipper("bo", city: nil)
        let rows: [(String, String?, Int, Double, Skipper?, [(String, Int)])] = [
            ("Rome", nil, 3, 2.5, ada, [("Ostia", 1), ("Elba", 4)]),
            ("rome", "full", -4, 7, nil, []),
            ("Éire", "", 0, -1.25, bo, [("Cork", 2)]),
            ("", "rome", 12, 100, ada, [("Elba", 12)]),
            ("Cadiz", "Cadiz", 5, 5, bo, [("Lagos", 5), ("Faro", 0), ("Tarifa", 3)]),
            ("cadiz", nil, 6, 0, nil, [("Elba", 6)]),
            ("Oslo", "a b", 1, 1e9, ada, []),
            ("oslo", "Oslo", 3, 3, bo, [("Cork", 1)]),
        ]
        return rows.enumerated().map { index, row in
            let voyage = Voyage(index + 1, row.0, row.1, days: row.2, miles: row.3)
            voyage.skipper = row.4
            voyage.ports = row.5.map { Port($0.0, $0.1) }
            return voyage
        }
    }
}
