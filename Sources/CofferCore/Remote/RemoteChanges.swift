import Foundation
import Synchronization

/// Finds out what others have saved to a container's stores — another process, or another container at the same place —
/// and announces it.
///
/// The histories of the stores tell: what a container's own contexts have saved is known by its number, and every other
/// transaction is somebody else's.
final class RemoteChanges: @unchecked Sendable {
    /// One store that keeps a history.
    private final class Place: @unchecked Sendable {
        struct State {
            /// All up to here is known.
            var seen: Int64
            /// Own transactions beyond.
            var own: Set<Int64> = []
            var savesUnderWay = 0
            /// Whether a look stopped at a transaction that may be one of the saves under way.
            var isWaiting = false
        }
        let identity: ObjectIdentifier
        /// Nil until the first context is made: before that nobody has read anything.
        let state = Mutex<State?>(nil)
        /// Held while the history is looked through. Whoever hears of a change may look once more.
        let turn = NSRecursiveLock()
        /// Nil once the container is gone; under ``turn``.
        var store: (any RowStore)?

        init(_ store: any RowStore) {
            identity = ObjectIdentifier(store)
            self.store = store
        }
    }

    private let places: [Place]
    private let announce: Mutex<(@Sendable (SavedChanges) -> Void)?>
    private let schema: Schema
    private let isStarted = Atomic<Bool>(false)
    private let watches = Mutex<[AnyObject]>([])
    private let schedule = Mutex<LookSchedule?>(nil)
    /// What the last look that the system asked for failed with.
    private let failure = Mutex<(any Error)?>(nil)

    init(_ stores: [StoreHandle], _ schema: Schema) {
        places = stores.filter { $0.capabilities.features.contains(.history) }.compactMap(\.rows).map(Place.init)
        self.schema = schema
        announce = Mutex(nil)
    }

    /// Notes how far the stores have come, and watches their files from then on.
    ///
    /// - Parameter announce: is told of each transaction of somebody else, on any thread.
    func start(_ announce: @escaping @Sendable (SavedChanges) -> Void) {
        if places.isEmpty || isStarted.exchange(true, ordering: .acquiringAndReleasing) { return }
        self.announce.withLock { $0 = announce }
        let schedule = LookSchedule { [weak self] in self?.lookOnReport() }
        self.schedule.withLock { $0 = schedule }
        for place in places {
            guard let store = place.turn.withLock({ place.store }) else { continue }
            #if canImport(Glibc)
            // First the watch: what is written in between is then seen twice rather than not at all.
            let files = store.writtenFiles
            if !files.isEmpty, let watch = FolderWatch.start(files, { schedule.noteWrite() }) {
                watches.withLock { $0.append(watch) }
            }
            #endif
            do {
                let latest = try Self.latest(store)
                place.state.withLock { $0 = .init(seen: latest) }
            } catch {
                // Without it the first look counts everything as news, which costs time and loses nothing.
                place.state.withLock { $0 = .init(seen: 0) }
                failure.withLock { $0 = error }
            }
        }
    }

    /// Lets go of the stores, so that they close with their container and not with a look that happens to be under way.
    func stop() {
        // The container may end in what a look announces; nobody waits for that one then.
        if LookSchedule.isLooking { return }
        for place in places { place.turn.withLock { place.store = nil } }
    }

    private static func latest(_ store: any RowStore) throws -> Int64 {
        try store.history(HistoryQuery(limit: 0)).latest
    }

    /// A look that the system's report has led to.
    private func lookOnReport() {
        do {
            try look()
            failure.withLock { $0 = nil }
        } catch {
            failure.withLock { $0 = error }
        }
    }

    /// The error of the last look that nobody asked for; nil where it went well.
    var lastFailure: (any Error)? { failure.withLock { $0 } }

    // MARK: Own saves

    /// Runs a commit of one of the container's contexts.
    func own(_ store: any RowStore, _ commit: () throws -> RowChangesResult) throws -> RowChangesResult {
        guard let place = places.first(where: { $0.identity == ObjectIdentifier(store) }) else { return try commit() }
        place.state.withLock { $0?.savesUnderWay += 1 }
        var number: Int64?
        defer {
            let isWaiting = place.state.withLock { state in
                guard state != nil else { return false }
                state?.savesUnderWay -= 1
                if let number, number > state?.seen ?? 0 {
                    if number - 1 == state?.seen { state?.seen = number } else { state?.own.insert(number) }
                }
                defer { state?.isWaiting = false }
                // Transactions of somebody else lie in between, and no watch has said so.
                return state?.isWaiting == true || (state?.own.count ?? 0) > 4096
            }
            if isWaiting { schedule.withLock { $0 }?.noteWrite() }
        }
        let result = try commit()
        number = result.historyNumber
        return result
    }

