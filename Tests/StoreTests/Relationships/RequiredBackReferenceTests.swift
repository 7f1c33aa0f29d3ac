import Coffer
import Foundation
import Testing

@Model final class Plan {
    var title: String
    @Relationship(deleteRule: .cascade, inverse: \Session.plan) var sessions: [Session] = []
    init(_ title: String) { self.title = title }
}

@Model final class Session {
    var no: Int
    var plan: Plan
    @Relationship(deleteRule: .cascade, inverse: \Minute.session) var minutes: [Minute] = []
    init(_ no: Int, _ plan: Plan) {
        self.no = no
        self.plan = plan
    }
}

@Model final class Minute {
    var text: String
    var session: Session
    init(_ text: String, _ session: Session) {
        self.text = text
        self.session = session
    }
}

@Suite("Deleting through required back references")
struct RequiredBackReferenceTests {
    struct Graph {
        let place: TestPlace
        let context: ModelContext
        let a = Plan("A")
        let b = Plan("B")
        var sessions: [Session] = []

        /// Plan A with sessions 1 to 3 and B with 4; every session has minutes.
        init(_ store: TestStore) throws {
            place = try TestPlace(store, Plan.self)
            context = place.context()
            context.insert(a)
            context.insert(b)
            sessions = [Session(1, a), Session(2, a), Session(3, a), Session(4, b)]
            for session in sessions { context.insert(Minute("m\(session.no)", session)) }
            try context.save()
        }

        func expect(plans: [String], sessions: [Int], _ comment: Comment? = nil) throws {
            for context in try [context] + place.newContexts() {
                #expect(try context.all(Plan.self, by: SortDescriptor(\.title)).map(\.title) == plans, comment)
                #expect(try context.count(Plan.self) == plans.count, comment)
                let left = try context.all(Session.self, by: SortDescriptor(\.no))
                #expect(left.map(\.no) == sessions, comment)
                #expect(left.allSatisfy { plans.contains($0.plan.title) }, comment)
                #expect(try context.count(Minute.self) == sessions.count, comment)
            }
        }
    }

    @Test("takes the children along", arguments: TestStore.all)
    func cascade(_ store: TestStore) throws {
        let graph = try Graph(store)
        graph.context.delete(graph.a)
        try graph.context.save()
        try graph.expect(plans: ["B"], sessions: [4])
        #expect(graph.sessions.map(\.no) == [1, 2, 3, 4])
        #expect(graph.sessions[0].modelContext == nil)
        #expect(graph.sessions[0].plan === graph.a)
    }

    @Test("takes children along that were never loaded", arguments: TestStore.all)
    func cascadeUnloaded(_ store: TestStore) throws {
        let graph = try Graph(store)
        let context = graph.place.context()
        context.delete(try context.only(Plan.self, where: #Predicate { $0.title == "A" }))
        try context.save()
        try graph.expect(plans: ["B"], sessions: [4])
    }

    @Test("works on models that were never saved", arguments: TestStore.all)
    func unsaved(_ store: TestStore) throws {
        let graph = try Graph(store)
        let c = Plan("C")
        let five = Session(5, c)
        let six = Session(6, c)
        graph.context.insert(five)
        graph.context.insert(Minute("m6", six))
        #expect(c.sessions == [five, six])
        graph.context.delete(five)
        graph.context.delete(c)
        graph.context.delete(graph.a)
        try graph.context.save()
        try graph.expect(plans: ["B"], sessions: [4])
        #expect(five.no == 5 && six.no == 6)
    }

    @Test("works in any order within one save", arguments: TestStore.all, [true, false])
    func order(_ store: TestStore, childFirst: Bool) throws {
        let graph = try Graph(store)
        graph.context.delete(graph.a)
        let four = graph.sessions[3]
        if childFirst {
            graph.context.delete(four)
            graph.context.delete(graph.b)
        } else {
            graph.context.delete(graph.b)
            graph.context.delete(four)
        }
        try graph.context.save()
        try graph.expect(plans: [], sessions: [])
    }

    @Test("works from the middle of a chain", arguments: TestStore.all)
    func middle(_ store: TestStore) throws {
        let graph = try Graph(store)
        graph.context.delete(graph.sessions[1])
        try graph.context.save()
        try graph.expect(plans: ["A", "B"], sessions: [1, 3, 4])
        #expect(graph.a.sessions.map(\.no) == [1, 3])
    }

    @Test("spares a child that moved to another parent before", arguments: TestStore.all)
    func moved(_ store: TestStore) throws {
        let graph = try Graph(store)
        graph.sessions[0].plan = graph.b
        graph.context.delete(graph.a)
        try graph.context.save()
        try graph.expect(plans: ["B"], sessions: [1, 4])
    }

    @Test("works on what was saved a moment ago, many times", arguments: TestStore.all)
    func repeated(_ store: TestStore) throws {
        let graph = try Graph(store)
        for round in 0..<5 {
            let plan = Plan("R\(round)")
            graph.context.insert(plan)
            for no in 10..<13 { plan.sessions.append(Session(no, plan)) }
            try graph.context.save()
            graph.context.delete(plan)
            try graph.context.save()
            try graph.expect(plans: ["A", "B"], sessions: [1, 2, 3, 4])
        }
    }

    @Test("refuses a child that was only taken out of its parent's list", arguments: TestStore.all)
    func takenOut(_ store: TestStore) throws {
        let graph = try Graph(store)
        let session = graph.sessions[0]
        graph.a.sessions.removeAll { $0 === session }
        let error = #expect(throws: SwiftDataError.self) { try graph.context.save() }
        #expect(error?.entity == "Session" && error?.property == "plan")
        #expect(graph.context.hasChanges)
        #expect(try graph.place.context().count(Session.self, where: #Predicate { $0.plan.title == "A" }) == 3)
        // It may go to another parent, or go altogether.
        graph.b.sessions.append(session)
        try graph.context.save()
        #expect(session.plan === graph.b)
        graph.b.sessions.removeAll { $0 === session }
        graph.context.delete(session)
        try graph.context.save()
        try graph.expect(plans: ["A", "B"], sessions: [2, 3, 4])
    }

    @Test("knows a child once that both its initialiser and its parent's list name", arguments: TestStore.all)
    func namedTwice(_ store: TestStore) throws {
        let graph = try Graph(store)
        let plan = Plan("C")
        let sessions = [Session(5, plan), Session(6, plan)]
        plan.sessions = sessions
        graph.context.insert(plan)
        #expect(plan.sessions == sessions)
        try graph.context.save()
        for context in try [graph.context] + graph.place.newContexts() {
            let read = try context.only(Plan.self, where: #Predicate { $0.title == "C" })
            #expect(read.sessions.map(\.no) == [5, 6])
        }
    }
}
