import CofferCore
import Foundation

extension Mutant {
    /// Faults in what is asked of the store.
    static var asking: [Mutant] {
        [
            Mutant("the offset is lost", "fetch.offset", "plan.page") { $0.plan = { plan, _ in plan.offset = 0 } },
            Mutant("the offset is one too large", "fetch.offset", "fetch.page") {
                $0.plan = { plan, _ in if plan.offset > 0 { plan.offset += 1 } }
            },
            Mutant("the limit is lost", "fetch.limit") { $0.plan = { plan, _ in plan.limit = nil } },
            Mutant("the limit is one too large", "fetch.limit") {
                $0.plan = { plan, _ in if let limit = plan.limit, limit < 1000 { plan.limit = limit + 1 } }
            },
            Mutant("the limit is one too small", "fetch.limit") {
                $0.plan = { plan, _ in if let limit = plan.limit, limit > 0 { plan.limit = limit - 1 } }
            },
            Mutant("a limit of zero is none", "fetch.limit-edges") {
                $0.plan = { plan, _ in if plan.limit == 0 { plan.limit = nil } }
            },
            Mutant("the limit applies before the order", "fetch.limit-after-sort") {
                $0.plan = { plan, base in
                    guard plan.limit != nil, !plan.sort.isEmpty, plan.scope == .all else { return }
                    var first = plan
                    first.sort = []
                    plan.scope = .keys(try base.fetchKeys(first))
                    (plan.limit, plan.offset) = (nil, 0)
                }
            },
            Mutant("the limit applies before the filter", "fetch.limit-after-filter") {
                $0.plan = { plan, base in
                    guard plan.limit != nil, plan.filter != nil, plan.scope == .all else { return }
                    var first = plan
                    first.filter = nil
                    plan.scope = .keys(try base.fetchKeys(first))
                    (plan.limit, plan.offset) = (nil, 0)
                }
            },
            Mutant("the order is lost", "fetch.sort") { $0.plan = { plan, _ in plan.sort = [] } },
            Mutant("the order is always ascending", "fetch.sort", "fetch.limit-after-sort") {
                $0.plan = { plan, _ in for key in plan.sort.indices { plan.sort[key].isDescending = false } }
            },
            Mutant("the second key of an order is lost", "fetch.sort-by-two") {
                $0.plan = { plan, _ in plan.sort = Array(plan.sort.prefix(1)) }
            },
            Mutant("an order by a linked value is taken for one by the link", "fetch.sort-link") {
                $0.plan = { plan, _ in
                    for key in plan.sort.indices { plan.sort[key].path = Array(plan.sort[key].path.prefix(1)) }
                }
            },
            Mutant("nil comes last", "fetch.sort-nil", "plan.sort-kinds") {
                $0.rows = { rows, batch, plan in
                    guard let key = plan.sort.first, key.path.count == 1, !key.isDescending else { return }
                    let isNull = { (row: Int) in batch.cell(row: row, slot: key.path[0]).kind == .null }
                    rows = rows.filter { !isNull($0) } + rows.filter(isNull)
                }
            },
            Mutant("ties come in the order of the last key", "plan.ties") {
                $0.rows = { rows, batch, plan in
                    guard plan.sort.count == 1, let key = plan.sort.first, key.path.count == 1, key.isDescending
                    else { return }
                    let values = rows.map { "\(batch.value(of: batch.cell(row: $0, slot: key.path[0])))" }
                    var result: [Int] = []
                    var start = 0
                    while start < rows.count {
                        var end = start
                        while end < rows.count, values[end] == values[start] { end += 1 }
                        result += rows[start..<end].reversed()
                        start = end
                    }
                    rows = result
                }
            },
            Mutant("rows without an order come backwards", "plan.natural-order") {
                $0.rows = { rows, _, plan in if plan.sort.isEmpty, plan.scope == .all { rows.reverse() } }
            },
            Mutant("rows come in another order each time", "fetch.unsorted-order") {
                $0.rows = { rows, _, plan in if plan.sort.isEmpty, plan.scope == .all { rows.shuffle() } }
            },
            Mutant("the filter is lost", "filter.") { $0.plan = { plan, _ in plan.filter = nil } },
            Mutant("<= is <", "filter.order", "plan.compare") {
                $0.filters {
                    if case .compare(.lessOrEqual, let left, let right) = $0 {
                        .compare(.less, left, right)
                    } else {
                        $0
                    }
                }
            },
            Mutant(">= is >", "filter.order", "plan.compare") {
                $0.filters {
                    if case .compare(.greaterOrEqual, let left, let right) = $0 {
                        .compare(.greater, left, right)
                    } else {
                        $0
                    }
                }
            },
            Mutant("!= is false for nil, as in SQL", "filter.nil-is-different", "plan.nil") {
                $0.filters {
                    guard case .compare(.notEqual, let left, let right) = $0, !right.isNil, left.type.isOptional
                    else { return $0 }
                    return .all([$0, .compare(.notEqual, left, .constant(.null, left.type))])
                }
            },
            Mutant("== nil is never true, as in SQL", "filter.nil", "plan.nil") {
                $0.filters {
                    if case .compare(.equal, _, let right) = $0, right.isNil { .boolean(false) } else { $0 }
                }
            },
            Mutant("only the first of several conditions counts", "filter.and-or-not", "plan.combine") {
                $0.filters { if case .all(let list) = $0, let first = list.first { first } else { $0 } }
            },
            Mutant("|| is lost after its first part", "filter.and-or-not", "plan.combine") {
                $0.filters { if case .any(let list) = $0, let first = list.first { first } else { $0 } }
            },
            Mutant("! is lost", "filter.and-or-not", "filter.nil-is-different", "plan.combine") {
                $0.filters { if case .not(let part) = $0 { part } else { $0 } }
            },
            Mutant("contains looks at the start only", "filter.text-search") {
                $0.filters { if case .text(.contains, let a, let b) = $0 { .text(.startsWith, a, b) } else { $0 } }
            },
            Mutant("no related row satisfies nothing", "filter.to-many-every") {
                $0.filters {
                    if case .every(let sequence, _) = $0 { .all([.exists(sequence), $0]) } else { $0 }
                }
            },
            Mutant("a condition on related rows is lost", "filter.to-many-some") {
                $0.filters {
                    guard case .exists(var sequence) = $0 else { return $0 }
                    sequence.conditions = []
                    return .exists(sequence)
                }
            },
            Mutant("the wanted properties are lost but one", "plan.slots", "fetch.properties") {
                $0.plan = { plan, _ in if let slots = plan.slots, slots.count > 1 { plan.slots = [slots[0]] } }
            },
        ]
    }

