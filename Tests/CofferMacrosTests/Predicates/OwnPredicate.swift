import CofferCore
import Foundation

/// Hides Foundation's macro in this module, as `Docs/Queries.md` advises for long conditions: the compiler then need not
/// weigh the two against each other.
@freestanding(expression)
macro Predicate<Model: PersistentModel>(_ body: (Model) -> Bool) -> Foundation.Predicate<Model> =
    #externalMacro(module: "CofferMacros", type: "PredicateMacro")
