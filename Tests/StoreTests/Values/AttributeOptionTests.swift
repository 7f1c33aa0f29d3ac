import Coffer
import Foundation
import Testing

/// A type that only a transformer can store.
struct Tint: Equatable {
    var red: UInt8
    var green: UInt8
}

final class TintTransformer: ValueTransformer {
    override class func allowsReverseTransformation() -> Bool { true }
    override func transformedValue(_ value: Any?) -> Any? { (value as? Tint).map { Data([$0.red, $0.green]) } }
    override func reverseTransformedValue(_ value: Any?) -> Any? {
        guard let data = value as? Data, data.count == 2 else { return nil }
        return Tint(red: data[data.startIndex], green: data[data.startIndex + 1])
    }
}

/// Orders by its rank, which the coded form does not show.
enum Temper: String, Codable { case calm, wild }

@Model final class Poster {
    @Attribute(.preserveValueOnDeletion, .spotlight) var title: String
    @Attribute(.allowsCloudEncryption) var secret: String?
    @Attribute(.externalStorage) var picture: Data
    @Attribute(.externalStorage) var back: Data?
    @Attribute(.externalStorage) var text: String = ""
    @Attribute(.ephemeral) var zoom: Int = 100
    @Attribute(.ephemeral) var note: String?
    @Attribute(.transformable(by: TintTransformer.self)) var tint: Tint
    @Attribute(.transformable(by: "StoreTests.Tint")) var border: Tint?
    @Attribute(.codable) var mood: Temper
    @Attribute(.codable) var spot: Spot?
    @Attribute(.codable) var count: Int = 0
    init(_ title: String, picture: Data = Data(), mood: Temper = .calm) {
        self.title = title
        self.picture = picture
        self.mood = mood
        tint = Tint(red: 1, green: 2)
    }
}

