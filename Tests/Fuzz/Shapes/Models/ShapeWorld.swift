import Coffer
import Foundation

/// Rows of all classes as plain values: what is in a store, or would be after a save.
public struct ShapeWorld: Sendable {
    public internal(set) var things: [ThingRow] = []
    public internal(set) var owners: [OwnerRow] = []
    public internal(set) var pieces: [PieceRow] = []
    public internal(set) var marks: [MarkRow] = []

    /// A world at random.
    ///
    /// - Parameter things: how many rows the predicates run over.
    public init(_ random: inout Random, things count: Int) {
        owners = (0..<max(count / 5, 2)).map { random.owner($0) }
        for index in owners.indices.dropFirst() where !random.oneIn(3) { owners[index].bossNo = random.below(index) }
        pieces = (0..<count * 3 / 2).map { random.piece($0) }
        marks = (0..<5).map { random.mark($0) }
        things = (0..<count).map { random.thing($0) }
        for index in things.indices {
            if !random.oneIn(4) { things[index].ownerNo = random.below(owners.count) }
            things[index].markNos = marks.map(\.no).filter { _ in random.oneIn(4) }
        }
        for piece in pieces where !random.oneIn(5) { things[random.below(count)].pieceNos.append(piece.no) }
    }

    /// The same world after changes at random. Some things come, some change, and some go, as do values and links of
    /// what is linked.
    ///
    /// Things that somebody is linked to stay: until a save it is open who still sees them.
    func changed(_ random: inout Random) -> ShapeWorld {
        var world = self
        world.things.removeAll { thing in
            thing.ownerNo == nil && thing.markNos.isEmpty && thing.pieceNos.isEmpty && random.oneIn(2)
        }
        for index in world.things.indices where random.oneIn(5) {
            let old = world.things[index]
            var new = random.thing(old.no)
            (new.ownerNo, new.pieceNos, new.markNos) = (old.ownerNo, old.pieceNos, old.markNos)
            if random.oneIn(2) { new.ownerNo = random.oneIn(3) ? nil : random.below(owners.count) }
            if random.oneIn(3), !new.pieceNos.isEmpty { new.pieceNos.removeLast() }
            world.things[index] = new
        }
        for index in world.owners.indices where random.oneIn(4) {
            let boss = world.owners[index].bossNo
            world.owners[index] = random.owner(world.owners[index].no)
            world.owners[index].bossNo = boss
        }
        for index in world.pieces.indices where random.oneIn(8) {
            world.pieces[index] = random.piece(world.pieces[index].no)
        }
        let first = (things.map(\.no).max() ?? 0) + 1
        for no in first..<first + 1 + random.below(3) {
            var thing = random.thing(no)
            if random.oneIn(2) { thing.ownerNo = random.below(owners.count) }
            world.things.append(thing)
        }
        return world
    }

    /// The world with some of its things only.
    func keeping(_ numbers: Set<Int>) -> ShapeWorld {
        var world = self
        world.things.removeAll { !numbers.contains($0.no) }
        return world
    }

    // MARK: Plain objects

    /// The things as plain objects, with their links.
    func objects() -> [PlainThing] {
        let owners = Dictionary(uniqueKeysWithValues: owners.map { ($0.no, PlainOwner($0)) })
        let pieces = Dictionary(uniqueKeysWithValues: pieces.map { ($0.no, PlainPiece($0)) })
        let marks = Dictionary(uniqueKeysWithValues: marks.map { ($0.no, PlainMark($0)) })
        for row in self.owners {
            guard let boss = row.bossNo.flatMap({ owners[$0] }), let owner = owners[row.no] else { continue }
            owner.boss = boss
            boss.staff.append(owner)
        }
        return things.map { row in
            let thing = PlainThing(row)
            thing.owner = row.ownerNo.flatMap { owners[$0] }
            thing.owner?.things.append(thing)
            thing.pieces = row.pieceNos.compactMap { pieces[$0] }
            for piece in thing.pieces { piece.thing = thing }
            thing.labels = row.markNos.compactMap { marks[$0] }
            for mark in thing.labels { mark.things.append(thing) }
            return thing
        }
    }

    // MARK: Models

    /// Makes models of the rows; the things first, in order, so that their keys are.
    func insert(into context: ModelContext) {
        var models: [Int: Thing] = [:]
        for row in things {
            let thing = Thing(row)
            models[row.no] = thing
            context.insert(thing)
        }
        let owners = Dictionary(uniqueKeysWithValues: owners.map { ($0.no, Owner($0)) })
        let pieces = Dictionary(uniqueKeysWithValues: pieces.map { ($0.no, Piece($0)) })
        let marks = Dictionary(uniqueKeysWithValues: marks.map { ($0.no, Mark($0)) })
        for row in self.owners { if let owner = owners[row.no] { context.insert(owner) } }
        for row in self.pieces { if let piece = pieces[row.no] { context.insert(piece) } }
        for row in self.marks { if let mark = marks[row.no] { context.insert(mark) } }
        for row in self.owners { owners[row.no]?.boss = row.bossNo.flatMap { owners[$0] } }
        for row in things {
            guard let thing = models[row.no] else { continue }
            thing.owner = row.ownerNo.flatMap { owners[$0] }
            thing.pieces = row.pieceNos.compactMap { pieces[$0] }
            thing.labels = row.markNos.compactMap { marks[$0] }
        }
    }

    /// Makes the models of a context, which are those of this world, into those of another, without saving.
    func change(_ context: ModelContext, into world: ShapeWorld) throws {
        let things = Dictionary(
            uniqueKeysWithValues: try context.fetch(FetchDescriptor<Thing>()).map { ($0.no, $0) })
        let owners = Dictionary(
            uniqueKeysWithValues: try context.fetch(FetchDescriptor<Owner>()).map { ($0.no, $0) })
        let pieces = Dictionary(
            uniqueKeysWithValues: try context.fetch(FetchDescriptor<Piece>()).map { ($0.no, $0) })
        let kept = Set(world.things.map(\.no))
        for (no, thing) in things.sorted(by: { $0.key < $1.key }) where !kept.contains(no) { context.delete(thing) }
        let before = Dictionary(uniqueKeysWithValues: self.things.map { ($0.no, $0) })
        for row in world.things {
            let thing: Thing
            if let stored = things[row.no] {
                thing = stored
                if before[row.no].map({ Self.isSame($0, row) }) != true { thing.set(row) }
            } else {
                thing = Thing(row)
                context.insert(thing)
            }
            if before[row.no]?.ownerNo != row.ownerNo { thing.owner = row.ownerNo.flatMap { owners[$0] } }
            if (before[row.no]?.pieceNos ?? []) != row.pieceNos {
                thing.pieces = row.pieceNos.compactMap { pieces[$0] }
            }
        }
        for row in world.owners {
            guard let owner = owners[row.no] else { continue }
            (owner.name, owner.city, owner.age) = (row.name, row.city, row.age)
        }
        for row in world.pieces {
            guard let piece = pieces[row.no] else { continue }
            (piece.name, piece.weight, piece.cost) = (row.name, row.weight, row.cost)
        }
    }

    private static func isSame(_ left: ThingRow, _ right: ThingRow) -> Bool { "\(left)" == "\(right)" }
}
