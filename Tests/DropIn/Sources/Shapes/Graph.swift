import Foundation
import SwiftData

// Relationships: one and many, both ways and one way, with every rule.

@Model
final class School {
    #Index<School>([\.name], [\.town, \.name])
    #Unique<School>([\.name, \.town])

    var name: String
    var town: String
    // The rule stands here, the inverse at the child.
    @Relationship(deleteRule: .cascade) var pupils: [Pupil]

    init(name: String, town: String, pupils: [Pupil] = []) {
        self.name = name
        self.town = town
        self.pupils = pupils
    }

    static func named(_ name: String) -> Predicate<School> {
        #Predicate<School> { school in
            school.name.starts(with: name)
        }
    }
}

@Model
final class Pupil {
    @Attribute(.unique) var id: String
    var name: String
    @Relationship(inverse: \School.pupils) var school: School?
    @Relationship(deleteRule: .cascade, inverse: \Mark.pupil) var marks: [Mark]
    @Relationship(inverse: \Club.members) var clubs: [Club] = []
    @Relationship(deleteRule: .nullify) var locker: Locker?

    init(id: String = UUID().uuidString, name: String, school: School? = nil, marks: [Mark] = []) {
        self.id = id
        self.name = name
        self.school = school
        self.marks = marks
    }

    var average: Double { marks.isEmpty ? 0 : Double(marks.map(\.value).reduce(0, +)) / Double(marks.count) }
}

@Model
final class Mark {
    enum Subject: String, CaseIterable { case maths, music }

    var subject: String
    var value: Int
    var pupil: Pupil?

    init(_ subject: Subject, _ value: Int) {
        self.subject = subject.rawValue
        self.value = value
    }
}

@Model
final class Club {
    var title: String
    var members: [Pupil] = []
    @Relationship(deleteRule: .deny) var trophies: [Trophy] = []
    init(title: String) { self.title = title }
}

@Model
final class Trophy {
    var year: Int
    var club: Club?
    init(year: Int) { self.year = year }
}

@Model
final class Locker {
    var number: Int
    init(number: Int) { self.number = number }
}

/// A tree, with the other side named.
@Model
final class Branch {
    var name: String
    var parent: Branch?
    @Relationship(deleteRule: .cascade, inverse: \Branch.parent) var children: [Branch]? = []
    init(_ name: String, parent: Branch? = nil) {
        self.name = name
        self.parent = parent
    }
}

/// One-way links, and limits.
@Model
final class Ticket {
    var number: Int
    @Relationship(deleteRule: .noAction) var seat: Seat?
    @Relationship(.unique) var badge: Badge?
    @Relationship(minimumModelCount: 1, maximumModelCount: 2, originalName: "stubs", hashModifier: "2")
    var parts: [TicketPart]
    init(_ number: Int, parts: [TicketPart]) {
        self.number = number
        self.parts = parts
    }
}

@Model final class Seat { var row = 1; init() {} }
@Model final class Badge { var code = "a"; init() {} }
@Model final class TicketPart { var text: String; init(_ text: String) { self.text = text } }
