import CofferCore
import Foundation

/// Reads from a file that is opened for reading only, until what was read is of one state.
///
/// A file that has no log is read without locks, and somebody may open it for saving meanwhile, and fold the log in when
/// he closes it, or be making the store.
struct SQLiteReading {
    let configuration: SQLiteStoreConfiguration
    private let isDamaged: Bool

    /// How often a file is read anew that others change meanwhile.
    private static let attempts = 100

    /// - Parameter isDamaged: whether a file that has fewer pages than it should is opened too.
    init(_ configuration: SQLiteStoreConfiguration, isDamaged: Bool = false) {
        var reading = SQLiteStoreConfiguration(configuration.name, url: configuration.url, allowsSave: false)
        reading.busyTimeout = configuration.busyTimeout
        self.configuration = reading
        self.isDamaged = isDamaged
    }

    /// A connection that leaves the file and its log alone.
    func connect() throws -> SQLiteConnection {
        let connection = try SQLiteOpening.connect(configuration, isDamaged: isDamaged)
        connection.keepLogOnClose()
        return connection
    }

    private var hasJournal: Bool { SQLiteFile.hasJournal(configuration.path) }

    /// Runs a body on a new connection, again where the file was changed under it.
    func run<T>(_ body: (SQLiteConnection) throws -> T) throws -> (connection: SQLiteConnection, result: T) {
        var attempt = 0
        while true {
            attempt += 1
            let (before, hadJournal) = (SQLiteFile.stamp(of: configuration.path), hasJournal)
            let outcome = Result {
                let connection = try connect()
                return (connection: connection, result: try body(connection))
            }
            switch outcome {
            case .success((let connection, _)) where connection.stamp == nil: return try outcome.get()
            case .failure(let failure as SQLiteFailure) where failure.isBusy: throw failure
            default: break
            }
            // Only who makes a store writes a journal, and it is there for as long as he writes.
            let isWhole = !hadJournal && !hasJournal && SQLiteFile.stamp(of: configuration.path) == before
            if isWhole || attempt >= Self.attempts { return try outcome.get() }
            usleep(1000)
        }
    }
}
