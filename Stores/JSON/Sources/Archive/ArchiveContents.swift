import CofferCore
import CofferRecords

/// What is known of an archive: its tables, and the state of its files that they show.
struct ArchiveContents: Sendable {
    /// All tables.
    var memory: MemoryEngine
    /// How the rows lie in the tables; nil where there is no archive yet.
    var layout: RecordSchema?
    var fingerprint: [UInt8] = []
    /// Another number for each schema, identifier and line.
    var revision = 0
    /// Another number each time the files are found to be no later state of what was known, but an older copy, or one that
    /// has gone its own way.
    var line = 0
    var identifier = ""
    var generation: Int64 = 0
    /// The state of the document; nil where there is none yet.
    var document: FileStamp?
    /// Keeps the document's number from being given to another file.
    var pin: OpenFile?
    var journal = Journal()

    /// What is known of the journal.
    struct Journal: Hashable, Sendable {
        /// The state of the file; nil where there is none.
        var stamp: FileStamp?
        /// The bytes that belong to the tables' state.
        var end = 0
        /// The lines in them.
        var lines = 0
        /// Whether it follows an older document, and counts for nothing.
        var isStale = false
        /// Whether what lies behind the end is of a save that has failed, so that nobody here shall read it.
        var refusesTail = false
        /// Whether saves have numbers, as in every journal but those of older versions.
        var isNumbered = true

        /// The number of the next save; nil where they have none.
        var nextSave: Int? { isNumbered ? max(lines, 1) : nil }

        /// Whether something that counts for nothing lies behind the end.
        var isTorn: Bool { !isStale && (stamp?.size ?? 0) > end }
    }

    /// Whether the files are as they were. What lies behind the journal's end has to be looked at again each time.
    func isCurrent(_ document: FileStamp?, _ journal: FileStamp?) -> Bool {
        document == self.document && journal == self.journal.stamp
            && (!self.journal.isTorn || self.journal.refusesTail)
    }

    /// Whether it is a later state of what was known. Keys that an older copy gives out again mean other rows than
    /// before; so do those of a copy that somebody else went on with.
    func follows(_ known: ArchiveContents) throws -> Bool {
        guard known.document != nil, identifier == known.identifier else { return true }
        if generation < known.generation { return false }
        if generation == known.generation, journal.lines < known.journal.lines { return false }
        return try known.memory.read { old in try memory.read { try RecordHistory.goes(on: $0, from: old) } }
    }

    /// The first entity whose rows do not lie as a store expects; nil where all do.
    func firstMisfit(_ expected: RecordSchema) -> String? { layout.flatMap { expected.firstMisfit(in: $0) } }
}
