import Coffer
import Foundation

/// Tests of stores by themselves, without contexts, and the models of their rows.
enum RowTests {
    @Model final class Everything {
        var flag: Bool
        var number: Int
        var small: Int8?
        var unsigned: UInt64
        var double: Double
        var float: Float?
        var text: String
        var letter: Character?
        var date: Date
        var data: Data
        var uuid: UUID
        var url: URL?
        var decimal: Decimal
        var place: Place?
        var mood: Mood
        var names: [String]

        init() {
            flag = true
            number = 0
            unsigned = 0
            double = 0
            text = ""
            date = .distantPast
            data = Data()
            uuid = UUID()
            decimal = 0
            mood = .calm
            names = []
        }
    }

    struct Place: Codable, Hashable {
        var latitude: Double
        var name: String
    }

    enum Mood: String, Codable {
        case calm, wild
    }

    @Model final class Trip {
        #Index<Trip>([\.name], [\.days, \.name])
        var name: String
        var days: Int?
        @Relationship(deleteRule: .cascade, inverse: \Stop.trip) var stops: [Stop] = []
        var tags: [Tag] = []
        var guide: Guide?

        init(name: String, days: Int? = nil) {
            self.name = name
            self.days = days
        }
    }

    @Model final class Stop {
        var title: String
        var trip: Trip?

        init(title: String) { self.title = title }
    }

    @Model final class Tag {
        @Attribute(.unique) var label: String
        @Relationship(inverse: \Trip.tags) var trips: [Trip] = []

        init(label: String) { self.label = label }
    }

    /// Trips lead to guides, and guides know nothing of them; guides have animals, which know nothing of them.
    @Model final class Guide {
        #Unique<Guide>([\.first, \.last])
        var first: String
        var last: String?
        var age: Int
        var animals: [Animal] = []

        init(first: String, last: String?, age: Int = 30) {
            self.first = first
            self.last = last
            self.age = age
        }
    }

    @Model final class Animal {
        var name: String

        init(name: String) { self.name = name }
    }

    /// Two that must have each other.
    @Model final class Left {
        var name: String
        @Relationship(inverse: \Right.left) var right: Right?

        init(name: String) { self.name = name }
    }

    @Model final class Right {
        var name: String
        var left: Left

        init(name: String, left: Left) {
            self.name = name
            self.left = left
        }
    }

    /// A tree in which no two children of one folder have the same name.
    @Model final class Folder {
        #Unique<Folder>([\.name, \.parent])
        var name: String
        var size: Int
        var parent: Folder?
        @Relationship(inverse: \Folder.parent) var children: [Folder] = []

        init(name: String, size: Int = 0) {
            self.name = name
            self.size = size
        }
    }
}
