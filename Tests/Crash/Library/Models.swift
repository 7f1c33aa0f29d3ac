import Coffer
import Foundation

/// A room's furniture: unique by name, with a list in order, and all that is in it goes with it.
@Model final class Shelf {
    @Attribute(.unique) var name: String
    var room: Int
    @Relationship(deleteRule: .cascade, inverse: \Volume.shelf) var volumes: [Volume] = []

    init(_ name: String, room: Int) {
        self.name = name
        self.room = room
    }
}

/// A class with everything that has to agree with its rows: indexes, a constraint, files of large values, links.
@Model class Volume {
    #Index<Volume>([\.pages], [\.title, \.pages])
    #Unique<Volume>([\.code])
    var code: Int
    var title: String
    var pages: Int
    var remark: String?
    @Attribute(.externalStorage) var cover: Data?
    var scan: Data?
    var shelf: Shelf?
    @Relationship(inverse: \Writer.volumes) var writers: [Writer] = []
    @Relationship(deleteRule: .cascade, inverse: \Loan.volume) var loan: Loan?

    init(_ code: Int, _ title: String, pages: Int) {
        self.code = code
        self.title = title
        self.pages = pages
    }
}

@Model final class Atlas: Volume {
    var maps: Int

    init(_ code: Int, _ title: String, pages: Int, maps: Int) {
        self.maps = maps
        super.init(code, title, pages: pages)
    }
}

@Model final class Writer {
    var name: String
    var volumes: [Volume] = []

    init(_ name: String) { self.name = name }
}

/// Cannot be without its volume.
@Model final class Loan {
    var reader: String
    var volume: Volume

    init(_ reader: String, _ volume: Volume) {
        self.reader = reader
        self.volume = volume
    }
}

/// Text whose words are looked up.
@Model final class Slip {
    #FullText<Slip>([\.text])
    var number: Int
    var text: String

    init(_ number: Int, _ text: String) {
        self.number = number
        self.text = text
    }
}

/// The library in which most scenarios play.
enum World {
    static let types: [any PersistentModel.Type] = [
        Shelf.self, Volume.self, Atlas.self, Writer.self, Loan.self, Slip.self,
    ]
    static var schema: Schema { Schema(types) }

    /// Bytes that differ from file to file; more than `ExternalFiles.threshold` of them go into a file.
    static func bytes(_ seed: Int, _ count: Int) -> Data {
        var state = UInt64(truncatingIfNeeded: seed) &* 0x9E37_79B9_7F4A_7C15 | 1
        return Data(
            (0..<count).map { _ in
                state ^= state << 13
                state ^= state >> 7
                state ^= state << 17
                return UInt8(truncatingIfNeeded: state)
            })
    }

    /// What is there before.
    ///
    /// - Parameter store: decides whether a document of it is beyond the size up to which an archive is written as a
    ///   whole.
    static func fill(_ context: ModelContext, for store: CrashStore) throws {
        let writers = (0..<4).map { Writer("writer \($0)") }
        for writer in writers { context.insert(writer) }
        for number in 0..<3 {
            let shelf = Shelf("shelf \(number)", room: number)
            context.insert(shelf)
            for place in 0..<4 {
                let code = number * 4 + place
                let volume =
                    place == 3
                    ? Atlas(code, "atlas \(code)", pages: code * 10, maps: code)
                    : Volume(code, "volume \(code)", pages: code * 10)
                volume.shelf = shelf
                volume.writers = [writers[code % 4], writers[(code + 1) % 4]]
                if code % 5 == 0 { volume.cover = bytes(code, store == .json ? 1000 : 20_000 + code) }
                if code % 4 == 1 { volume.scan = bytes(code, 500) }
                if code % 6 == 0 { volume.loan = Loan("reader \(code)", volume) }
                context.insert(volume)
            }
        }
        for number in 0..<5 { context.insert(Slip(number, "the slip \(number) has words and more words")) }
        if store == .journal {
            for number in 100..<106 {
                context.insert(Slip(number, String(repeating: "padding \(number) ", count: 120)))
            }
        }
        try context.save()
    }
}

extension ModelContext {
    func shelf(_ number: Int) throws -> Shelf {
        let name = "shelf \(number)"
        return try one(#Predicate { $0.name == name })
    }

    func volume(_ code: Int) throws -> Volume { try one(#Predicate { $0.code == code }) }

    func writer(_ number: Int) throws -> Writer {
        let name = "writer \(number)"
        return try one(#Predicate { $0.name == name })
    }

    func slip(_ number: Int) throws -> Slip { try one(#Predicate { $0.number == number }) }

    func all<M: PersistentModel>(_ type: M.Type) throws -> [M] { try fetch(FetchDescriptor<M>()) }

    private func one<M: PersistentModel>(_ predicate: Predicate<M>) throws -> M {
        guard let found = try fetch(FetchDescriptor(predicate: predicate)).first else {
            throw CrashFault("a \(M.self) is missing")
        }
        return found
    }
}

/// What went wrong in the harness itself.
struct CrashFault: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