    /// Faults in which rows are handed out.
    static var finding: [Mutant] {
        [
            Mutant("only 999 keys are looked up", "plan.many-keys") {
                $0.plan = { plan, _ in
                    if case .keys(let keys) = plan.scope { plan.scope = .keys(Array(keys.prefix(999))) }
                }
            },
            Mutant("a missing key is an error", "plan.missing-keys", "identity.unknown") {
                $0.plan = { plan, base in
                    guard case .keys(let keys) = plan.scope else { return }
                    let found = Set(try base.fetchKeys(FetchPlan(entityName: plan.entityName, scope: plan.scope)))
                    if keys.contains(where: { !found.contains($0) }) { throw SwiftDataError(.modelNotFound) }
                }
            },
            Mutant("the filter is lost where keys are given", "plan.keys-plan") {
                $0.plan = { plan, _ in if case .keys = plan.scope { plan.filter = nil } }
            },
            Mutant("related rows come for the first owner only", "plan.related", "links.", "reopen.everything") {
                $0.plan = { plan, _ in
                    if case .related(let entity, let slot, let owners) = plan.scope {
                        plan.scope = .related(ownerEntity: entity, slot: slot, owners: Array(owners.prefix(1)))
                    }
                }
            },
            Mutant("related rows come in the order of their keys", "order.", "plan.related-lists") {
                $0.rows = { rows, batch, plan in
                    guard !batch.owners.isEmpty else { return }
                    rows.sort { (batch.owners[$0], batch.key(ofRow: $0)) < (batch.owners[$1], batch.key(ofRow: $1)) }
                }
            },
            Mutant("related rows all come for one owner", "plan.related", "links.") {
                $0.owners = { owners in if let first = owners.first { owners = owners.map { _ in first } } }
            },
            Mutant("owners are mixed", "plan.related") {
                // The owners' runs are torn apart.
                $0.rows = { rows, batch, _ in
                    guard !batch.owners.isEmpty else { return }
                    rows.sort { ($0 % 2, $0) < ($1 % 2, $1) }
                }
            },
            Mutant("the other side of pairs is not seen", "links.many-to-many", "plan.related-lists") {
                $0.plan = { plan, _ in
                    if case .related("Skill", let slot, _) = plan.scope {
                        plan.scope = .related(ownerEntity: "Skill", slot: slot, owners: [])
                    }
                }
            },
            Mutant("a fetch gives a thousand rows at most", "save.large", "plan.many-keys") {
                $0.rows = { rows, _, _ in rows = Array(rows.prefix(1000)) }
            },
            Mutant("the last row is lost", "fetch.", "plan.") {
                $0.rows = { rows, _, _ in _ = rows.popLast() }
            },
            Mutant("a row comes twice", "fetch.", "plan.") {
                $0.rows = { rows, _, _ in if rows.count > 2 { rows.append(rows[0]) } }
            },
            Mutant("a count forgets the filter", "filter.", "fetch.count") { $0.countPlan = { $0.filter = nil } },
            Mutant("a count forgets the page", "fetch.count", "fetch.page") {
                $0.countPlan = { ($0.limit, $0.offset) = (nil, 0) }
            },
            Mutant("a count is one too large", "requests.count", "fetch.count", "filter.") {
                $0.count = { if $0 > 0 { $0 += 1 } }
            },
            Mutant("identifiers forget the order", "fetch.identifiers", "plan.ties") { $0.keysPlan = { $0.sort = [] } },
            Mutant("identifiers forget the limit", "fetch.identifiers", "fetch.limit") {
                $0.keysPlan = { $0.limit = nil }
            },
            Mutant("the last block is lost", "plan.blocks") { $0.blocks = .losesTheLast },
            Mutant("the first block comes again", "plan.blocks") { $0.blocks = .repeatsTheFirst },
            Mutant("a block ends in the middle of an owner", "plan.related-blocks") { $0.blocks = .dividesOwners },
            Mutant("an error out of a block is swallowed", "plan.blocks-end") { $0.blocks = .swallowsErrors },
            Mutant("the batch is not emptied after the blocks", "plan.blocks") { $0.blocks = .keepsRows },
            Mutant("fetched rows are cached for ever", "contexts.seen", "contexts.", "delete.", "save.") {
                $0.caches = .forever
            },
            Mutant("a cache does not hear of other openings", "contexts.two-containers") { $0.caches = .untilOwnSave },
            Mutant("snapshots are cached for ever", "requests.cached") { $0.staleSnapshots = true },
            Mutant("a filter that is declared is handed back", "requests.filter") { $0.handsFiltersBack = true },
        ]
    }

