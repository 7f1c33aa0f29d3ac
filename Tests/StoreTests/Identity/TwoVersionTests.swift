import Coffer
import Foundation
import Testing

/// Two versions of a program's models, whose entities have the same names and whose properties have other places and types.
enum CrewV1: VersionedSchema {
    static var models: [any PersistentModel.Type] { [Team.self, Member.self] }
    static var versionIdentifier: Schema.Version { .init(1, 0, 0) }

    @Model final class Team {
        var title: String
        @Relationship(deleteRule: .cascade, inverse: \Member.team) var members: [Member] = []
        init(_ title: String) { self.title = title }
    }
    @Model final class Member {
        var name: String
        var rank: Int
        var team: Team?
        init(_ name: String, _ rank: Int) {
            self.name = name
            self.rank = rank
        }
    }
}

enum CrewV2: VersionedSchema {
    static var models: [any PersistentModel.Type] { [Team.self, Member.self] }
    static var versionIdentifier: Schema.Version { .init(2, 0, 0) }

    @Model final class Team {
        var city: String = "?"
        var title: String
        @Relationship(inverse: \Member.teams) var members: [Member] = []
        init(_ title: String) { self.title = title }
    }
    @Model final class Member {
        var teams: [Team] = []
        var rank: Double
        var isAway: Bool = false
        var name: String
        init(_ name: String, _ rank: Double) {
            self.name = name
            self.rank = rank
        }
    }
}

@Suite("Two versions of the models in one process")
struct TwoVersionTests {
    private func fill(first context: ModelContext) throws {
        let team = CrewV1.Team("t1")
        context.insert(team)
        team.members = [CrewV1.Member("a", 3), CrewV1.Member("b", 1)]
        try context.save()
    }

    private func fill(second context: ModelContext) throws {
        let (one, two) = (CrewV2.Team("t1"), CrewV2.Team("t2"))
        let member = CrewV2.Member("x", 2.5)
        one.members = [member]
        two.members = [member, CrewV2.Member("y", 1.5)]
        context.insert(one)
        context.insert(two)
        try context.save()
    }

    private func expectFirst(_ context: ModelContext) throws {
        let members = try context.all(CrewV1.Member.self, by: SortDescriptor(\.rank))
        #expect(members.map(\.name) == ["b", "a"] && members.map(\.rank) == [1, 3])
        #expect(members.allSatisfy { $0.team?.title == "t1" })
        #expect(try context.count(CrewV1.Member.self, where: #Predicate { $0.rank > 2 && $0.team?.title == "t1" }) == 1)
        #expect(try context.only(CrewV1.Team.self).members.map(\.name).sorted() == ["a", "b"])
    }

    private func expectSecond(_ context: ModelContext) throws {
        let members = try context.all(CrewV2.Member.self, by: SortDescriptor(\.rank))
        #expect(members.map(\.name) == ["y", "x"] && members.map(\.rank) == [1.5, 2.5])
        #expect(members.map { $0.teams.map(\.title).sorted() } == [["t2"], ["t1", "t2"]])
        #expect(try context.count(CrewV2.Member.self, where: #Predicate { $0.rank > 2 && !$0.isAway }) == 1)
        #expect(try context.count(CrewV2.Team.self, where: #Predicate { $0.members.contains { $0.name == "y" } }) == 1)
    }

    @Test("work side by side in stores of their own", arguments: TestStore.all)
    func sideBySide(_ store: TestStore) throws {
        let first = try TestPlace(store, models: CrewV1.models)
        let second = try TestPlace(store, models: CrewV2.models)
        let (old, new) = (first.context(), second.context())
        try fill(first: old)
        try fill(second: new)
        for _ in 0..<2 {
            for context in try [old] + first.newContexts() { try expectFirst(context) }
            for context in try [new] + second.newContexts() { try expectSecond(context) }
        }
        // What is faulted, changed and deleted after the other version was at work.
        let held = first.context()
        let team = try held.only(CrewV1.Team.self)
        try expectSecond(second.context())
        #expect(team.members.count == 2)
        team.members.first { $0.name == "a" }?.rank = 5
        try held.save()
        try expectSecond(second.context())
        #expect(try first.context().count(CrewV1.Member.self, where: #Predicate { $0.rank == 5 }) == 1)
        held.delete(team)
        try held.save()
        #expect(try first.context().count(CrewV1.Member.self) == 0)
        try expectSecond(new)
    }

    @Test("leave temporary identifiers of one that the other does not have", arguments: TestStore.all)
    func identifiers(_ store: TestStore) throws {
        let first = try TestPlace(store, models: CrewV1.models)
        let second = try TestPlace(store, models: CrewV2.models)
        let (old, new) = (first.context(), second.context())
        let member = CrewV1.Member("a", 1)
        old.insert(member)
        #expect(new.registered(CrewV2.Member.self, member.persistentModelID) == nil)
        let ghost = new.model(for: member.persistentModelID)
        #expect(ghost is CrewV2.Member && (ghost as? CrewV2.Member)?.name == "")
        #expect(old.model(for: member.persistentModelID) === member)
        new.insert(CrewV2.Team("t"))
        try new.save()
        try old.save()
        #expect(try first.context().count(CrewV1.Member.self) == 1)
        #expect(try first.context().count(CrewV1.Team.self) == 0)
    }

    @Test("work one after the other in one store", arguments: TestStore.migrating)
    func oneAfterTheOther(_ store: TestStore) throws {
        enum Plan: SchemaMigrationPlan {
            static var schemas: [any VersionedSchema.Type] { [CrewV1.self, CrewV2.self] }
            static var stages: [MigrationStage] {
                [
                    .transform(fromVersion: CrewV1.self, toVersion: CrewV2.self) { transition in
                        try transition.forEach(CrewV1.Member.self, CrewV2.Member.self) { old, new in
                            new.rank = Double(old.rank) / 2
                        }
                    }
                ]
            }
        }
        let site = try MigrationSite(store)
        try site.open(Schema(versionedSchema: CrewV1.self)) { context in
            try fill(first: context)
            try expectFirst(context)
        }
        // The other version is at work beside it.
        let other = try TestPlace(store, models: CrewV2.models)
        try fill(second: other.context())
        try site.open(Schema(versionedSchema: CrewV1.self)) { try expectFirst($0) }
        try site.open(Schema(versionedSchema: CrewV2.self), plan: Plan.self) { context in
            let members = try context.all(CrewV2.Member.self, by: SortDescriptor(\.name))
            #expect(members.map(\.rank) == [1.5, 0.5])
            #expect(members.map { $0.teams.map(\.title) } == [["t1"], ["t1"]])
        }
        try expectSecond(other.context())
    }
}
