extension SwiftDataError {
    // MARK: Fetching

    /// Matches ``Code/includePendingChangesWithBatchSize``.
    public static let includePendingChangesWithBatchSize = SwiftDataError(.includePendingChangesWithBatchSize)
    /// Matches ``Code/unsupportedPredicate``.
    public static let unsupportedPredicate = SwiftDataError(.unsupportedPredicate)
    /// Matches ``Code/unsupportedKeyPath``.
    public static let unsupportedKeyPath = SwiftDataError(.unsupportedKeyPath)
    /// Matches ``Code/sortingPendingChangesWithIdentifiers``.
    public static let sortingPendingChangesWithIdentifiers = SwiftDataError(.sortingPendingChangesWithIdentifiers)
    /// Matches ``Code/unsupportedSortDescriptor``.
    public static let unsupportedSortDescriptor = SwiftDataError(.unsupportedSortDescriptor)
    /// Matches ``Code/inMemoryFallback``.
    public static let inMemoryFallback = SwiftDataError(.inMemoryFallback)
    /// Matches ``Code/mutationDuringEnumeration``.
    public static let mutationDuringEnumeration = SwiftDataError(.mutationDuringEnumeration)

    // MARK: Aggregates and pages

    /// Matches ``Code/arithmeticOverflow``.
    public static let arithmeticOverflow = SwiftDataError(.arithmeticOverflow)
    /// Matches ``Code/invalidPageToken``.
    public static let invalidPageToken = SwiftDataError(.invalidPageToken)

    // MARK: Configurations

    /// Matches ``Code/duplicateConfiguration``.
    public static let duplicateConfiguration = SwiftDataError(.duplicateConfiguration)
    /// Matches ``Code/configurationFileNameTooLong``.
    public static let configurationFileNameTooLong = SwiftDataError(.configurationFileNameTooLong)
    /// Matches ``Code/configurationFileNameContainsInvalidCharacters``.
    public static let configurationFileNameContainsInvalidCharacters =
        SwiftDataError(.configurationFileNameContainsInvalidCharacters)
    /// Matches ``Code/configurationSchemaNotFoundInContainerSchema``.
    public static let configurationSchemaNotFoundInContainerSchema =
        SwiftDataError(.configurationSchemaNotFoundInContainerSchema)

    // MARK: Containers

    /// Matches ``Code/loadIssueModelContainer``.
    public static let loadIssueModelContainer = SwiftDataError(.loadIssueModelContainer)
    /// Matches ``Code/unknownDataStoreSchema``.
    public static let unknownDataStoreSchema = SwiftDataError(.unknownDataStoreSchema)

    // MARK: Contexts

    /// Matches ``Code/modelValidationFailure``.
    public static let modelValidationFailure = SwiftDataError(.modelValidationFailure)
    /// Matches ``Code/missingModelContext``.
    public static let missingModelContext = SwiftDataError(.missingModelContext)

    // MARK: Migration

    /// Matches ``Code/backwardMigration``.
    public static let backwardMigration = SwiftDataError(.backwardMigration)
    /// Matches ``Code/unknownSchema``.
    public static let unknownSchema = SwiftDataError(.unknownSchema)

    // MARK: History

    /// Matches ``Code/historyTokenExpired``.
    public static let historyTokenExpired = SwiftDataError(.historyTokenExpired)
    /// Matches ``Code/invalidTransactionFetchRequest``.
    public static let invalidTransactionFetchRequest = SwiftDataError(.invalidTransactionFetchRequest)

    // MARK: Saving

    /// Matches ``Code/missingRequiredValue``.
    public static let missingRequiredValue = SwiftDataError(.missingRequiredValue)
    /// Matches ``Code/deleteDenied``.
    public static let deleteDenied = SwiftDataError(.deleteDenied)
    /// Matches ``Code/relationshipCount``.
    public static let relationshipCount = SwiftDataError(.relationshipCount)
    /// Matches ``Code/uniquenessConflict``.
    public static let uniquenessConflict = SwiftDataError(.uniquenessConflict)
    /// Matches ``Code/invalidRelationship``.
    public static let invalidRelationship = SwiftDataError(.invalidRelationship)
    /// Matches ``Code/valueEncoding``.
    public static let valueEncoding = SwiftDataError(.valueEncoding)

