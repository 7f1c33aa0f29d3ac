import Coffer
import Foundation
import Testing

/// The first version of a program's values.
enum EarlierValues {
    struct Size: Codable, Hashable {
        var width: Int
        var unit: String
    }

    enum Form: Codable, Hashable {
        case flat
        case round(radius: Int)
    }

    @Model final class Crate {
        var size: Size
        var lid: Size?
        var form: Form
        var history: [Size]
        var byName: [String: Size]
        init() {
            size = Size(width: 3, unit: "cm")
            form = .round(radius: 2)
            history = [Size(width: 1, unit: "m")]
            byName = ["a": Size(width: 2, unit: "mm")]
        }
    }
}

/// The next one: a member is gone, one is new and optional, one is new and has a default; a case is new.
enum LaterValues {
    struct Size: Codable, Hashable {
        var width: Int
        var height: Int?
        var scale = 1.0

        init(width: Int, height: Int? = nil) {
            self.width = width
            self.height = height
        }

        init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            width = try values.decode(Int.self, forKey: .width)
            height = try values.decodeIfPresent(Int.self, forKey: .height)
            scale = try values.decodeIfPresent(Double.self, forKey: .scale) ?? 1
        }
    }

    enum Form: Codable, Hashable {
        case flat
        case round(radius: Int)
        case box(sides: [Int])
    }

    @Model final class Crate {
        var size: Size
        var lid: Size?
        var form: Form
        var history: [Size]
        var byName: [String: Size]
        init(_ size: Size) {
            self.size = size
            form = .box(sides: [1])
            history = []
            byName = [:]
        }
    }

    /// Needs a member that no old row has.
    enum Strict {
        struct Size: Codable, Hashable {
            var width: Int
            var depth: Int
        }

        @Model final class Crate {
            var size: Size
            init(_ size: Size) { self.size = size }
        }
    }
}

@Suite("Values whose type has another shape than when they were stored")
struct ShapeEvolutionTests {
    static func make(_ store: TestStore) throws -> TestPlace {
        try store.needsPlace()
        let place = try TestPlace(store, EarlierValues.Crate.self)
        let context = place.context()
        context.insert(EarlierValues.Crate())
        try context.save()
        return place
    }

    @Test(
        "are read: new members are missing or have their defaults, old ones are passed over", arguments: TestStore.all)
    func read(_ store: TestStore) throws {
        let place = try Self.make(store)
        let context = try place.reopen(as: LaterValues.Crate.self)
        let crate = try context.only(LaterValues.Crate.self)
        #expect(crate.size == LaterValues.Size(width: 3) && crate.size.scale == 1)
        #expect(crate.lid == nil)
        #expect(crate.form == .round(radius: 2))
        #expect(crate.history == [LaterValues.Size(width: 1)])
        #expect(crate.byName == ["a": LaterValues.Size(width: 2)])
        crate.size.height = 9
        crate.form = .box(sides: [1, 2])
        context.insert(LaterValues.Crate(LaterValues.Size(width: 5, height: 6)))
        try context.save()
        let again = try place.reopen(as: LaterValues.Crate.self)
        let heights = try again.all(LaterValues.Crate.self).map(\.size.height)
        #expect(Set(heights) == [9, 6])
        #expect(try again.count(LaterValues.Crate.self, where: #Predicate { $0.size.height == 9 }) == 1)
        #expect(try again.count(LaterValues.Crate.self, where: #Predicate { $0.size.width > 3 }) == 1)
    }

    @Test("that cannot be read keep the store from being opened, and the rows stay", arguments: TestStore.migrating)
    func refusedAtOpening(_ store: TestStore) throws {
        let place = try TestPlace(store, ShrunkValues.Crate.self)
        let context = place.context()
        context.insert(ShrunkValues.Crate(ShrunkValues.Size(width: 2)))
        try context.save()
        let error = try #require(
            #expect(throws: SwiftDataError.self) { try place.reopen(as: LaterValues.Strict.Crate.self) })
        #expect(error.code == .migrationFailure && error.entity == "Crate" && error.property == "size")
        #expect(try place.reopen(as: ShrunkValues.Crate.self).only(ShrunkValues.Crate.self).size.width == 2)
    }

    @Test("that lost the case of a stored value are named by the fetch, with the store", arguments: TestStore.migrating)
    func lostCase(_ store: TestStore) throws {
        let place = try TestPlace(store, BroadMarks.Parcel.self)
        let context = place.context()
        context.insert(BroadMarks.Parcel(.weight(3)))
        try context.save()
        let newer = try place.reopen(as: NarrowMarks.Parcel.self)
        let error = try #require(
            #expect(throws: SwiftDataError.self) { try newer.fetch(FetchDescriptor<NarrowMarks.Parcel>()) })
        #expect(error.code == .valueDecoding && error.entity == "Parcel" && error.property == "mark")
        #expect(error.operation == .fetch && error.store != nil, "\(error)")
    }

    @Test("that cannot be read are named by the fetch of a store that keeps no schema", arguments: [TestStore.plain])
    func refused(_ store: TestStore) throws {
        let place = try TestPlace(store, LaterValues.Strict.Crate.self)
        try store.needsPlace()
        let context = place.context()
        context.insert(LaterValues.Strict.Crate(LaterValues.Strict.Size(width: 1, depth: 1)))
        try context.save()
        // An older program's values come in: the member is missing.
        let older = try place.reopen(as: ShrunkValues.Crate.self)
        try older.only(ShrunkValues.Crate.self).size = ShrunkValues.Size(width: 2)
        try older.save()
        let newer = try place.reopen(as: LaterValues.Strict.Crate.self)
        let error = try #require(
            #expect(throws: SwiftDataError.self) { try newer.fetch(FetchDescriptor<LaterValues.Strict.Crate>()) })
        #expect(error.code == .valueDecoding && error.entity == "Crate" && error.property == "size")
        #expect("\(error)".contains("depth"))
        #expect(try place.reopen(as: ShrunkValues.Crate.self).only(ShrunkValues.Crate.self).size.width == 2)
    }
}

enum BroadMarks {
    enum Mark: Codable, Hashable {
        case plain
        case weight(Int)
    }
    @Model final class Parcel {
        var mark: Mark
        init(_ mark: Mark) { self.mark = mark }
    }
}

enum NarrowMarks {
    enum Mark: Codable, Hashable {
        case plain
    }
    @Model final class Parcel {
        var mark: Mark
        init(_ mark: Mark) { self.mark = mark }
    }
}

enum ShrunkValues {
    struct Size: Codable, Hashable { var width: Int }

    @Model final class Crate {
        var size: Size
        init(_ size: Size) { self.size = size }
    }
}
