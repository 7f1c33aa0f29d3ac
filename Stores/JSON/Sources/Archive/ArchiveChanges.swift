/// What one save has changed, as far as it does not follow from the rest.
struct ArchiveChanges {
    /// The rows of one space, in the order of their keys.
    struct Rows {
        let space: Int
        var changed: [Int64] = []
        var deleted: [Int64] = []
    }

    /// The lists of one to-many relationship.
    struct Lists {
        let space: Int
        /// The place among the lists of the space.
        let list: Int
        let owners: [Int64]
    }

    var rows: [Rows] = []
    /// Those that say who is in a list come before those that only say an order.
    var lists: [Lists] = []
    /// The entities whose next key is another one.
    var counters: [String] = []
    /// The numbers of the history's entries that are new, others than before, or gone.
    var history: [Int64] = []
    /// Whether the changes are of another kind, so that the document has to be written as a whole.
    var needsRewriting = false
    /// Tables that were made or written and that the archive's layout did not have.
    var newTables: Set<String> = []

    var isEmpty: Bool { rows.isEmpty && lists.isEmpty && counters.isEmpty && history.isEmpty && !needsRewriting }
}
