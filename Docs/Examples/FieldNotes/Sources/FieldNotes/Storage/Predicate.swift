import Foundation
import SwiftData

// Hides Foundation's macro of this name here, so that the compiler need not weigh the two for each long condition.

@freestanding(expression)
macro Predicate<Model: PersistentModel>(_ body: (Model) -> Bool) -> Foundation.Predicate<Model> =
    #externalMacro(module: "CofferMacros", type: "PredicateMacro")
