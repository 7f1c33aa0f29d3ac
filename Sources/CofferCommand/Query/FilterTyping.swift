import Coffer
import Foundation

/// A side of a comparison, before it is known what it is compared with.
struct FilterOperand {
    enum Kind {
        case property(FilterPath)
        case number(String)
        case text(String)
        case truth(Bool)
        case null
    }

    let kind: Kind
    let column: Int

    init(_ kind: Kind, _ column: Int) {
        self.kind = kind
        self.column = column
    }
}

/// Gives the parts of a filter their types: values take that of the property they are compared with.
struct FilterTyping {
    private let entity: Schema.Entity
    private let schema: Schema
    /// The store whose rows ids are of.
    private let storeIdentifier: String

    init(_ entity: Schema.Entity, in store: any RowStore) {
        self.entity = entity
        schema = store.schema
        storeIdentifier = store.identifier
    }

    private func fault(_ operand: FilterOperand, _ detail: String) -> FilterFault {
        FilterFault(column: operand.column, detail: detail.shownSafely)
    }

    // MARK: Paths

    /// The path of some names: links, and a property at the end. `$id` is the row itself.
    func path(_ names: [(name: String, column: Int)]) throws(FilterFault) -> FilterPath {
        var owner = entity
        var steps: [FilterStep] = []
        var type = FilterType(.link(entity: entity.name))
        var mayBeNil = false
        for (index, part) in names.enumerated() {
            func fault(_ detail: String) -> FilterFault {
                FilterFault(column: part.column, detail: detail.shownSafely)
            }
            if part.name == "$id", index == names.count - 1 { break }
            guard let slot = owner.properties.firstIndex(where: { $0.name == part.name }),
                let column = StoreColumn.all(of: owner).first(where: { $0.slot == slot })
            else { throw fault("\(owner.name) has no property '\(part.name)'") }
            if column.isOptional { mayBeNil = true }
            var destination: String?
            switch column.kind {
            case .scalar(let storage): type = FilterType(.scalar(storage), isOptional: mayBeNil)
            case .json: type = FilterType(.composite, isOptional: mayBeNil)
            case .opaque: type = FilterType(.opaque, isOptional: mayBeNil)
            case .link(let name):
                destination = name
                type = FilterType(.link(entity: name), isOptional: mayBeNil)
            case .list: throw fault("\(owner.name).\(part.name) is a list, which a filter cannot follow")
            }
            steps.append(FilterStep(slot: slot, name: part.name, destination: destination))
            if index == names.count - 1 { break }
            guard let destination, let next = schema.entitiesByName[destination] else {
                throw fault("\(owner.name).\(part.name) leads to no other row")
            }
            owner = next
        }
        return FilterPath(variable: .row(of: entity.name), steps: steps, type: type)
    }

    // MARK: Tests

    func isNull(_ operand: FilterOperand) throws(FilterFault) -> FilterExpression {
        guard case .property(let path) = operand.kind else { throw fault(operand, "only a property may be null") }
        if !path.type.isOptional { return .boolean(false) }
        return .compare(.equal, .property(path), .constant(.null, path.type))
    }

    func isIn(_ operand: FilterOperand, _ list: [FilterOperand]) throws(FilterFault) -> FilterExpression {
        guard case .property = operand.kind else { throw fault(operand, "a property is expected before 'in'") }
        var tests: [FilterExpression] = []
        for value in list { tests.append(try compare(.equal, operand, value)) }
        return tests.count == 1 ? tests[0] : .any(tests)
    }

    func textTest(
        _ test: FilterTextTest, _ left: FilterOperand, _ right: FilterOperand
    ) throws(FilterFault) -> FilterExpression {
        guard case .property(let path) = left.kind, path.type.storage == .text || path.type.storage == .url else {
            throw fault(left, "a property with text is expected")
        }
        guard case .text(let part) = right.kind else { throw fault(right, "a text is expected") }
        let constant = FilterExpression.constant(
            .text(part.precomposedStringWithCanonicalMapping), FilterType(.scalar(.text)))
        return present([path]) { .text(test, $0[0], constant) }
    }

    /// A property that is a condition by itself.
    func condition(_ operand: FilterOperand, at column: Int, else detail: String) throws(FilterFault)
        -> FilterExpression
    {
        switch operand.kind {
        case .truth(let truth): return .boolean(truth)
        case .property(let path) where path.type.storage == .boolean:
            return .compare(.equal, .property(path), .constant(.integer(1), path.type))
        default: throw FilterFault(column: column, detail: detail.shownSafely)
        }
    }

    func compare(
        _ comparison: FilterComparison, _ left: FilterOperand, _ right: FilterOperand
    ) throws(FilterFault) -> FilterExpression {
        switch (left.kind, right.kind) {
        case (.property(let path), .property(let other)):
            guard path.type.kind == other.type.kind else {
                let (one, two) = (name(of: path.type), name(of: other.type))
                throw fault(right, one == two ? "the other property is \(two) of another size" : "\(one) is no \(two)")
            }
            return try compare(comparison, path, .property(other), other: other, left)
        case (.property(let path), _):
            let value = try constant(right, like: path.type)
            return try compare(comparison, path, .constant(value, path.type.optional(value.isNull)), other: nil, left)
        case (_, .property): return try compare(comparison.mirrored, right, left)
        default: throw fault(left, "one side of a comparison has to be a property")
        }
    }

