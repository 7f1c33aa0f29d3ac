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
    /// What an index of words can tell of the rest.
    private(set) var words: WordLookup?
    /// The rest without the condition that ``words`` is about.
    private var restBesideWords: FilterExpression?
    /// The same as it was written.
    private(set) var others: [FilterExpression] = []
    /// The same without the condition that ``words`` is about.
    private(set) var othersBesideWords: [FilterExpression] = []
    /// The slots that the rest reads.
    private(set) var restSlots: [Int] = []
    /// The only keys that can match; nil for all.
    private(set) var keys: [Int64]?
    /// The key that all rows that match come behind; nil for none. The condition is tested as well.
    private(set) var keyBefore: Int64?
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
                if let key = Self.keyBefore(condition, space, storeIdentifier) {
                    keyBefore = max(key, keyBefore ?? key)
                }
                others.append(condition)
            }
        }
        tests = terms.map { Unmanaged.passUnretained($0) }
        self.others = others
        guard !others.isEmpty else { return }
        setRest(Self.joined(others))
        for (place, condition) in others.enumerated() where words == nil {
            guard let lookup = WordLookup(condition, space) else { continue }
            words = lookup
            var others = others
            others.remove(at: place)
            othersBesideWords = others
            restBesideWords = Self.joined(others)
        }
    }

    private static func joined(_ conditions: [FilterExpression]) -> FilterExpression? {
        conditions.count > 1 ? .all(conditions) : conditions.first
    }

    private mutating func setRest(_ expression: FilterExpression?) {
        rest = expression.map { RowFilter($0) }
        restSlots = expression?.slots.sorted() ?? []
    }

    /// Whether nothing but the index of words is asked.
    var isOfWordsOnly: Bool { words != nil && restBesideWords == nil && terms.isEmpty && keys == nil }

    /// The filter for rows that meet the condition that ``words`` is about.
    func withoutWords() -> RecordFilter {
        var others = without([])
        others.setRest(restBesideWords)
        others.words = nil
        return others
    }

    private static func flatten(_ filter: FilterExpression, into conditions: inout [FilterExpression]) {
        if case .all(let parts) = filter {
            for part in parts { flatten(part, into: &conditions) }
        } else if let (optional, condition) = filter.chainedCondition {
            conditions.append(.compare(.notEqual, optional, .constant(.null, optional.type)))
            flatten(condition, into: &conditions)
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

    /// The key of a condition that the row come behind another; nil where it is none.
    private static func keyBefore(
        _ condition: FilterExpression, _ space: RecordSpace, _ storeIdentifier: String
    ) -> Int64? {
        guard case .compare(.greater, .property(let path), .constant(.reference(let identifier), _)) = condition,
            path.steps.isEmpty, path.variable.number == 0, space.holds(identifier.entityName),
            identifier._textKey == nil, identifier.storeIdentifier == storeIdentifier
        else { return nil }
        return identifier._key
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
