extension ModelContext {
    /// Tells how ``fetch(_:)`` would carry a descriptor out: what the store runs and which index it uses, what memory
    /// does and why, how unsaved changes take part, and the requests made.
    ///
    /// ```swift
    /// let explanation = try context.explain(descriptor)
    /// print(explanation)
    /// assert(!explanation.fallsBack)
    /// ```
    ///
    /// It tells of fallbacks in a strict context as well (``allowsInMemoryFallback``) and throws for none.
    ///
    /// - Throws: ``SwiftDataError`` as the fetch would.
    /// - Complexity: a request that hands no rows out. SQLite only plans its statement; a store of records chooses by
    ///   what its indexes hold, and goes the way that the fetch would.
    public func explain<M: PersistentModel>(_ descriptor: FetchDescriptor<M>) throws -> FetchExplanation {
        try enter(.fetch)
        defer { leave() }
        catchUp()
        let home = try home(of: M.self, for: .fetch)
        return try PlannedFetch(descriptor, home: home, context: self).explanation()
    }
}