    private func compare(
        _ comparison: FilterComparison, _ path: FilterPath, _ value: FilterExpression, other: FilterPath?,
        _ operand: FilterOperand
    ) throws(FilterFault) -> FilterExpression {
        let isEquality = comparison == .equal || comparison == .notEqual
        switch path.type.kind {
        case .scalar(let storage):
            if !isEquality, storage == .boolean || storage == .blob || storage == .uuid {
                throw fault(operand, "\(name(of: path.type)) has no order")
            }
        case .link:
            if !isEquality { throw fault(operand, "ids can be told equal or not, and have no order") }
        case .composite, .opaque, .rows, .values:
            guard case .constant(.null, _) = value, isEquality else {
                throw fault(operand, "the property is kept in a coded form, and only 'is null' can be asked of it")
            }
        }
        if case .constant(.null, _) = value {
            if !isEquality { throw fault(operand, "null can be told equal or not, and has no order") }
            if !path.type.isOptional { return .boolean(comparison == .notEqual) }
            return .compare(comparison, .property(path), .constant(.null, path.type))
        }
        if isEquality { return .compare(comparison, .property(path), value) }
        return present([path, other].compactMap(\.self)) { .compare(comparison, $0[0], $0.count > 1 ? $0[1] : value) }
    }

    /// A test of values that are there; false where one is not.
    private func present(
        _ paths: [FilterPath], _ body: ([FilterExpression]) -> FilterExpression
    ) -> FilterExpression {
        var tests: [FilterExpression] = []
        var values: [FilterExpression] = []
        for path in paths {
            let value = FilterExpression.property(path)
            if path.type.isOptional {
                tests.append(.compare(.notEqual, value, .constant(.null, path.type)))
                values.append(.require(value, value))
            } else {
                values.append(value)
            }
        }
        return tests.isEmpty ? body(values) : .all(tests + [body(values)])
    }

    // MARK: Values

    /// What messages call a type.
    private func name(of type: FilterType) -> String {
        switch type.kind {
        case .scalar(.boolean): "a truth value"
        case .scalar(.integer), .scalar(.unsigned): "a whole number"
        case .scalar(.real), .scalar(.decimal): "a number"
        case .scalar(.text), .scalar(.url): "a text"
        case .scalar(.blob): "data"
        case .scalar(.date): "a date"
        case .scalar(.uuid): "a UUID"
        case .link(let entity): "an id of \(entity)"
        case .rows, .values, .composite, .opaque: "a coded value"
        }
    }

    /// A value in the stored form of a property's type.
    private func constant(_ operand: FilterOperand, like type: FilterType) throws(FilterFault) -> StoredValue {
        if case .null = operand.kind { return .null }
        switch (type.kind, operand.kind) {
        case (.scalar(.boolean), .truth(let truth)): return .integer(truth ? 1 : 0)
        case (.scalar(.integer), .number(let digits)):
            if let number = Int64(digits) { return .integer(number) }
        case (.scalar(.unsigned), .number(let digits)):
            if let number = Int64(digits) { return .integer(number) }
            if let number = UInt64(digits) { return .unsigned(number) }
        case (.scalar(.real), .number(let digits)):
            if let number = Double(digits) { return .real(number) }
        case (.scalar(.decimal), .number(let digits)):
            if let number = DumpFormat.decimal(digits) { return .text(DecimalText.text(number)) }
        case (.scalar(.text), .text(let text)), (.scalar(.url), .text(let text)):
            return .text(text.precomposedStringWithCanonicalMapping)
        case (.scalar(.date), .text(let text)):
            if let seconds = StoreDate.seconds(text) { return .real(seconds) }
            throw fault(operand, "a date is written as '2024-05-31' or '2024-05-31T18:30:00Z'")
        case (.scalar(.uuid), .text(let text)):
            if let uuid = UUID(uuidString: text) { return .blob(withUnsafeBytes(of: uuid.uuid) { Array($0) }) }
        case (.scalar(.blob), .text(let text)):
            if let data = Data(base64Encoded: text) { return .blob(Array(data)) }
            throw fault(operand, "data is written in base 64")
        case (.link(let entity), .number(let digits)):
            if let key = Int64(digits), key > 0 {
                return .reference(PersistentIdentifier(_space: space(entity), key: key))
            }
        case (.composite, _), (.opaque, _):
            throw fault(operand, "the property is kept in a coded form, and only 'is null' can be asked of it")
        default: break
        }
        throw fault(operand, "\(name(of: type)) is expected")
    }

    private func space(_ entity: String) -> _IdentifierSpace {
        .shared(entityName: entity, storeIdentifier: storeIdentifier)
    }
}
