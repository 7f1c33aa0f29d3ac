import DropInLedger
import Foundation
import SwiftData

@Model
final class Odd {
    var name: String
    @Relationship(deleteRule: .cascade) var lock: Lamp
    init(name: String, lock: Lamp) {
        self.name = name
        self.lock = lock
    }
    var backwards: String { String(name.reversed()) }
}

@MainActor
func exerciseErrors(_ ledger: ParityLedger) async {
    await ledger.works(
        "errors of fetches",
        [
            "SwiftDataError.unsupportedPredicate", "SwiftDataError.unsupportedSortDescriptor",
            "SwiftDataError.unsupportedKeyPath",
        ]
    ) { check in
        let context = ModelContext(try check.container(Odd.self, Poster.self))
        for name in ["ab", "ca"] { context.insert(Odd(name: name, lock: Lamp(name: "x"))) }
        try context.save()
        check.throwing(.unsupportedPredicate) {
            _ = try context.fetch(FetchDescriptor<Poster>(predicate: #Predicate { $0.motto == "x" }))
        }
        check.throwing(.unsupportedSortDescriptor) {
            _ = try context.fetch(FetchDescriptor<Poster>(sortBy: [SortDescriptor(\.motto)]))
        }
        check.throwing(.unsupportedKeyPath) {
            var descriptor = FetchDescriptor<Odd>()
            descriptor.propertiesToFetch = [\.backwards]
            _ = try context.fetch(descriptor)
        }
    }
    await ledger.differs(
        "computed properties filter and sort", ["a predicate or an order by a computed property"],
        because: "it is evaluated in memory, where SwiftData throws or stops"
    ) { check in
        let context = ModelContext(try check.container(Odd.self))
        for name in ["ab", "ca"] { context.insert(Odd(name: name, lock: Lamp(name: "x"))) }
        try context.save()
        check.equal(
            try context.fetch(FetchDescriptor<Odd>(sortBy: [SortDescriptor(\.backwards)])).map(\.name), ["ca", "ab"])
        check.equal(try context.fetchCount(FetchDescriptor<Odd>(predicate: #Predicate { $0.backwards == "ba" })), 1)
    }
    await ledger.differs(
        "identifiers are sorted with unsaved changes, too", ["SwiftDataError.sortingPendingChangesWithIdentifiers"],
        because: "the constant is there, and no fetch throws it: identifiers of unsaved models are sorted like models"
    ) { check in
        let context = ModelContext(try check.container(Lamp.self))
        let (b, a) = (Lamp(name: "b"), Lamp(name: "a"))
        context.insert(b)
        context.insert(a)
        let found = try context.fetchIdentifiers(FetchDescriptor<Lamp>(sortBy: [SortDescriptor(\.name)]))
        check.equal(found, [a.persistentModelID, b.persistentModelID])
        check.expect(SwiftDataError.sortingPendingChangesWithIdentifiers != .unsupportedSortDescriptor)
    }
    await ledger.works(
        "errors of configurations",
        [
            "SwiftDataError.duplicateConfiguration", "SwiftDataError.configurationFileNameTooLong",
            "SwiftDataError.configurationFileNameContainsInvalidCharacters",
            "SwiftDataError.configurationSchemaNotFoundInContainerSchema",
        ]
    ) { check in
        let schema = Schema([Lamp.self])
        check.throwing(.duplicateConfiguration) {
            _ = try ModelContainer(
                for: schema, configurations: check.configuration("a"), check.configuration("a"))
        }
        check.throwing(.configurationFileNameTooLong) {
            _ = try ModelContainer(
                for: schema, configurations: ModelConfiguration(String(repeating: "x", count: 300)))
        }
        check.throwing(.configurationFileNameContainsInvalidCharacters) {
            _ = try ModelContainer(for: schema, configurations: ModelConfiguration("a/b"))
        }
        check.throwing(.configurationSchemaNotFoundInContainerSchema) {
            _ = try ModelContainer(
                for: schema, configurations: check.configuration("a", schema: Schema([Beacon.self])))
        }
    }
    await ledger.works(
        "errors of containers and migrations",
        [
            "SwiftDataError.loadIssueModelContainer", "SwiftDataError.backwardMigration",
            "SwiftDataError.unknownSchema",
        ]
    ) { check in
        check.throwing(.loadIssueModelContainer) {
            _ = try ModelContainer(
                for: Schema([Lamp.self, Beacon.self]),
                configurations: check.configuration("a", schema: Schema([Lamp.self])))
        }
        let file = check.file()
        do {
            let context = ModelContext(try openRecipes(for: RecipesV3.self, with: RecipesPlan.self, storeURL: file))
            context.insert(Recipe(title: "Soup", duration: 3))
            try context.save()
        }
        check.throwing(.backwardMigration) {
            _ = try openRecipes(for: RecipesV1.self, with: RecipesPlan.self, storeURL: file)
        }
        let other = check.file()
        do {
            let configuration = ModelConfiguration(schema: Schema([Lamp.self]), url: other)
            let context = ModelContext(try ModelContainer(for: Lamp.self, configurations: configuration))
            context.insert(Lamp(name: "a"))
            try context.save()
        }
        check.throwing(.unknownSchema) {
            _ = try openRecipes(for: RecipesV3.self, with: RecipesPlan.self, storeURL: other)
        }
    }
    await ledger.differs(
        "a store of unknown models has one error", ["SwiftDataError.unknownDataStoreSchema"],
        because: "the constant is there; what a store throws that fits no version is `unknownSchema`, plan or not"
    ) { check in
        check.expect(SwiftDataError.unknownDataStoreSchema != .unknownSchema)
    }
    await ledger.works(
        "errors of contexts and histories",
        [
            "SwiftDataError.modelValidationFailure", "SwiftDataError.missingModelContext",
            "SwiftDataError.invalidTransactionFetchRequest",
        ]
    ) { check in
        let context = ModelContext(try check.container(Key.self))
        let lock = Lock()
        context.insert(Key(lock: lock))
        try context.save()
        context.delete(lock)
        check.throwing(.modelValidationFailure) { try context.save() }
        let query = Query<Lamp, [Lamp]>()
        check.throwing(.missingModelContext) { if let error = query.fetchError { throw error } }
        check.throwing(.invalidTransactionFetchRequest) {
            _ = try context.fetchHistory(HistoryDescriptor<BookTransaction>())
        }
    }
    await ledger.works(
        "errors are matched by pattern",
        ["SwiftDataError.~=(_:_:)", "conformance of SwiftDataError to Error and Hashable"]
    ) { check in
        let error: any Error = SwiftDataError.unknownSchema
        switch error {
        case SwiftDataError.backwardMigration: check.expect(false)
        case SwiftDataError.unknownSchema: check.expect(true)
        default: check.expect(false)
        }
        check.expect(SwiftDataError.unknownSchema ~= error && !(SwiftDataError.unknownSchema ~= CancellationError()))
        check.equal(Set([SwiftDataError.unknownSchema, .unknownSchema, .backwardMigration]).count, 2)
    }
    await ledger.works(
        "errors of stores", ["DataStoreError.unsupportedFeature", "DataStoreError.invalidPredicate"]
    ) { check in
        let errors: Set<DataStoreError> = [
            .unsupportedFeature, .preferInMemoryFilter, .preferInMemorySort, .invalidPredicate,
        ]
        check.equal(errors.count, 4)
        let container = try ModelContainer(
            for: Lamp.self, configurations: DocumentConfiguration(name: "d", fileURL: check.file("json")))
        do {
            try container.erase()
            check.expect(false)
        } catch DataStoreError.unsupportedFeature {
            check.expect(true)
        }
    }
}
