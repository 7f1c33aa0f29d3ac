import Foundation
import SwiftData
import XCTest

@Model
final class Sample {
    @Attribute(.unique) var id: UUID
    var title: String
    var created: Date

    init(id: UUID = UUID(), title: String, created: Date = .now) {
        self.id = id
        self.title = title
        self.created = created
    }
}

/// Tests of a program's own, as they are written with XCTest: a container and a context for each test.
final class XCTestShapeTests: XCTestCase {
    private var container: ModelContainer!
    private var context: ModelContext!

    override func setUpWithError() throws {
        let configuration = ModelConfiguration(isStoredInMemoryOnly: true)
        container = try ModelContainer(for: Sample.self, configurations: configuration)
        context = ModelContext(container)
    }

    override func tearDown() {
        context = nil
        container = nil
    }

    func testTheMainContextBelongsToTheMainActor() async throws {
        let container = try XCTUnwrap(container)
        let count = try await MainActor.run { try container.mainContext.fetchCount(FetchDescriptor<Sample>()) }
        XCTAssertEqual(count, 0)
    }

    func testInsertAndFetch() throws {
        let sample = Sample(title: "a")
        context.insert(sample)
        try context.save()
        let found = try context.fetch(FetchDescriptor<Sample>(sortBy: [SortDescriptor(\.created)]))
        XCTAssertEqual(found.map(\.title), ["a"])
        XCTAssertTrue(found.first === sample)
    }

    func testEveryTestHasAStoreOfItsOwn() throws {
        XCTAssertEqual(try context.fetchCount(FetchDescriptor<Sample>()), 0)
        let id = UUID()
        context.insert(Sample(id: id, title: "a"))
        try context.save()
        context.insert(Sample(id: id, title: "b"))
        try context.save()
        let found = try context.fetch(FetchDescriptor<Sample>(predicate: #Predicate { $0.id == id }))
        XCTAssertEqual(found.map(\.title), ["b"])
    }
}
