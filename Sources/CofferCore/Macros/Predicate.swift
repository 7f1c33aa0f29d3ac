import Foundation

/// Says which models to find: a condition in Swift, which stores can run.
///
/// ```swift
/// let coming = #Predicate<Trip> { trip in
///     trip.start > .now && (trip.owner?.name.hasPrefix("A") ?? false)
/// }
/// let trips = try context.fetch(FetchDescriptor(predicate: coming))
/// ```
///
/// The closure is ordinary Swift, checked as such, and it is turned into a `Foundation.Predicate`. Foundation's macro of
/// the same name remains for all other types and for several inputs; this one is taken for models. It takes more of the
/// language — enumeration cases, `hasPrefix`, `if`, `guard` and constants, ranges without an end, the members of what was
/// captured — and the compiler checks sixteen conditions as quickly as one. `Docs/Queries.md` lists what it takes.
///
/// What does not depend on the model is evaluated once, where the predicate is made, and may be of any sendable type, or
/// a model; a captured condition in front of `&&`, `||`, `?` or in `if` keeps what it rules out from being evaluated.
///
/// - Parameter body: The condition. It gives the same for stored rows as for objects.
@freestanding(expression)
public macro Predicate<Model: PersistentModel>(_ body: (Model) -> Bool) -> Foundation.Predicate<Model> =
    #externalMacro(module: "CofferMacros", type: "PredicateMacro")

/// Says which models to find, or which models belong together.
///
/// This form is there because the compiler ranks macros by what they take. It is written for several models, and
/// otherwise the same as the one above.
///
/// - Parameter body: The condition.
@freestanding(expression)
public macro Predicate<each Model: PersistentModel>(
    _ body: (repeat each Model) -> Bool
) -> Foundation.Predicate<repeat each Model> =
    #externalMacro(module: "CofferMacros", type: "PredicateMacro")

/// A value that is worked out from a model, to be evaluated in predicates.
///
/// ```swift
/// let nights = #Expression<Trip, Int> { $0.stops.filter { $0.nights > 0 }.count }
/// let long = #Predicate<Trip> { nights.evaluate($0) > 3 }
/// ```
///
/// It takes what `#Predicate` takes. Foundation's macro of the same name remains for all other types.
///
/// - Parameter body: The value.
@freestanding(expression)
public macro Expression<Model: PersistentModel, Output>(
    _ body: (Model) -> Output
) -> Foundation.Expression<Model, Output> =
    #externalMacro(module: "CofferMacros", type: "ModelExpressionMacro")

/// A value that is worked out from a model; see the form above. The compiler ranks macros by what they take, and this one
/// takes what Foundation's takes.
///
/// - Parameter body: The value.
@freestanding(expression)
public macro Expression<each Model: PersistentModel, Output>(
    _ body: (repeat each Model) -> Output
) -> Foundation.Expression<repeat each Model, Output> =
    #externalMacro(module: "CofferMacros", type: "ModelExpressionMacro")
