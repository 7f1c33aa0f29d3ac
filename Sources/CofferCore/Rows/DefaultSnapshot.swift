import Foundation

/// A model's stored values at one moment.
///
/// Snapshots are `Sendable` and `Codable`; they carry links as identifiers.
public protocol DataStoreSnapshot: Codable, Sendable {
    /// The row that the values belong to; temporary until the row has been saved.
    var persistentIdentifier: PersistentIdentifier { get }

    /// A snapshot of a model's values.
    ///
    /// - Parameters:
    ///   - backingData: the values.
    ///   - relatedBackingDatas: the values of models that are saved with it, by identifier.
    init(from backingData: any BackingData, relatedBackingDatas: inout [PersistentIdentifier: any BackingData])

    /// The same values under another identifier, with links to remapped models replaced.
    func copy(
        persistentIdentifier: PersistentIdentifier,
        remappedIdentifiers: [PersistentIdentifier: PersistentIdentifier]?
    ) -> Self
}

/// What a snapshot's property may be.
public typealias DataStoreSnapshotValue = Codable & Sendable

/// The keys of a snapshot's coded form.
public enum DataStoreSnapshotCodingKey: CodingKey {
    /// The identifier of the row.
    case persistentIdentifier
    /// The value of a property, under its name.
    case modeledProperty(String)

    public var stringValue: String {
        switch self {
        case .persistentIdentifier: "persistentIdentifier"
        case .modeledProperty(let name): name
        }
    }

    public init?(stringValue: String) {
        self = stringValue == "persistentIdentifier" ? .persistentIdentifier : .modeledProperty(stringValue)
    }

    public var intValue: Int? { nil }
    public init?(intValue: Int) { nil }
}

/// The snapshot of Coffer's own stores: a view of one row of a batch, two words large.
public struct DefaultSnapshot: DataStoreSnapshot {
    /// The batch the row belongs to.
    public let batch: RowBatch
    /// The row's index in the batch.
    public let row: Int

    /// A view of one row; nothing is copied.
    ///
    /// - Parameters:
    ///   - batch: the batch that has the row.
    ///   - row: the row's index in the batch.
    public init(_ batch: RowBatch, row: Int) {
        self.batch = batch
        self.row = row
    }

    /// The row that the values belong to; temporary until the row has been saved.
    public var persistentIdentifier: PersistentIdentifier { batch.identifier(ofRow: row) }

    public init(
        from backingData: any BackingData, relatedBackingDatas: inout [PersistentIdentifier: any BackingData]
    ) {
        self = backingData._snapshot()
    }

    public func copy(
        persistentIdentifier: PersistentIdentifier,
        remappedIdentifiers: [PersistentIdentifier: PersistentIdentifier]? = [:]
    ) -> DefaultSnapshot {
        let copy = RowBatch(
            entityName: persistentIdentifier.entityName, width: batch.descriptor(ofRow: row)?.slotCount ?? batch.width,
            storeIdentifier: persistentIdentifier.storeIdentifier, capacity: 1)
        copy.appendRow(identifier: persistentIdentifier)
        copy.copyCells(from: batch, row: row) { remappedIdentifiers?[$0] ?? $0 }
        return DefaultSnapshot(copy, row: 0)
    }
}
