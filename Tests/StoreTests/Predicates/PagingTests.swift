import Coffer
import Foundation
import Testing

@Model final class Score {
    var serial: Int
    var points: Int
    init(_ serial: Int, _ points: Int) {
        self.serial = serial
        self.points = points
    }
}

@Suite("Offset and limit")
struct PagingTests {
    static func make(_ store: TestStore) throws -> (place: TestPlace, context: ModelContext) {
        let place = try TestPlace(store, Score.self)
        let context = place.context()
        for serial in 0..<25 { context.insert(Score(serial, serial % 5)) }
        try context.save()
        return (place, context)
    }

    static func page(_ offset: Int?, _ limit: Int?) -> FetchDescriptor<Score> {
        var descriptor = FetchDescriptor<Score>(sortBy: [SortDescriptor(\.points), SortDescriptor(\.serial)])
        descriptor.fetchOffset = offset
        descriptor.fetchLimit = limit
        return descriptor
    }

    @Test("cut pages that join to the whole", arguments: TestStore.all)
    func pages(_ store: TestStore) throws {
        let (place, _) = try Self.make(store)
        let context = place.context()
        let all = try context.fetch(Self.page(nil, nil)).map(\.serial)
        #expect(all == (0..<25).sorted { ($0 % 5, $0) < ($1 % 5, $1) })
        let pages = try [0, 7, 14, 21].map { try context.fetch(Self.page($0, 7)).map(\.serial) }
        #expect(pages.map(\.count) == [7, 7, 7, 4])
        #expect(pages.flatMap { $0 } == all)
        #expect(try context.fetch(Self.page(20, nil)).map(\.serial) == Array(all[20...]))
    }

    @Test("below zero are zero, with unsaved changes and without", arguments: TestStore.all)
    func negative(_ store: TestStore) throws {
        let (_, context) = try Self.make(store)
        for isPending in [false, true] {
            if isPending { context.insert(Score(100, 100)) }
            for limit in [0, -1, Int.min] {
                #expect(try context.fetch(Self.page(nil, limit)).isEmpty)
                #expect(try context.fetchCount(Self.page(nil, limit)) == 0)
                #expect(try context.fetchIdentifiers(Self.page(3, limit)).isEmpty)
            }
            #expect(try context.fetch(Self.page(-3, 2)).map(\.serial) == [0, 5])
            #expect(try context.fetchCount(Self.page(Int.min, 2)) == 2)
        }
    }

    @Test("give nothing past the end", arguments: TestStore.all)
    func pastTheEnd(_ store: TestStore) throws {
        let (_, context) = try Self.make(store)
        for offset in [25, 26, 30, Int.max] {
            #expect(try context.fetch(Self.page(offset, 7)).isEmpty, "\(offset)")
            #expect(try context.fetchCount(Self.page(offset, nil)) == 0, "\(offset)")
            #expect(try context.fetchIdentifiers(Self.page(offset, 1)).isEmpty, "\(offset)")
        }
        #expect(try context.fetch(Self.page(20, Int.max)).count == 5)
        #expect(try context.fetch(Self.page(0, 0)).isEmpty)
    }

    @Test("apply to counts and identifiers alike", arguments: TestStore.all)
    func countsAndIdentifiers(_ store: TestStore) throws {
        let (place, _) = try Self.make(store)
        let context = place.context()
        let last = Self.page(21, 7)
        #expect(try context.fetchCount(last) == 4)
        #expect(try context.fetchIdentifiers(last) == context.fetch(last).map(\.persistentModelID))
        #expect(try place.context().fetchIdentifiers(last).count == 4)
    }

    @Test("count unsaved changes first", arguments: TestStore.all)
    func pendingChanges(_ store: TestStore) throws {
        let (_, context) = try Self.make(store)
        context.insert(Score(100, -1))
        context.delete(try context.only(Score.self, where: #Predicate { $0.serial == 0 }))
        let moved = try context.only(Score.self, where: #Predicate { $0.serial == 1 })
        moved.points = 99
        let expected = [100] + (2..<25).sorted { ($0 % 5, $0) < ($1 % 5, $1) } + [1]
        let pages = try [0, 7, 14, 21].map { try context.fetch(Self.page($0, 7)).map(\.serial) }
        #expect(pages.flatMap { $0 } == expected)
        #expect(pages.map(\.count) == [7, 7, 7, 4])
        for offset in [0, 7, 14, 21] {
            #expect(try context.fetchCount(Self.page(offset, 7)) == pages[offset / 7].count)
            let identifiers = try context.fetchIdentifiers(Self.page(offset, 7))
            let models = identifiers.map { context.model(for: $0) as? Score }
            #expect(models.map { $0?.serial } == pages[offset / 7])
        }
    }

    @Test("follow a filter", arguments: TestStore.all)
    func filtered(_ store: TestStore) throws {
        let (_, context) = try Self.make(store)
        var descriptor = FetchDescriptor<Score>(
            predicate: #Predicate { $0.points > 2 }, sortBy: [SortDescriptor(\.serial, order: .reverse)])
        descriptor.fetchOffset = 1
        descriptor.fetchLimit = 3
        #expect(try context.fetch(descriptor).map(\.serial) == [23, 19, 18])
        #expect(try context.fetchCount(descriptor) == 3)
    }
}
