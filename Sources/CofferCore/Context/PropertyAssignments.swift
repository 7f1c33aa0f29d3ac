import Foundation

/// What a batch update sets: properties of a model class, each with the value that all rows get.
///
/// ```swift
/// try context.update(model: Trip.self, where: #Predicate { $0.isOver }) {
///     $0.rating = 3
///     $0.guide = nil
/// }
/// ```
///
/// The value is worked out once, and not for each row, so a property can be set but not read.
@dynamicMemberLookup
public struct PropertyAssignments<Model: PersistentModel> {
    /// The assignments, in order; the last for a property holds.
    private(set) var assignments: [(keyPath: PartialKeyPath<Model>, apply: (Model) -> Void)] = []

    init() {}

    /// Sets a property.
    public subscript<V>(dynamicMember keyPath: ReferenceWritableKeyPath<Model, V>) -> V {
        @available(*, unavailable, message: "a batch update gives all rows one value: it cannot read a property")
        get { fatalError("the compiler refuses to read it") }
        set { assignments.append((keyPath, { $0[keyPath: keyPath] = newValue })) }
    }

    func apply(to model: Model) {
        for assignment in assignments { assignment.apply(model) }
    }
}
