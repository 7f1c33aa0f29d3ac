import Coffer
import Foundation
import Synchronization

/// A model with a property of each kind.
@Model final class FuzzBerry {
    #Index<FuzzBerry>([\.name], [\.size, \.name], [\.when])
    #Unique<FuzzBerry>([\.code])
    #FullText<FuzzBerry>([\.name, \.note])
    var name: String
    var code: Int
    var size: Double
    var isRipe: Bool
    var note: String?
    var when: Date?
    var price: Decimal?
    var tag: UUID?
    var source: URL?
    var seeds: Data?
    var huge: UInt64
    var shape: Shape?
    var bush: FuzzBush?
    var friends: [FuzzBerry] = []

    struct Shape: Codable, Hashable {
        var width: Int
        var colour: String?
    }

    init(_ name: String, _ code: Int) {
        self.name = name
        self.code = code
        (size, isRipe, huge) = (0.5, true, .max)
    }
}

@Model final class FuzzBush {
    var title: String
    @Relationship(deleteRule: .cascade, inverse: \FuzzBerry.bush) var berries: [FuzzBerry] = []
    init(_ title: String) { self.title = title }
}

enum FuzzWorld {
    static let schema = Schema([FuzzBerry.self, FuzzBush.self])

    /// The same few models in any store.
    static func fill(_ configuration: any DataStoreConfiguration) throws {
        let container = try ModelContainer(for: schema, configurations: [configuration])
        let context = ModelContext(container)
        let bush = FuzzBush("bush")
        context.insert(bush)
        for number in 0..<6 {
            let berry = FuzzBerry("berry \(number)", number)
            berry.note = number == 2 ? nil : "ripe and re\u{301}d"
            berry.when = Date(timeIntervalSinceReferenceDate: 1000.5 * Double(number))
            berry.price = Decimal(string: "12.50")
            berry.tag = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, UInt8(number)))
            berry.source = URL(string: "https://example.org/\(number)")
            berry.seeds = Data((0..<UInt8(number)).map { $0 })
            berry.shape = number == 3 ? nil : .init(width: number, colour: "red")
            context.insert(berry)
            berry.bush = number % 2 == 0 ? bush : nil
        }
        try context.save()
        let berries = try context.fetch(FetchDescriptor<FuzzBerry>(sortBy: [SortDescriptor(\.code)]))
        berries[0].friends = [berries[3], berries[1]]
        berries[1].size = .infinity
        try context.save()
        context.delete(berries[5])
        try context.save()
    }

    /// Reads everything that a store says it has, as `coffer check` and programs do, and changes something.
    ///
    /// - Throws: what the store throws.
    static func use(_ store: any RowStore, changes: Bool = true) throws {
        if let store = store as? any ImportingRowStore {
            _ = try StoreCheck(of: store).run()
            _ = try store.nextKeys()
        }
        _ = try store.history(HistoryQuery(limit: 100))
        for entity in store.schema.entities {
            for (slot, property) in entity.properties.enumerated() {
                guard property is Schema.Attribute else { continue }
                var plan = FetchPlan(entityName: entity.name)
                plan.sort = [SortKey(path: [slot])]
                plan.limit = 50
                try read(store, plan, entity)
            }
            try read(store, FetchPlan(entityName: entity.name), entity)
        }
        // The schema may be another one; what does not fit it would be a mistake of this function's.
        guard changes, let bush = store.schema.entitiesByName["FuzzBush"], bush.properties.count == 2,
            bush.properties[0] is Schema.Attribute, store.schema.entitiesByName["FuzzBerry"] != nil
        else { return }
        let batch = RowBatch(entityName: "FuzzBush", width: 2, storeIdentifier: store.identifier)
        batch.set(.text("new"), row: batch.appendRow(key: -1), slot: 0)
        var request = RowChanges(editingState: EditingState())
        request.inserted = [batch]
        request.deleted = [("FuzzBerry", [1, 3])]
        _ = try store.commit(request)
    }

    private static func read(_ store: any RowStore, _ plan: FetchPlan, _ entity: Schema.Entity) throws {
        let batch = RowBatch(
            entityName: entity.name, width: entity.properties.count, storeIdentifier: store.identifier)
        do {
            try store.fetchRows(plan, into: batch)
        } catch let error as SwiftDataError where error.code != .storeFailure {
            return
        }
        for row in 0..<batch.count {
            for slot in 0..<batch.width {
                let cell = batch.cell(row: row, slot: slot)
                if cell.kind != .references { _ = batch.value(of: cell) }
            }
        }
    }
}

/// A folder for a target that needs files, in memory where the system has such a place.
final class FuzzFolder: Sendable {
    let path: String

    init() {
        let base = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : NSTemporaryDirectory()
        var template = Array("\(base)/coffer-fuzz-XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else {
            path = base + "/coffer-fuzz"
            return
        }
        path = String(cString: made)
        let path = path
        Self.removesAtEnd
        Self.made.withLock { _ = $0.insert(path) }
    }

    /// Those of targets stay until the process ends.
    private static let made = Mutex<Set<String>>([])

    private static let removesAtEnd: Void = {
        atexit {
            for path in FuzzFolder.made.withLock({ $0 }) { try? FileManager.default.removeItem(atPath: path) }
        }
    }()

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func write(_ bytes: some Sequence<UInt8>, _ name: String) throws -> String {
        let file = path + "/" + name
        try Data(bytes).write(to: URL(fileURLWithPath: file))
        return file
    }
}
