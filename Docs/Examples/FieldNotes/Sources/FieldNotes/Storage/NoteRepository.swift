import Foundation

/// Where the rest of the program reads and writes notes. Values go in and come out; tests put something else behind it.
public protocol NoteRepository: Sendable {
    /// The notes that are there, by subject and place.
    ///
    /// - Parameter text: what subject or place must contain; empty for all.
    func notes(containing text: String) async throws -> [FieldNote]
    /// Keeps a note, new or changed, and queues what is different for the station.
    func write(_ note: FieldNote) async throws
    /// Throws a note away, and queues that.
    func remove(_ id: FieldNote.ID) async throws
}

/// What a repository refuses.
public enum NoteProblem: Error, Hashable, CustomStringConvertible {
    case withoutSubject
    case notFound

    public var description: String {
        switch self {
        case .withoutSubject: "a note needs a subject"
        case .notFound: "there is no such note"
        }
    }
}
