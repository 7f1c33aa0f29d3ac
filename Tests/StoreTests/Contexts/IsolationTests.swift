import Coffer
import Foundation
import Synchronization
import Testing

#if DEBUG
@Model final class Packet {
    var number: Int
    var next: Packet?
    init(_ number: Int) { self.number = number }
}

@ModelActor actor Sorter {
    func prepare(_ reports: Reports) { modelContext.misuseReporter = { reports.add($0) } }

    func add(_ number: Int) throws -> Int {
        modelContext.insert(Packet(number))
        try modelContext.save()
        return try modelContext.count(Packet.self)
    }
}

/// What was reported.
final class Reports: Sendable {
    private let list = Mutex<[String]>([])
    var all: [String] { list.withLock { $0 } }
    func add(_ message: String) { list.withLock { $0.append(message) } }
}

/// Hands a context to another thread, which only such a test may do.
private struct Smuggled<Value>: @unchecked Sendable {
    let value: Value
}

/// Runs a block on another thread, and waits for its end.
private func elsewhere(_ body: @escaping @Sendable () -> Void) {
    let done = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
        body()
        done.signal()
    }
    done.wait()
}

@Suite("A context that is used from the wrong place")
struct IsolationTests {
    static func make(_ store: TestStore) throws -> (place: TestPlace, context: ModelContext, reports: Reports) {
        let place = try TestPlace(store, Packet.self)
        let context = place.context()
        let reports = Reports()
        context.misuseReporter = { reports.add($0) }
        for number in 0..<3 { context.insert(Packet(number)) }
        try context.save()
        return (place, context, reports)
    }

    @Test("by two threads at once throws, or reports once", arguments: TestStore.all)
    func crowded(_ store: TestStore) throws {
        let (place, context, reports) = try Self.make(store)
        let shared = Smuggled(value: context)
        let errors = Mutex<[SwiftDataError.Code]>([])
        let caught = Smuggled(value: { (body: () throws -> Void) in
            do { try body() } catch let error as SwiftDataError { errors.withLock { $0.append(error.code) } } catch {}
        })
        place.record.duringNextRequest {
            elsewhere {
                let context = shared.value
                caught.value { _ = try context.all(Packet.self) }
                caught.value { _ = try context.count(Packet.self) }
                caught.value { try context.save() }
                caught.value { try context.delete(model: Packet.self) }
                caught.value { try context.update(model: Packet.self) { $0.number = 1 } }
                #expect(reports.all.isEmpty)
                context.insert(Packet(9))
                context.processPendingChanges()
            }
        }
        #expect(try context.count(Packet.self, where: #Predicate { $0.number < 3 }) == 3)
        #expect(errors.withLock { $0 } == Array(repeating: .wrongIsolation, count: 5))
        #expect(reports.all.count == 1)
        #expect(reports.all.first?.contains("two threads") == true)
        #expect(reports.all.first?.contains("insert a model") == true)
        context.rollback()
        #expect(try context.count(Packet.self) == 3, "afterwards it is as good as before")
    }

    @Test("by two threads at once reports a read of a property", arguments: TestStore.all)
    func reading(_ store: TestStore) throws {
        let (place, context, reports) = try Self.make(store)
        let identifier = try context.only(Packet.self, where: #Predicate { $0.number == 0 }).persistentModelID
        let other = place.context()
        other.misuseReporter = { reports.add($0) }
        let unread = Smuggled(value: try #require(other.model(for: identifier) as? Packet))
        place.record.duringNextRequest { elsewhere { _ = unread.value.number } }
        _ = try other.count(Packet.self)
        #expect(reports.all.count == 1)
        #expect(reports.all.first?.contains("read a model") == true)
    }

    @Test("such as the main context off the main actor, throws or reports", arguments: TestStore.all)
    @MainActor func mainElsewhere(_ store: TestStore) throws {
        let place = try TestPlace(store, Packet.self)
        let context = place.container.mainContext
        let reports = Reports()
        context.misuseReporter = { reports.add($0) }
        context.autosaveEnabled = false
        context.insert(Packet(1))
        try context.save()
        #expect(reports.all.isEmpty)
        let shared = Smuggled(value: context)
        let code = Mutex<SwiftDataError.Code?>(nil)
        elsewhere {
            do { _ = try shared.value.count(Packet.self) } catch {
                code.withLock { $0 = (error as? SwiftDataError)?.code }
            }
            shared.value.rollback()
            shared.value.rollback()
        }
        #expect(code.withLock { $0 } == .wrongIsolation)
        #expect(reports.all.count == 1)
        #expect(reports.all.first?.contains("main actor") == true)
    }

    @Test("is not one that is handed over whole", arguments: TestStore.all)
    func handedOver(_ store: TestStore) throws {
        let (_, context, reports) = try Self.make(store)
        let shared = Smuggled(value: context)
        for number in 10..<14 {
            elsewhere {
                shared.value.insert(Packet(number))
                try? shared.value.save()
            }
        }
        #expect(try context.count(Packet.self) == 7)
        #expect(reports.all.isEmpty)
    }

    @Test("is not one whose user waits in a block for somebody who uses it", arguments: TestStore.all)
    func waiting(_ store: TestStore) throws {
        let (_, context, reports) = try Self.make(store)
        let shared = Smuggled(value: context)
        var seen = 0
        try context.enumerate(FetchDescriptor<Packet>()) { _ in
            elsewhere { if (try? shared.value.count(Packet.self)) == 3 { reports.add("counted") } }
            seen += 1
        }
        try context.transaction { elsewhere { shared.value.insert(Packet(3)) } }
        let observer = NotificationCenter.default.addObserver(
            forName: ModelContext.willSave, object: context, queue: nil
        ) { _ in elsewhere { shared.value.insert(Packet(5)) } }
        context.insert(Packet(4))
        try context.save()
        NotificationCenter.default.removeObserver(observer)
        #expect(seen == 3)
        #expect(reports.all == Array(repeating: "counted", count: 3))
        #expect(try context.count(Packet.self) == 6)
    }

    @Test("is not the one of a model actor, whichever threads it runs on", arguments: TestStore.all)
    func actors(_ store: TestStore) async throws {
        let (place, _, reports) = try Self.make(store)
        let sorter = Sorter(modelContainer: place.container)
        await sorter.prepare(reports)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<50 { group.addTask { _ = try await sorter.add(number) } }
            try await group.waitForAll()
        }
        #expect(try await sorter.add(50) == 54)
        #expect(reports.all.isEmpty)
    }

    @Test("is not a main context that the main actor uses after a suspension", arguments: TestStore.all)
    func mainActor(_ store: TestStore) async throws {
        let (place, _, reports) = try Self.make(store)
        let container = place.container
        await MainActor.run { container.mainContext.misuseReporter = { reports.add($0) } }
        for number in 10..<13 {
            try await Task { @MainActor in
                await Task.yield()
                let context = container.mainContext
                context.insert(Packet(number))
                try context.save()
            }.value
        }
        #expect(reports.all.isEmpty)
    }
}
#endif