    // MARK: Reading

    /// Matches ``Code/valueDecoding``.
    public static let valueDecoding = SwiftDataError(.valueDecoding)
    /// Matches ``Code/modelNotFound``.
    public static let modelNotFound = SwiftDataError(.modelNotFound)

    // MARK: Schemas

    /// Matches ``Code/emptySchema``.
    public static let emptySchema = SwiftDataError(.emptySchema)
    /// Matches ``Code/invalidSchema``.
    public static let invalidSchema = SwiftDataError(.invalidSchema)
    /// Matches ``Code/duplicateEntity``.
    public static let duplicateEntity = SwiftDataError(.duplicateEntity)
    /// Matches ``Code/duplicateProperty``.
    public static let duplicateProperty = SwiftDataError(.duplicateProperty)
    /// Matches ``Code/reservedPropertyName``.
    public static let reservedPropertyName = SwiftDataError(.reservedPropertyName)
    /// Matches ``Code/unknownModelType``.
    public static let unknownModelType = SwiftDataError(.unknownModelType)
    /// Matches ``Code/ambiguousInverse``.
    public static let ambiguousInverse = SwiftDataError(.ambiguousInverse)
    /// Matches ``Code/invalidUniqueness``.
    public static let invalidUniqueness = SwiftDataError(.invalidUniqueness)
    /// Matches ``Code/invalidIndex``.
    public static let invalidIndex = SwiftDataError(.invalidIndex)
    /// Matches ``Code/unsupportedValueType``.
    public static let unsupportedValueType = SwiftDataError(.unsupportedValueType)

    // MARK: Stores

    /// Matches ``Code/unsupportedFeature``.
    public static let unsupportedFeature = SwiftDataError(.unsupportedFeature)
    /// Matches ``Code/corruptStore``.
    public static let corruptStore = SwiftDataError(.corruptStore)
    /// Matches ``Code/newerStoreFormat``.
    public static let newerStoreFormat = SwiftDataError(.newerStoreFormat)
    /// Matches ``Code/storeNotWritable``.
    public static let storeNotWritable = SwiftDataError(.storeNotWritable)
    /// Matches ``Code/storeNotFound``.
    public static let storeNotFound = SwiftDataError(.storeNotFound)
    /// Matches ``Code/storeExists``.
    public static let storeExists = SwiftDataError(.storeExists)
    /// Matches ``Code/storeBusy``.
    public static let storeBusy = SwiftDataError(.storeBusy)
    /// Matches ``Code/storeFull``.
    public static let storeFull = SwiftDataError(.storeFull)
    /// Matches ``Code/ioFailure``.
    public static let ioFailure = SwiftDataError(.ioFailure)
    /// Matches ``Code/storeClosed``.
    public static let storeClosed = SwiftDataError(.storeClosed)
    /// Matches ``Code/storeReplaced``.
    public static let storeReplaced = SwiftDataError(.storeReplaced)
    /// Matches ``Code/storeFailure``.
    public static let storeFailure = SwiftDataError(.storeFailure)

    // MARK: Migrating

    /// Matches ``Code/migrationFailure``.
    public static let migrationFailure = SwiftDataError(.migrationFailure)

    // MARK: Concurrency

    /// Matches ``Code/wrongIsolation``.
    public static let wrongIsolation = SwiftDataError(.wrongIsolation)

    // MARK: Values

    /// Matches ``Code/valueTooLarge``.
    public static let valueTooLarge = SwiftDataError(.valueTooLarge)
    /// Matches ``Code/valueOutOfRange``.
    public static let valueOutOfRange = SwiftDataError(.valueOutOfRange)
    /// Matches ``Code/externalFileMissing``.
    public static let externalFileMissing = SwiftDataError(.externalFileMissing)
}
