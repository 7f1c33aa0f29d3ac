import Foundation
import SwiftData

@available(iOS 26, macOS 15, *)
@Model class Vehicle {
    var name: String
    var wheels: Int
    @Relationship(deleteRule: .cascade, inverse: \Tyre.vehicle) var tyres: [Tyre] = []
    init(name: String, wheels: Int) {
        self.name = name
        self.wheels = wheels
    }
}

@available(iOS 26, macOS 15, *)
@Model final class Bus: Vehicle {
    var seats: Int
    init(name: String, seats: Int) {
        self.seats = seats
        super.init(name: name, wheels: 6)
    }
}

@available(iOS 26, macOS 15, *)
@Model final class Bicycle: Vehicle {
    var gears: Int = 3
    override init(name: String, wheels: Int = 2) { super.init(name: name, wheels: wheels) }
}

@Model final class Tyre {
    var size: Int
    var vehicle: Vehicle?
    init(size: Int) { self.size = size }
}
