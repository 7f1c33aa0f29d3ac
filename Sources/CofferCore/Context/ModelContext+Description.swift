extension ModelContext: CustomDebugStringConvertible {
    /// The stores, who makes the changes, and how many there are that were not saved. Values of the models do not show.
    public var debugDescription: String {
        let names = container.stores.map(\.name).joined(separator: ", ")
        var text = "ModelContext of \(names)"
        if let author { text += " by \(author)" }
        let changes = [
            (homes.values.reduce(0) { $0 + $1.inserted.count }, "inserted"),
            (homes.values.reduce(0) { $0 + $1.liveChanged.count }, "changed"),
            (homes.values.reduce(0) { $0 + $1.deleted.count }, "deleted"),
            (pendingBatches.count, "deletions or updates by predicate"),
        ]
        let told = changes.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        return text + (told.isEmpty ? ", without changes" : ": " + told.joined(separator: ", "))
    }
}
