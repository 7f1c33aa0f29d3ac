import Foundation

/// Turns a filter into closures.
struct RowFilterCompiler {
    private(set) var variableCount = 1

    mutating func condition(_ expression: FilterExpression) -> RowCondition {
        switch expression {
        case .constant(let value, _):
            let truth = RowTruth(value == .integer(1))
            return { _ in truth }
        case .compare(let comparison, let left, let right):
            return compare(comparison, left, right)
        case .compareCoded(let comparison, let left, let right, let coding):
            return compareCoded(comparison, left, right, coding)
        case .all(let conditions):
            let parts = conditions.map { condition($0) }
            return { frame in
                var truth = RowTruth.yes
                for part in parts {
                    switch try part(frame) {
                    case .no: return .no
                    case .yes: continue
                    case .unknown: truth = .unknown
                    }
                }
                return truth
            }
        case .any(let conditions):
            let parts = conditions.map { condition($0) }
            return { frame in
                var truth = RowTruth.no
                for part in parts {
                    switch try part(frame) {
                    case .yes: return .yes
                    case .no: continue
                    case .unknown: truth = .unknown
                    }
                }
                return truth
            }
        case .not(let inner):
            let inner = condition(inner)
            return { frame in
                switch try inner(frame) {
                case .no: .yes
                case .yes: .no
                case .unknown: .unknown
                }
            }
        case .exists(let sequence):
            let elements = elements(of: sequence)
            return { frame in
                var truth = RowTruth.no
                let isKnown = try elements(frame) { belongs in
                    truth = belongs ? .yes : .unknown
                    return !belongs
                }
                return isKnown ? truth : .unknown
            }
        case .every(let sequence, let test):
            let elements = elements(of: sequence)
            let test = condition(test)
            return { frame in
                var truth = RowTruth.yes
                let isKnown = try elements(frame) { belongs in
                    switch try test(frame) {
                    case .yes: return true
                    case .no where belongs:
                        truth = .no
                        return false
                    case .no, .unknown:
                        truth = .unknown
                        return true
                    }
                }
                return isKnown ? truth : .unknown
            }
        case .includes(let sequence, let element):
            return includes(sequence, element)
        case .text(let test, let left, let right):
            return text(test, left, right)
        default:
            let value = value(expression)
            return { frame in
                guard let value = try value(frame) else { return .unknown }
                return RowTruth(value == .integer(1))
            }
        }
    }

    mutating func value(_ expression: FilterExpression) -> RowValue {
        switch expression {
        case .constant(.reference(let identifier), _):
            return { $0.rooted(.reference(identifier)) }
        case .constant(let value, _):
            return { _ in value }
        case .property(let path):
            note(path.variable)
            return { try $0.value(of: path) }
        case .element(let variable, _):
            note(variable)
            return { $0.elements[variable.number] }
        case .member(let base, let member):
            let base = value(base)
            return { try base($0).map { $0.isNull ? .null : member.apply($0) } }
        case .arithmetic(let symbol, let left, let right, let number):
            let (left, right) = (value(left), value(right))
            return { frame in
                guard let left = try left(frame), let right = try right(frame) else { return nil }
                return number.apply(symbol, left, right)
            }
        case .negative(let operand, let number):
            let operand = value(operand)
            return { try operand($0).flatMap { number.negate($0) } }
        case .coalesce(let left, let right):
            let (left, right) = (value(left), value(right))
            return { frame in
                guard let value = try left(frame) else { return nil }
                return value.isNull ? try right(frame) : value
            }
        case .conditional(let test, let first, let second):
            let test = condition(test)
            let (first, second) = (value(first), value(second))
            return { frame in
                switch try test(frame) {
                case .yes: try first(frame)
                case .no: try second(frame)
                case .unknown: nil
                }
            }
        case .ifPresent(let optional, let body):
            let (optional, body) = (value(optional), value(body))
            return { frame in
                guard let value = try optional(frame) else { return nil }
                return value.isNull ? .null : try body(frame)
            }
        case .require(let optional, let body):
            let (optional, body) = (value(optional), value(body))
            return { frame in
                guard let value = try optional(frame), !value.isNull else { return nil }
                return try body(frame)
            }
        case .count(let sequence):
            let elements = elements(of: sequence)
            return { frame in
                var count: Int64 = 0
                var isCounted = true
                let isKnown = try elements(frame) { belongs in
                    count += 1
                    isCounted = belongs
                    return belongs
                }
                return isKnown && isCounted ? .integer(count) : nil
            }
        case .pick(let sequence, let pick, let body):
            return self.pick(sequence, pick, body)
        case .extremum(let sequence, let extreme, let value, let coding):
            return extremum(sequence, extreme, value, coding)
        case .call(let function, let arguments):
            let arguments = arguments.map { value($0) }
            return { frame in
                var values: [StoredValue] = []
                values.reserveCapacity(arguments.count)
                for argument in arguments {
                    guard let value = try argument(frame) else { return nil }
                    values.append(value)
                }
                return function.apply(values)
            }
        case .length(let text):
            let text = value(text)
            return { frame in
                guard let value = try text(frame) else { return nil }
                guard case .text(var text) = value else { return .null }
                return .integer(Int64(text.withUTF8 { FilterText.characterCount(UnsafeRawBufferPointer($0)) }))
            }
        case .textOrder(let order, let left, let right):
            let (left, right) = (value(left), value(right))
            return { frame in
                guard case .text(let left)? = try left(frame), case .text(let right)? = try right(frame) else {
                    return nil
                }
                return .integer(Int64(order.compare(left, right).rawValue))
            }
        case .compare, .compareCoded, .all, .any, .not, .exists, .every, .includes, .text:
            let condition = condition(expression)
            return { frame in
                switch try condition(frame) {
                case .no: .integer(0)
                case .yes: .integer(1)
                case .unknown: nil
                }
            }
        }
    }

    mutating func note(_ variable: FilterVariable) { variableCount = max(variableCount, variable.number + 1) }
}
