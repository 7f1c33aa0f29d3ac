import Coffer
import Foundation
import Testing

@Model final class Album {
    var title: String
    @Relationship(inverse: \Genre.albums) var genres: [Genre] = []
    @Relationship(inverse: \Track.album) var tracks: [Track] = []
    init(_ title: String) { self.title = title }
}

@Model final class Genre {
    @Attribute(.unique) var name: String
    var albums: [Album] = []
    init(_ name: String) { self.name = name }
}

@Model final class Track {
    @Attribute(.unique) var code: String
    var album: Album?
    var seconds: Int
    init(_ code: String, _ seconds: Int = 0) {
        self.code = code
        self.seconds = seconds
    }
}

@Suite("The order of a list in which a new model turns out to be a stored one")
struct UpsertOrderTests {
    @Test("is that of the first places", arguments: TestStore.all)
    func firstPlace(_ store: TestStore) throws {
        try store.needs(.uniqueness)
        let place = try TestPlace(store, Album.self)
        let context = place.context()
        let album = Album("x")
        context.insert(album)
        album.genres = [Genre("a"), Genre("b"), Genre("a")]
        album.tracks = [Track("1"), Track("2"), Track("3")]
        try context.save()
        for context in try [context] + place.newContexts() {
            #expect(try context.only(Album.self).genres.map(\.name) == ["a", "b"])
        }
        album.genres.append(Genre("a"))
        album.tracks += [Track("2", 22), Track("1", 11)]
        try context.save()
        for context in try [context] + place.newContexts() {
            let album = try context.only(Album.self)
            #expect(album.genres.map(\.name) == ["a", "b"])
            #expect(album.tracks.map(\.code) == ["1", "2", "3"])
            #expect(album.tracks.map(\.seconds) == [11, 22, 0])
        }
        // A new first place is one, too.
        album.tracks.insert(Track("3", 33), at: 0)
        try context.save()
        for context in try place.newContexts() {
            #expect(try context.only(Album.self).tracks.map(\.code) == ["3", "1", "2"])
        }
    }
}
