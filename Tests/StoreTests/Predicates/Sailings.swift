import Coffer
import Foundation

enum Swell: String, Codable, Sendable { case fair, foul }

struct Freight: Codable, Hashable, Sendable {
    var kind: String
    var tons: Int
}

@Model final class Helmsman {
    var name: String
    var city: String?
    @Relationship(inverse: \Sailing.helmsman) var sailings: [Sailing] = []
    init(_ name: String, city: String?) {
        self.name = name
        self.city = city
    }
}

@Model final class Haven {
    var name: String
    var nights: Int
    var sailing: Sailing?
    init(_ name: String, _ nights: Int) {
        self.name = name
        self.nights = nights
    }
}

@Model final class Sailing {
    var code: Int
    var name: String
    var note: String?
    var days: Int
    var miles: Double
    var swell: Swell
    var freight: Freight?
    var start: Date
    var isOpen: Bool
    var tags: [String]
    var helmsman: Helmsman?
    @Relationship(inverse: \Haven.sailing) var havens: [Haven] = []

    init(_ code: Int, _ name: String, _ note: String?, days: Int, miles: Double) {
        self.code = code
        self.name = name
        self.note = note
        self.days = days
        self.miles = miles
        swell = code % 2 == 0 ? .fair : .foul
        freight = code % 3 == 0 ? nil : Freight(kind: code % 2 == 0 ? "tea" : "Tin", tons: code * 10)
        start = Date(timeIntervalSinceReferenceDate: Double(code) * 1000)
        isOpen = code % 4 < 2
        tags = code % 2 == 0 ? ["new", name] : []
    }
}

extension Sailing {
    /// Eight sailings, with what there is to be nil, empty, negative, capital and foreign.
    static func make() -> [Sailing] {
        let ada = Helmsman("Ada", city: "Rome")
        let bo = Helmsman("bo", city: nil)
        let rows: [(String, String?, Int, Double, Helmsman?, [(String, Int)])] = [
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
            let sailing = Sailing(index + 1, row.0, row.1, days: row.2, miles: row.3)
            sailing.helmsman = row.4
            sailing.havens = row.5.map { Haven($0.0, $0.1) }
            return sailing
        }
    }
}
