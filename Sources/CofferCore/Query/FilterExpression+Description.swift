extension FilterExpression: CustomStringConvertible {
    /// The filter in a form close to Swift's, the same for equal filters.
    public var description: String {
        switch self {
        case .constant(let value, let type):
            type.storage == .boolean && !value.isNull
                ? (value == .integer(1) ? "true" : "false") : Self.text(of: value)
        case .property(let path): path.description
        case .element(let variable, _): "$\(variable.number)"
        case .member(let base, let member): base.operand + "." + member.name
        case .compare(let comparison, let left, let right), .compareCoded(let comparison, let left, let right, _):
            "\(left.operand) \(comparison.rawValue) \(right.operand)"
        case .all(let conditions): Self.joined(conditions, " && ", empty: "true")
        case .any(let conditions): Self.joined(conditions, " || ", empty: "false")
        case .not(let condition): "!" + condition.operand
        case .arithmetic(let symbol, let left, let right, _):
            "\(left.operand) \(symbol.rawValue) \(right.operand)"
        case .negative(let value, _): "-" + value.operand
        case .coalesce(let left, let right): "\(left.operand) ?? \(right.operand)"
        case .conditional(let test, let first, let second):
            "\(test.operand) ? \(first.operand) : \(second.operand)"
        case .ifPresent(let value, let body): "ifPresent(\(value), \(body))"
        case .require(let value, let body): value == body ? value.operand + "!" : "require(\(value), \(body))"
        case .exists(let sequence): "exists(\(sequence))"
        case .every(let sequence, let test): "every(\(sequence), \(test))"
        case .count(let sequence): "count(\(sequence))"
        case .includes(let sequence, let value): "\(sequence).contains(\(value))"
        case .pick(let sequence, let pick, let body): "\(sequence).\(pick){\(body)}"
        case .extremum(let sequence, let extreme, let value, _): "\(sequence).\(extreme.rawValue){\(value)}"
        case .call(let function, let arguments):
            "\(function.name)(\(arguments.map(\.description).joined(separator: ", ")))"
        case .text(let test, let left, let right): "\(left.operand).\(test.rawValue)(\(right))"
        case .length(let text): "\(text.operand).count"
        case .textOrder(let order, let left, let right): "\(left.operand).\(order.rawValue)(\(right))"
        }
    }

    /// The description, in parentheses where it is not a single thing.
    var operand: String {
        switch self {
        case .compare, .compareCoded, .arithmetic, .coalesce, .conditional: "(\(description))"
        case .all(let conditions), .any(let conditions): conditions.count > 1 ? "(\(description))" : description
        default: description
        }
    }

    private static func joined(_ conditions: [FilterExpression], _ separator: String, empty: String) -> String {
        conditions.isEmpty ? empty : conditions.map { part(of: $0) }.joined(separator: separator)
    }

    /// Comparisons bind more tightly than the connectives and need no parentheses there.
    private static func part(of condition: FilterExpression) -> String {
        switch condition {
        case .compare, .compareCoded: condition.description
        default: condition.operand
        }
    }

    /// A stored value in words.
    static func text(of value: StoredValue) -> String {
        switch value {
        case .null: "nil"
        case .integer(let number): String(number)
        case .unsigned(let number): String(number)
        case .real(let number): String(number)
        case .text(let text): text.debugDescription
        case .blob(let bytes): "0x" + bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        case .reference(let identifier): "\(identifier.entityName)(\(identifier._textKey ?? String(identifier._key)))"
        case .references(let list): "[" + list.map { text(of: .reference($0)) }.joined(separator: ", ") + "]"
        }
    }
}

extension FilterPick: CustomStringConvertible {
    /// `first`, `last!`, `at(3)`; the exclamation mark where an element is required.
    public var description: String {
        switch self {
        case .first(let isRequired): isRequired ? "first!" : "first"
        case .last(let isRequired): isRequired ? "last!" : "last"
        case .at(let index): "at(\(index))"
        }
    }
}
