extension SwiftDataError {
    /// What went wrong, apart from where. Each code says the cause and the remedy.
    ///
    /// New codes may come with any version: a `switch` over codes needs a `default`.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The code's name, which never changes.
        public let rawValue: String

        /// Makes a code; stores may have codes of their own.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The code's name.
        public var description: String { rawValue }
    }
}

// MARK: - Fetching

extension SwiftDataError.Code {
    /// A fetch in batches was asked to include unsaved changes.
    ///
    /// Remedy: set ``FetchDescriptor/includePendingChanges`` to false, or fetch without a batch size.
    public static let includePendingChangesWithBatchSize =
        SwiftDataError.Code(rawValue: "includePendingChangesWithBatchSize")

    /// A predicate holds something that neither the store nor the core can evaluate; the detail names it.
    ///
    /// Remedy: write that part differently, or filter the fetched models.
    public static let unsupportedPredicate = SwiftDataError.Code(rawValue: "unsupportedPredicate")

    /// A key path leads to no persisted property, or to one that cannot be used so: an order, a sum, a prefetch, a search,
    /// an update each say what they take.
    ///
    /// Remedy: use key paths of persisted properties, written with the class that declares them.
    public static let unsupportedKeyPath = SwiftDataError.Code(rawValue: "unsupportedKeyPath")

    /// Identifiers were asked for in an order while there are unsaved changes. SwiftData refuses that; here they come in
    /// the order, and the code is never thrown.
    ///
    /// Remedy: none is needed.
    public static let sortingPendingChangesWithIdentifiers =
        SwiftDataError.Code(rawValue: "sortingPendingChangesWithIdentifiers")

    /// A sort order cannot be turned into an order of stored values.
    ///
    /// Remedy: sort by persisted properties, or sort the fetched models.
    public static let unsupportedSortDescriptor = SwiftDataError.Code(rawValue: "unsupportedSortDescriptor")

    /// A filter or an order would have to run in memory, in a context that does not allow it; the detail says which
    /// piece and why.
    ///
    /// Remedy: write that piece differently, or set ``ModelContext/allowsInMemoryFallback`` for this fetch.
    public static let inMemoryFallback = SwiftDataError.Code(rawValue: "inMemoryFallback")

    /// Models were enumerated while the context had unsaved changes, which keep models in memory.
    ///
    /// Remedy: change nothing in the block, or allow it and save from time to time.
    public static let mutationDuringEnumeration = SwiftDataError.Code(rawValue: "mutationDuringEnumeration")
}

// MARK: - Aggregates and pages

extension SwiftDataError.Code {
    /// A sum is no number of its type, integers beyond the largest one for instance.
    ///
    /// Remedy: sum a property of a larger type, or take the average, which is never too large.
    public static let arithmeticOverflow = SwiftDataError.Code(rawValue: "arithmeticOverflow")

    /// A page token is damaged, is of a fetch of another model or order or of another store, or begins behind a model
    /// that was never saved.
    ///
    /// Remedy: begin with the first page.
    public static let invalidPageToken = SwiftDataError.Code(rawValue: "invalidPageToken")
}

// MARK: - Configurations

extension SwiftDataError.Code {
    /// Two configurations of one container have the same name.
    ///
    /// Remedy: give each its own.
    public static let duplicateConfiguration = SwiftDataError.Code(rawValue: "duplicateConfiguration")

    /// The name of a configuration makes a file name that the file system refuses.
    ///
    /// Remedy: choose a shorter name.
    public static let configurationFileNameTooLong = SwiftDataError.Code(rawValue: "configurationFileNameTooLong")

    /// The name of a configuration cannot be a file name.
    ///
    /// Remedy: leave out slashes and NUL.
    public static let configurationFileNameContainsInvalidCharacters =
        SwiftDataError.Code(rawValue: "configurationFileNameContainsInvalidCharacters")

    /// A configuration's schema has models that the container's schema lacks.
    ///
    /// Remedy: list them in the container's schema.
    public static let configurationSchemaNotFoundInContainerSchema =
        SwiftDataError.Code(rawValue: "configurationSchemaNotFoundInContainerSchema")
}

// MARK: - Containers

extension SwiftDataError.Code {
    /// The configurations do not fit the models: there is none, no configuration's schema has a model, or classes of one
    /// hierarchy would lie in two stores.
    ///
    /// Remedy: list every model in the schema of one configuration, classes of a hierarchy in the same.
    public static let loadIssueModelContainer = SwiftDataError.Code(rawValue: "loadIssueModelContainer")

    /// A store's data fits neither the schema nor any version of the migration plan. SwiftData's code; stores here throw
    /// ``unknownSchema``, which says what differs.
    ///
    /// Remedy: add the version that wrote the store to the plan.
    public static let unknownDataStoreSchema = SwiftDataError.Code(rawValue: "unknownDataStoreSchema")
}

// MARK: - Contexts

