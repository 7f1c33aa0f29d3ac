import Foundation

/// What a batch update sets: properties of a model class, each with a value that all rows get, or with one that is worked
/// out for each row.
///
/// ```swift
/// try context.update(model: Trip.self, where: #Predicate { $0.isOver }) {
///     $0.guide = nil
///     $0.set(\.visits, to: #Expression { $0.visits + 1 })
/// }
/// ```
///
/// The closure runs once, and not for each row, so a property can be set but not read.
@dynamicMemberLookup
public struct PropertyAssignments<Model: PersistentModel> {
    /// One property.
    struct Assignment {
        let keyPath: PartialKeyPath<Model>
        let type: FilterType
        /// Gives the first model the value that the second one has.
        let copy: (Model, Model) -> Void
        let value: Value
    }

    enum Value {
        /// The same for all: sets it.
        case constant((Model) -> Void)
        case expression(FilterExpression)
    }

    /// The assignments, in order; the last for a property holds.
    private(set) var assignments: [Assignment] = []
    /// Why an assignment cannot be made.
    private(set) var problem: (any Error)?

    init() {}

    /// Sets a property to one value.
    public subscript<V>(dynamicMember keyPath: ReferenceWritableKeyPath<Model, V>) -> V {
        @available(*, unavailable, message: "a batch update cannot read a property: use set(_:to:) with an #Expression")
        get { fatalError("the compiler refuses to read it") }
        set { add(keyPath, .constant { $0[keyPath: keyPath] = newValue }) }
    }

    /// Sets an attribute to what an expression gives for each row.
    ///
    /// ```swift
    /// $0.set(\.price, to: #Expression { $0.price * 1.1 })
    /// $0.set(\.name, to: #Expression { $0.nickname ?? $0.name })
    /// ```
    ///
    /// Expressions see the values from before the update, whatever it sets besides. What would stop a Swift program for
    /// one of the rows, such as a number that does not fit, makes the whole update throw
    /// ``SwiftDataError/valueOutOfRange``.
    ///
    /// - Parameters:
    ///   - keyPath: the attribute.
    ///   - expression: what `#Expression` makes of a closure. One that no store could run makes the update throw
    ///     ``SwiftDataError/unsupportedPredicate``.
    public mutating func set<V>(
        _ keyPath: ReferenceWritableKeyPath<Model, V>, to expression: Expression<Model, V>
    ) {
        do {
            let slot = Model._$descriptor.slot(of: keyPath)
            guard let slot, Model._$descriptor.relationships[safe: slot] ?? nil == nil else {
                throw SwiftDataError(
                    .unsupportedKeyPath, operation: .update, entity: Model._$descriptor.entityName,
                    property: slot.map { Model._$descriptor.properties[$0].name },
                    detail: "an expression sets whole attributes, and neither parts of them nor relationships")
            }
            add(keyPath, .expression(try PredicateLowering.value(expression)))
        } catch let refused as RefusedFetch {
            problem = problem ?? refused.error
        } catch {
            problem = problem ?? error
        }
    }

    private mutating func add<V>(_ keyPath: ReferenceWritableKeyPath<Model, V>, _ value: Value) {
        assignments.append(
            Assignment(
                keyPath: keyPath, type: FilterType(of: V.self), copy: { $0[keyPath: keyPath] = $1[keyPath: keyPath] },
                value: value))
    }

    /// Sets what all models get.
    func applyConstants(to model: Model) {
        for case .constant(let apply) in assignments.lazy.map(\.value) { apply(model) }
    }
}
