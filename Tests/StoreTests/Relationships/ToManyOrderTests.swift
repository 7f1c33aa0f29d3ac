import Coffer
import Foundation
import Testing

@Model final class Playlist {
    var name: String
    @Relationship(inverse: \Song.list) var songs: [Song] = []
    @Relationship(inverse: \Song.favouriteIn) var favourites: [Song] = []
    var oneWay: [Song] = []
    init(_ name: String) { self.name = name }
}

@Model final class Song {
    var title: String
    var list: Playlist?
    var favouriteIn: [Playlist] = []
    init(_ title: String) { self.title = title }
}

@Suite("The order of a to-many relationship")
struct ToManyOrderTests {
    /// The three shapes of a to-many relationship: one-to-many, many-to-many and one-way.
    enum Shape: CaseIterable {
        case oneToMany, manyToMany, oneWay

        var keyPath: ReferenceWritableKeyPath<Playlist, [Song]> {
            switch self {
            case .oneToMany: \.songs
            case .manyToMany: \.favourites
            case .oneWay: \.oneWay
            }
        }
    }

    static func make(_ store: TestStore, _ shape: Shape) throws -> (
        place: TestPlace, context: ModelContext, list: Playlist
    ) {
        let place = try TestPlace(store, Playlist.self)
        let context = place.context()
        let list = Playlist("p")
        context.insert(list)
        for title in ["A", "B", "C", "D", "E"] { list[keyPath: shape.keyPath].append(Song(title)) }
        try context.save()
        return (place, context, list)
    }

    private func expect(_ place: TestPlace, _ shape: Shape, _ titles: [String], _ comment: Comment) throws {
        for context in try place.newContexts() {
            let list = try context.only(Playlist.self)
            #expect(list[keyPath: shape.keyPath].map(\.title) == titles, comment)
            // Read again, without a change in between.
            #expect(list[keyPath: shape.keyPath].map(\.title) == titles, comment)
        }
    }

    @Test("is kept through every change of it", arguments: TestStore.all, Shape.allCases)
    func kept(_ store: TestStore, _ shape: Shape) throws {
        let (place, context, list) = try Self.make(store, shape)
        let songs = shape.keyPath
        try expect(place, shape, ["A", "B", "C", "D", "E"], "appended")
        let a = list[keyPath: songs].remove(at: 0)
        list[keyPath: songs].insert(a, at: 3)
        #expect(list[keyPath: songs].map(\.title) == ["B", "C", "D", "A", "E"])
        try context.save()
        try expect(place, shape, ["B", "C", "D", "A", "E"], "moved")
        list[keyPath: songs] = list[keyPath: songs].reversed()
        #expect(context.hasChanges)
        try context.save()
        try expect(place, shape, ["E", "A", "D", "C", "B"], "reversed")
        list[keyPath: songs].swapAt(0, 4)
        try context.save()
        try expect(place, shape, ["B", "A", "D", "C", "E"], "swapped")
        context.delete(list[keyPath: songs][2])
        try context.save()
        #expect(list[keyPath: songs].map(\.title) == ["B", "A", "C", "E"])
        try expect(place, shape, ["B", "A", "C", "E"], "one deleted")
        list[keyPath: songs].insert(Song("N"), at: 1)
        try context.save()
        try expect(place, shape, ["B", "N", "A", "C", "E"], "a new one inserted")
        list[keyPath: songs].sort { $0.title < $1.title }
        try context.save()
        try expect(place, shape, ["A", "B", "C", "E", "N"], "sorted")
    }

    @Test("has a model last that was linked from its own side", arguments: TestStore.all)
    func linkedFromTheChild(_ store: TestStore) throws {
        let (place, context, list) = try Self.make(store, .oneToMany)
        list.songs = list.songs.reversed()
        try context.save()
        let song = Song("F")
        song.list = list
        #expect(list.songs.map(\.title) == ["E", "D", "C", "B", "A", "F"])
        try context.save()
        try expect(place, .oneToMany, ["E", "D", "C", "B", "A", "F"], "set from the child")
        // The same in a context that never read the list.
        let other = place.context()
        let late = Song("G")
        other.insert(late)
        late.list = try other.only(Playlist.self)
        try other.save()
        try expect(place, .oneToMany, ["E", "D", "C", "B", "A", "F", "G"], "set from the child, unread")
        let third = place.context()
        let more = Song("H")
        third.insert(more)
        more.favouriteIn = try third.all(Playlist.self)
        try third.save()
        try expect(place, .manyToMany, ["H"], "many-to-many from the other side")
    }

    @Test("changed in a context that loaded it is what another sees", arguments: TestStore.all, Shape.allCases)
    func seenElsewhere(_ store: TestStore, _ shape: Shape) throws {
        let (place, context, list) = try Self.make(store, shape)
        let other = place.context()
        let theirs = try other.only(Playlist.self)
        #expect(theirs[keyPath: shape.keyPath].map(\.title) == ["A", "B", "C", "D", "E"])
        list[keyPath: shape.keyPath].swapAt(0, 1)
        try context.save()
        _ = try other.all(Playlist.self)
        #expect(theirs[keyPath: shape.keyPath].map(\.title) == ["B", "A", "C", "D", "E"])
    }
}
