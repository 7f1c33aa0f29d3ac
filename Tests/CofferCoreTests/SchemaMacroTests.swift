import CofferCore
import Foundation
import Observation
import Testing

/// The schema of classes that `@Model` expanded.
@Suite struct SchemaMacroTests {
    @Model final class Album {
        @Attribute(.unique, originalName: "name") var title: String
        var year = 2000
        var note: String?
        var genre: Genre = .other
        var cover: Data?
        @Relationship(deleteRule: .cascade, inverse: \Song.album) var songs: [Song] = []
        var artist: Artist?
        @Transient var plays = 0

        #Index<Album>([\.title], [\.year, \.title])
        #Unique<Album>([\.year, \.title])

        init(title: String) { self.title = title }
    }

    @Model final class Song {
        var title: String
        var album: Album?
        init(title: String) { self.title = title }
    }

    @Model class Artist {
        var name: String
        var albums: [Album] = []
        init(name: String) { self.name = name }
    }

    @Model final class Band: Artist {
        var members: [String] = []
        override init(name: String) { super.init(name: name) }
    }

    enum Genre: String, Codable { case jazz, other }

    @Test func aSchemaOfModelClasses() throws {
        let schema = Schema([Album.self, Band.self], version: .init(1, 2, 0))
        try schema.validate()
        #expect(Set(schema.entities.map(\.name)) == ["Album", "Song", "Artist", "Band"])
        let album = try #require(schema.entity(for: Album.self))
        #expect(album.storedProperties.map(\.name) == ["title", "year", "note", "genre", "cover", "songs", "artist"])
        #expect(album.attributesByName["title"]?.originalName == "name")
        #expect(album.attributesByName["year"]?.defaultValue as? Int == 2000)
        #expect(album.attributesByName["genre"]?.defaultValue as? Genre == .other)
        #expect(album.attributesByName["note"]?.isOptional == true)
        #expect(album.indices == [["title"], ["year", "title"]])
        #expect(album.uniquenessConstraints == [["title"], ["year", "title"]])
        #expect(album.relationshipsByName["songs"]?.inverseName == "album")
        #expect(album.relationshipsByName["artist"]?.inverseName == "albums")
        let band = try #require(schema.entity(for: Band.self))
        #expect(band.superentityName == "Artist")
        #expect(band.properties.map(\.name) == ["name", "albums", "members"])
        let copy = try JSONDecoder().decode(Schema.self, from: JSONEncoder().encode(schema))
        #expect(copy == schema)
    }

    @Test func constraintsAreReadBack() throws {
        let unique = Schema.Unique<Album>([\.title], [\.year, \.title])
        #expect(try JSONDecoder().decode(Schema.Unique<Album>.self, from: JSONEncoder().encode(unique)) == unique)
    }
}
