/// What one save does to a store's external files: new ones before its commit, old ones after it.
///
/// ```swift
/// let changes = ExternalFileChanges(files)
/// do {
///     let rows = try changes.moveOut(batch, slots: [2]) { row, slot in nil }  // names instead of large values
///     try changes.prepare()
///     …                                                                       // store the rows, commit
///     changes.finish()
/// } catch {
///     changes.revert()
///     throw error
/// }
/// ```
///
/// Isolation: used by the one thread that holds the store's writing lock.
public final class ExternalFileChanges {
    private let files: ExternalFiles
    private var written: [String] = []
    private var dropped: [String] = []

    /// A save that has changed nothing yet.
    public init(_ files: ExternalFiles) { self.files = files }

    /// Writes the large values of rows to files.
    ///
    /// - Parameters:
    ///   - batch: the rows; it is not changed.
    ///   - slots: the slots of external attributes.
    ///   - old: the name of the file that a row's value has now; nil for none. Asked only for cells that the batch has.
    /// - Returns: the rows with names, as text, in the place of large values; the batch itself where there are none.
    /// - Throws: ``SwiftDataError`` with the path; ``revert()`` removes what was written.
    /// - Complexity: O(*cells*), and one file for each large value that is not equal to the old one.
    public func moveOut(
        _ batch: RowBatch, slots: [Int], replacing old: (_ row: Int, _ slot: Int) throws -> String?
    ) throws -> RowBatch {
        var names: [Place: String] = [:]
        for row in 0..<batch.count {
            for slot in slots {
                let cell = batch.cell(row: row, slot: slot)
                if cell.kind == .absent { continue }
                let known = try old(row, slot)
                guard cell.kind == .blob, cell.length > ExternalFiles.threshold else {
                    if let known { drop(known) }
                    continue
                }
                let bytes = batch.bytes(of: cell)
                if let known, files.holds(bytes, in: known) {
                    names[Place(row: row, slot: slot)] = known
                    continue
                }
                let name = try files.write(bytes)
                written.append(name)
                names[Place(row: row, slot: slot)] = name
                if let known { drop(known) }
            }
        }
        return names.isEmpty ? batch : copy(batch, names)
    }

    private struct Place: Hashable {
        let row: Int
        let slot: Int
    }

    /// A batch belongs to whoever handed it over, who may look at it again when the save has failed.
    private func copy(_ batch: RowBatch, _ names: [Place: String]) -> RowBatch {
        let result = RowBatch(space: batch.space, width: batch.width, capacity: batch.count)
        result.descriptor = batch.descriptor
        for row in 0..<batch.count {
            result.appendRow(identifier: batch.identifier(ofRow: row))
            for slot in 0..<batch.width {
                if let name = names[Place(row: row, slot: slot)] {
                    result.set(.text(name), row: row, slot: slot)
                } else {
                    result.set(batch.cell(row: row, slot: slot), copying: batch, row: row, slot: slot)
                }
            }
        }
        return result
    }

    /// Notes a file that no row will refer to after the commit.
    public func drop(_ name: String) { dropped.append(name) }

    /// Before the commit: brings the names of new files to disk.
    ///
    /// - Throws: `SwiftDataError` where the disk does not take them.
    public func prepare() throws {
        if !written.isEmpty { try files.sync() }
    }

    /// Whether there are files that no row will refer to after the commit.
    public var hasDropped: Bool { !dropped.isEmpty }

    /// After the commit is on disk: removes the files that were dropped.
    public func finish() { files.remove(dropped) }

    /// After a failure: removes the files that were written.
    public func revert() { files.remove(written) }
}
