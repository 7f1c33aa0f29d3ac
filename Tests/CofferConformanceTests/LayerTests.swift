import CofferConformance
import CofferCore
import CofferInMemory
import Foundation
import Testing

@Model final class Lamp {
    var name: String
    init(_ name: String) { self.name = name }
}

@Suite("Layers around a store")
struct LayerTests {
    /// The two shapes of a store: one of rows, one of SwiftData's requests.
    enum Shape: CaseIterable {
        case rows, requests

        func container(_ layers: any StoreLayer...) throws -> ModelContainer {
            let base: any DataStoreConfiguration
            switch self {
            case .rows: base = InMemoryStoreConfiguration("lamps")
            case .requests:
                base = PlainConfiguration(folder: URL(fileURLWithPath: "/lamps/\(UUID().uuidString)"))
            }
            return try ModelContainer(for: Schema(Lamp.self), configurations: [layered(base, layers)])
        }
    }

    @Test(arguments: Shape.allCases) func aRecordCountsWhatPasses(_ shape: Shape) throws {
        let record = StoreRecord()
        let container = try shape.container(record)
        let context = ModelContext(container)
        for name in ["a", "b", "c"] { context.insert(Lamp(name)) }
        try context.save()
        #expect(record.counts.saves == 1 && record.counts.inserted == 3 && record.counts.requests == 0)
        record.reset()
        let fresh = ModelContext(container)
        let lamps = try fresh.fetch(FetchDescriptor<Lamp>())
        #expect(record.counts.requests == 1 && record.counts.rows == 3)
        #expect(record.calls.map(\.kind) == [.initializeState, .fetch])
        #expect(record.calls.last?.entityName == "Lamp")
        #expect(lamps.count == 3 && fresh.hasChanges == false)
    }

    @Test(arguments: Shape.allCases) func countsAndIdentifiersAreAskedForAsSuch(_ shape: Shape) throws {
        let record = StoreRecord()
        let container = try shape.container(record)
        let context = ModelContext(container)
        for name in ["a", "b", "c"] { context.insert(Lamp(name)) }
        try context.save()
        record.reset()
        var page = FetchDescriptor<Lamp>()
        page.fetchOffset = 1
        #expect(try context.fetchCount(page) == 2)
        #expect(try context.fetchIdentifiers(page).count == 2)
        #expect(record.calls.map(\.kind) == [.count, .identifiers])
    }

    @Test(arguments: Shape.allCases) func aFaultComesAtTheCallItIsMeantFor(_ shape: Shape) throws {
        let faults = StoreFaults()
        let container = try shape.container(faults)
        faults.fail(.save, at: 2)
        for number in 1...3 {
            let context = ModelContext(container)
            context.insert(Lamp("\(number)"))
            if number == 2 {
                #expect(throws: StoreFaults.Fault.self) { try context.save() }
            } else {
                #expect(throws: Never.self) { try context.save() }
            }
        }
        #expect(faults.count == 1)
        #expect(Set(try ModelContext(container).fetch(FetchDescriptor<Lamp>()).map(\.name)) == ["1", "3"])
    }

    @Test(arguments: Shape.allCases) func aFaultMayComeAfterTheWork(_ shape: Shape) throws {
        let faults = StoreFaults()
        let container = try shape.container(faults)
        faults.fail(.save, .after, with: SwiftDataError(.ioFailure))
        let context = ModelContext(container)
        context.insert(Lamp("stored all the same"))
        #expect(throws: SwiftDataError(.ioFailure)) { try context.save() }
        #expect(try ModelContext(container).fetchCount(FetchDescriptor<Lamp>()) == 1)
    }

    @Test(arguments: Shape.allCases) func latencyIsAskedForEachCall(_ shape: Shape) throws {
        let record = StoreRecord()
        let latency = StoreLatency { call in
            // What is asked for is written down; nobody waits in a test.
            try? record.didCall(call, rows: 0)
            return .zero
        }
        let container = try shape.container(latency)
        let context = ModelContext(container)
        context.insert(Lamp("a"))
        try context.save()
        _ = try ModelContext(container).fetch(FetchDescriptor<Lamp>())
        let kinds: [StoreCall.Kind] = record.calls.map(\.kind).filter { [.save, .fetch].contains($0) }
        #expect(kinds == [.save, .fetch])
    }

    @Test func theGuardHandsBackWhatIsNotDeclared() throws {
        let record = StoreRecord()
        let container = try Shape.requests.container(StoreGuard(), record)
        let context = ModelContext(container)
        for name in ["b", "a"] { context.insert(Lamp(name)) }
        try context.save()
        record.reset()
        let fresh = ModelContext(container)
        let found = try fresh.fetch(
            FetchDescriptor<Lamp>(predicate: #Predicate { $0.name != "z" }, sortBy: [SortDescriptor(\.name)]))
        #expect(found.map(\.name) == ["a", "b"])
        // The store never saw a request with a condition or an order.
        #expect(record.calls.allSatisfy { !$0.isFiltered && !$0.isSorted })
    }

    @Test func theGuardRefusesValuesBeyondTheLimit() throws {
        final class Small: StoreLayer {
            let strict = StoreGuard()
            func willCall(_ call: StoreCall) throws {
                var call = call
                call.capabilities.maximumValueSize = 10
                try strict.willCall(call)
            }
        }
        let context = ModelContext(try Shape.rows.container(Small()))
        context.insert(Lamp("0123456789"))
        try context.save()
        context.insert(Lamp("0123456789a"))
        #expect(throws: SwiftDataError.valueTooLarge) { try context.save() }
    }

    @Test func layersAreOutermostFirst() throws {
        let faults = StoreFaults()
        let (outer, inner) = (StoreRecord(), StoreRecord())
        let container = try Shape.rows.container(outer, faults, inner)
        faults.fail(.save, .after)
        let context = ModelContext(container)
        context.insert(Lamp("a"))
        #expect(throws: StoreFaults.Fault.self) { try context.save() }
        #expect(inner.counts.saves == 1 && outer.counts.saves == 0)
    }
}
