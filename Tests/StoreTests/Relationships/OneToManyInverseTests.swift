import Coffer
import Foundation
import Testing

@Model final class Team {
    var name: String
    @Relationship(inverse: \Player.team) var players: [Player] = []
    init(_ name: String) { self.name = name }
}

@Model final class Player {
    var name: String
    var team: Team?
    init(_ name: String) { self.name = name }
}

@Suite("Both sides of a one-to-many")
struct OneToManyInverseTests {
    struct Graph {
        let place: TestPlace
        let context: ModelContext
        let t1 = Team("t1")
        let t2 = Team("t2")
        let p = Player("p")
        let q = Player("q")

        init(_ store: TestStore) throws {
            place = try TestPlace(store, Team.self, Player.self)
            context = place.context()
            context.insert(t1)
            context.insert(t2)
            context.insert(p)
            context.insert(q)
        }

        /// The names of the players of each team, as another context has them.
        func stored(_ context: ModelContext) throws -> [String: [String]] {
            let teams = try context.all(Team.self)
            // The other side has to say the same.
            for player in try context.all(Player.self) {
                let holders = teams.filter { $0.players.contains { $0 === player } }
                #expect(holders == [player.team].compactMap { $0 })
            }
            return Dictionary(uniqueKeysWithValues: teams.map { ($0.name, $0.players.map(\.name).sorted()) })
        }
    }

    @Test("are in step before any save", arguments: TestStore.all)
    func beforeSave(_ store: TestStore) throws {
        let graph = try Graph(store)
        let (t1, t2, p, q) = (graph.t1, graph.t2, graph.p, graph.q)
        p.team = t1
        #expect(t1.players == [p])
        p.team = t2
        #expect(t1.players.isEmpty)
        #expect(t2.players == [p])
        t1.players.append(p)
        #expect(p.team === t1)
        #expect(t2.players.isEmpty)
        p.team = nil
        #expect(t1.players.isEmpty)
        t2.players = [p, q]
        #expect(p.team === t2 && q.team === t2)
        t2.players.removeAll { $0 === p }
        #expect(p.team == nil)
        #expect(q.team === t2)
        t1.players = t2.players
        #expect(t2.players.isEmpty)
        #expect(q.team === t1)
    }

    @Test("are in step before the models are inserted", arguments: TestStore.all)
    func beforeInsert(_ store: TestStore) throws {
        let place = try TestPlace(store, Team.self)
        let team = Team("t")
        let player = Player("p")
        team.players = [player]
        #expect(player.team === team)
        let context = place.context()
        context.insert(player)
        try context.save()
        for context in try place.newContexts() {
            #expect(try context.only(Player.self).team?.name == "t")
            #expect(try context.only(Team.self).players.map(\.name) == ["p"])
        }
    }

    @Test("are in step while children move, saved and not", arguments: TestStore.all)
    func moving(_ store: TestStore) throws {
        let graph = try Graph(store)
        let (t1, t2, p, q) = (graph.t1, graph.t2, graph.p, graph.q)
        p.team = t2
        t1.players.append(p)
        try graph.context.save()
        #expect(try graph.stored(graph.place.context()) == ["t1": ["p"], "t2": []])
        t2.players = [p, q]
        t2.players.removeAll { $0 === p }
        #expect(p.team == nil)
        #expect(q.team === t2)
        t2.players.append(q)
        #expect(t2.players == [q])
        try graph.context.save()
        for context in try graph.place.newContexts() {
            #expect(try graph.stored(context) == ["t1": [], "t2": ["q"]])
            #expect(try context.only(Player.self, where: #Predicate { $0.name == "p" }).team == nil)
        }
    }

    @Test("are in step in a context that loaded neither", arguments: TestStore.all)
    func unloaded(_ store: TestStore) throws {
        let graph = try Graph(store)
        graph.t1.players = [graph.p, graph.q]
        try graph.context.save()
        // Moving a child whose teams' players were never read.
        let context = graph.place.context()
        let p = try context.only(Player.self, where: #Predicate { $0.name == "p" })
        let t2 = try context.only(Team.self, where: #Predicate { $0.name == "t2" })
        p.team = t2
        #expect(t2.players == [p])
        let t1 = try context.only(Team.self, where: #Predicate { $0.name == "t1" })
        #expect(t1.players.map(\.name) == ["q"])
        try context.save()
        for context in try graph.place.newContexts() {
            #expect(try graph.stored(context) == ["t1": ["q"], "t2": ["p"]])
        }
        // And assigning to a team whose players were never read, while the old team is not in memory.
        let other = graph.place.context()
        try other.only(Team.self, where: #Predicate { $0.name == "t2" }).players = other.all(Player.self)
        try other.save()
        for context in try graph.place.newContexts() {
            #expect(try graph.stored(context) == ["t1": [], "t2": ["p", "q"]])
        }
    }

    @Test("are in step after the parent is gone", arguments: TestStore.all)
    func deletedParent(_ store: TestStore) throws {
        let graph = try Graph(store)
        graph.t1.players = [graph.p, graph.q]
        try graph.context.save()
        graph.context.delete(graph.t1)
        try graph.context.save()
        #expect(graph.p.team == nil)
        for context in try graph.place.newContexts() {
            #expect(try graph.stored(context) == ["t2": []])
            #expect(try context.count(Player.self) == 2)
        }
    }
}
