import CofferCore
import Foundation

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
    var note: String?
    var place: Place?
    var mood: Mood

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
    var name: String
    @Relationship(deleteRule: .cascade, inverse: \Stop.trip) var stops: [Stop] = []
    var tags: [Tag] = []
    var guide: Person?

    init(name: String) { self.name = name }
}

@Model final class Stop {
    var title: String
    var order: Int
    var trip: Trip?

    init(title: String, order: Int) {
        self.title = title
        self.order = order
    }
}

@Model final class Tag {
    @Attribute(.unique) var label: String
    @Relationship(inverse: \Trip.tags) var trips: [Trip] = []

    init(label: String) { self.label = label }
}

@Model final class Person {
    #Unique<Person>([\.first, \.last])
    #Index<Person>([\.last, \.first], [\.age])
    var first: String
    var last: String?
    var age: Int
    var friends: [Animal] = []

    init(first: String, last: String?, age: Int) {
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

@Model final class Member {
    @Attribute(.unique) var code: Int
    var name: String
    var chief: Member?
    @Attribute(.ephemeral) var seen: Int? = nil

    init(code: Int, name: String) {
        self.code = code
        self.name = name
    }
}
