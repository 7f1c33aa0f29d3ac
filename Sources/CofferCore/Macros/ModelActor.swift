/// Gives an actor a context of its own, so that models are worked on away from the main actor.
///
/// ```swift
/// @ModelActor actor Importer {
///     func add(_ name: String) throws {
///         modelContext.insert(Trip(name: name))
///         try modelContext.save()
///     }
/// }
///
/// let importer = Importer(modelContainer: container)
/// ```
@attached(member, names: named(modelExecutor), named(modelContainer), named(init))
@attached(extension, conformances: ModelActor)
public macro ModelActor() = #externalMacro(module: "CofferMacros", type: "ModelActorMacro")
