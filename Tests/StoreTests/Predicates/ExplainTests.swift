import Coffer
import Foundation
import Testing

@Model final class Crossing {
    #Index<Crossing>([\.port], [\.miles])
    var no: Int
    var port: String
    var miles: Int
    var log: String?
    var crew: [String] = ["Ada", "Bo"]
    var pilot: Pilot?
    @Relationship(inverse: \Reach.crossing) var reaches: [Reach] = []
    init(_ no: Int, port: String, miles: Int) {
        self.no = no
        self.port = port
        self.miles = miles
    }
}

@Model final class Pilot {
    var name: String
    @Relationship(inverse: \Crossing.pilot) var crossings: [Crossing] = []
    init(_ name: String) { self.name = name }
}

@Model final class Reach {
    var knots: Int
    var crossing: Crossing?
    init(_ knots: Int) { self.knots = knots }
}

@Suite("What a context tells of a fetch")
struct ExplainTests {
    static func make(_ store: TestStore) throws -> TestPlace {
        let place = try TestPlace(store, Crossing.self, Pilot.self, Reach.self)
        let context = place.context()
        let ada = Pilot("Ada")
        for no in 0..<200 {
            let crossing = Crossing(no, port: "port \(no % 50)", miles: no)
            context.insert(crossing)
            if no % 3 == 0 { crossing.pilot = ada }
            if no < 4 { crossing.reaches = [Reach(no), Reach(no + 1)] }
        }
        try context.save()
        return place
    }

