import CofferCore
import CofferRecords

/// Brings what is known of an archive to the state of its files. Writes nothing.
struct ArchiveLoading {
    let place: ArchivePlace

    /// How often files are read anew that others replace meanwhile.
    private static let attempts = 100

    /// Where the document is gone, what is known stays: some programs remove a file before they write it anew.
    ///
    /// - Throws: `corruptStore` with line and column, `newerStoreFormat`.
    func refresh(_ known: ArchiveContents) throws -> ArchiveContents {
        do {
            for _ in 0..<Self.attempts {
                if let contents = try attempt(known) { return contents }
            }
        } catch let failure as FileFailure {
            throw failure.error(place.path)
        } catch let error as SwiftDataError {
            throw error.adding(file: place.path)
        }
        throw SwiftDataError(
            .storeBusy, file: place.path, detail: "somebody else wrote the archive again and again while it was read")
    }

    /// Nil where the files were changed meanwhile.
    private func attempt(_ known: ArchiveContents) throws -> ArchiveContents? {
        let document = FileStamp(place.path)
        let journal = FileStamp(place.journal)
        guard let document else { return known }
        if known.isCurrent(document, journal) { return known }
        if document == known.document, let contents = try readTail(known, journal) { return contents }
        return try load(known)
    }

    // MARK: The journal's tail

    /// Applies what the journal has more; nil where it is another journal than before.
    private func readTail(_ known: ArchiveContents, _ journal: FileStamp?) throws -> ArchiveContents? {
        if known.journal.end == 0 { return try readFirst(known) }
        guard let layout = known.layout, let journal, known.journal.stamp?.identity == journal.identity,
            journal.size >= known.journal.end,
            let file = try OpenFile(reading: place.journal), let stamp = file.stamp, stamp.identity == journal.identity
        else { return nil }
        let text = try JournalText(try file.read(from: known.journal.end), firstLine: known.journal.lines + 1)
        // The document may have been replaced since, and the lines belong to the old one: the next look tells.
        var contents = known
        contents.journal.refusesTail = false
        contents.journal.end += text.end
        contents.journal.lines += text.lines.count
        contents.journal.stamp = stamp
        if !text.lines.isEmpty {
            try known.memory.fill { writer in
                var saves = SaveReader(layout, into: writer, maximumKeySize: known.memory.maximumKeySize)
                try apply(text, text.lines[...], after: known.journal.lines, known.journal.isNumbered, &saves)
            }
        }
        return contents
    }

    /// Applies lines of a journal.
    ///
    /// - Parameters:
    ///   - count: how many lines come before.
    ///   - isNumbered: whether saves have numbers; the first line is no save.
    /// - Throws: `corruptStore` that names the line.
    private func apply(
        _ text: JournalText, _ lines: ArraySlice<Range<Int>>, after count: Int, _ isNumbered: Bool,
        _ saves: inout SaveReader
    ) throws {
        var number = count
        for line in lines {
            number += 1
            do {
                try text.withObject(line) { try saves.apply($0, number: isNumbered ? number - 1 : nil) }
            } catch var error as SwiftDataError {
                error.detail = "line \(number) of the journal: \(error.detail ?? "it does not fit the archive")"
                throw error
            }
        }
    }

    /// Applies a journal where there was none so far, or one that counted for nothing.
    private func readFirst(_ known: ArchiveContents) throws -> ArchiveContents? {
        var contents = known
        contents.journal = ArchiveContents.Journal()
        guard let file = try OpenFile(reading: place.journal) else { return contents }
        contents.journal.stamp = file.stamp
        let text = try JournalText(try file.read())
        // A journal that follows the next document is not for this one.
        guard FileStamp(place.path) == known.document else { return nil }
        try known.memory.fill { try apply(text, to: &contents, $0) }
        return contents
    }

    // MARK: Everything

    /// Reads both files; nil where they do not belong together because somebody replaced one of them.
    private func load(_ known: ArchiveContents) throws -> ArchiveContents? {
        guard let file = try OpenFile(reading: place.path), let before = file.stamp else { return nil }
        let document = try file.read()
        let journal = try OpenFile(reading: place.journal)
        let journalStamp = journal?.stamp
        let lines = try journal?.read() ?? []
        guard file.stamp == before, FileStamp(place.path) == before else { return nil }

        var contents = ArchiveContents(memory: MemoryEngine(path: place.path))
        contents.document = before
        contents.pin = file
        contents.journal.stamp = journalStamp
        let memory = contents.memory
        do {
            try memory.fill { writer in
                let result = try document.withUnsafeBytes { bytes in
                    try read(bytes, into: writer, memory.maximumKeySize)
                }
                contents.layout = result.layout
                contents.identifier = result.header.identifier
                contents.generation = result.header.generation
                contents.fingerprint = result.header.fingerprint
                try apply(try JournalText(lines), to: &contents, writer)
            }
        } catch {
            // Editors do not replace files, they write into them.
            if FileStamp(place.path) != before { return nil }
            throw error
        }
        contents.line = try contents.follows(known) ? known.line : known.line + 1
        let isSame =
            contents.fingerprint == known.fingerprint && contents.identifier == known.identifier
            && contents.line == known.line
        contents.revision = isSame ? known.revision : known.revision + 1
        return contents
    }

    private func read(
        _ text: UnsafeRawBufferPointer, into writer: any RecordWriter, _ maximumKeySize: Int
    ) throws -> DocumentReader.Result {
        do {
            var reader = DocumentReader(text, into: writer, maximumKeySize: maximumKeySize)
            return try reader.read()
        } catch let fault as TextFault {
            throw SwiftDataError(
                .corruptStore, entity: fault.entity, property: fault.property,
                detail: "\(TextPosition(fault.offset, in: text)): \(fault.detail)")
        }
    }

    /// Applies a whole journal.
    private func apply(_ text: JournalText, to contents: inout ArchiveContents, _ writer: any RecordWriter) throws {
        guard let first = text.lines.first else {
            // Somebody else's file is neither read nor removed.
            if !text.isTornBeginning { throw JournalHeader.stranger }
            return
        }
        guard let layout = contents.layout else { return }
        let header = try text.withObject(first) { try JournalHeader($0) }
        guard header.identifier == contents.identifier else {
            throw SwiftDataError(.corruptStore, detail: "the journal beside the archive belongs to another archive")
        }
        if header.generation < contents.generation {
            contents.journal.isStale = true
            return
        }
        guard header.generation == contents.generation else {
            throw SwiftDataError(
                .corruptStore,
                detail: "the journal follows the generation \(header.generation) of the archive, which is only the "
                    + "generation \(contents.generation)")
        }
        var saves = SaveReader(layout, into: writer, maximumKeySize: contents.memory.maximumKeySize)
        try apply(text, text.lines.dropFirst(), after: 1, header.isNumbered, &saves)
        contents.journal.isNumbered = header.isNumbered
        contents.journal.end = text.end
        contents.journal.lines = text.lines.count
    }
}