extension SwiftDataError.Code {
    /// A model that stays requires one that is deleted; the error names the relationship.
    ///
    /// Remedy: delete it as well, have the delete rule be `.cascade`, link it to another model, or make the link optional.
    public static let modelValidationFailure = SwiftDataError.Code(rawValue: "modelValidationFailure")

    /// A query has no context: it was given none, and what it is a property of provides none.
    ///
    /// Remedy: give it one, or make its owner a ``ModelContextProviding``.
    public static let missingModelContext = SwiftDataError.Code(rawValue: "missingModelContext")
}

// MARK: - Migration

extension SwiftDataError.Code {
    /// A store was written by a newer version of the schema.
    ///
    /// Remedy: open it with the newer program.
    public static let backwardMigration = SwiftDataError.Code(rawValue: "backwardMigration")

    /// A store was made with other models, which nothing leads from to the program's: they are no version of the plan, a
    /// class that has rows is not listed, or the store is for reading only. The detail says what differs.
    ///
    /// Remedy: list the class, add the version to the plan, or open the store for writing.
    public static let unknownSchema = SwiftDataError.Code(rawValue: "unknownSchema")
}

// MARK: - History

extension SwiftDataError.Code {
    /// The history after a token was deleted in part.
    ///
    /// Remedy: drop the token and read all data anew.
    public static let historyTokenExpired = SwiftDataError.Code(rawValue: "historyTokenExpired")

    /// A history request asks for a kind of transaction that the store does not keep.
    ///
    /// Remedy: use the store's own transaction type.
    public static let invalidTransactionFetchRequest = SwiftDataError.Code(rawValue: "invalidTransactionFetchRequest")
}

// MARK: - Saving

extension SwiftDataError.Code {
    /// A property that is not optional has no value.
    ///
    /// Remedy: give it a value, or make it optional.
    public static let missingRequiredValue = SwiftDataError.Code(rawValue: "missingRequiredValue")

    /// A model with the delete rule `deny` still has related models.
    ///
    /// Remedy: delete or detach those first.
    public static let deleteDenied = SwiftDataError.Code(rawValue: "deleteDenied")

    /// A relationship has fewer or more models than it allows.
    ///
    /// Remedy: add or remove models.
    public static let relationshipCount = SwiftDataError.Code(rawValue: "relationshipCount")

    /// A value is taken: a changed model has the unique values of another row, or a new one those of two rows or of a row
    /// of another class. When a store is opened: uniqueness is new, and rows have the same values.
    ///
    /// Remedy: give the model another value, or the other row one in the same save. Rows of an old store a stage of a
    /// migration plan can put right.
    public static let uniquenessConflict = SwiftDataError.Code(rawValue: "uniquenessConflict")

    /// A relationship is declared in a way that cannot hold, or leads to a model of another context, of another store, or
    /// to one that is required and gone; the detail says which.
    ///
    /// Remedy: change the declaration; fetch the model in this context by its identifier; link to one that is there.
    public static let invalidRelationship = SwiftDataError.Code(rawValue: "invalidRelationship")

    /// A value could not be turned into a stored one.
    ///
    /// Remedy: see the underlying error; check the type's `encode(to:)`.
    public static let valueEncoding = SwiftDataError.Code(rawValue: "valueEncoding")
}

// MARK: - Reading

extension SwiftDataError.Code {
    /// A stored value could not be turned into the property's type.
    ///
    /// Remedy: see the underlying error; a migration may be missing.
    public static let valueDecoding = SwiftDataError.Code(rawValue: "valueDecoding")

    /// A row that was changed, or that a batch was going to load, was deleted by another process meanwhile.
    ///
    /// Remedy: call ``ModelContainer/checkForRemoteChanges()`` and go on: the change is dropped with the row.
    public static let modelNotFound = SwiftDataError.Code(rawValue: "modelNotFound")
}

// MARK: - Schemas

extension SwiftDataError.Code {
    /// A schema has no models.
    ///
    /// Remedy: list at least one model class.
    public static let emptySchema = SwiftDataError.Code(rawValue: "emptySchema")

    /// A schema that was put together by hand contradicts itself: an entity stands above itself.
    ///
    /// Remedy: set its superentities right.
    public static let invalidSchema = SwiftDataError.Code(rawValue: "invalidSchema")

    /// Two model classes of a schema have the same bare name.
    ///
    /// Remedy: rename one of them.
    public static let duplicateEntity = SwiftDataError.Code(rawValue: "duplicateEntity")

    /// A class has two persisted properties of one name, counting inherited ones.
    ///
    /// Remedy: rename one of them.
    public static let duplicateProperty = SwiftDataError.Code(rawValue: "duplicateProperty")

    /// A persisted property has the name of a member that every model has.
    ///
    /// Remedy: rename it; `originalName` keeps the data.
    public static let reservedPropertyName = SwiftDataError.Code(rawValue: "reservedPropertyName")

    /// A class is no entity of the schema.
    ///
    /// Remedy: list it when the container is made.
    public static let unknownModelType = SwiftDataError.Code(rawValue: "unknownModelType")

