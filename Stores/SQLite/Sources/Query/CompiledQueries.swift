import CofferCore
import Synchronization

/// Compiled queries by the shapes of plans: what differs from an earlier plan in captured values and numbers only is not
/// compiled again.
final class CompiledQueries: Sendable {
    /// What a query's text depends on.
    private struct Key: Hashable {
        let template: ObjectIdentifier
        let entityName: String
        let subentityNames: [String]
        let sort: [SortKey]
        let hasLimit: Bool
        let hasOffset: Bool
        let isOrdered: Bool
        let result: Result
    }

    /// What a statement gives.
    enum Result: Hashable {
        case count
        case keys
        /// The rows with some of their slots; nil for all.
        case rows([Int]?)
    }

    /// A query that others are made of. The template is kept, so that no other gets its address.
    struct Entry: @unchecked Sendable {
        let template: FilterTemplate
        let query: SQLQuery
        let text: String
    }

    private struct State {
        var entries: [Key: Entry] = [:]
        var compilations = 0
    }
    private let state = Mutex(State())
    private static let capacity = 256

    /// How many plans were compiled.
    var compilations: Int { state.withLock { $0.compilations } }

    /// The statement of a plan, and its values.
    ///
    /// - Parameters:
    ///   - result: what the statement gives; nothing else may decide about its text, but the plan.
    ///   - text: writes the statement.
    func statement(
        _ plan: FetchPlan, _ layout: some SQLLayout, storeIdentifier: String, isOrdered: Bool = true,
        result: Result, text: (SQLQuery) -> String
    ) throws -> (query: SQLQuery, text: String) {
        let key = key(plan, storeIdentifier, isOrdered, result)
        if let key, let origin = plan.origin, let entry = state.withLock({ $0.entries[key] }),
            let query = entry.query.replacing(origin, plan)
        {
            return (query, entry.text)
        }
        let query = try SQLQuery.compile(plan, layout, storeIdentifier: storeIdentifier, isOrdered: isOrdered)
        let statement = text(query)
        state.withLock { state in
            state.compilations += 1
            guard let key, let origin = plan.origin, query.isReusable else { return }
            if state.entries.count >= Self.capacity { state.entries.removeAll() }
            state.entries[key] = Entry(template: origin.template, query: query.keeping(origin), text: statement)
        }
        return (query, statement)
    }

    private func key(_ plan: FetchPlan, _ storeIdentifier: String, _ isOrdered: Bool, _ result: Result) -> Key? {
        guard let origin = plan.origin, plan.scope == .all else { return nil }
        // An identifier that no row here has makes another statement.
        for case .value(.reference(let identifier)) in origin.constants
        where identifier.storeIdentifier != storeIdentifier || identifier._textKey != nil { return nil }
        return Key(
            template: ObjectIdentifier(origin.template), entityName: plan.entityName,
            subentityNames: plan.subentityNames, sort: plan.sort, hasLimit: plan.limit != nil,
            hasOffset: plan.offset > 0, isOrdered: isOrdered, result: result)
    }
}
