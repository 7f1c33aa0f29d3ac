import Foundation

extension ModelContext {
    /// Fetches the models that a descriptor describes, in sections.
    ///
    /// Sections stand in the order of their titles, unless the descriptor's order begins with the same key path, in
    /// reverse for instance. Titles that have no order, such as those of an enumeration, stand in the order of the
    /// sections' first models. Inside of a section the descriptor's order holds; offset and limit count models.
    ///
    /// - Parameters:
    ///   - descriptor: the fetch.
    ///   - keyPath: what the models of a section have in common; a stored property is sorted by the store.
    /// - Throws: as ``fetch(_:)`` does.
    /// - Complexity: one request; O(*result*).
    public func fetch<M: PersistentModel, Title: Hashable>(
        _ descriptor: FetchDescriptor<M>, sectionBy keyPath: KeyPath<M, Title>
    ) throws -> SectionedResults<M, Title> {
        try fetch(descriptor, Sectioning(keyPath))
    }

    /// Fetches in sections; the models without a title are those of the section with the empty one.
    ///
    /// - Throws: as ``fetch(_:)`` does.
    public func fetch<M: PersistentModel>(
        _ descriptor: FetchDescriptor<M>, sectionBy keyPath: KeyPath<M, String?>
    ) throws -> SectionedResults<M, String> {
        try fetch(descriptor, Sectioning(keyPath))
    }

    private func fetch<M: PersistentModel, Title: Hashable>(
        _ descriptor: FetchDescriptor<M>, _ sectioning: Sectioning<M, Title>
    ) throws -> SectionedResults<M, Title> {
        SectionedResults(try fetch(sectioning.applied(to: descriptor)), by: sectioning.title)
    }
}
