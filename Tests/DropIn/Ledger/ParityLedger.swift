import Foundation
import SwiftData

/// Runs exercises of SwiftData's members and notes what came of them.
///
/// An exercise is a closure that uses the members it is registered for and states what they must do. Whatever it does
/// not state, throws at or never reaches is no success: a member works when an exercise that names it ran to its end,
/// stated something, and all of it held.
@MainActor
public final class ParityLedger {
    /// What came of an exercise.
    public struct Exercise {
        public let title: String
        /// The members it is of.
        public let members: [String]
        /// How these differ from SwiftData's; nil where they do not.
        public let difference: String?
        /// What did not hold.
        public let failures: [String]
        /// Where it begins, to compare its source with what it says it is of.
        public let file: String
        public let line: Int
    }

    /// Where the exercises keep their data.
    public enum Place: String, CaseIterable, Sendable {
        case memory, sqlite
    }

    public let place: Place
    /// The exercises that were run, in order.
    public private(set) var exercises: [Exercise] = []
    /// For files.
    public let folder: URL
    private var failures: [String] = []
    private var statements = 0
    private var files = 0

    public init(_ place: Place, folder: URL) {
        self.place = place
        self.folder = folder
    }

    /// Runs an exercise of members that do what SwiftData's do.
    public func works(
        _ title: String, _ members: [String], file: String = #filePath, line: Int = #line,
        _ body: @MainActor (ParityLedger) async throws -> Void
    ) async {
        await run(title, members, nil, file, line, body)
    }

    /// Runs an exercise of members that are there and do something else.
    public func differs(
        _ title: String, _ members: [String], because reason: String, file: String = #filePath, line: Int = #line,
        _ body: @MainActor (ParityLedger) async throws -> Void
    ) async {
        await run(title, members, reason, file, line, body)
    }

    private func run(
        _ title: String, _ members: [String], _ difference: String?, _ file: String, _ line: Int,
        _ body: @MainActor (ParityLedger) async throws -> Void
    ) async {
        failures = []
        statements = 0
        do {
            try await body(self)
            if statements == 0 { failures.append("it states nothing") }
        } catch {
            failures.append("it throws \(error)")
        }
        exercises.append(
            Exercise(
                title: title, members: members, difference: difference, failures: failures, file: file, line: line))
    }

    // MARK: Statements

    /// States that something holds.
    public func expect(_ condition: Bool, _ comment: String = "", line: Int = #line) {
        statements += 1
        if !condition { failures.append("line \(line): does not hold \(comment)") }
    }

    /// States that two values are equal.
    public func equal<T: Equatable>(_ one: T, _ other: T, line: Int = #line) {
        statements += 1
        if one != other { failures.append("line \(line): \(one) is not \(other)") }
    }

    /// States that a body throws a certain error.
    public func throwing(_ expected: SwiftDataError, line: Int = #line, _ body: () throws -> Void) {
        statements += 1
        do {
            try body()
            failures.append("line \(line): nothing is thrown")
        } catch expected {
        } catch {
            failures.append("line \(line): \(error) is thrown")
        }
    }

    /// The value, which must be there.
    public func require<T>(_ value: T?, line: Int = #line) throws -> T {
        guard let value else { throw Missing(line: line) }
        return value
    }

    struct Missing: Error, CustomStringConvertible {
        let line: Int
        var description: String { "nothing is there in line \(line)" }
    }

    // MARK: Stores

    /// A configuration of its own place each time.
    public func configuration(_ name: String = "default", schema: Schema? = nil) -> ModelConfiguration {
        switch place {
        case .memory: ModelConfiguration(name, schema: schema, isStoredInMemoryOnly: true)
        case .sqlite: ModelConfiguration(name, schema: schema, url: file())
        }
    }

    /// The name of a new file.
    public func file(_ ending: String = "store") -> URL {
        files += 1
        return folder.appendingPathComponent("\(files).\(ending)")
    }

    public func container(_ types: any PersistentModel.Type...) throws -> ModelContainer {
        try ModelContainer(for: Schema(types), configurations: [configuration()])
    }
}
