import CRawSQLite
import Foundation

// Groups, live results, history, and threads beside each other.

extension RawSQLiteSession {
    func groups(_ database: OpaquePointer?) -> () throws -> Tally {
        {
            var tally = raw_tally()
            try Self.check(raw_group_trips(database, &tally), database)
            return Tally(tally)
        }
    }

    /// A program that fetches again what it shows, after each change.
    func refreshResults(_ database: OpaquePointer?) throws -> () throws -> Tally {
        guard let moving = data.moving else { throw Unsupported("no trip starts in the range") }
        let inside = data.trips[moving].startDate
        let fetch = fetchRange(database)
        return { [data] in
            var tally = Tally()
            for index in 0..<data.refreshCount {
                let start = index % 2 == 0 ? data.outsideStart : inside
                try Self.check(
                    raw_move_trip(database, Int64(moving + 1), start.timeIntervalSinceReferenceDate), database)
                tally.add(try fetch())
            }
            return tally
        }
    }

    /// A program that notes each row it inserts in a table, in the same transaction.
    func readHistory(_ database: OpaquePointer?) throws -> () throws -> Tally {
        try Self.check(raw_create_log(database), database)
        for index in 0..<data.smallSaveCount {
            try Self.check(raw_insert_logged_trip(database, data.rawTrips + index % data.rows), database)
        }
        return {
            var changes: Int64 = 0
            try Self.check(raw_read_log(database, 0, &changes), database)
            return Tally(rows: Int(changes))
        }
    }

    /// Each reader has a connection of its own, as the writer has.
    func readersAndWriter(_ database: OpaquePointer?) -> () throws -> Tally {
        let connections = (0..<data.readerCount).map { _ in RawConnections.Connection() }
        let writer = RawConnections.Handle(database)
        return { [data, path, table] in
            let pool = RawConnections(connections)
            return try ReadersAndWriter.run(data) {
                let connection = pool.take()
                defer { pool.give(connection) }
                if connection.database == nil {
                    try Self.check(raw_open(path, table, 0, &connection.database), connection.database)
                    raw_wait_when_busy(connection.database)
                }
                return try Self.fetchRange(connection.database, data)
            } writing: {
                { index in
                    var trip = data.rawTrips[index % data.rows]
                    try "Elsewhere".withCString { text in
                        trip.destination = UnsafeMutablePointer(mutating: text)
                        trip.destination_length = 9
                        try Self.check(raw_insert_trip(writer.database, &trip), writer.database)
                    }
                }
            }
        }
    }
}

/// Connections that one thread at a time uses.
private final class RawConnections: @unchecked Sendable {
    final class Connection: @unchecked Sendable {
        var database: OpaquePointer?

        deinit { raw_close(database) }
    }

    /// A connection that belongs to one thread.
    struct Handle: @unchecked Sendable {
        let database: OpaquePointer?

        init(_ database: OpaquePointer?) { self.database = database }
    }

    private let lock = NSLock()
    private var idle: [Connection]

    init(_ connections: [Connection]) { idle = connections }

    func take() -> Connection { lock.withLock { idle.popLast() } ?? Connection() }

    func give(_ connection: Connection) { lock.withLock { idle.append(connection) } }
}
