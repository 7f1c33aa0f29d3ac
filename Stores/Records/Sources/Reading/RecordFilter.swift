import CofferCore

/// A plan's filter, taken apart: the rows it names, what an index can narrow down, what is tested on records as they
/// lie, and the rest.
struct RecordFilter {
    let space: RecordSpace
    private(set) var terms: [RecordTerm] = [] {
        didSet { tests = terms.map { Unmanaged.passUnretained($0) } }
    }
    /// The terms without references: a retain for each record would cost as much as the test.
    private var tests: [Unmanaged<RecordTerm>] = []
    /// What is left for rows that are taken out of their records.
    private(set) var rest: RowFilter?
    /// The same as it was written.
    private(set) var others: [FilterExpression] = []
    /// The slots that the rest reads.
    private(set) var restSlots: [Int] = []
    /// The only keys that can match; nil for all.
    private(set) var keys: [Int64]?
    /// Whether no row can match.
    private(set) var matchesNothing = false

    init(_ filter: FilterExpression?, _ space: RecordSpace, _ layout: RecordSchema, storeIdentifier: String) {
        self.space = space
        guard let filter else { return }
        var conditions: [FilterExpression] = []
        Self.flatten(filter, into: &conditions)
        var others: [FilterExpression] = []
        for condition in conditions {
            if let truth = condition.constantTruth {
                if !truth { matchesNothing = true }
            } else if let found = Self.identities(condition, space, storeIdentifier) {
                keys = keys.map { keys in keys.filter(Set(found).contains) } ?? found
            } else if let term = RecordTerm(condition, space, layout, storeIdentifier: storeIdentifier) {
                terms.append(term)
            } else {
                others.append(condition)
            }
        }
        tests = terms.map { Unmanaged.passUnretained($0) }
        self.others = others
        guard !others.isEmpty else { return }
        let whole = others.count == 1 ? others[0] : .all(others)
        rest = RowFilter(whole)
        restSlots = whole.slots.sorted()
    }

    private static func flatten(_ filter: FilterExpression, into conditions: inout [FilterExpression]) {
        if case .all(let parts) = filter {
            for part in parts { flatten(part, into: &conditions) }
        } else {
            conditions.append(filter)
        }
    }

    /// The keys of a condition that the row be one of some; nil where it is none.
    private static func identities(
        _ condition: FilterExpression, _ space: RecordSpace, _ storeIdentifier: String
    ) -> [Int64]? {
        func isRow(_ path: FilterPath) -> Bool { path.steps.isEmpty && path.variable.number == 0 }
        func key(_ value: StoredValue) -> Int64? {
            guard case .reference(let identifier) = value, space.holds(identifier.entityName),
                identifier._textKey == nil, identifier.storeIdentifier == storeIdentifier
            else { return nil }
            return identifier._key
        }
        switch condition {
        case .compare(.equal, .property(let path), .constant(let value, _)) where isRow(path),
            .compare(.equal, .constant(let value, _), .property(let path)) where isRow(path):
            return key(value).map { [$0] } ?? []
        case .includes(let sequence, .property(let path)) where isRow(path) && sequence.conditions.isEmpty:
            guard case .captured(let list) = sequence.source else { return nil }
            return list.values.compactMap(key)
        default: return nil
        }
    }

    /// Whether every row matches.
    var isEmpty: Bool { terms.isEmpty && rest == nil && keys == nil && !matchesNothing }

    /// The filter without some of its terms, which are known to be met, and without the demand for keys.
    func without(_ met: Set<Int>) -> RecordFilter {
        var others = self
        others.keys = nil
        if !met.isEmpty { others.terms = terms.indices.filter { !met.contains($0) }.map { terms[$0] } }
        return others
    }

    /// Whether a record meets the terms; says nothing of the rest.
    @inline(__always)
    func meetsTerms(_ bytes: UnsafeRawBufferPointer) throws -> Bool {
        if terms.isEmpty { return true }
        let record = try Record(bytes)
        guard record.fieldCount >= space.fields.count else {
            throw SwiftDataError(.corruptStore, entity: space.entityName, detail: "a record is damaged")
        }
        return tests.withUnsafeBufferPointer { tests in
            for test in tests where !test._withUnsafeGuaranteedRef({ $0.matches(record) }) { return false }
            return true
        }
    }
}
