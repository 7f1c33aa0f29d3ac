import Observation

/// Turns a class into a model, whose instances a ``ModelContext`` can insert, fetch, change and delete.
///
/// Every stored `var` becomes a persisted property, except those marked ``Transient()``. The class needs an initialiser
/// of its own as soon as one of its properties has no initial value. In the Swift 5 language mode a `let` is persisted
/// as well; in Swift 6 mode no macro can do that, so make it a `private(set) var`.
///
/// ```swift
/// @Model final class Trip {
///     @Attribute(.unique) var name: String
///     var days = 3
///     @Relationship(deleteRule: .cascade) var stops: [Stop] = []
///
///     init(name: String) { self.name = name }
/// }
/// ```
///
/// A model may have a model as its superclass, may be generic and may be nested in another type; it cannot be declared
/// in a function. A model is observable, and it is not `Sendable`: it belongs to the context that made it.
@attached(
    member, conformances: Observable, PersistentModel, Sendable,
    names: named(_$flags), named(_$key), named(_$home), named(_$extras), named(_$token), named(_$lifeToken),
    named(_$descriptor), named(_$ownDescriptor), named(_$isPlain), named(_$firstSlot), named(schemaMetadata),
    named(_$constraints), named(init), named(deinit), named(_$load), named(_$store), named(_$visit), named(_$forget),
    named(_$edit)
)
@attached(memberAttribute)
@attached(extension, conformances: Observable, PersistentModel, Sendable)
public macro Model() = #externalMacro(module: "CofferMacros", type: "ModelMacro")

/// Gives a persisted property its storage and its accessors. ``Model()`` attaches it; it is not written by hand.
@attached(accessor, names: named(init), named(get), named(set), named(_modify))
@attached(peer, names: prefixed(_), prefixed(_$in_))
public macro _PersistedProperty(_ slot: Int) = #externalMacro(module: "CofferMacros", type: "PersistedPropertyMacro")