    static var atPort: FetchDescriptor<Crossing> {
        FetchDescriptor(predicate: #Predicate { $0.port == "port 7" }, sortBy: [SortDescriptor(\.no)])
    }

    @Test("a filter by an index is the store's", arguments: TestStore.all)
    func index(_ store: TestStore) throws {
        let explanation = try Self.make(store).context().explain(Self.atPort)
        if store.lacks[.requestsOfItsOwn] != nil {
            #expect(explanation.filter == .memory)
            #expect(explanation.sort == .memory)
            #expect(explanation.store == nil)
            #expect(explanation.memory.map(\.reason) == [.handedBack, .handedBack])
            #expect(explanation.fallsBack)
            return
        }
        #expect(explanation.filter == .store)
        #expect(explanation.sort == .store)
        #expect(explanation.page == nil)
        #expect(explanation.memory.isEmpty)
        #expect(!explanation.fallsBack)
        let found = try #require(explanation.store)
        guard case .index(let name) = found.access else {
            Issue.record("\(explanation)")
            return
        }
        #expect(name.contains("port"))
        #expect(found.order == .sorting)
        #expect(explanation.requests.count == 1)
        #expect("\(explanation)".contains(name))
    }

    @Test("a property without an index takes all rows", arguments: TestStore.all)
    func scan(_ store: TestStore) throws {
        try store.needs(.requestsOfItsOwn)
        let context = try Self.make(store).context()
        let scanned = try context.explain(FetchDescriptor<Crossing>(predicate: #Predicate { $0.no == 7 }))
        #expect(scanned.store?.access == .scan)
        #expect(scanned.store?.order == .keys)
        let all = try context.explain(FetchDescriptor<Crossing>())
        #expect(all.filter == nil)
        #expect(all.sort == nil)
        #expect(all.store?.access == .scan)
    }

    @Test("an index gives the order of a page", arguments: TestStore.all)
    func order(_ store: TestStore) throws {
        try store.needs(.requestsOfItsOwn)
        let context = try Self.make(store).context()
        var descriptor = FetchDescriptor<Crossing>(sortBy: [SortDescriptor(\.miles)])
        descriptor.fetchLimit = 5
        let explanation = try context.explain(descriptor)
        guard case .index(let name)? = explanation.store?.order else {
            Issue.record("\(explanation)")
            return
        }
        #expect(name.contains("miles"))
        #expect(explanation.page == .store)
        #expect(explanation.sortKeys == ["miles"])
    }

    @Test("what no store could say is done in memory, by name", arguments: TestStore.all)
    func notExpressible(_ store: TestStore) throws {
        let context = try Self.make(store).context()
        let descriptor = FetchDescriptor<Crossing>(sortBy: [SortDescriptor(\.port.count)])
        let explanation = try context.explain(descriptor)
        #expect(explanation.sort == .memory)
        let step = try #require(explanation.memory.first)
        #expect(step.part == .sort)
        if store.lacks[.requestsOfItsOwn] == nil { #expect(step.reason == .notExpressible) }
        #expect(step.isFallback)
        #expect(!step.detail.isEmpty)
    }

    @Test("unsaved changes are merged", arguments: TestStore.all)
    func pendingChanges(_ store: TestStore) throws {
        try store.needs(.requestsOfItsOwn)
        let context = try Self.make(store).context()
        let first = try context.only(Crossing.self, where: #Predicate { $0.no == 0 })
        let second = try context.only(Crossing.self, where: #Predicate { $0.no == 1 })
        first.port = "elsewhere"
        context.delete(second)
        context.insert(Crossing(1000, port: "port 7", miles: 1))
        var descriptor = Self.atPort
        descriptor.fetchLimit = 3
        let explanation = try context.explain(descriptor)
        #expect(explanation.pendingChanges.merged == 3)
        #expect(explanation.pendingChanges.deleted == 1)
        #expect(explanation.filter == .store)
        #expect(explanation.page == .storeAndMemory)
        #expect(!explanation.fallsBack)
        descriptor.includePendingChanges = false
        let without = try context.explain(descriptor)
        #expect(without.pendingChanges.merged == 0)
        #expect(!without.pendingChanges.isIncluded)
        #expect(without.page == .store)
    }

    @Test(
        "unsaved changes behind links bring the filter into memory, and that is no fallback", arguments: TestStore.all)
    func linkedChanges(_ store: TestStore) throws {
        try store.needs(.requestsOfItsOwn)
        let context = try Self.make(store).context()
        let descriptor = FetchDescriptor<Crossing>(predicate: #Predicate { $0.pilot?.name == "Bo" })
        #expect(try context.explain(descriptor).filter == .store)
        try context.only(Pilot.self).name = "Bo"
        let explanation = try context.explain(descriptor)
        #expect(explanation.filter == .memory)
        #expect(explanation.memory.map(\.reason) == [.unsavedChanges])
        #expect(!explanation.fallsBack)
    }

    @Test("it tells the requests that the fetch then makes", arguments: TestStore.all)
    func requests(_ store: TestStore) throws {
        let place = try Self.make(store)
        var descriptor = FetchDescriptor<Crossing>(predicate: #Predicate { $0.no < 4 })
        #expect(try place.context().explain(descriptor).requests.count == 1)
        let context = place.context()
        #expect(try place.record.during { _ = try context.fetch(descriptor) }.requests == 1)
        descriptor.relationshipKeyPathsForPrefetching = [\.reaches, \.pilot]
        let explanation = try place.context().explain(descriptor)
        #expect(explanation.requests.count == 3)
        #expect(explanation.requests[1].contains("reaches"))
        let other = place.context()
        let made = try place.record.during { _ = try other.fetch(descriptor) }.requests
        if store.lacks[.requestsOfItsOwn] == nil { #expect(made == 3) }
    }

    /// A slice of a stored list, which SQLite does not do.
    static var divided: FetchDescriptor<Crossing> {
        FetchDescriptor(predicate: #Predicate { $0.no < 3 && $0.crew[0..<1].contains("Ada") })
    }

    @Test("of a filter that SQLite does in part, the other part is named")
    func divided() throws {
        let place = try Self.make(.sqlite)
        let explanation = try place.context().explain(Self.divided)
        #expect(explanation.filter == .storeAndMemory)
        #expect(explanation.memory.map(\.reason) == [.handedBack])
        let piece = try #require(explanation.memory.first?.piece)
        #expect(piece.contains("crew"))
        #expect(!piece.contains("$0.no"))
        #expect(explanation.store?.statement?.contains("no") == true)
        #expect(explanation.fallsBack)
        let context = place.context()
        let counts = try place.record.during { _ = try context.fetch(Self.divided) }
        #expect(counts.requests == explanation.requests.count)
    }

    @Test("explaining hands no rows out", arguments: TestStore.all)
    func nothingIsFetched(_ store: TestStore) throws {
        let place = try Self.make(store)
        let context = place.context()
        let counts = try place.record.during { _ = try context.explain(Self.atPort) }
        #expect(counts.rows == 0)
    }

    @Test("it survives coding", arguments: TestStore.all)
    func coding(_ store: TestStore) throws {
        let explanation = try Self.make(store).context().explain(Self.atPort)
        let data = try JSONEncoder().encode(explanation)
        #expect(try JSONDecoder().decode(FetchExplanation.self, from: data) == explanation)
    }
}
