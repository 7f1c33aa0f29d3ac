/// What a ``Query`` property can be: an array of models, or their sections.
public protocol QueryResult<QueryElement> {
    /// The class of the models.
    associatedtype QueryElement: PersistentModel

    /// The value of a query; nil for one that has no context.
    static func _make(_ observer: ResultsObserver<QueryElement, String>?) -> Self
}

extension Array: QueryResult where Element: PersistentModel {
    public typealias QueryElement = Element

    public static func _make(_ observer: ResultsObserver<Element, String>?) -> [Element] { observer?.results ?? [] }
}

extension SectionedResults: QueryResult where SectionTitle == String {
    public typealias QueryElement = Element

    public static func _make(_ observer: ResultsObserver<Element, String>?) -> Self {
        observer?.sections ?? SectionedResults(observer?.results ?? []) { _ in "" }
    }
}
