extension PersistentModel {
    /// Whether the model's texts are what a full-text query looks for.
    ///
    /// ```swift
    /// let found = #Predicate<Article> { $0.matchesFullText("swift persist* -draft") }
    /// ```
    ///
    /// It looks into the properties that `#FullText` names, of superclasses too, or into all properties of the type
    /// `String` of a class without one. Words may be spread over several of them, a phrase stands in one. ``FullTextQuery``
    /// says how queries are written, and ``TextWords`` what words are; a query is never wrong.
    ///
    /// In a predicate, stores with ``StoreCapabilities/Features/fullText`` look the words up in their index.
    ///
    /// Isolation: that of the model. Complexity: O(*length of the texts*).
    ///
    /// - Parameter query: what to look for.
    public func matchesFullText(_ query: String) -> Bool {
        FullTextQuery(query).matches(_fullTexts(Self._$descriptor.fullTextSlots))
    }

    /// The texts of some slots, without those that are nil.
    func _fullTexts(_ slots: [Int]) -> [String] {
        let properties = Self._$descriptor.properties
        return slots.compactMap { slot in
            let value: Any? = self[keyPath: properties[slot].keyPath as AnyKeyPath]
            return value.flatMap { _flatten($0) } as? String
        }
    }
}

extension String {
    /// Whether the text is what a full-text query looks for.
    ///
    /// ```swift
    /// let found = #Predicate<Article> { $0.title.matchesFullText("\"open source\" OR licen*") }
    /// ```
    ///
    /// ``FullTextQuery`` says how queries are written, and ``TextWords`` what words are; a query is never wrong. In a
    /// predicate, the text may be any that a predicate can speak of; a property that `#FullText` names is looked up in the
    /// store's index.
    ///
    /// Complexity: O(*length*).
    ///
    /// - Parameter query: what to look for.
    public func matchesFullText(_ query: String) -> Bool { FullTextQuery(query).matches(self) }
}
