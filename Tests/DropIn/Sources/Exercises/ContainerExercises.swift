import DropInLedger
import Foundation
import SwiftData

@MainActor
func exerciseVersions(_ ledger: ParityLedger) async {
    await ledger.works(
        "a plan leads a store through its versions",
        [
            "VersionedSchema.models", "VersionedSchema.versionIdentifier", "SchemaMigrationPlan.schemas",
            "SchemaMigrationPlan.stages", "MigrationStage.lightweight(fromVersion:toVersion:)",
            "MigrationStage.custom(fromVersion:toVersion:willMigrate:didMigrate:)",
        ]
    ) { check in
        check.equal(RecipesV1.models.count, 1)
        check.equal(RecipesV2.versionIdentifier, Schema.Version(2, 0, 0))
        check.equal(RecipesPlan.schemas.count, 3)
        check.equal(FirstPlan.stages.count, 0)
        if case .lightweight(_, let next) = RecipesPlan.stages[0] { check.expect(next == RecipesV2.self) }
        if case .custom(_, _, let will, let did) = RecipesPlan.stages[1] { check.expect(will != nil && did != nil) }
        // A migration needs a file, whatever the place is.
        let file = check.file()
        do {
            let context = ModelContext(try openRecipes(for: RecipesV1.self, with: FirstPlan.self, storeURL: file))
            context.insert(RecipesV1.Recipe(title: "Soup", minutes: 20))
            context.insert(RecipesV1.Recipe(title: "Wrong", minutes: -1))
            try context.save()
        }
        let container = try openRecipes(for: RecipesV3.self, with: RecipesPlan.self, storeURL: file)
        let context = ModelContext(container)
        let recipes = try context.all(Recipe.self)
        check.equal(recipes.map(\.title), ["Soup"])
        check.equal(recipes.map(\.duration), [20])
        check.equal(recipes.map(\.isFavourite), [false])
        check.equal(recipes.first?.steps.map(\.text), ["Serve"])
        let memory = try openRecipes(for: RecipesV3.self, with: nil, inMemory: true)
        check.equal(try ModelContext(memory).fetchCount(FetchDescriptor<Recipe>()), 0)
    }
    await ledger.works("versions side by side", ["two versions of a model in one process"]) { check in
        @MainActor func containers(_ configuration: () -> any DataStoreConfiguration) throws -> (
            ModelContainer, ModelContainer
        ) {
            (
                try ModelContainer(for: Schema(versionedSchema: RecipesV1.self), configurations: [configuration()]),
                try ModelContainer(for: Schema(versionedSchema: RecipesV3.self), configurations: [configuration()])
            )
        }
        // A store that decodes snapshots by itself has to get those of the version that asks.
        for (old, new) in [
            try containers { check.configuration() },
            try containers { DocumentConfiguration(name: "d", fileURL: check.file("json")) },
        ] {
            let (first, second) = (ModelContext(old), ModelContext(new))
            first.insert(RecipesV1.Recipe(title: "Soup", minutes: 20))
            second.insert(Recipe(title: "Cake", duration: 60))
            try first.save()
            try second.save()
            for _ in 0..<2 {
                let (one, other) = (ModelContext(old), ModelContext(new))
                check.equal(try one.all(RecipesV1.Recipe.self).map(\.minutes), [20])
                check.equal(try other.all(Recipe.self).map(\.duration), [60])
                check.equal(try one.all(RecipesV1.Recipe.self).map(\.title), ["Soup"])
            }
        }
    }
}

