import Coffer
import Foundation
import Testing

/// The number of requests of a walk over a graph does not grow with its rows.
@Suite("What a walk over a graph asks of the store")
struct TraversalCostTests {
    /// People with a passport each, of whom everyone knows the next three.
    static func people(_ store: TestStore, _ count: Int) throws -> TestPlace {
        try store.needs(.requestsOfItsOwn)
        let place = try TestPlace(store, Person.self)
        let context = place.context()
        let people = (0..<count).map { Person("p\($0)") }
        for (index, person) in people.enumerated() {
            person.passport = Passport(index)
            person.friends = (1...3).map { people[(index + $0) % count] }
        }
        context.insert(people[0])
        for person in people { context.insert(person) }
        try context.save()
        return place
    }

    /// Forty plans of five sessions of two minutes.
    static func plans(_ store: TestStore) throws -> TestPlace {
        try store.needs(.requestsOfItsOwn)
        let place = try TestPlace(store, Plan.self)
        let context = place.context()
        for index in 0..<40 {
            let plan = Plan("p\(index)")
            for no in 0..<5 {
                let session = Session(no, plan)
                for text in ["a", "b"] { context.insert(Minute(text, session)) }
            }
        }
        try context.save()
        return place
    }

    @Test("to a different one each: one request for a thousand", arguments: TestStore.all)
    func toOne(_ store: TestStore) throws {
        let place = try Self.people(store, 2500)
        let context = place.context()
        let plain = try place.record.during {
            let passports = try context.all(Passport.self)
            #expect(passports.allSatisfy { $0.holder?.name == "p\($0.number)" })
        }
        #expect(plain.requests == 4)
        let fresh = place.context()
        var descriptor = FetchDescriptor<Passport>()
        descriptor.relationshipKeyPathsForPrefetching = [\.holder]
        var passports: [Passport] = []
        let fetched = try place.record.during { passports = try fresh.fetch(descriptor) }
        #expect(fetched.requests == 4)
        let later = place.record.during { #expect(passports.allSatisfy { $0.holder?.name == "p\($0.number)" }) }
        #expect(later.requests == 0)
    }

    @Test("to many of many: a handful, or one if it is asked for", arguments: TestStore.all)
    func manyToMany(_ store: TestStore) throws {
        let place = try Self.people(store, 400)
        let context = place.context()
        let plain = try place.record.during {
            for person in try context.all(Person.self) { #expect(person.friends.count == 3) }
        }
        // The first, then four times as many each time.
        #expect(plain.requests == 1 + 6)
        let fresh = place.context()
        var descriptor = FetchDescriptor<Person>()
        descriptor.relationshipKeyPathsForPrefetching = [\.friends, \.friendOf]
        var people: [Person] = []
        let fetched = try place.record.during { people = try fresh.fetch(descriptor) }
        #expect(fetched.requests == 3)
        let later = place.record.during {
            for person in people { #expect(person.friends.count == 3 && person.friendOf.count == 3) }
        }
        #expect(later.requests == 0)
    }

    @Test("to many, and from each of them to many more", arguments: TestStore.all)
    func nested(_ store: TestStore) throws {
        let place = try Self.plans(store)
        let context = place.context()
        let counts = try place.record.during {
            var minutes = 0
            for plan in try context.all(Plan.self) {
                for session in plan.sessions { minutes += session.minutes.count }
            }
            #expect(minutes == 400)
        }
        // Four for the sessions of forty plans, and a few for the minutes of the sessions that came with each.
        #expect(counts.requests <= 20)
    }

    @Test("in no order at all: about the root of its number", arguments: TestStore.all)
    func random(_ store: TestStore) throws {
        let place = try Self.people(store, 1000)
        let context = place.context()
        let people = try context.all(Person.self)
        var order = Array(0..<1000)
        var state: UInt64 = 7
        for index in order.indices.reversed() {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            order.swapAt(index, Int(state >> 33) % (index + 1))
        }
        let few = place.record.during {
            for index in order.prefix(3) { #expect(people[index].friends.count == 3) }
        }
        #expect(few.requests == 3 && few.rows == 9, "a few reads load what they ask for")
        let rest = place.record.during {
            for index in order { #expect(people[index].friends.count == 3) }
        }
        #expect(rest.requests < 120)
    }

    @Test("that is known before: chains of relationships come with the fetch", arguments: TestStore.all)
    func chains(_ store: TestStore) throws {
        let place = try Self.plans(store)
        let context = place.context()
        var descriptor = FetchDescriptor<Minute>()
        descriptor.relationshipKeyPathsForPrefetching = [\.session.plan]
        var minutes: [Minute] = []
        let fetched = try place.record.during { minutes = try context.fetch(descriptor) }
        #expect(fetched.requests == 3)
        let later = place.record.during {
            #expect(minutes.allSatisfy { $0.session.no < 5 && $0.session.plan.title.hasPrefix("p") })
        }
        #expect(later.requests == 0)

        let fresh = place.context()
        descriptor.relationshipKeyPathsForPrefetching = [\.session.plan.sessions]
        let again = try fresh.fetch(descriptor)
        let lists = place.record.during { #expect(again.allSatisfy { $0.session.plan.sessions.count == 5 }) }
        #expect(lists.requests == 0)
    }

    @Test("through an optional link", arguments: TestStore.all)
    func optionalChain(_ store: TestStore) throws {
        let place = try Self.people(store, 50)
        let context = place.context()
        var descriptor = FetchDescriptor<Passport>()
        descriptor.relationshipKeyPathsForPrefetching = [\.holder?.friends]
        let passports = try context.fetch(descriptor)
        let later = place.record.during { #expect(passports.allSatisfy { $0.holder?.friends.count == 3 }) }
        #expect(later.requests == 0)
    }

    @Test("of something else than relationships is an error", arguments: TestStore.all)
    func unsupported(_ store: TestStore) throws {
        let place = try TestPlace(store, Person.self)
        var descriptor = FetchDescriptor<Person>()
        descriptor.relationshipKeyPathsForPrefetching = [\.name]
        #expect(throws: SwiftDataError.unsupportedKeyPath) { try place.context().fetch(descriptor) }
    }
}
