import Coffer
import CofferFuzz
import Foundation

/// A store with a world in it, a context that has changed that world without saving, and both worlds as plain objects.
final class ShapeBench {
    let store: FuzzStore
    let container: ModelContainer
    private let folder: URL
    private let changed: ModelContext
    private let saved: [PlainThing]
    private let pending: [PlainThing]

    /// - Parameter keeping: the numbers of the things that there are; nil for all.
    init(_ store: FuzzStore, world seed: UInt64, things: Int, keeping: Set<Int>? = nil) throws {
        var random = Random(seed: seed)
        var world = ShapeWorld(&random, things: things)
        var next = world.changed(&random)
        if let keeping {
            world = world.keeping(keeping)
            next = next.keeping(keeping)
        }
        self.store = store
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("coffer-shapes-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        container = try ModelContainer(
            for: Schema([Thing.self, Owner.self, Piece.self, Mark.self]), configurations: [store.configuration(folder)])
        let context = ModelContext(container)
        world.insert(into: context)
        try context.save()
        changed = ModelContext(container)
        try world.change(changed, into: next)
        saved = world.objects()
        pending = next.objects()
    }

    deinit {
        // What is left behind in a folder for temporary files does no harm.
        try? FileManager.default.removeItem(at: folder)
        for thing in saved + pending { thing.unlink() }
    }

    /// The numbers of the things, saved or not.
    var numbers: [Int] { Array(Set(saved.map(\.row.no) + pending.map(\.row.no))).sorted() }

    /// How many rows a predicate is compared on.
    var rows: Int { saved.count + pending.count }

    /// The values of a thing, for reports.
    func values(of number: Int) -> [String] {
        [("saved", saved), ("unsaved", pending)].compactMap { name, things in
            things.first { $0.row.no == number }.map { thing in
                "\(name): \(thing.row)".replacingOccurrences(of: "CofferShapes.", with: "")
                    + (thing.owner.map { " owner \($0.row), boss \(String(describing: $0.boss?.row))" } ?? "")
                    + (thing.pieces.isEmpty ? "" : " pieces \(thing.pieces.map(\.row))")
                    + (thing.labels.isEmpty ? "" : " labels \(thing.labels.map(\.row))")
            }
        }
    }

    /// A difference between a store and plain Swift.
    struct Difference: Error {
        let what: String
        let expected: String
        let found: String
    }

    /// Runs a fetch in every way.
    ///
    /// - Throws: ``Difference``.
    func run(_ shape: ShapeCase) throws {
        var descriptor = shape.descriptor
        let stored = shape.expected(saved)
        try compare("saved rows", descriptor, stored, in: ModelContext(container))
        try compare("with unsaved changes", descriptor, shape.expected(pending), in: changed)
        descriptor.includePendingChanges = false
        try compare("beside unsaved changes", descriptor, stored, in: changed, onlyIdentifiers: true)
    }

    private func compare(
        _ what: String, _ descriptor: FetchDescriptor<Thing>, _ expected: [Int], in context: ModelContext,
        onlyIdentifiers: Bool = false
    ) throws {
        func check<T: Equatable>(_ kind: String, _ expected: T, _ found: () throws -> T) throws {
            let result: T
            do {
                result = try found()
            } catch {
                throw Difference(what: "\(kind), \(what)", expected: "\(expected)", found: "an error: \(error)")
            }
            if result != expected {
                throw Difference(what: "\(kind), \(what)", expected: "\(expected)", found: "\(result)")
            }
        }
        if onlyIdentifiers {
            // The models show what is unsaved; which they are is what counts.
            return try check("models", expected) { try context.fetch(descriptor).map(\.no) }
        }
        var models: [Thing] = []
        // Counted first: what a fetch has put into memory shall not help.
        try check("count", expected.count) { try context.fetchCount(descriptor) }
        try check("models", expected) {
            models = try context.fetch(descriptor)
            return models.map(\.no)
        }
        try check("identifiers", models.map(\.persistentModelID)) { try context.fetchIdentifiers(descriptor) }
    }
}