@MainActor
func exerciseConfigurations(_ ledger: ParityLedger) async {
    await ledger.works(
        "configurations name a file, or none",
        [
            "ModelConfiguration.url", "ModelConfiguration.name", "ModelConfiguration.schema",
            "ModelConfiguration.allowsSave", "ModelConfiguration.isStoredInMemoryOnly", "ModelConfiguration.id",
            "ModelConfiguration.init(isStoredInMemoryOnly:)", "ModelConfiguration.init(for:isStoredInMemoryOnly:)",
            "ModelConfiguration.init(_:schema:isStoredInMemoryOnly:allowsSave:groupContainer:cloudKitDatabase:)",
            "ModelConfiguration.init(_:schema:url:allowsSave:cloudKitDatabase:)", "ModelConfiguration.validate()",
            "conformance of ModelConfiguration to Hashable, Sendable and CustomDebugStringConvertible",
        ]
    ) { check in
        let plain = ModelConfiguration()
        check.equal(plain.name, "default")
        check.equal(plain.url, URL.applicationSupportDirectory.appendingPathComponent("default.store"))
        check.expect(plain.allowsSave && !plain.isStoredInMemoryOnly && plain.id == plain.url && plain.schema == nil)
        let memory = ModelConfiguration(isStoredInMemoryOnly: true)
        check.expect(memory.isStoredInMemoryOnly && memory.url.path == "/dev/null")
        let types = ModelConfiguration(for: Lamp.self, Beacon.self, isStoredInMemoryOnly: true)
        check.equal(types.schema?.entities.count, 2)
        var named = ModelConfiguration(
            "trips", schema: nil, isStoredInMemoryOnly: false, allowsSave: false, groupContainer: .none,
            cloudKitDatabase: .none)
        check.expect(named.url.lastPathComponent == "trips.store" && !named.allowsSave)
        named.schema = Schema([Lamp.self])
        check.equal(named.schema?.entities.count, 1)
        let file = check.file()
        let placed = ModelConfiguration("x", url: file, allowsSave: true, cloudKitDatabase: .automatic)
        check.expect(placed.url == file && placed.name == "x")
        try placed.validate()
        check.throwing(.configurationFileNameTooLong) {
            try ModelConfiguration(String(repeating: "x", count: 300)).validate()
        }
        func send<S: Sendable & Hashable & Identifiable>(_ value: S) -> S where S.ID == URL { value }
        check.expect(Set([send(placed), placed]).count == 1 && placed.debugDescription.contains("x"))
    }
    await ledger.differs(
        "a group is a folder that programs share",
        [
            "ModelConfiguration.groupAppContainerIdentifier", "ModelConfiguration.groupContainer",
            "ModelConfiguration.GroupContainer.automatic", "ModelConfiguration.GroupContainer.none",
            "ModelConfiguration.GroupContainer.identifier(_:)",
        ],
        because: "nobody asks for entitlements: any name is a group, and `automatic` is none"
    ) { check in
        let group = ModelConfiguration("g", groupContainer: .identifier("group.example"))
        check.equal(group.groupAppContainerIdentifier, "group.example")
        check.expect(group.url.path.hasSuffix("Group Containers/group.example/Library/Application Support/g.store"))
        let own: ModelConfiguration.GroupContainer = ModelConfiguration("g", groupContainer: .automatic).groupContainer
        check.expect(own == .none && ModelConfiguration().groupAppContainerIdentifier == nil)
        check.expect(ModelConfiguration("g", groupContainer: .none).url != group.url)
    }
    await ledger.differs(
        "there is no CloudKit",
        [
            "ModelConfiguration.cloudKitContainerIdentifier", "ModelConfiguration.cloudKitDatabase",
            "ModelConfiguration.CloudKitDatabase.automatic", "ModelConfiguration.CloudKitDatabase.none",
            "ModelConfiguration.CloudKitDatabase.private(_:)",
        ],
        because: "`automatic` and `none` are local stores; `private` is refused with `unsupportedFeature` when the "
            + "container opens"
    ) { check in
        let cloud = ModelConfiguration("c", url: check.file(), cloudKitDatabase: .private("mine"))
        check.equal(cloud.cloudKitContainerIdentifier, "mine")
        check.throwing(.unsupportedFeature) {
            _ = try ModelContainer(for: Schema([Lamp.self]), configurations: [cloud])
        }
        let local: ModelConfiguration.CloudKitDatabase =
            ModelConfiguration("l", url: check.file(), cloudKitDatabase: .automatic).cloudKitDatabase
        check.expect(local == .none)
    }
}