    // MARK: Others' saves

    /// Announces all that others have saved since the last look.
    func look() throws {
        for place in places {
            try place.turn.withLock {
                if let store = place.store { try look(at: place, store) }
            }
        }
    }

    /// The container itself has erased the stores, and announces that: it is no news.
    func skipErasure() throws {
        for place in places {
            guard let store = place.turn.withLock({ place.store }) else { continue }
            advance(place, to: try store.history(HistoryQuery(limit: 0)).start)
        }
    }

    private func look(at place: Place, _ store: any RowStore) throws {
        guard let announce = announce.withLock({ $0 }), var seen = place.state.withLock({ $0?.seen }) else { return }
        var query = HistoryQuery()
        query.limit = 256
        while true {
            query.after = seen
            // What a container has saved itself may be much to read, and is nothing to announce.
            query.isBrief = place.state.withLock { $0.map { $0.savesUnderWay > 0 || !$0.own.isEmpty } ?? false }
            let history = try store.history(query)
            if seen < history.start {
                seen = history.start
                advance(place, to: seen)
                announce(everything(of: store))
                continue
            }
            for transaction in history.transactions {
                switch take(transaction, place) {
                case .own: break
                case .others:
                    let whole = query.isBrief ? try self.whole(transaction, of: store) : transaction
                    announce(whole.map { changes($0, of: store) } ?? everything(of: store))
                case .undecided: return
                }
                seen = transaction.number
            }
            if history.transactions.count < 256 { return }
        }
    }

    /// A transaction with its changes; nil where it was deleted meanwhile.
    private func whole(_ transaction: StoredTransaction, of store: any RowStore) throws -> StoredTransaction? {
        var query = HistoryQuery(limit: 1)
        query.after = transaction.number - 1
        query.through = transaction.number
        return try store.history(query).transactions.first
    }

    private enum Origin {
        case own, others
        /// It may be a save that is under way; the end of that save leads here again.
        case undecided
    }

    private func take(_ transaction: StoredTransaction, _ place: Place) -> Origin {
        place.state.withLock { state in
            guard let known = state else { return .undecided }
            if transaction.number <= known.seen { return .own }
            let isOwn = state?.own.remove(transaction.number) != nil
            if !isOwn, known.savesUnderWay > 0, transaction.isOfThisProcess {
                state?.isWaiting = true
                return .undecided
            }
            state?.seen = transaction.number
            return isOwn ? .own : .others
        }
    }

    private func advance(_ place: Place, to number: Int64) {
        place.state.withLock { state in
            guard let known = state, known.seen < number else { return }
            state?.seen = number
            state?.own = known.own.filter { $0 > number }
        }
    }

    // MARK: What is announced

    private func changes(_ transaction: StoredTransaction, of store: any RowStore) -> SavedChanges {
        var changes = SavedChanges()
        for change in transaction.changes {
            let space = _IdentifierSpace.shared(entityName: change.entityName, storeIdentifier: store.identifier)
            func identifiers() -> [PersistentIdentifier] {
                change.keys.keys.map { PersistentIdentifier(_space: space, key: $0) }
            }
            switch change.kind {
            case .insert: changes.inserted.insert(change.entityName)
            case .update: changes.updated[change.entityName, default: []] += identifiers()
            case .delete: changes.deleted[change.entityName, default: []] += identifiers()
            }
        }
        changes.author = transaction.author
        finish(&changes, store, transaction.number)
        return changes
    }

    /// Nobody knows what: the part of the history that tells is deleted already.
    private func everything(of store: any RowStore) -> SavedChanges {
        var changes = SavedChanges()
        for entity in store.schema.entities {
            changes.inserted.insert(entity.name)
            changes.swept.insert(entity.name)
            changes.updated[entity.name] = []
            changes.deleted[entity.name] = []
        }
        finish(&changes, store, nil)
        return changes
    }

    private func finish(_ changes: inout SavedChanges, _ store: any RowStore, _ number: Int64?) {
        changes.lost = schema.withEntitiesAbove(Set(changes.deleted.keys))
        changes.moved = schema.withEntitiesAbove(
            changes.inserted.union(changes.updated.keys).union(changes.deleted.keys))
        if let number { changes.historyTokens = [store.identifier: DefaultHistoryToken([store.identifier: number])] }
    }
}

extension Schema {
    /// Some entities' names and those of all entities above them.
    func withEntitiesAbove(_ names: Set<String>) -> Set<String> {
        names.union(names.flatMap { entitiesByName[$0]?.lineage.map(\.name) ?? [] })
    }
}

extension StoredTransaction {
    /// Whether the process that runs has saved it.
    fileprivate var isOfThisProcess: Bool {
        processIdentifier == Self.ownProcess && bundleIdentifier == Self.ownBundle
    }
}
