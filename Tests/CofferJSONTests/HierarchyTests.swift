import CofferCore
import Foundation
import Testing

@testable import CofferJSON

/// Rows of classes and their subclasses, which share one array.
@Suite struct HierarchyTests {
    let shop: Workshop

    init() throws { shop = try Workshop(Vehicle.self, Car.self, Truck.self, Part.self, Driver.self) }

    /// A vehicle, a car and a truck.
    private func fill(_ store: JSONArchiveStore) throws {
        try shop.save(
            store,
            insert: [
                shop.batch("Vehicle", [(-1, ["plate": .text("V")])]),
                shop.batch(
                    "Car",
                    [
                        (
                            -2,
                            [
                                "plate": .text("C"), "doors": .integer(3), "note": .text("red"),
                                "drivers": shop.keys([-12, -11], of: "Driver"),
                            ]
                        )
                    ]),
                shop.batch(
                    "Truck",
                    [
                        (
                            -3,
                            [
                                "plate": .text("T"), "load": .real(7.5), "note": .integer(1),
                                "drivers": shop.keys([-12, -11], of: "Driver"),
                            ]
                        )
                    ]),
                shop.batch("Driver", [(-11, ["name": .text("a")]), (-12, ["name": .text("b")])]),
                shop.batch("Part", [(-21, ["name": .text("wheel"), "vehicle": shop.key(-2, of: "Vehicle")])]),
            ])
    }

    private func expectRows(_ store: JSONArchiveStore) throws {
        #expect(try shop.rows(store, "Car") == [2: ["plate": .text("C"), "doors": .integer(3), "note": .text("red")]])
        #expect(try shop.rows(store, "Truck") == [3: ["plate": .text("T"), "load": .real(7.5), "note": .integer(1)]])
        #expect(try shop.list(store, "Car", "drivers", 2) == [2, 1])
        #expect(try shop.list(store, "Vehicle", "parts", 2) == [1])
    }

    @Test func rowsSayTheirEntity() throws {
        let store = try shop.open()
        try fill(store)
        #expect(
            try shop.rowLines().suffix(3) == [
                #"{"$id": 1, "plate": "V"}"#,
                #"{"$id": 2, "$entity": "Car", "plate": "C", "doors": 3, "note": "red", "drivers": [2, 1]}"#,
                #"{"$id": 3, "$entity": "Truck", "plate": "T", "load": 7.5, "note": 1, "drivers": [2, 1]}"#,
            ])
        let tables = try shop.tables(store)
        store.close()
        let again = try shop.open()
        try expectRows(again)
        #expect(try shop.tables(again) == tables)
    }

    @Test func theyComeBackFromTheJournal() throws {
        let store = try shop.open(.dying)
        try shop.save(
            store, insert: [shop.batch("Driver", [(-1, ["name": .text(String(repeating: "x", count: 70_000))])])])
        try shop.save(store, delete: [("Driver", [1])])
        try fill(store)
        try shop.save(store, update: [shop.batch("Car", [(2, ["drivers": shop.keys([2, 3], of: "Driver")])])])
        try shop.save(store, update: [shop.batch("Truck", [(3, ["drivers": shop.keys([3], of: "Driver")])])])
        #expect(shop.hasJournal)
        let again = try shop.open(.dying)
        #expect(try shop.tables(again) == shop.tables(store))
        #expect(try shop.list(again, "Truck", "drivers", 3) == shop.list(store, "Truck", "drivers", 3))
    }

    @Test func rowsThatDoNotFitTheirEntityAreNamed() throws {
        let store = try shop.open()
        try fill(store)
        store.close()
        let sound = try shop.text()
        for (piece, new, entity, property) in [
            ("\"doors\": 3, ", "", "Car", "doors"), ("\"doors\": 3", "\"doors\": 3, \"load\": 1.0", "Car", "load"),
            ("\"note\": 1", "\"note\": \"heavy\"", "Truck", "note"),
            ("\"$entity\": \"Car\"", "\"$entity\": \"Bike\"", "Vehicle", "$entity"),
            ("\"$entity\": \"Car\", ", "", "Vehicle", "doors"),
            ("\"plate\": \"T\"", "\"plate\": \"C\"", "Vehicle", "plate"),
        ] {
            try shop.write(sound)
            try shop.edit(piece, new)
            let error = expect(.corruptStore) { try shop.open() }
            #expect(error?.entity == entity, "\(error?.description ?? "")")
            #expect(error?.property == property, "\(error?.description ?? "")")
            #expect(error?.detail?.contains("line ") == true)
        }
    }
}
