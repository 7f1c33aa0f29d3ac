import Coffer
import CofferCore
import Foundation
import Synchronization
import Testing

@Suite("A migration that is stopped")
struct StoppedMigrationTests {
    private struct Stop: Error {}

    private static let old = Schema(versionedSchema: PetsV1.self)
    private static let new = Schema(versionedSchema: PetsV2.self)

    private func migrate(
        _ site: MigrationSite, at observer: @escaping @Sendable (MigrationPoint) throws -> Void
    ) throws {
        try MigrationPoint.$observer.withValue(observer) {
            try StageLog.$current.withValue(StageLog()) {
                try site.open(Self.new, plan: PetsPlan.self) { _ in }
            }
        }
    }

    /// All points that a migration passes, in order.
    private func points(_ store: TestStore) throws -> [MigrationPoint] {
        let passed = Mutex<[MigrationPoint]>([])
        try migrate(StagedMigrationTests.make(store)) { point in passed.withLock { $0.append(point) } }
        return passed.withLock { $0 }
    }

    @Test("by a failure at any point leaves the old store to the byte, or the new one", arguments: TestStore.migrating)
    func failures(_ store: TestStore) throws {
        let points = try points(store)
        #expect(points.first == .held && points.last == .replaced && points.count > 10)
        for number in points.indices {
            let site = try StagedMigrationTests.make(store)
            let before = try site.files()
            let reached = Mutex(0)
            #expect(throws: Stop.self) {
                try migrate(site) { _ in
                    let isHere = reached.withLock { reached in
                        defer { reached += 1 }
                        return reached == number
                    }
                    if isHere { throw Stop() }
                }
            }
            if points[number] == .replaced {
                try site.open(Self.new) { try StagedMigrationTests.expectNew($0) }
                continue
            }
            #expect(try site.files() == before, "\(points[number])")
            try site.open(Self.old) { try StagedMigrationTests.expectOld($0) }
        }
    }

    @Test("by the death of the process at any point leaves one of the two stores", arguments: TestStore.migrating)
    func deaths(_ store: TestStore) throws {
        let site = try StagedMigrationTests.make(store)
        let before = try site.files()
        // The observer runs on this thread.
        nonisolated(unsafe) var states: [(MigrationPoint, MigrationSite)] = []
        nonisolated(unsafe) let shared = site
        try migrate(site) { point in
            states.append((point, try MigrationSite(copying: shared)))
        }
        for (point, state) in states {
            if point == .replaced {
                try state.open(Self.new) { try StagedMigrationTests.expectNew($0) }
                continue
            }
            // The old file is what it was, whatever else lies beside it.
            let files = try state.files()
            for (name, data) in before { #expect(files[name] == data, "\(point): \(name)") }
            let another = try MigrationSite(copying: state)
            try state.open(Self.old) { try StagedMigrationTests.expectOld($0) }
            try StageLog.$current.withValue(StageLog()) {
                try another.open(Self.new, plan: PetsPlan.self) { try StagedMigrationTests.expectNew($0) }
            }
            let rest = try FileManager.default.contentsOfDirectory(atPath: another.folder.path)
            #expect(!rest.contains { $0.contains("migrating") }, "\(point): \(rest)")
        }
    }
}
