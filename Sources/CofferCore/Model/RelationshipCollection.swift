/// What a to-many relationship may be declared as: an array of models, or an optional one.
public protocol RelationshipCollection {
    /// The model class at the other end.
    associatedtype PersistentElement: PersistentModel
}

extension Array: RelationshipCollection where Element: PersistentModel {
    /// The model class at the other end: that of the elements.
    public typealias PersistentElement = Element
}

extension Optional: RelationshipCollection where Wrapped: Sequence, Wrapped.Element: PersistentModel {
    /// The model class at the other end: that of the elements.
    public typealias PersistentElement = Wrapped.Element
}
