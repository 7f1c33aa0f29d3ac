import Foundation

/// What an expression has become.
indirect enum LoweredValue {
    /// A value.
    case value(FilterExpression)
    /// A row: the tested one, a linked one, or an element of a to-many relationship.
    case row(FilterPath)
    /// Elements to quantify over.
    case sequence(FilterSequence)
    /// What an expression gives for each element of a sequence.
    case mapped(FilterSequence, FilterExpression)
    /// Captured values, not yet quantified over.
    case list(FilterList)
    /// A range; nil where it has no bound on a side.
    case range(lower: FilterExpression?, upper: FilterExpression?, includesUpper: Bool)
    /// An optional of an optional: nil where the presence is, otherwise the value, which may be nil itself.
    case nested(presence: FilterExpression, value: FilterExpression)
    /// Another predicate or expression.
    case function(any LowerableFunction)
    /// A captured object or structure that filters cannot hold; its properties may be of use.
    case object(Any)
    /// Something that depends on another thing, too.
    case wrapped(LoweredWrapper, LoweredValue)
    /// One of two things, as a condition has it.
    case choice(FilterExpression, LoweredValue, LoweredValue)

    var isNil: Bool {
        if case .value(let value) = self { value.isNil } else { false }
    }
}

/// What stands around a part of a filter.
enum LoweredWrapper {
    /// Nil where this is nil.
    case ifPresent(FilterExpression)
    /// Unknown where this is nil.
    case require(FilterExpression)
    /// For one element of the sequence.
    case pick(FilterSequence, FilterPick)

    func callAsFunction(_ value: FilterExpression) -> FilterExpression {
        switch self {
        case .ifPresent(let presence): value.whenPresent(presence)
        case .require(let requirement): requirement.type.isOptional ? .require(requirement, value) : value
        case .pick(let sequence, let pick): .pick(sequence, pick, value)
        }
    }
}

extension LoweringScope {
    /// Lowers what is made of something, inside of whatever that depends on.
    ///
    /// - Parameter body: gives what becomes of a plain thing; it may be called for each of two.
    func lift(_ lowered: LoweredValue, _ body: (LoweredValue) throws -> LoweredValue) throws -> LoweredValue {
        switch lowered {
        case .wrapped(let wrapper, let inner):
            let result = try lift(inner, body)
            if case .value(let value) = result { return .value(wrapper(value)) }
            return .wrapped(wrapper, result)
        case .choice(let test, let first, let second):
            return choice(test, try lift(first, body), try lift(second, body))
        default: return try body(lowered)
        }
    }

    func choice(_ test: FilterExpression, _ first: LoweredValue, _ second: LoweredValue) -> LoweredValue {
        if case .value(let first) = first, case .value(let second) = second {
            return .value(.conditional(test, first, second))
        }
        return .choice(test, first, second)
    }

    /// Whether a thing is not nil.
    func presence(of lowered: LoweredValue) throws -> FilterExpression {
        func isPresent(_ value: FilterExpression) -> FilterExpression {
            value.type.isOptional
                ? .compare(.notEqual, value, .constant(.null, value.type)) : .boolean(true)
        }
        switch lowered {
        case .value(let value): return isPresent(value)
        case .row(let path): return isPresent(.property(path))
        case .sequence(let sequence): return sequence.presence.map(isPresent) ?? .boolean(true)
        case .nested(let presence, _): return isPresent(presence)
        case .mapped, .list, .range, .function, .object: return .boolean(true)
        case .choice(let test, let first, let second):
            return .conditional(test, try presence(of: first), try presence(of: second))
        case .wrapped(.ifPresent(let outer), let inner):
            return .all([isPresent(outer), try presence(of: inner)])
        case .wrapped(let wrapper, let inner):
            let found = wrapper(try presence(of: inner))
            return found.type.isOptional ? .coalesce(found, .boolean(false)) : found
        }
    }

    /// The thing without its nil: unknown where it is nil.
    func forced(_ lowered: LoweredValue) -> LoweredValue {
        switch lowered {
        case .row(let path):
            if !path.type.isOptional { return lowered }
            return .wrapped(.require(.property(path)), .row(path.optional(false)))
        case .value(let value): return .value(value.type.isOptional ? .require(value, value) : value)
        case .sequence(let sequence):
            guard let presence = sequence.presence else { return lowered }
            return .wrapped(.require(presence), .sequence(sequence.present))
        case .nested(let presence, let value): return .value(.require(presence, value))
        case .wrapped(.ifPresent(let presence), let inner): return .wrapped(.require(presence), forced(inner))
        case .wrapped(.require(let requirement), let inner): return .wrapped(.require(requirement), forced(inner))
        case .wrapped(.pick(let sequence, let pick), let inner):
            return .wrapped(.pick(sequence, pick.required), forced(inner))
        case .choice(let test, let first, let second): return choice(test, forced(first), forced(second))
        case .mapped, .list, .range, .function, .object: return lowered
        }
    }
}

extension FilterSequence {
    /// The link whose nil makes the whole sequence nil, where there is one.
    var presence: FilterExpression? {
        guard let path, path.type.isOptional, path.steps.count > 1, let owner = path.owner else { return nil }
        return .property(
            FilterPath(
                variable: path.variable, steps: Array(path.links),
                type: FilterType(.link(entity: owner), isOptional: true)))
    }

    /// The same where it is known not to be nil.
    var present: FilterSequence {
        switch source {
        case .rows(let path):
            FilterSequence(.rows(path.optional(false)), variable: variable, conditions: conditions)
        case .slice(let whole, let lower, let upper):
            FilterSequence(.slice(whole.present, lower, upper), variable: variable, conditions: conditions)
        case .stored, .captured: self
        }
    }
}
