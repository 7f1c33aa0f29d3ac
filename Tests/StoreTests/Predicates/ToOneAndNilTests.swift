import Coffer
import Foundation
import Testing

@Model final class Courier {
    var name: String
    @Relationship(inverse: \Parcel.courier) var parcels: [Parcel] = []
    init(_ name: String) { self.name = name }
}

@Model final class Parcel {
    var code: String
    var weight: Int
    var courier: Courier?
    init(_ weight: Int, _ courier: Courier?) {
        code = "P\(weight)"
        self.weight = weight
        self.courier = courier
    }
}

@Suite("A to-one relationship compared with nil")
struct ToOneAndNilTests {
    /// Couriers Ada and Bo; parcels one to six, of which the even ones but the first go with nobody.
    static func make(_ store: TestStore) throws -> (place: TestPlace, context: ModelContext, bo: Courier) {
        let place = try TestPlace(store, Courier.self, Parcel.self)
        let context = place.context()
        let ada = Courier("Ada")
        let bo = Courier("Bo")
        for (index, courier) in [ada, nil, bo, nil, ada, nil].enumerated() {
            context.insert(Parcel(index + 1, courier))
        }
        try context.save()
        return (place, context, bo)
    }

    /// The predicates and the weights of the parcels they find.
    static var cases: [(String, Predicate<Parcel>, Set<Int>)] {
        [
            ("== nil", #Predicate { $0.courier == nil }, [2, 4, 6]),
            ("!= nil", #Predicate { $0.courier != nil }, [1, 3, 5]),
            ("== nil && >", #Predicate { $0.courier == nil && $0.weight > 3 }, [4, 6]),
            ("> && == nil", #Predicate { $0.weight > 3 && $0.courier == nil }, [4, 6]),
            ("!= nil || ==", #Predicate { $0.courier != nil || $0.weight == 2 }, [1, 2, 3, 5]),
            ("!(== nil)", #Predicate { !($0.courier == nil) }, [1, 3, 5]),
            ("!(!= nil)", #Predicate { !($0.courier != nil) }, [2, 4, 6]),
            ("== nil ? :", #Predicate { $0.courier == nil ? $0.weight > 3 : $0.weight < 3 }, [1, 4, 6]),
            ("?.name ==", #Predicate { $0.courier?.name == "Ada" }, [1, 5]),
            ("?.name !=", #Predicate { $0.courier?.name != "Ada" }, [2, 3, 4, 6]),
            ("!(?.name ==)", #Predicate { !($0.courier?.name == "Ada") }, [2, 3, 4, 6]),
            ("?.name == nil", #Predicate { $0.courier?.name == nil }, [2, 4, 6]),
            ("?.name ?? ==", #Predicate { ($0.courier?.name ?? "none") == "none" }, [2, 4, 6]),
            ("flatMap", #Predicate { $0.courier.flatMap { $0.name == "Bo" } ?? true }, [2, 3, 4, 6]),
            ("if let", #Predicate { if let courier = $0.courier { courier.name < "B" } else { false } }, [1, 5]),
            ("?.many.isEmpty", #Predicate { $0.courier?.parcels.isEmpty == false }, [1, 3, 5]),
        ]
    }

    @Test("finds the same parcels in every spelling and context", arguments: TestStore.all)
    func spellings(_ store: TestStore) throws {
        let (place, context, _) = try Self.make(store)
        for (name, predicate, weights) in Self.cases {
            #expect(try Set(context.all(Parcel.self, where: predicate).map(\.weight)) == weights, "\(name)")
            #expect(try context.count(Parcel.self, where: predicate) == weights.count, "\(name), counted")
            let fresh = place.context()
            #expect(try Set(fresh.all(Parcel.self, where: predicate).map(\.weight)) == weights, "\(name), fresh")
            #expect(try place.context().count(Parcel.self, where: predicate) == weights.count, "\(name), fresh count")
            let identifiers = try place.context().fetchIdentifiers(FetchDescriptor(predicate: predicate))
            #expect(identifiers.count == weights.count, "\(name), identifiers")
        }
    }

    @Test("counts an unsaved change unless told not to", arguments: TestStore.all)
    func pendingChange(_ store: TestStore) throws {
        let (place, context, bo) = try Self.make(store)
        let second = try context.only(Parcel.self, where: #Predicate { $0.weight == 2 })
        second.courier = bo
        var descriptor = FetchDescriptor<Parcel>(predicate: #Predicate { $0.courier == nil })
        #expect(try Set(context.fetch(descriptor).map(\.weight)) == [4, 6])
        #expect(try context.fetchCount(descriptor) == 2)
        descriptor.includePendingChanges = false
        #expect(try Set(context.fetch(descriptor).map(\.weight)) == [2, 4, 6])
        #expect(try context.fetchCount(descriptor) == 3)
        try context.save()
        for context in try place.newContexts() {
            #expect(try Set(context.fetch(descriptor).map(\.weight)) == [4, 6])
        }
    }

    @Test("follows an unsaved change of the model it leads to", arguments: TestStore.all)
    func pendingChangeOfTheOther(_ store: TestStore) throws {
        let (place, context, bo) = try Self.make(store)
        bo.name = "Ada"
        let adas = #Predicate<Parcel> { $0.courier?.name == "Ada" }
        #expect(try Set(context.all(Parcel.self, where: adas).map(\.weight)) == [1, 3, 5])
        #expect(try Set(place.context().all(Parcel.self, where: adas).map(\.weight)) == [1, 5])
    }
}
