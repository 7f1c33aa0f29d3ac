import Coffer
import Foundation
import Testing

@Model class Leaflet {
    var title: String
    @Attribute(.externalStorage) var cover: Data
    @Attribute(.ephemeral) var zoom: Int = 100
    init(title: String, cover: Data) {
        self.title = title
        self.cover = cover
    }
}

@Model class Slideshow: Leaflet {
    @Attribute(.externalStorage) var slides: Data?
    @Attribute(.codable) var mood: Temper = Temper.calm
    init(title: String, cover: Data, slides: Data?) {
        self.slides = slides
        super.init(title: title, cover: cover)
    }
}

@Model class Film: Leaflet {
    @Attribute(.externalStorage) var reel: Data
    init(title: String, cover: Data, reel: Data) {
        self.reel = reel
        super.init(title: title, cover: cover)
    }
}

@Suite("Options of attributes in a hierarchy")
struct HierarchyOptionTests {
    private static func data(_ seed: UInt8) -> Data { Data((0..<50_000).map { UInt8(truncatingIfNeeded: $0) ^ seed }) }

    @Test("large values of every class are there after a fetch of the base", arguments: TestStore.all)
    func externalValues(_ store: TestStore) throws {
        let place = try TestPlace(store, Leaflet.self, Slideshow.self, Film.self)
        let context = place.context()
        context.insert(Leaflet(title: "a", cover: Self.data(1)))
        context.insert(Slideshow(title: "b", cover: Self.data(2), slides: Self.data(3)))
        context.insert(Slideshow(title: "c", cover: Data(), slides: nil))
        context.insert(Film(title: "d", cover: Self.data(4), reel: Self.data(5)))
        try context.save()

        let found = try place.context().fetch(FetchDescriptor<Leaflet>(sortBy: [SortDescriptor(\.title)]))
        #expect(found.map(\.cover) == [Self.data(1), Self.data(2), Data(), Self.data(4)])
        #expect(found.map { ($0 as? Slideshow)?.slides } == [nil, Self.data(3), nil, nil])
        #expect((found.last as? Film)?.reel == Self.data(5))

        let narrow = try place.context().fetch(
            FetchDescriptor<Leaflet>(predicate: #Predicate { ($0 as? Slideshow)?.slides != nil }))
        #expect(narrow.map(\.title) == ["b"])
    }

    @Test("an ephemeral value of the base is the default in every class", arguments: TestStore.all)
    func ephemeralValues(_ store: TestStore) throws {
        let place = try TestPlace(store, Leaflet.self, Slideshow.self, Film.self)
        let context = place.context()
        let show = Slideshow(title: "b", cover: Data(), slides: nil)
        show.zoom = 50
        show.mood = .wild
        context.insert(show)
        try context.save()
        let found = try #require(try place.context().fetch(FetchDescriptor<Leaflet>()).first as? Slideshow)
        #expect(found.zoom == 100)
        #expect(found.mood == .wild)
    }
}
