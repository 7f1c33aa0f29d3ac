import CofferCore
import CofferRecords
import Foundation

/// Stores changes of an archive in its files: as a line of the journal, or by writing the document as a whole.
///
/// Whoever uses it has the archive locked. When something fails the files say what they said before.
struct ArchiveSaving {
    let place: ArchivePlace
    let lock: ArchiveLock?
    let contents: ArchiveContents

    /// Documents below this size are written as a whole at each save, so that the file itself shows it.
    static let smallDocument = 64 << 10
    /// What a journal may grow to at least before it is folded in.
    static let smallJournal = 1 << 20

    /// Stores what a transaction has done.
    ///
    /// - Parameter reader: the tables with the changes.
    /// - Returns: what is known of the archive afterwards.
    func save(_ changes: ArchiveChanges, _ reader: any RecordReader) throws -> ArchiveContents {
        if changes.isEmpty { return contents }
        if let layout = contents.layout, let document = contents.document, !changes.needsRewriting,
            document.size >= Self.smallDocument
        {
            let limit = max(Self.smallJournal, document.size / 2) - contents.journal.end
            var save = SaveText(changes, layout, reader)
            let number = contents.journal.end == 0 ? 1 : contents.journal.nextSave
            if limit > 0, let object = try save.object(number, limit: limit) {
                return try append(JournalText.line(object))
            }
        }
        return try rewrite(reader, with: changes.newTables)
    }

    // MARK: The document

    /// Writes all tables as a new document, and removes the journal.
    ///
    /// - Parameter newTables: tables that the layout so far does not have.
    /// - Throws: `unsupportedFeature` where the new layout does not have them either: a document has no place for them,
    ///   and what is in them would be lost.
    func rewrite(_ reader: any RecordReader, with newTables: Set<String> = []) throws -> ArchiveContents {
        var new = contents
        let (generation, isLast) = contents.generation.addingReportingOverflow(1)
        guard !isLast else {
            throw SwiftDataError(
                .corruptStore, file: place.path, detail: "its generation is the largest number there is")
        }
        new.generation = generation
        let header = try DocumentHeader(reader, generation: new.generation)
        let layout: RecordSchema
        if let known = contents.layout, header.fingerprint == contents.fingerprint {
            layout = known
        } else {
            layout = try header.makeLayout()
            new.revision += 1
        }
        if let stranger = newTables.subtracting(layout.tables.map(\.name)).min() {
            throw SwiftDataError(.unsupportedFeature, detail: "an archive has no place for the table \(stranger)")
        }
        let replacement = try Replacement(place)
        var writer = DocumentWriter(layout, reader) { try replacement.write($0) }
        try writer.write(header)
        let document = try replacement.takePlace(isNew: lock == nil)
        lock?.move(to: replacement.file)
        unlink(place.journal)
        new.layout = layout
        new.fingerprint = header.fingerprint
        new.identifier = header.identifier
        new.document = replacement.file.stamp
        new.pin = document
        new.journal = ArchiveContents.Journal()
        return new
    }

    // MARK: The journal

    private func append(_ line: [UInt8]) throws -> ArchiveContents {
        try clearJournal()
        var new = contents
        let isNew = contents.journal.end == 0
        let header =
            try isNew ? JournalHeader(identifier: contents.identifier, generation: contents.generation).line() : []
        let file = try OpenFile(appendingTo: place.journal, like: place.path)
        do {
            try file.write(header + line)
            try file.sync()
            if isNew { try OpenFile.sync(folder: place.folder) }
        } catch {
            guard takeBack(file, isNew: isNew) else { throw Remains(cause: error) }
            throw error
        }
        new.journal.end += header.count + line.count
        new.journal.lines += isNew ? 2 : 1
        if isNew { new.journal.isNumbered = true }
        new.journal.isStale = false
        new.journal.refusesTail = false
        new.journal.stamp = file.stamp
        return new
    }

    /// A save has failed, and what it has written to the journal cannot be taken back: neither would the disk.
    struct Remains: Error {
        let cause: any Error

        init(cause: any Error) {
            let failure = cause as? FileFailure
            let words = "; neither can it be taken back, and it may be there when the archive is opened anew"
            self.cause = failure.map { FileFailure($0.action + words, code: $0.code) } ?? cause
        }
    }

    /// Takes back what a save has written to the journal, in one way or another.
    private func takeBack(_ file: OpenFile, isNew: Bool) -> Bool {
        let end = off_t(contents.journal.end)
        if isNew, unlink(place.journal) == 0 { return true }
        if ftruncate(file.descriptor, end) == 0 { return true }
        // Without the end of its line a save counts for nothing. A file that is appended to takes no other place.
        guard let size = file.stamp?.size, size > Int(end) else { return true }
        let descriptor = open(place.journal, O_WRONLY | O_CLOEXEC)
        defer { if descriptor >= 0 { close(descriptor) } }
        return descriptor >= 0 && pwrite(descriptor, " ", 1, off_t(size - 1)) == 1
    }

    /// Removes a journal that follows an older document, and what a save that did not return has left at its end.
    ///
    /// - Returns: whether there was something to remove.
    @discardableResult
    func clearJournal() throws -> Bool {
        let journal = contents.journal
        if journal.isStale || journal.end == 0, journal.stamp != nil {
            try FileFailure.check(unlink(place.journal), "removing a journal that is out of date")
        } else if journal.isTorn {
            try FileFailure.check(truncate(place.journal, off_t(journal.end)), "cutting the journal's torn end")
        } else {
            return false
        }
        return true
    }
}
