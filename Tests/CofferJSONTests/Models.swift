import CofferCore
import Foundation

@Model final class Everything {
    var flag: Bool
    var number: Int
    var unsigned: UInt64
    var double: Double
    var text: String
    var date: Date
    var data: Data
    var uuid: UUID
    var url: URL?
    var decimal: Decimal
    var note: String?

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
    }
}

/// Types that not every value of their form is of.
@Model final class Precise {
    var small: Int8
    var single: Float
    var letter: Character
    var link: URL
    var words: [String]
    var whole: Double

    init() {
        small = 0
        single = 0
        letter = "a"
        link = URL(fileURLWithPath: "/")
        words = []
        whole = 0
    }
}

@Model final class Trip {
    #Index<Trip>([\.days], [\.name, \.days])
    var name: String
    var days: Int?
    @Relationship(inverse: \Stop.trip) var stops: [Stop] = []
    var tags: [Tag] = []
    var friends: [Trip] = []

    init(name: String) { self.name = name }
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

@Model class Vehicle {
    @Attribute(.unique) var plate: String
    @Relationship(inverse: \Part.vehicle) var parts: [Part] = []

    init(plate: String) { self.plate = plate }
}

@Model final class Car: Vehicle {
    var doors: Int
    var note: String?
    var drivers: [Driver] = []

    init(plate: String, doors: Int) {
        self.doors = doors
        super.init(plate: plate)
    }
}

@Model final class Truck: Vehicle {
    var load: Double
    var note: Int?
    var drivers: [Driver] = []

    init(plate: String, load: Double) {
        self.load = load
        super.init(plate: plate)
    }
}

@Model final class Part {
    var name: String
    var vehicle: Vehicle?

    init(name: String) { self.name = name }
}

@Model final class Driver {
    var name: String

    init(name: String) { self.name = name }
}
