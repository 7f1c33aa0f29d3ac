import Coffer
import Foundation
import Testing

@testable import StoreNeighbour

@Suite("What others save")
struct RemoteChangeTests {
    typealias Transaction = DefaultHistoryTransaction

    private static func place(_ store: TestStore) throws -> TestPlace {
        let place = try TestPlace(store, Told.Doc.self, Told.Shelf.self)
        let context = place.context()
        let shelf = Told.Shelf("s")
        context.insert(shelf)
        for code in ["a", "b"] {
            let doc = Told.Doc(code)
            context.insert(doc)
            doc.shelf = shelf
        }
        try context.save()
        return place
    }

    @Test("in another container arrives in the models that are in memory", arguments: TestStore.migrating)
    func models(_ store: TestStore) throws {
        let place = try Self.place(store)
        let context = place.context()
        let docs = try context.all(Told.Doc.self, by: SortDescriptor(\.code))
        let shelf = try context.only(Told.Shelf.self)
        #expect(shelf.docs.count == 2)
        docs[0].name = "unsaved"

        let other = try place.reopen()
        let theirs = try other.all(Told.Doc.self, by: SortDescriptor(\.code))
        (theirs[0].name, theirs[0].size) = ("their name", 5)
        other.delete(theirs[1])
        let new = Told.Doc("c")
        other.insert(new)
        new.shelf = try other.only(Told.Shelf.self)
        try other.save()

        try place.container.checkForRemoteChanges()
        #expect(try context.count(Told.Doc.self) == 2)
        // What is not saved yet stays; everything else is as it is stored.
        #expect(docs[0].name == "unsaved" && docs[0].size == 5)
        #expect(docs[1].isDeleted || docs[1].modelContext == nil)
        #expect(Set(shelf.docs.map(\.code)) == ["a", "c"])
        try context.save()
        try other.container.checkForRemoteChanges()
        #expect(try other.count(Told.Doc.self) == 2)
        #expect(theirs[0].name == "unsaved" && theirs[0].size == 5)
    }

    @Test("is looked for without reading what own saves changed", arguments: TestStore.migrating)
    func ownSavesAreNotRead(_ store: TestStore) throws {
        let place = try Self.place(store)
        let context = place.context()
        let container = place.container
        context.insert(Told.Shelf("own"))
        // A look between the moment when a save is there to be read and its end.
        place.record.duringNextRequest {
            #expect(throws: Never.self) { try container.checkForRemoteChanges() }
        }
        let counts = try place.record.during { try context.save() }
        #expect(counts.transactions == 1 && counts.changes == 0)
    }

