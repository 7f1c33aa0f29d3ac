import Foundation

/// A store at a place, held against everybody else, with what it takes to bring it forward on a copy.
///
/// A store that lies in files makes one of these when its schema is not that of the program, and hands it to
/// ``StoreMigration``. The core reads ``source``, fills new stores beside it and in the end has one of them take its
/// place. Whatever happens before that leaves the old store as it is; what a process that dies leaves beside it is removed
/// by the next migration.
public protocol StoreMigrationPlace: AnyObject {
    /// The store's name, for errors.
    var name: String { get }
    /// The file or folder, for errors.
    var path: String { get }
    /// The store as it is, by the schema that it keeps of itself; for reading only.
    var source: any ImportingRowStore { get }

    /// Makes an empty store beside, with the identifier of the old one.
    ///
    /// - Parameters:
    ///   - number: tells the stores apart that are there at a time.
    ///   - schema: its schema.
    /// - Throws: what the system refuses, as ``SwiftDataError`` with the file; the old store is as it was.
    func makeSibling(_ number: Int, schema: Schema) throws -> any ImportingRowStore

    /// Closes a store that ``makeSibling(_:schema:)`` made, with all that it holds on disk.
    ///
    /// - Throws: what the system refuses, as ``SwiftDataError`` with the file; the old store is as it was.
    func finishSibling(_ number: Int, _ store: any ImportingRowStore) throws

    /// Removes what there is of a store beside; nothing happens where there is none.
    func removeSibling(_ number: Int)

    /// Keeps the old store under another name.
    ///
    /// - Throws: what the system refuses, as ``SwiftDataError`` with the file; the old store is as it was.
    func backUp() throws -> URL

    /// Has a finished store take the old one's place, in one step: whoever opens the place finds either of them whole.
    ///
    /// - Throws: what the system refuses, as ``SwiftDataError`` with the file; the old store is as it was.
    func replace(with number: Int) throws

    /// Gives the place free.
    func end()
}
