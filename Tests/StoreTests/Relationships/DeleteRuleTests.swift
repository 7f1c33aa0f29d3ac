import Coffer
import Foundation
import Testing

@Model final class Company {
    var name: String
    @Relationship(deleteRule: .deny, inverse: \Worker.company) var workers: [Worker] = []
    @Relationship(deleteRule: .noAction, inverse: \Visitor.company) var visitors: [Visitor] = []
    init(_ name: String) { self.name = name }
}

@Model final class Worker {
    var name: String
    var company: Company?
    @Relationship(deleteRule: .cascade, inverse: \Worker.boss) var staff: [Worker] = []
    var boss: Worker?
    init(_ name: String) { self.name = name }
}

@Model final class Visitor {
    var name: String
    var company: Company?
    init(_ name: String) { self.name = name }
}

@Suite("Delete rules")
struct DeleteRuleTests {
    static func make(_ store: TestStore) throws -> (place: TestPlace, context: ModelContext, company: Company) {
        let place = try TestPlace(store, Company.self)
        let context = place.context()
        let company = Company("c")
        context.insert(company)
        company.workers = [Worker("w1"), Worker("w2")]
        company.visitors = [Visitor("v")]
        try context.save()
        return (place, context, company)
    }

    @Test("deny refuses at the save, names both sides and leaves everything as it was", arguments: TestStore.all)
    func deny(_ store: TestStore) throws {
        let (place, context, company) = try Self.make(store)
        context.delete(company)
        let error = #expect(throws: SwiftDataError.self) { try context.save() }
        #expect(error?.code == .deleteDenied)
        #expect(error?.description.contains("Company.workers") == true)
        #expect(error?.description.contains("Worker") == true)
        #expect(context.hasChanges)
        #expect(try place.context().count(Company.self) == 1)
        // Once nobody is linked any more, the same deletion goes through.
        company.workers = []
        try context.save()
        for context in try place.newContexts() {
            #expect(try context.count(Company.self) == 0)
            #expect(try context.count(Worker.self) == 2)
        }
    }

    @Test("deny lets a deletion through that takes the linked models along", arguments: TestStore.all)
    func denyWithAll(_ store: TestStore) throws {
        let (place, context, company) = try Self.make(store)
        for worker in company.workers { context.delete(worker) }
        context.delete(company)
        try context.save()
        for context in try place.newContexts() {
            #expect(try context.count(Company.self) == 0)
            #expect(try context.count(Worker.self) == 0)
        }
    }

    @Test("no action leaves links that read as nil", arguments: TestStore.all)
    func noAction(_ store: TestStore) throws {
        let (place, context, company) = try Self.make(store)
        company.workers = []
        context.delete(company)
        try context.save()
        for context in try [context] + place.newContexts() {
            let visitor = try context.only(Visitor.self)
            #expect(visitor.company?.name == nil)
            #expect(try context.count(Visitor.self, where: #Predicate { $0.company?.name == "c" }) == 0)
        }
    }

    @Test("cascade follows a tree to its leaves, and a cycle once round", arguments: TestStore.all)
    func tree(_ store: TestStore) throws {
        let place = try TestPlace(store, Worker.self)
        let context = place.context()
        let root = Worker("root")
        var last = root
        context.insert(root)
        for depth in 0..<50 {
            let next = Worker("d\(depth)")
            next.boss = last
            Worker("leaf\(depth)").boss = last
            last = next
        }
        context.insert(Worker("stays"))
        try context.save()
        #expect(try context.count(Worker.self) == 102)
        let fresh = place.context()
        fresh.delete(try fresh.only(Worker.self, where: #Predicate { $0.name == "root" }))
        try fresh.save()
        for context in try place.newContexts() { #expect(try context.all(Worker.self).map(\.name) == ["stays"]) }

        let (a, b) = (Worker("a"), Worker("b"))
        context.insert(a)
        a.staff = [b]
        b.staff = [a]
        #expect(a.boss === b && b.boss === a)
        try context.save()
        context.delete(a)
        try context.save()
        for context in try place.newContexts() { #expect(try context.all(Worker.self).map(\.name) == ["stays"]) }
    }
}