    /// Several relationships could mirror one.
    ///
    /// Remedy: name the right one with `@Relationship(inverse:)`, on one side.
    public static let ambiguousInverse = SwiftDataError.Code(rawValue: "ambiguousInverse")

    /// A uniqueness constraint names a property that cannot carry one.
    ///
    /// Remedy: constrain attributes and to-one relationships only.
    public static let invalidUniqueness = SwiftDataError.Code(rawValue: "invalidUniqueness")

    /// An index names a property that cannot be indexed.
    ///
    /// Remedy: index attributes and to-one relationships only.
    public static let invalidIndex = SwiftDataError.Code(rawValue: "invalidIndex")

    /// A property has a type that no store can keep.
    ///
    /// Remedy: make it `Codable`, give it a transformer, or mark it `@Transient`.
    public static let unsupportedValueType = SwiftDataError.Code(rawValue: "unsupportedValueType")
}

// MARK: - Stores

extension SwiftDataError.Code {
    /// Something was asked of a store that it does not declare; the detail lists all of it.
    ///
    /// Remedy: use another store, or do without.
    public static let unsupportedFeature = SwiftDataError.Code(rawValue: "unsupportedFeature")

    /// A store's file is damaged, or is no store at all; it was not touched.
    ///
    /// Remedy: restore it from a copy, or remove it.
    public static let corruptStore = SwiftDataError.Code(rawValue: "corruptStore")

    /// A store's file has a format from a newer version of Coffer; it was not touched.
    ///
    /// Remedy: open it with the newer version.
    public static let newerStoreFormat = SwiftDataError.Code(rawValue: "newerStoreFormat")

    /// A store that is open for reading only, or whose file may not be written, was asked to save.
    ///
    /// Remedy: open it with `allowsSave: true`, or change the file's permissions.
    public static let storeNotWritable = SwiftDataError.Code(rawValue: "storeNotWritable")

    /// The folder of a store does not exist, or a store to be read is not there.
    ///
    /// Remedy: make the folder, or check the path.
    public static let storeNotFound = SwiftDataError.Code(rawValue: "storeNotFound")

    /// A store was to be made where there is one already, or another file.
    ///
    /// Remedy: choose another place, or remove what is there.
    public static let storeExists = SwiftDataError.Code(rawValue: "storeExists")

    /// Another process or connection held the store for too long; nothing was changed.
    ///
    /// Remedy: try again.
    public static let storeBusy = SwiftDataError.Code(rawValue: "storeBusy")

    /// The disk or the store has no space left; nothing was changed.
    ///
    /// Remedy: make room and try again.
    public static let storeFull = SwiftDataError.Code(rawValue: "storeFull")

    /// The file system refused to read or write; the underlying error has its code.
    ///
    /// Remedy: see the underlying error.
    public static let ioFailure = SwiftDataError.Code(rawValue: "ioFailure")

    /// A store was used after it was closed or erased.
    ///
    /// Remedy: open a new container.
    public static let storeClosed = SwiftDataError.Code(rawValue: "storeClosed")

    /// The file of a store was removed or replaced while the store was open, an archive by an older copy or one that went
    /// its own way; nothing was written.
    ///
    /// Remedy: open a new container, after all others on the place are gone.
    public static let storeReplaced = SwiftDataError.Code(rawValue: "storeReplaced")

    /// A store failed in a way that no other code describes.
    ///
    /// Remedy: see the detail and the underlying error.
    public static let storeFailure = SwiftDataError.Code(rawValue: "storeFailure")
}

// MARK: - Migrating

extension SwiftDataError.Code {
    /// A stage of a migration failed; the store is as it was before the stage.
    ///
    /// Remedy: see the underlying error.
    public static let migrationFailure = SwiftDataError.Code(rawValue: "migrationFailure")
}

// MARK: - Concurrency

extension SwiftDataError.Code {
    /// A context or a model was used from another isolation than its own.
    ///
    /// Remedy: pass a `PersistentIdentifier` and fetch there.
    public static let wrongIsolation = SwiftDataError.Code(rawValue: "wrongIsolation")
}

// MARK: - Values

extension SwiftDataError.Code {
    /// A value is larger than the store can keep.
    ///
    /// Remedy: store it in parts, or beside the store.
    public static let valueTooLarge = SwiftDataError.Code(rawValue: "valueTooLarge")

    /// A batch update works a value out that its property cannot hold: a number that does not fit, a division by zero, a
    /// nil that is unwrapped.
    ///
    /// Remedy: leave such rows out with the predicate, or have the expression avoid it.
    public static let valueOutOfRange = SwiftDataError.Code(rawValue: "valueOutOfRange")

    /// The file beside a store that holds a value of an `.externalStorage` property is not there.
    ///
    /// Remedy: put the file back from a copy, or give the property a new value. A store moves with its hidden folder.
    public static let externalFileMissing = SwiftDataError.Code(rawValue: "externalFileMissing")
}
