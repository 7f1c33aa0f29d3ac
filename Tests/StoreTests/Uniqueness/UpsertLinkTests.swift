import Coffer
import Foundation
import Testing

@Model final class Signet {
    @Attribute(.unique) var code: String
    var grade: Int
    var bearer: Bearer?
    var groups: [SignetGroup] = []
    init(_ code: String, _ grade: Int) {
        self.code = code
        self.grade = grade
    }
}

@Model final class Bearer {
    var name: String
    @Relationship(inverse: \Signet.bearer) var seal: Signet?
    var favourite: Signet?
    var collection: [Signet] = []
    init(_ name: String) { self.name = name }
}

@Model final class SignetGroup {
    var name: String
    @Relationship(inverse: \Signet.groups) var seals: [Signet] = []
    init(_ name: String) { self.name = name }
}

@Suite("A new model that goes onto a stored row")
struct UpsertLinkTests {
    struct Graph {
        let place: TestPlace
        let context: ModelContext
        let seal = Signet("x", 1)
        let ann = Bearer("ann")
        let bob = Bearer("bob")
        let group = SignetGroup("g")

        /// Ann has the seal, which is in the group.
        init(_ store: TestStore) throws {
            try store.needs(.uniqueness)
            place = try TestPlace(store, Signet.self, Bearer.self)
            context = place.context()
            for bearer in [ann, bob] { context.insert(bearer) }
            context.insert(group)
            ann.seal = seal
            group.seals = [seal]
            try context.save()
        }

        /// What every context has to say.
        func expect(grade: Int, bearer: String?, groups: Set<String>, _ others: ModelContext...) throws {
            for context in try [context] + others + place.newContexts() {
                let seal = try context.only(Signet.self)
                #expect(seal.grade == grade)
                #expect(seal.bearer?.name == bearer)
                for each in try context.all(Bearer.self) {
                    #expect(each.seal === (each.name == bearer ? seal : nil), "\(each.name)")
                }
                #expect(Set(seal.groups.map(\.name)) == groups)
                for each in try context.all(SignetGroup.self) {
                    #expect(each.seals == (groups.contains(each.name) ? [seal] : []), "\(each.name)")
                }
            }
        }
    }

    @Test("leaves a to-one link that it does not have", arguments: TestStore.all)
    func withoutLink(_ store: TestStore) throws {
        let graph = try Graph(store)
        graph.context.insert(Signet("x", 2))
        try graph.context.save()
        try graph.expect(grade: 2, bearer: "ann", groups: ["g"])
    }

    @Test("takes its own to-one link along, away from the old one", arguments: TestStore.all)
    func withLink(_ store: TestStore) throws {
        let graph = try Graph(store)
        let other = graph.place.context()
        let held = try other.all(Bearer.self, by: SortDescriptor(\.name))
        #expect(held[0].seal?.grade == 1)
        let new = Signet("x", 2)
        graph.bob.seal = new
        try graph.context.save()
        try graph.expect(grade: 2, bearer: "bob", groups: ["g"], other)
        #expect(held[0].seal == nil && held[1].seal?.grade == 2)
    }

    @Test("does so when both are new", arguments: TestStore.all)
    func bothNew(_ store: TestStore) throws {
        let graph = try Graph(store)
        let (first, second) = (Signet("y", 5), Signet("y", 6))
        graph.context.delete(graph.seal)
        graph.ann.seal = first
        graph.bob.seal = second
        try graph.context.save()
        try graph.expect(grade: 6, bearer: "bob", groups: [])
    }

    @Test("does so where the row was never read", arguments: TestStore.all)
    func unread(_ store: TestStore) throws {
        let graph = try Graph(store)
        let context = graph.place.context()
        // Ann is in memory and refers to the seal; the seal's own values are not.
        let ann = try context.only(Bearer.self, where: #Predicate { $0.name == "ann" })
        let new = Signet("x", 3)
        try context.only(Bearer.self, where: #Predicate { $0.name == "bob" }).seal = new
        try context.save()
        #expect(ann.seal == nil)
        try graph.expect(grade: 3, bearer: "bob", groups: ["g"], context)
    }

    @Test(
        "adds its to-many links to what the row has, also to what the same save makes of it", arguments: TestStore.all)
    func lists(_ store: TestStore) throws {
        let graph = try Graph(store)
        graph.seal.groups = []
        graph.seal.grade = 9
        let new = Signet("x", 4)
        let group = SignetGroup("h")
        graph.context.insert(group)
        group.seals = [new]
        try graph.context.save()
        try graph.expect(grade: 4, bearer: "ann", groups: ["h"])
    }

    @Test("is what other contexts see in the row's model", arguments: TestStore.all)
    func elsewhere(_ store: TestStore) throws {
        let graph = try Graph(store)
        let other = graph.place.context()
        let held = try other.only(Signet.self)
        #expect(held.grade == 1)
        graph.context.insert(Signet("x", 7))
        try graph.context.save()
        _ = try other.all(Signet.self)
        #expect(held.grade == 7)
        try graph.expect(grade: 7, bearer: "ann", groups: ["g"], other)
    }

    @Test("hands one-way links to it over to the row's model", arguments: TestStore.all)
    func oneWay(_ store: TestStore) throws {
        let graph = try Graph(store)
        let new = Signet("x", 8)
        graph.context.insert(new)
        graph.bob.favourite = new
        graph.bob.collection = [new]
        try graph.context.save()
        #expect(graph.bob.favourite === graph.seal)
        #expect(graph.bob.collection == [graph.seal])
        for context in try graph.place.newContexts() {
            let bob = try context.only(Bearer.self, where: #Predicate { $0.name == "bob" })
            #expect(bob.favourite?.grade == 8 && bob.collection.map(\.grade) == [8])
        }
    }
}
