import Foundation
import Synchronization

/// The filters of predicates by their shapes: a predicate that differs from an earlier one in nothing but the values that
/// it captures is not lowered again.
final class PredicateCache: Sendable {
    private struct State {
        var templates: [PredicateTracer.Shape: FilterTemplate] = [:]
        var translations = 0
    }
    private let state = Mutex(State())

    /// The cache of the program.
    static let shared = PredicateCache()

    /// So many shapes are kept; programs have dozens. A program that makes ever new ones must not grow.
    private static let capacity = 512

    /// How many predicates were lowered.
    var translations: Int { state.withLock { $0.translations } }

    /// What a predicate has become.
    struct Entry {
        var parts: PredicateLowering.Parts
        /// By which template the filter was made; nil where there is none.
        var origin: FilterOrigin?
    }

    /// - Throws: as ``PredicateLowering/parts(_:)``.
    func parts<M: PersistentModel>(_ predicate: Predicate<M>) throws -> Entry {
        let tracer = PredicateTracer()
        tracer.add(type: M.self)
        tracer.add(predicate.variable.key)
        tracer.visit(predicate.expression)
        guard tracer.isComplete else {
            state.withLock { $0.translations += 1 }
            return Entry(parts: try PredicateLowering.parts(predicate))
        }
        let constants = tracer.constants
        if let template = state.withLock({ $0.templates[tracer.shape] }) {
            return entry(template, constants)
        }
        let parts = try PredicateLowering.parts(predicate)
        guard parts.unsupported == nil, let filter = parts.filter,
            let template = FilterTemplate(filter, constants, keyPaths: tracer.keyPaths)
        else {
            state.withLock { $0.translations += 1 }
            return Entry(parts: parts)
        }
        state.withLock { state in
            state.translations += 1
            if state.templates.count >= Self.capacity { state.templates.removeAll() }
            state.templates[tracer.shape] = template
        }
        return Entry(parts: parts, origin: FilterOrigin(template: template, constants: constants))
    }

    private func entry(_ template: FilterTemplate, _ constants: [TracedConstant]) -> Entry {
        Entry(
            parts: PredicateLowering.Parts(filter: template.filter(with: constants)),
            origin: FilterOrigin(template: template, constants: constants))
    }
}
