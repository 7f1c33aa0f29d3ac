/// What a filter's expressions are about: the row that is tested, or an element that a quantifier goes through.
public struct FilterVariable: Hashable, Sendable {
    /// Zero for the tested row; quantifiers count on from there, in the order in which they begin.
    public let number: Int
    /// The entity of the row; nil where the element is a value.
    public let entityName: String?

    /// Makes a variable.
    ///
    /// - Parameters:
    ///   - number: the number that tells it from the others of the filter.
    ///   - entityName: the entity of the row; nil where the element is a value.
    public init(number: Int, entityName: String?) {
        self.number = number
        self.entityName = entityName
    }

    /// The tested row itself.
    public static func row(of entityName: String) -> FilterVariable {
        FilterVariable(number: 0, entityName: entityName)
    }
}

/// One property on a path.
public struct FilterStep: Hashable, Sendable {
    /// The property's slot in the entity that the path has come to.
    public let slot: Int
    /// The property's name, for messages and for stores that keep values by name.
    public let name: String
    /// The entity the property leads to; nil for an attribute.
    public let destination: String?

    /// Makes a step along a property.
    ///
    /// - Parameters:
    ///   - slot: the slot of the property.
    ///   - name: its name.
    ///   - destination: the entity it leads to; nil for an attribute.
    public init(slot: Int, name: String, destination: String? = nil) {
        self.slot = slot
        self.name = name
        self.destination = destination
    }

    /// A step that stays at the row and goes on as one of a subentity: nil where the row is of another.
    ///
    /// The slots of the steps behind it are those of the subentity.
    public static func cast(to entityName: String) -> FilterStep {
        FilterStep(slot: -1, name: "as(\(entityName))", destination: entityName)
    }

    /// Whether the step is a ``cast(to:)``, which reads no property.
    public var isCast: Bool { slot < 0 }
}

/// The way from a row to a value: through to-one links to an attribute, to a link, or to a to-many relationship.
///
/// A path without steps is the row itself, by identity. A path through a link that is nil gives nil, and no rows where
/// it ends in a to-many relationship; the same goes for a ``FilterStep/cast(to:)`` of a row that is of another entity. A
/// path that ends in a cast is the row, by identity.
public struct FilterPath: Hashable, Sendable {
    /// Where the path begins.
    public let variable: FilterVariable
    /// The properties along the way.
    public let steps: [FilterStep]
    /// What stands at the end.
    public let type: FilterType

    /// Makes a path.
    ///
    /// - Parameters:
    ///   - variable: where it begins.
    ///   - steps: the properties along the way; none for the row itself.
    ///   - type: what stands at the end.
    public init(variable: FilterVariable, steps: [FilterStep], type: FilterType) {
        self.variable = variable
        self.steps = steps
        self.type = type
    }

    /// The entity that the last step belongs to.
    public var owner: String? {
        steps.count > 1 ? steps[steps.count - 2].destination : variable.entityName
    }

    /// The steps that lead to the row the last step belongs to.
    public var links: ArraySlice<FilterStep> { steps.dropLast() }

    /// The steps that read properties.
    public var reads: [FilterStep] { steps.filter { !$0.isCast } }

    /// The only property that the path reads, of the row itself; nil where the path is anything else.
    public var ownStep: FilterStep? { steps.count == 1 && !steps[0].isCast ? steps[0] : nil }

    /// Whether the path leads to other rows than the one it begins at.
    public var leadsElsewhere: Bool { steps.dropLast().contains { !$0.isCast } }

    /// Whether the other path begins with this one.
    public func isPrefix(of other: FilterPath) -> Bool {
        variable == other.variable && other.steps.starts(with: steps)
    }

    /// The path with nil allowed or not at its end.
    func optional(_ isOptional: Bool) -> FilterPath {
        FilterPath(variable: variable, steps: steps, type: type.optional(isOptional))
    }
}

extension FilterPath: CustomStringConvertible {
    /// The variable and the names: `$0.owner.name`.
    public var description: String {
        steps.reduce("$\(variable.number)") { $0 + "." + $1.name }
    }
}
