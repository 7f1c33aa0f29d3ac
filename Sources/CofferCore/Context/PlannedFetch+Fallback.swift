// What memory does of a fetch, in words, and the refusal of it in a strict context.

extension PlannedFetch {
    /// Refuses a filter or an order in memory.
    ///
    /// - Parameter ofOrder: whether the order is of importance.
    /// - Throws: ``SwiftDataError/inMemoryFallback`` for the first piece. A user's values stay out of its text.
    func refuseFallback(ofOrder: Bool = true) throws {
        guard let step = fallback(ofOrder: ofOrder) else { return }
        throw SwiftDataError(
            .inMemoryFallback, operation: .fetch, store: home.store.name, entity: home.descriptor.entityName,
            detail: step)
    }

    private func fallback(ofOrder: Bool) -> String? {
        if descriptor.predicate != nil {
            if evaluates || filterReason == .notExpressible {
                return "a part of the filter: " + detail(of: .notExpressible, problem: filterProblem)
            }
            let handedBack = division?.handedBack
            let reason = filterReason ?? (handedBack == nil ? nil : .handedBack)
            if let reason, reason != .unsavedChanges {
                let piece = (handedBack ?? plan.filter).map(Self.about) ?? "the predicate"
                return "the filter, \(piece): " + detail(of: reason, problem: nil)
            }
        }
        if ofOrder, !descriptor.sortBy.isEmpty, let sortReason, sortReason != .unsavedChanges {
            let names = sortNames.joined(separator: ", ")
            return "the order, by \(names): " + detail(of: sortReason, problem: sortProblem)
        }
        return nil
    }

    /// A condition by the properties it is about.
    private static func about(_ condition: FilterExpression) -> String {
        var names: [String] = []
        condition.walk { part in
            let path: FilterPath
            switch part {
            case .property(let found): path = found
            case .exists(let sequence), .every(let sequence, _), .count(let sequence), .includes(let sequence, _):
                guard case .rows(let found) = sequence.source else { return }
                path = found
            default: return
            }
            let name = path.steps.map(\.name).joined(separator: ".")
            if !name.isEmpty, !names.contains(name) { names.append(name) }
        }
        return names.isEmpty ? "a condition" : "a condition about " + names.joined(separator: " and ")
    }

    /// A reason in words.
    func detail(of reason: FetchExplanation.Reason, problem: @autoclosure () -> String?) -> String {
        switch reason {
        case .notExpressible: problem() ?? "no plan can express it"
        case .handedBack: "the store hands it back"
        case .separateClasses: "the store has to be asked for each class by itself"
        case .unsavedChanges: "unsaved changes of other models count"
        }
    }

    /// Which part of the predicate no plan can express.
    var filterProblem: String? {
        do {
            _ = try descriptor.predicate.map { try PredicateLowering.filter($0) }
        } catch let error as SwiftDataError {
            return error.detail
        } catch {}
        return nil
    }

    /// Which part of the order no plan can express.
    var sortProblem: String? {
        do {
            for sort in descriptor.sortBy { _ = try SortLowering.key(sort) }
        } catch let error as SwiftDataError {
            return error.detail
        } catch {}
        return nil
    }

    /// The sort keys by name, a minus in front where descending.
    var sortNames: [String] {
        if plan.sort.isEmpty {
            return descriptor.sortBy.map { sort in
                (sort.order == .reverse ? "-" : "")
                    + (sort.keyPath.map { SortLowering.name(of: $0, in: M.self) } ?? "a sort descriptor")
            }
        }
        return plan.sort.map { key in
            var names: [String] = []
            var descriptor: _ModelDescriptor? = home.descriptor
            for slot in key.path {
                names.append(descriptor?.properties[safe: slot]?.name ?? "?")
                descriptor = descriptor?.relationships[safe: slot]??.destination
            }
            let name = (key.isDescending ? "-" : "") + names.joined(separator: ".")
            return key.comparison == .standard ? name : name + " " + key.comparison.rawValue
        }
    }
}