    @Test("wakes observers and results once, and own saves do not count", arguments: TestStore.migrating)
    func observers(_ store: TestStore) throws {
        let place = try Self.place(store)
        let context = place.context()
        let shelves = try HistoryObserver(
            observedModels: [Told.Shelf.self], authors: ["other"], modelContainer: place.container)
        let docs = try HistoryObserver(observedModels: [Told.Doc.self], modelContainer: place.container)
        let results = try ResultsObserver(fetchDescriptor: FetchDescriptor<Told.Shelf>(), modelContext: context)
        #expect(results.results.count == 1)

        context.insert(Told.Shelf("own"))
        try context.save()
        try place.container.checkForRemoteChanges()
        #expect(shelves.eventCounter == 0)

        let other = try place.reopen()
        other.author = "other"
        other.insert(Told.Shelf("theirs"))
        try other.save()
        // An own save between two looks.
        context.insert(Told.Shelf("own again"))
        try context.save()
        try place.container.checkForRemoteChanges()
        try place.container.checkForRemoteChanges()
        #expect(shelves.eventCounter == 1 && docs.eventCounter == 0)
        #expect(results.results.count == 4)
        let token = try #require(
            try other.told(#Predicate { $0.author == "other" }).last?.token.tokenValue)
        #expect((shelves.historyTokens[try #require(token.keys.first)] as? DefaultHistoryToken)?.tokenValue == token)
    }

    @Test("is taken over as a whole where its history is gone already", arguments: TestStore.migrating)
    func forgotten(_ store: TestStore) throws {
        let place = try Self.place(store)
        let context = place.context()
        let docs = try context.all(Told.Doc.self, by: SortDescriptor(\.code))
        let shelf = try context.only(Told.Shelf.self)
        #expect(shelf.docs.count == 2)
        let other = try place.reopen()
        try other.delete(model: Told.Doc.self, where: #Predicate { $0.code == "b" })
        try other.only(Told.Doc.self).name = "x"
        try other.save()
        try other.deleteHistory(HistoryDescriptor<Transaction>())
        try place.container.checkForRemoteChanges()
        #expect(try context.count(Told.Doc.self) == 1)
        #expect(docs[0].name == "x" && shelf.docs.map(\.code) == ["a"])
        try other.container.erase()
        try place.container.checkForRemoteChanges()
        #expect(try context.count(Told.Shelf.self) == 0)
        #expect(shelf.docs.isEmpty)
    }

    @Test("in many contexts at once is announced once to each other container", arguments: TestStore.migrating)
    func counted(_ store: TestStore) async throws {
        let place = try Self.place(store)
        let others = [try place.reopen().container, try place.reopen().container]
        let containers = [place.container] + others
        // A container follows from its first context on.
        let contexts = containers.map { ModelContext($0) }
        let observers = try containers.map { try HistoryObserver(modelContainer: $0) }
        await withTaskGroup(of: Void.self) { group in
            for (index, container) in containers.enumerated() {
                for writer in 0..<2 {
                    group.addTask {
                        let context = ModelContext(container)
                        for number in 0..<10 {
                            context.insert(Told.Shelf("\(index) \(writer) \(number)"))
                            do { try context.save() } catch { Issue.record(error) }
                        }
                    }
                }
            }
        }
        for container in containers { try container.checkForRemoteChanges() }
        #expect(observers.map(\.eventCounter) == [60, 60, 60])
        #expect(try contexts.map { try $0.count(Told.Shelf.self) } == [61, 61, 61])
    }

    // MARK: Another process

    /// A process beside this one at a store.
    private final class Neighbour {
        private let process = Process()
        private let (input, output) = (Pipe(), Pipe())

        init(_ site: MigrationSite, at path: String) throws {
            process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
                .deletingLastPathComponent().appendingPathComponent("StoreNeighbour")
            process.arguments = [site.store.name, path]
            (process.standardInput, process.standardOutput) = (input, output)
            try process.run()
            #expect(answer() == "ready\n")
        }

        func tell(_ order: String) throws {
            try input.fileHandleForWriting.write(contentsOf: Data((order + "\n").utf8))
            #expect(answer() == "done\n")
        }

        private func answer() -> String {
            var line = Data()
            while let byte = try? output.fileHandleForReading.read(upToCount: 1), !byte.isEmpty {
                line += byte
                if byte[0] == UInt8(ascii: "\n") { break }
            }
            return String(decoding: line, as: UTF8.self)
        }

        deinit {
            try? input.fileHandleForWriting.close()
            process.waitUntilExit()
        }
    }

    @Test(
        "in another process is heard of without asking, and read", .timeLimit(.minutes(10)),
        arguments: TestStore.migrating)
    func process(_ store: TestStore) async throws {
        let site = try MigrationSite(store)
        let container = try ModelContainer(for: Schema([Keg.self]), configurations: [site.configuration])
        let context = ModelContext(container)
        context.insert(Keg("a", 1))
        try context.save()
        let keg = try context.only(Keg.self)
        let neighbour = try Neighbour(site, at: site.path)
        let (news, heard) = AsyncStream.makeStream(of: Void.self)
        let token = NotificationCenter.default.addObserver(
            forName: ModelContainer.remoteChange, object: container, queue: nil
        ) { _ in heard.yield() }
        defer { NotificationCenter.default.removeObserver(token) }
        var iterator = news.makeAsyncIterator()

        try neighbour.tell("set a 2")
        await iterator.next()
        #expect(try context.all(Keg.self).count == 1 && keg.count == 2)
        try neighbour.tell("insert b 3")
        await iterator.next()
        try neighbour.tell("delete a")
        await iterator.next()
        let left = try context.all(Keg.self)
        #expect(left.map { $0.name } == ["b"])
        #expect(keg.modelContext == nil || keg.isDeleted)
        try neighbour.tell("set b 4")
        await iterator.next()
        #expect(try context.only(Keg.self).count == 4)
        #expect(container.remoteChangesError == nil)
        let told = try context.fetchHistory(
            HistoryDescriptor<Transaction>(predicate: #Predicate { $0.author == "neighbour" }))
        #expect(told.count == 4 && Set(told.map { $0.processIdentifier }).count == 1)
        #expect(told.first?.processIdentifier != String(ProcessInfo.processInfo.processIdentifier))
    }
}
