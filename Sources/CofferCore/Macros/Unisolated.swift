// What the expansion of a model calls that is bound to an actor. The core reads and fills models on the thread that
// works for their context, whatever actor the class names, so the binding is set aside for the length of a call.
//
// The body is a function of the main actor for the compiler's sake alone: it may then write key paths to bound
// properties and use conformances that are bound. A function without suspension is called like any other.

/// A value that only code of the main actor may name.
public func _unisolated<Result>(_ body: @MainActor () -> Result) -> Result {
    withoutActuallyEscaping(body) { unsafeBitCast($0, to: (() -> Result).self)() }
}

/// Fills a model from a row.
public func _unisolated<Model, Row>(
    _ model: Model, _ row: Row, _ body: @MainActor (Model, Row) throws -> Void
) rethrows {
    try withoutActuallyEscaping(body) { try unsafeBitCast($0, to: ((Model, Row) throws -> Void).self)(model, row) }
}

/// Writes a model to a row.
public func _unisolated<Model, Row>(
    _ model: Model, _ row: inout Row, _ body: @MainActor (Model, inout Row) throws -> Void
) rethrows {
    try withoutActuallyEscaping(body) { body in
        try unsafeBitCast(body, to: ((Model, inout Row) throws -> Void).self)(model, &row)
    }
}
