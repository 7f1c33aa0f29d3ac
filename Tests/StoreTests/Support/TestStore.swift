import Coffer
import CofferJSON
import CofferLMDB
import Foundation
import Testing

/// A kind of store that every test of this target runs on.
///
/// ```swift
/// @Test(arguments: TestStore.all) func emptyAtFirst(_ store: TestStore) throws {
///     let place = try TestPlace(store, Trip.self)
///     #expect(try place.context().fetchCount(FetchDescriptor<Trip>()) == 0)
/// }
/// ```
struct TestStore: Sendable, CustomTestStringConvertible {
    let name: String
    /// Why nothing can be opened again; nil for a store that keeps its data at a place.
    var withoutPlace: Comment?
    /// What the store does not do; a test that needs it is skipped with the reason.
    var lacks: [Feature: Comment] = [:]
    /// A configuration for a store in a folder of its own, which writes down what it is asked for.
    let configuration: @Sendable (URL, Record) -> any DataStoreConfiguration

    /// What some tests need and not every store has.
    enum Feature {
        /// A new row whose unique values are taken updates the row that has them.
        case uniqueness
        /// Filters run in the store.
        case filters
        /// Rows are counted without handing them out, related rows come without their owners' being read again.
        case requestsOfItsOwn
    }

    static let all: [TestStore] = rowStores + [plain]

    /// Those that take rows and plans: Coffer's own.
    static let rowStores: [TestStore] = [memory, sqlite, lmdb, json]

    /// How long a writer waits for others: no test shall depend on how busy the machine is.
    private static let patience = Duration.seconds(60)

    static let memory = TestStore(
        name: "memory", withoutPlace: "what is in memory is gone with its container",
        configuration: { RecordingConfiguration(InMemoryStoreConfiguration("memory"), record: $1) })

    static let sqlite = TestStore(
        name: "sqlite",
        configuration: {
            var configuration = SQLiteStoreConfiguration("sqlite", url: $0.appendingPathComponent("test.sqlite"))
            configuration.busyTimeout = patience
            return RecordingConfiguration(configuration, record: $1)
        })

    static let lmdb = TestStore(
        name: "lmdb",
        configuration: {
            var configuration = LMDBStoreConfiguration("lmdb", url: $0.appendingPathComponent("test.lmdb"))
            configuration.busyTimeout = patience
            return RecordingConfiguration(configuration, record: $1)
        })

    static let json = TestStore(
        name: "json",
        configuration: {
            var configuration = JSONArchiveConfiguration("json", url: $0.appendingPathComponent("test.json"))
            configuration.busyTimeout = patience
            return RecordingConfiguration(configuration, record: $1)
        })

    /// A dictionary behind SwiftData's own protocols: no rows, no plans, nothing that Coffer adds.
    static let plain = TestStore(
        name: "plain",
        lacks: [
            .uniqueness: "SwiftData leaves uniqueness to the store, and this one does nothing about it",
            .requestsOfItsOwn: "the store knows no request but to hand out every row of an entity",
        ],
        configuration: { PlainConfiguration(folder: $0, record: $1) })

    var testDescription: String { name }

    /// Ends the test, as skipped, on a store that lacks something the test is about.
    func needs(_ feature: Feature) throws {
        if let reason = lacks[feature] { try Test.cancel(reason) }
    }

    /// Ends the test, as skipped, on a store that has nothing to open again.
    func needsPlace() throws {
        if let withoutPlace { try Test.cancel(withoutPlace) }
    }
}
