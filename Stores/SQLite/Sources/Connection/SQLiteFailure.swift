import CSQLite
import CofferCore
import Foundation

/// What SQLite answered when something went wrong.
struct SQLiteFailure: Error, Hashable {
    /// The extended result code.
    let code: Int32
    /// SQLite's message, which names tables and columns but holds no values.
    let message: String

    /// The code without its extension.
    var primaryCode: Int32 { code & 0xFF }

    var isUniqueConflict: Bool {
        code == SQLITE_CONSTRAINT_UNIQUE_CODE || code == SQLITE_CONSTRAINT_PRIMARYKEY_CODE
            || code == SQLITE_CONSTRAINT_ROWID_CODE
    }

    /// Whether another connection is in the way for now.
    var isBusy: Bool { primaryCode == SQLITE_BUSY || primaryCode == SQLITE_LOCKED }

    /// The error to throw, with as much of the place as the message names.
    func error(
        _ place: SQLitePlace, operation: SwiftDataError.Operation, schema: SQLiteSchema? = nil,
        entity: String? = nil
    ) -> SwiftDataError {
        var error = SwiftDataError(
            errorCode, operation: operation, store: place.name, entity: entity, file: place.path,
            detail: "SQLite: \(message) (\(code))", underlying: self)
        if primaryCode == SQLITE_CONSTRAINT, let schema, let (table, columns) = Self.columns(in: message, schema) {
            error.entity = table.entityName
            error.property = columns.joined(separator: ", ")
        }
        return error
    }

    private var errorCode: SwiftDataError.Code {
        switch primaryCode {
        case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL: .storeBusy
        case SQLITE_READONLY, SQLITE_PERM: .storeNotWritable
        case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_FORMAT: .corruptStore
        case SQLITE_FULL: .storeFull
        // The memory that processes share is a file, which could not be made large enough.
        case SQLITE_IOERR where code == SQLITE_IOERR_SHMSIZE_CODE: .storeFull
        case SQLITE_IOERR, SQLITE_CANTOPEN, SQLITE_NOLFS: .ioFailure
        case SQLITE_TOOBIG: .valueTooLarge
        case SQLITE_CONSTRAINT:
            switch code {
            case SQLITE_CONSTRAINT_NOTNULL_CODE: .missingRequiredValue
            case SQLITE_CONSTRAINT_FOREIGNKEY_CODE: .invalidRelationship
            default: isUniqueConflict ? .uniquenessConflict : .storeFailure
            }
        default: .storeFailure
        }
    }

    /// The table and the properties of `UNIQUE constraint failed: Trip.name, Trip.start`.
    private static func columns(in message: String, _ schema: SQLiteSchema) -> (SQLiteTable, [String])? {
        guard let colon = message.range(of: "constraint failed: ") else { return nil }
        let list = String(message[colon.upperBound...])
        guard let name = schema.tables.map(\.name).filter({ list.hasPrefix($0 + ".") }).max() else { return nil }
        let names = list.components(separatedBy: ", ").map { String($0.dropFirst(name.count + 1)) }
        // Of the entities of a hierarchy the topmost that has all of the columns.
        let tables = schema.tables.filter { $0.name == name }.sorted { $0.columns.count < $1.columns.count }
        let fitting = tables.first { table in names.allSatisfy { name in table.columns.contains { $0.name == name } } }
        guard let table = fitting ?? tables.first else { return nil }
        return (table, names.map { name in table.columns.first { $0.name == name }?.property ?? name })
    }
}

/// The extended codes, which the header builds with macros that do not reach Swift.
let SQLITE_CONSTRAINT_FOREIGNKEY_CODE = SQLITE_CONSTRAINT | 3 << 8
let SQLITE_CONSTRAINT_NOTNULL_CODE = SQLITE_CONSTRAINT | 5 << 8
let SQLITE_CONSTRAINT_PRIMARYKEY_CODE = SQLITE_CONSTRAINT | 6 << 8
let SQLITE_CONSTRAINT_UNIQUE_CODE = SQLITE_CONSTRAINT | 8 << 8
let SQLITE_CONSTRAINT_ROWID_CODE = SQLITE_CONSTRAINT | 10 << 8
let SQLITE_IOERR_SHMSIZE_CODE = SQLITE_IOERR | 19 << 8

/// Where a store is, for its errors.
struct SQLitePlace: Sendable, Hashable {
    /// The configuration's name.
    let name: String
    /// The file's path.
    let path: String

    /// The path without symbolic links, where there is a file.
    var resolvedPath: String {
        guard let resolved = realpath(path, nil) else { return path }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}
