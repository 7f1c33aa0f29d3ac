import CofferCore
import Foundation

/// The order of to-many relationships.
enum OrderCases {
    static func add(_ cases: inout CaseList) {
        for (name, shape) in shapes {
            cases.add("\(name)-kept", "The order of a \(name) list is read back as it was saved", needs: [.ordered]) {
                trial in
                try fill(trial, shape, ["C", "A", "D", "B"])
                try check(trial, shape, ["C", "A", "D", "B"])
            }
            cases.add("\(name)-changed", "A \(name) list may be put into another order", needs: [.ordered]) { trial in
                try fill(trial, shape, ["A", "B", "C", "D"])
                try change(trial, shape) { $0.reverse() }
                try check(trial, shape, ["D", "C", "B", "A"])
                try change(trial, shape) { $0.swapAt(0, 2) }
                try check(trial, shape, ["B", "C", "D", "A"])
            }
            cases.add(
                "\(name)-insertion", "A row that is inserted into a \(name) list has its place", needs: [.ordered]
            ) { trial in
                try fill(trial, shape, ["A", "B", "C"])
                try change(trial, shape) { $0.insert(Note("N"), at: 1) }
                try check(trial, shape, ["A", "N", "B", "C"])
                try change(trial, shape) { $0.append(Note("Z")) }
                try check(trial, shape, ["A", "N", "B", "C", "Z"])
            }
            cases.add("\(name)-removal", "A \(name) list closes up behind a row that is removed", needs: [.ordered]) {
                trial in
                try fill(trial, shape, ["A", "B", "C", "D"])
                try change(trial, shape) { $0.remove(at: 1) }
                try check(trial, shape, ["A", "C", "D"])
                try trial.write { context in
                    context.delete(try context.only(Note.self, where: #Predicate { $0.text == "C" }))
                }
                try check(trial, shape, ["A", "D"])
            }
        }
    }

    /// A list of each shape.
    private static let shapes: [(String, @Sendable () -> ReferenceWritableKeyPath<Binder, [Note]>)] = [
        ("one-to-many", { \.own }), ("many-to-many", { \.shared }), ("one-way", { \.plain }),
    ]

    private typealias Shape = @Sendable () -> ReferenceWritableKeyPath<Binder, [Note]>

    private static func fill(_ trial: ConformanceTrial, _ shape: Shape, _ texts: [String]) throws {
        trial.use(Binder.self, Note.self)
        try trial.write { context in
            // Rows come into being in another order than the list's.
            let notes = Dictionary(uniqueKeysWithValues: texts.sorted().map { ($0, Note($0)) })
            for text in texts.sorted() { notes[text].map(context.insert) }
            let binder = Binder()
            context.insert(binder)
            binder[keyPath: shape()] = texts.compactMap { notes[$0] }
        }
    }

    private static func change(_ trial: ConformanceTrial, _ shape: Shape, _ body: (inout [Note]) -> Void) throws {
        try trial.write { context in body(&(try context.only(Binder.self))[keyPath: shape()]) }
    }

    private static func check(_ trial: ConformanceTrial, _ shape: Shape, _ texts: [String]) throws {
        try trial.read { context in
            try trial.equal(try context.only(Binder.self)[keyPath: shape()].map(\.text), texts, "the list")
        }
    }
}

@Model final class Binder {
    var title = ""
    @Relationship(inverse: \Note.binder) var own: [Note] = []
    @Relationship(inverse: \Note.binders) var shared: [Note] = []
    var plain: [Note] = []

    init() {}
}

@Model final class Note {
    var text: String
    var binder: Binder?
    var binders: [Binder] = []

    init(_ text: String) { self.text = text }
}