@Suite("Options of attributes")
struct AttributeOptionTests {
    static let large = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 13) })

    static func make(_ store: TestStore, _ edit: (Poster) -> Void = { _ in }) throws -> (
        place: TestPlace, context: ModelContext, poster: Poster
    ) {
        ValueTransformer.setValueTransformer(
            TintTransformer(), forName: NSValueTransformerName("StoreTests.Tint"))
        let place = try TestPlace(store, Poster.self)
        let context = place.context()
        let poster = Poster("a", picture: large)
        context.insert(poster)
        edit(poster)
        try context.save()
        return (place, context, poster)
    }

    // MARK: Ephemeral

    @Test("an ephemeral value counts as a change, and is the default after a fetch", arguments: TestStore.all)
    func ephemeral(_ store: TestStore) throws {
        let (place, context, poster) = try Self.make(store) {
            $0.zoom = 50
            $0.note = "n"
        }
        #expect(poster.zoom == 50 && poster.note == "n")
        poster.zoom = 50
        #expect(!context.hasChanges)
        poster.zoom = 25
        #expect(context.hasChanges && poster.hasChanges)
        try context.save()
        #expect(!context.hasChanges && poster.zoom == 25)
        for context in try place.newContexts() {
            let read = try context.only(Poster.self)
            let counts = place.record.during { #expect(read.zoom == 100 && read.note == nil) }
            #expect(counts.requests == 0)
            read.zoom = 3
            #expect(context.hasChanges)
            try context.save()
        }
    }

    @Test("an ephemeral value outlives a refresh; rolling back gives the default", arguments: TestStore.all)
    func ephemeralRefresh(_ store: TestStore) throws {
        let (place, context, poster) = try Self.make(store) { $0.zoom = 50 }
        let other = place.context()
        try other.only(Poster.self).title = "b"
        try other.save()
        #expect(try context.only(Poster.self) === poster)
        #expect(poster.title == "b" && poster.zoom == 50)
        poster.zoom = 7
        context.rollback()
        #expect(poster.zoom == 100 && poster.title == "b" && !context.hasChanges)
    }

    @Test("a filter and an order by an ephemeral value see what is in memory", arguments: TestStore.all)
    func ephemeralFilter(_ store: TestStore) throws {
        let (_, context, poster) = try Self.make(store)
        context.insert(Poster("b"))
        poster.zoom = 7
        #expect(try context.all(Poster.self, where: #Predicate { $0.zoom < 50 }).map(\.title) == ["a"])
        #expect(try context.all(Poster.self, by: SortDescriptor(\.zoom)).map(\.title) == ["a", "b"])
        try context.save()
        #expect(try context.count(Poster.self, where: #Predicate { $0.zoom < 50 }) == 1)
    }

    // MARK: Transformable

    @Test("a transformed value round-trips, by class and by name", arguments: TestStore.all)
    func transformable(_ store: TestStore) throws {
        let (place, context, poster) = try Self.make(store) { $0.border = Tint(red: 9, green: 8) }
        for context in try place.newContexts() {
            let read = try context.only(Poster.self)
            #expect(read.tint == Tint(red: 1, green: 2) && read.border == Tint(red: 9, green: 8))
        }
        poster.tint.red = 200
        poster.border = nil
        try context.save()
        for context in try place.newContexts() {
            let read = try context.only(Poster.self)
            #expect(read.tint == Tint(red: 200, green: 2) && read.border == nil)
        }
    }

    @Test("a transformed value that was not fetched loads when it is read", arguments: TestStore.all)
    func transformablePartly(_ store: TestStore) throws {
        let (place, _, _) = try Self.make(store) { $0.border = Tint(red: 9, green: 8) }
        var descriptor = FetchDescriptor<Poster>()
        descriptor.propertiesToFetch = [\.title]
        let read = try #require(place.context().fetch(descriptor).first)
        #expect(read.tint == Tint(red: 1, green: 2) && read.border == Tint(red: 9, green: 8))
    }

    @Test("a transformer that is not registered is named", arguments: TestStore.all)
    func missingTransformer(_ store: TestStore) throws {
        let place = try TestPlace(store, Unregistered.self)
        let context = place.context()
        context.insert(Unregistered(Tint(red: 1, green: 1)))
        let error = try #require(#expect(throws: SwiftDataError.self) { try context.save() })
        #expect(error.code == .valueEncoding)
        #expect(error.entity == "Unregistered" && error.property == "tint")
        #expect(error.operation == .save && error.store != nil)
        #expect("\(error)".contains("StoreTests.Nobody"))
        #expect(context.hasChanges)
    }

    // MARK: Codable

    @Test("a coded value round-trips, whatever its type", arguments: TestStore.all)
    func codable(_ store: TestStore) throws {
        let (place, context, poster) = try Self.make(store) {
            $0.mood = .wild
            $0.count = -7
        }
        for context in try place.newContexts() {
            let read = try context.only(Poster.self)
            #expect(read.mood == .wild && read.count == -7 && read.spot == nil)
        }
        poster.spot = Spot(x: 1, label: nil)
        poster.count += 1
        try context.save()
        for context in try place.newContexts() {
            let read = try context.only(Poster.self)
            #expect(read.spot == Spot(x: 1, label: nil) && read.count == -6)
            read.count = -6
            #expect(!context.hasChanges)
        }
    }

    @Test("a coded value is closed to filters and orders, by name", arguments: TestStore.all)
    func codableFilter(_ store: TestStore) throws {
        let (place, context, _) = try Self.make(store)
        func refuses(_ code: SwiftDataError.Code, _ property: String, _ body: () throws -> Void) {
            let error = #expect(throws: SwiftDataError.self) { try body() }
            #expect(error?.code == code && error?.entity == "Poster" && error?.property == property)
        }
        let calm = Temper.calm
        refuses(.unsupportedPredicate, "mood") {
            _ = try context.all(Poster.self, where: #Predicate { $0.mood == calm })
        }
        refuses(.unsupportedPredicate, "count") {
            _ = try context.count(Poster.self, where: #Predicate { $0.count > 1 })
        }
        refuses(.unsupportedPredicate, "spot") {
            _ = try context.fetchIdentifiers(FetchDescriptor<Poster>(predicate: #Predicate { $0.spot?.x == 1 }))
        }
        refuses(.unsupportedPredicate, "count") {
            try context.delete(model: Poster.self, where: #Predicate { $0.title == "a" && $0.count == 0 })
        }
        refuses(.unsupportedSortDescriptor, "count") { _ = try context.all(Poster.self, by: SortDescriptor(\.count)) }
        #expect(!context.hasChanges)
        #expect(try place.context().count(Poster.self) == 1)
    }

    // MARK: External storage

    @Test("large data round-trips and changes", arguments: TestStore.all)
    func external(_ store: TestStore) throws {
        let (place, context, poster) = try Self.make(store) { $0.text = String(repeating: "é", count: 50_000) }
        for context in try place.newContexts() {
            let read = try context.only(Poster.self)
            #expect(read.picture == Self.large && read.back == nil && read.text.count == 50_000)
        }
        poster.back = Self.large
        poster.picture = Data([1])
        try context.save()
        for context in try place.newContexts() {
            let read = try context.only(Poster.self)
            #expect(read.picture == Data([1]) && read.back == Self.large)
        }
        let reader = place.context()
        let read = try reader.only(Poster.self)
        read.back = Self.large
        try reader.save()
        reader.delete(read)
        #expect(read.back == Self.large)
        try reader.save()
        #expect(read.back == Self.large && read.modelContext == nil)
        #expect(try place.context().count(Poster.self) == 0)
    }

    @Test("a filter by large data is right, with and without unsaved changes", arguments: TestStore.all)
    func externalFilter(_ store: TestStore) throws {
        let (place, _, _) = try Self.make(store) { $0.back = Self.large }
        let context = place.context()
        context.insert(Poster("b", picture: Data([1, 2])))
        try context.save()
        let (large, small) = (Self.large, Data([1, 2]))
        for context in try place.newContexts() {
            func titles(_ predicate: Predicate<Poster>) throws -> [String] {
                try context.all(Poster.self, by: SortDescriptor(\.title), where: predicate).map(\.title)
            }
            #expect(try titles(#Predicate { $0.picture == large }) == ["a"])
            #expect(try titles(#Predicate { $0.picture != large }) == ["b"])
            #expect(try titles(#Predicate { $0.picture == small }) == ["b"])
            #expect(try titles(#Predicate { $0.picture.count > 2 }) == ["a"])
            #expect(try titles(#Predicate { $0.back == nil }) == ["b"])
            #expect(try titles(#Predicate { $0.back != nil }) == ["a"])
            #expect(try titles(#Predicate { $0.back == large && $0.title == "a" }) == ["a"])
            try context.only(Poster.self, where: #Predicate { $0.title == "b" }).back = large
            #expect(try titles(#Predicate { $0.back == large }) == ["a", "b"])
            context.rollback()
            #expect(try titles(#Predicate { $0.back == large }) == ["a"])
        }
    }

    @Test("large data comes along where it is asked for", arguments: TestStore.all)
    func externalProperties(_ store: TestStore) throws {
        let (place, _, _) = try Self.make(store)
        var descriptor = FetchDescriptor<Poster>()
        descriptor.propertiesToFetch = [\.title, \.picture]
        let read = try #require(place.context().fetch(descriptor).first)
        let counts = place.record.during { #expect(read.picture == Self.large) }
        #expect(counts.requests == 0)
        #expect(read.secret == nil && read.count == 0)
    }

    @Test("uniqueness and indexes over external data are refused, naming the property", arguments: TestStore.all)
    func externalConstraints(_ store: TestStore) throws {
        let unique = #expect(throws: SwiftDataError.self) { try TestPlace(store, UniqueScan.self) }
        #expect("\(try #require(unique))".contains("scan"))
        let indexed = #expect(throws: SwiftDataError.self) { try TestPlace(store, IndexedScan.self) }
        #expect("\(try #require(indexed))".contains("scan"))
    }

    // MARK: What says something to others

    @Test("options without a meaning here are kept in the schema and change nothing", arguments: TestStore.all)
    func others(_ store: TestStore) throws {
        let (place, context, poster) = try Self.make(store) { $0.secret = "s" }
        let attributes = try #require(place.container.schema.entitiesByName["Poster"]).attributesByName
        #expect(attributes["title"]?.options == [.preserveValueOnDeletion, .spotlight])
        #expect(attributes["secret"]?.options == [.allowsCloudEncryption])
        for context in try place.newContexts() {
            #expect(try context.count(Poster.self, where: #Predicate { $0.title == "a" && $0.secret == "s" }) == 1)
        }
        context.delete(poster)
        try context.save()
        #expect(poster.title == "a" && poster.secret == "s")
    }
}

@Model final class Unregistered {
    @Attribute(.transformable(by: "StoreTests.Nobody")) var tint: Tint
    init(_ tint: Tint) { self.tint = tint }
}

@Model final class UniqueScan {
    @Attribute(.unique, .externalStorage) var scan: Data
    init(_ scan: Data) { self.scan = scan }
}

@Model final class IndexedScan {
    #Index<IndexedScan>([\.scan])
    @Attribute(.externalStorage) var scan: Data
    init(_ scan: Data) { self.scan = scan }
}
