/// One page of a fetch, and where the next one begins.
public struct FetchPage<Model: PersistentModel> {
    /// The models, in the order of the fetch.
    public let models: [Model]
    /// What the next page is fetched with; nil where there are no more models now.
    public let next: PageToken?
}
