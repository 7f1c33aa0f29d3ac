import Foundation

/// An expression whose own evaluation can stop the program over a value: at an overflow, a division by zero, an index
/// out of range.
protocol HazardousExpression {}

extension PredicateExpressions.Arithmetic: HazardousExpression {}
extension PredicateExpressions.IntDivision: HazardousExpression {}
extension PredicateExpressions.IntRemainder: HazardousExpression {}
extension PredicateExpressions.UnaryMinus: HazardousExpression {}
extension PredicateExpressions.CollectionIndexSubscript: HazardousExpression {}
extension PredicateExpressions.CollectionRangeSubscript: HazardousExpression {}
extension PredicateExpressions.Range: HazardousExpression {}
extension PredicateExpressions.ClosedRange: HazardousExpression {}

enum Hazards {
    /// Hazardous expressions, and those whose type does not tell what they are made of.
    private static let names: Set<Substring> = [
        "Arithmetic", "IntDivision", "IntRemainder", "UnaryMinus", "CollectionIndexSubscript",
        "CollectionRangeSubscript", "Range", "ClosedRange", "InnerPredicate", "ExpressionEvaluate", "CapturedChoice",
        "PredicateComposition", "PredicateRoot", "PredicateStandIn",
    ]

    /// The first hazard among an expression's type and those it is made of.
    static func named(in type: any Any.Type) -> String? {
        String(describing: type).split { !$0.isLetter && $0 != "_" }.first { names.contains($0) }.map(String.init)
    }
}
