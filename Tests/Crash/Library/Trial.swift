import Coffer
import CrashShim
import Foundation

/// What a scenario tells of itself while it runs, in the process that is crashed.
final class Trial {
    /// What is done about a call that throws because the system failed.
    enum Reaction: String, Sendable {
        /// It is an error of the harness: nothing was to fail.
        case none
        /// The system works again, and the program tries once more.
        case retry
        /// The system works again, and the program ends.
        case leave
    }

    /// Ends a scenario whose save has thrown.
    struct Left: Error {}
    /// The store has closed itself after a failure.
    struct Closed: Error {}

    private let say: (String) -> Void
    private let reaction: Reaction
    private let last: Int?
    private var count = 0

    /// - Parameters:
    ///   - last: the number of the save after which the process ends; nil for all.
    ///   - say: hands a line to the process that watches.
    init(_ reaction: Reaction = .none, last: Int? = nil, say: @escaping (String) -> Void) {
        self.reaction = reaction
        self.last = last
        self.say = say
    }

    /// Reports that something is stored, come what may.
    func saved() {
        count += 1
        coffer_crash_mark(count)
        say("saved \(count)")
        if count == last { coffer_crash_exit(0) }
    }

    /// Reports something that ought not to be.
    func find(_ text: String) { say("finding \(text)") }

    /// Runs something, once more where the system has let it down.
    @discardableResult
    func attempt<T>(_ what: String, _ body: () throws -> T) throws -> T {
        do {
            return try body()
        } catch {
            try judge(error, what)
            return try body()
        }
    }

    /// Makes changes and saves them.
    func save(_ context: ModelContext, _ step: (ModelContext) throws -> Void) throws {
        do {
            try step(context)
        } catch {
            try judge(error, "changing")
            context.rollback()
            try step(context)
        }
        do {
            try context.save()
        } catch {
            let hadChanges = context.hasChanges
            if !hadChanges { find("a save has thrown, and the unsaved changes are gone") }
            try judge(error, "saving")
            do {
                try context.save()
            } catch let error as SwiftDataError where error.code == .storeClosed {
                say("closed")
                throw Closed()
            }
        }
        if context.hasChanges { find("a save has returned, and there are unsaved changes") }
        saved()
    }

    /// Opens a store and saves a row of changes, in a new container where the store has closed itself.
    func saves(_ site: Site, _ steps: [@Sendable (ModelContext) throws -> Void]) throws {
        var context = ModelContext(try attempt("opening") { try site.open() })
        for step in steps {
            do {
                try save(context, step)
            } catch is Closed {
                // The old container is still there, as it would be in a program.
                context = ModelContext(try site.open())
                try save(context, step)
            }
        }
    }

    /// Decides about an error: it goes on where the system has failed, with a system that works again.
    private func judge(_ error: any Error, _ what: String) throws {
        guard reaction != .none, coffer_crash_has_failed() != 0 else { throw error }
        coffer_crash_disarm()
        if let error = error as? SwiftDataError {
            say("threw \(error.code.rawValue) \(what)")
            let unnamed: Set<SwiftDataError.Code> = [.storeFailure, .corruptStore, .migrationFailure]
            // SQLite takes a disk that cannot read for a damaged file.
            let isSQLites = error.code == .corruptStore && error.detail?.hasPrefix("SQLite") == true
            if unnamed.contains(error.code), !isSQLites {
                find("\(what): a failure of the system comes out as \(error.code.rawValue): \(error)")
            }
            if error.file == nil { find("\(what): the error names no file: \(error)") }
        } else {
            find("\(what): no SwiftDataError but \(type(of: error)): \(error)")
        }
        if reaction == .leave { throw Left() }
    }
}
