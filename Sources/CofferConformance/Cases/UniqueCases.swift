import CofferCore
import Foundation

/// Unique values: a new row whose values are taken becomes an update of the row that has them.
enum UniqueCases {
    static func add(_ cases: inout CaseList) {
        func add(_ id: String, _ claim: String, _ body: @escaping @Sendable (ConformanceTrial) throws -> Void) {
            cases.add(id, claim, needs: [.uniqueness]) { trial in
                trial.use(Flag.self, Pennant.self)
                try body(trial)
            }
        }
        add("upsert", "A new row with taken values is written onto the row that has them, whose identifier stays") {
            trial in
            let context = try trial.context()
            let first = Flag("alpha", 1)
            context.insert(first)
            try context.save()
            let identifier = first.persistentModelID
            let other = try trial.context()
            let second = Flag("alpha", 2)
            other.insert(second)
            try other.save()
            try trial.equal(second.persistentModelID, identifier, "the identifier of the newcomer")
            try trial.read { context in
                let flag = try context.only(Flag.self)
                try trial.equal(flag.persistentModelID, identifier, "the identifier read back")
                try trial.equal(flag.points, 2, "the points")
            }
        }
        add("one-save", "The same holds for two new rows of one save") { trial in
            try trial.write { context in
                context.insert(Flag("alpha", 1))
                context.insert(Flag("bravo", 2))
                context.insert(Flag("alpha", 3))
            }
            try trial.read { context in
                let flags = try context.all(Flag.self, by: SortDescriptor(\.code))
                try trial.equal(flags.map(\.code), ["alpha", "bravo"], "the codes")
                try trial.equal(flags.map(\.points), [3, 2], "the points")
            }
        }
        add("compound", "A group of properties is unique as a group") { trial in
            try trial.write { context in
                context.insert(Pennant("red", 1, note: "first"))
                context.insert(Pennant("red", 2, note: "second"))
                context.insert(Pennant("blue", 1, note: "third"))
            }
            try trial.write { $0.insert(Pennant("red", 2, note: "again")) }
            try trial.read { context in
                try trial.equal(
                    try context.all(Pennant.self).map(\.note).sorted(), ["again", "first", "third"], "the notes")
            }
        }
        add("nil", "Nil is no value that could be taken") { trial in
            for note in ["first", "second"] { try trial.write { $0.insert(Pennant(nil, 1, note: note)) } }
            try trial.read { try trial.equal(try $0.count(Pennant.self), 2, "the number of rows") }
        }
        add("conflict", "A change to values that another row has is refused, by name, and changes nothing") { trial in
            try trial.write { context in
                context.insert(Flag("alpha", 1))
                context.insert(Flag("bravo", 2))
            }
            let context = try trial.context()
            let bravo = try context.only(Flag.self, where: #Predicate { $0.code == "bravo" })
            bravo.code = "alpha"
            bravo.points = 9
            let error = try trial.fails(.uniquenessConflict, when: "taking another row's value") { try context.save() }
            try trial.equal(error.entity, "Flag", "the entity that the error names")
            try trial.equal(error.property, "code", "the property that the error names")
            try trial.expect(context.hasChanges, "the context keeps its changes")
            try trial.read { context in
                let flags = try context.all(Flag.self, by: SortDescriptor(\.code))
                try trial.equal(flags.map(\.points), [1, 2], "the points")
            }
            bravo.code = "charlie"
            try context.save()
            try trial.read { context in
                try trial.equal(try context.all(Flag.self).map(\.code).sorted(), ["alpha", "charlie"], "the codes")
            }
        }
        add("swap", "Two rows may swap their values in one save") { trial in
            let context = try trial.context()
            let (first, second) = (Flag("alpha", 1), Flag("bravo", 2))
            context.insert(first)
            context.insert(second)
            try context.save()
            (first.code, second.code) = (second.code, first.code)
            try context.save()
            try trial.read { context in
                let flags = try context.all(Flag.self, by: SortDescriptor(\.points))
                try trial.equal(flags.map(\.code), ["bravo", "alpha"], "the codes")
            }
        }
        add("freed-by-deletion", "A value may be taken in the save that deletes its row") { trial in
            try trial.write { $0.insert(Flag("alpha", 1)) }
            let context = try trial.context()
            let old = try context.only(Flag.self)
            let identifier = old.persistentModelID
            context.delete(old)
            context.insert(Flag("alpha", 2))
            try context.save()
            try trial.read { context in
                let flag = try context.only(Flag.self)
                try trial.equal(flag.points, 2, "the points")
                try trial.expect(flag.persistentModelID != identifier, "it is another row")
            }
        }
        add("freed-by-change", "A value that a row gave up may be taken by another") { trial in
            try trial.write { $0.insert(Flag("alpha", 1)) }
            try trial.write { try $0.only(Flag.self).code = "bravo" }
            try trial.write { $0.insert(Flag("alpha", 2)) }
            try trial.read { context in
                let flags = try context.all(Flag.self, by: SortDescriptor(\.code))
                try trial.equal(flags.map(\.points), [2, 1], "the points")
            }
        }
        add("links", "Links to the newcomer lead to the row it was written onto") { trial in
            try trial.write { context in
                let pennant = Pennant("red", 1, note: "old")
                context.insert(pennant)
                pennant.flag = Flag("alpha", 1)
            }
            try trial.write { context in
                let pennant = Pennant("blue", 1, note: "new")
                context.insert(pennant)
                pennant.flag = Flag("alpha", 2)
            }
            try trial.read { context in
                let flag = try context.only(Flag.self)
                try trial.equal(flag.pennants.map(\.note).sorted(), ["new", "old"], "the pennants of the flag")
                try trial.expect(try context.all(Pennant.self).allSatisfy { $0.flag === flag }, "all lead to it")
            }
        }
        add("text", "Composed and decomposed text is one value") { trial in
            try trial.write { $0.insert(Flag("caf\u{E9}", 1)) }
            try trial.write { $0.insert(Flag("cafe\u{301}", 2)) }
            try trial.read { context in try trial.equal(try context.only(Flag.self).points, 2, "the points") }
        }
        cases.add(
            "reopened", "Values of an earlier opening are taken as well", needs: [.uniqueness, .reopening]
        ) { trial in
            trial.use(Flag.self, Pennant.self)
            for points in 1...3 {
                try trial.write { $0.insert(Flag("alpha", points)) }
                trial.close()
            }
            try trial.read { context in try trial.equal(try context.only(Flag.self).points, 3, "the points") }
        }
    }
}

@Model final class Flag {
    @Attribute(.unique) var code: String
    var points: Int
    @Relationship(inverse: \Pennant.flag) var pennants: [Pennant] = []

    init(_ code: String, _ points: Int) {
        self.code = code
        self.points = points
    }
}

@Model final class Pennant {
    #Unique<Pennant>([\.colour, \.number])
    var colour: String?
    var number: Int
    var note: String
    var flag: Flag?

    init(_ colour: String?, _ number: Int, note: String) {
        self.colour = colour
        self.number = number
        self.note = note
    }
}