    /// Faults in what values are read as.
    static var values: [Mutant] {
        func text(_ name: String, _ fits: String, _ change: @escaping @Sendable (String) -> StoredValue?) -> Mutant {
            Mutant(name, fits) {
                $0.value = { value, _ in if case .text(let text) = value { change(text) } else { nil } }
            }
        }
        func real(_ name: String, _ fits: String..., change: @escaping @Sendable (Double) -> StoredValue?) -> Mutant {
            Mutant(name, fits[0], fits.last ?? fits[0]) {
                $0.value = { value, _ in if case .real(let number) = value { change(number) } else { nil } }
            }
        }
        return [
            text("text ends after 255 characters", "save.longer-shorter") {
                $0.count > 255 ? .text(String($0.prefix(255))) : nil
            },
            text("text ends at NUL", "values.text") { text in
                text.unicodeScalars.contains("\0") ? .text(String(text.unicodeScalars.prefix { $0 != "\0" })) : nil
            },
            text("white space at the ends is lost", "values.text") {
                .text($0.trimmingCharacters(in: .whitespacesAndNewlines))
            },
            text("the empty text is nil", "values.optional-text") { $0.isEmpty ? .null : nil },
            text("only Latin letters are kept", "values.text") {
                $0.unicodeScalars.allSatisfy { $0.value < 256 } ? nil : .text("?")
            },
            Mutant("nil is the empty text", "save.to-nil", "values.optional-text") {
                $0.value = { value, place in
                    value.isNull && place.entityName == "Ship" && place.slot == 2
                        || value.isNull && place.entityName == "Cargo" && place.slot == 9 ? .text("") : nil
                }
            },
            real("NaN is nil", "values.nan", "values.doubles") { $0.isNaN ? .null : nil },
            real("minus zero is zero", "values.doubles", "values.doubles") { $0 == 0 ? .real(0) : nil },
            real("numbers have seven digits", "values.doubles", "values.dates") { .real(Double(Float($0))) },
            real("dates are cut to milliseconds", "values.dates", "values.doubles") {
                abs($0) < 1e12 ? .real(($0 * 1000).rounded() / 1000) : nil
            },
            real("infinity is the largest number", "values.doubles", "values.nan") {
                $0.isInfinite ? .real($0 < 0 ? -.greatestFiniteMagnitude : .greatestFiniteMagnitude) : nil
            },
            Mutant("large unsigned numbers are cut to the signed ones", "values.unsigned") {
                $0.value = { value, _ in if case .unsigned = value { .integer(.max) } else { nil } }
            },
            Mutant("integers go through a Double", "values.integers") {
                $0.value = { value, _ in
                    guard case .integer(let number) = value, abs(Double(number)) > 9e15 else { return nil }
                    return .integer(Int64(exactly: Double(number)) ?? .max)
                }
            },
            Mutant("data ends after a megabyte", "values.large-data") {
                $0.value = { value, _ in
                    if case .blob(let bytes) = value, bytes.count > 1 << 20 {
                        .blob(Array(bytes.prefix(1 << 20)))
                    } else {
                        nil
                    }
                }
            },
            Mutant("empty data is nil", "values.data") {
                $0.value = { value, _ in if case .blob(let bytes) = value, bytes.isEmpty { .null } else { nil } }
            },
        ]
    }
}
