/// A function that a filter calls on stored values, for what has no expression of its own: joined text, a regular
/// expression, a look-up in a dictionary, a cast.
///
/// A store that cannot call Swift leaves the condition to the core. One that can hands over the values of the arguments
/// and takes the result; it may do so from several threads at once.
public final class FilterFunction: Hashable, @unchecked Sendable {
    /// The name, for printing.
    public let name: String
    /// What the function gives.
    public let type: FilterType
    /// Whether the result may be unknown though all arguments are known.
    public let mayBeUnknown: Bool
    /// How the arguments are kept; nil for JSON text.
    public let parameters: [ScalarStorage?]
    /// Functions of equal identity do the same; one without is equal to itself only.
    private let identity: AnyHashable?
    private let body: ([StoredValue]) -> StoredValue?

    /// - Parameters:
    ///   - identity: what tells the function from others of the name: usually the types it works on. Nil where it
    ///     depends on a captured value.
    ///   - body: the function; nil for unknown. An argument may be nil if its expression may.
    init(
        _ name: String, _ type: FilterType, parameters: [ScalarStorage?], mayBeUnknown: Bool = false,
        identity: AnyHashable? = nil, _ body: @escaping ([StoredValue]) -> StoredValue?
    ) {
        self.name = name
        self.type = type
        self.mayBeUnknown = mayBeUnknown
        self.parameters = parameters
        self.identity = identity
        self.body = body
    }

    /// The result for some arguments; nil for unknown.
    public func apply(_ arguments: [StoredValue]) -> StoredValue? { body(arguments) }

    /// Whether filters of one shape have the same function.
    public var isShared: Bool { identity != nil }

    public static func == (left: FilterFunction, right: FilterFunction) -> Bool {
        if left === right { return true }
        guard let identity = left.identity else { return false }
        return identity == right.identity && left.name == right.name && left.type == right.type
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(name)
        if let identity { hasher.combine(identity) } else { hasher.combine(ObjectIdentifier(self)) }
    }
}

extension FilterFunction {
    /// `text + text`
    static let joinedText = FilterFunction(
        "joined", FilterType(.scalar(.text)), parameters: [.text, .text], identity: 0
    ) { arguments in
        guard case .text(let left) = arguments[0], case .text(let right) = arguments[1] else { return nil }
        // A mark at the start of the second text goes onto the last character of the first.
        return .text(TextNormalisation.normalised(left + right))
    }

    /// `localizedCaseInsensitiveContains`
    static let containsInAnyCase = FilterFunction(
        "localizedCaseInsensitiveContains", .boolean, parameters: [.text, .text], identity: 0
    ) { arguments in
        guard case .text(let text) = arguments[0], case .text(let part) = arguments[1] else { return nil }
        return .integer(text.localizedCaseInsensitiveContains(part) ? 1 : 0)
    }
}