@MainActor
func exerciseContainers(_ ledger: ParityLedger) async {
    await ledger.works(
        "containers are made of types, schemas and stores",
        [
            "ModelContainer.schema", "ModelContainer.migrationPlan",
            "ModelContainer.init(for:migrationPlan:configurations:) of types",
            "ModelContainer.init(for:migrationPlan:configurations:) of a schema",
            "ModelContainer.init(for:migrationPlan:configurations:) of a schema and an array",
            "ModelContainer.init(for:configurations:) of types and stores",
            "ModelContainer.init(for:configurations:) of a schema and stores",
            "conformance of ModelContainer to Equatable and Sendable",
        ]
    ) { check in
        let types = try ModelContainer(for: Lamp.self, Beacon.self, configurations: check.configuration())
        check.equal(types.schema.entities.count, 2)
        check.expect(types.migrationPlan == nil)
        let inferred = try ModelContainer(for: Lamp.self, configurations: .init(isStoredInMemoryOnly: true))
        let schema = Schema(versionedSchema: RecipesV3.self)
        let planned = try ModelContainer(
            for: schema, migrationPlan: RecipesPlan.self, configurations: check.configuration())
        check.expect(planned.migrationPlan == RecipesPlan.self && planned != inferred && planned == planned)
        let listed = try ModelContainer(
            for: Schema([Lamp.self]), migrationPlan: nil, configurations: [check.configuration("a")])
        check.equal(listed.configurations.first?.name, "a")
        let own = try ModelContainer(
            for: Lamp.self, configurations: DocumentConfiguration(name: "d", fileURL: check.file("json")))
        check.equal(own.configurations.count, 0)
        let several = try ModelContainer(
            for: Schema([Lamp.self, Page.self]),
            configurations: [
                BookConfiguration(name: "pages", schema: Schema([Page.self])),
                check.configuration("lamps", schema: Schema([Lamp.self])),
            ] as [any DataStoreConfiguration])
        let context = ModelContext(several)
        context.insert(Page("a", 1))
        context.insert(Lamp(name: "b"))
        try context.save()
        check.equal(try ModelContext(several).all(Page.self).map(\.text), ["a"])
        check.equal(try ModelContext(several).all(Lamp.self).map(\.name), ["b"])
        func send<S: Sendable>(_ value: S) -> S { value }
        check.expect(send(several) === several)
    }
    await ledger.works(
        "the main context saves by itself", ["ModelContainer.mainContext", "ModelContext.autosaveEnabled"]
    ) { check in
        let container = try check.container(Lamp.self)
        check.expect(container.mainContext === container.mainContext && container.mainContext.autosaveEnabled)
        check.expect(!ModelContext(container).autosaveEnabled)
        container.mainContext.insert(Lamp(name: "a"))
        while container.mainContext.hasChanges { await Task.yield() }
        check.equal(try ModelContext(container).fetchCount(FetchDescriptor<Lamp>()), 1)
    }
    await ledger.differs(
        "configurations can be replaced, and nothing is opened by it", ["ModelContainer.configurations"],
        because: "setting it changes what is told; the stores stay open as they are"
    ) { check in
        let container = try check.container(Lamp.self)
        container.configurations.insert(ModelConfiguration("other", isStoredInMemoryOnly: true))
        check.equal(container.configurations.map(\.name).sorted(), ["default", "other"])
        let context = ModelContext(container)
        context.insert(Lamp(name: "a"))
        try context.save()
        container.configurations = []
        check.expect(container.configurations.isEmpty)
        check.equal(try context.fetchCount(FetchDescriptor<Lamp>()), 1)
    }
    await ledger.works(
        "a container can be emptied", ["ModelContainer.erase()", "ModelContainer.deleteAllData()"]
    ) { check in
        let container = try check.container(Lamp.self)
        let context = ModelContext(container)
        for _ in 0..<2 {
            context.insert(Lamp(name: "a"))
            try context.save()
            check.equal(try context.fetchCount(FetchDescriptor<Lamp>()), 1)
            try container.erase()
            check.equal(try context.fetchCount(FetchDescriptor<Lamp>()), 0)
        }
        context.insert(Lamp(name: "b"))
        try context.save()
        container.deleteAllData()
        check.equal(try context.fetchCount(FetchDescriptor<Lamp>()), 0)
    }
    await ledger.works("saves are announced", ["ModelContainer.remoteChange"]) { check in
        let container = try check.container(Lamp.self)
        let flag = Flag()
        let token = NotificationCenter.default.addObserver(
            forName: ModelContainer.remoteChange, object: container, queue: nil
        ) { _ in flag.isUp = true }
        let context = ModelContext(container)
        context.insert(Lamp(name: "a"))
        check.expect(!flag.isUp)
        try context.save()
        check.expect(flag.isUp)
        NotificationCenter.default.removeObserver(token)
    }
}
