import CofferCore
import Foundation

/// The saves of an archive, as its file has them.
struct ArchiveHistory: Codable, Sendable {
    struct Transaction: Codable, Sendable {
        let number: Int64
        let date: Date
        let author: String?
        var inserted: [PersistentIdentifier] = []
        /// The names of the properties that have new values, by row.
        var updated: [PersistentIdentifier: [String]] = [:]
        var deleted: [Remains] = []
    }

    /// A deleted row, and what shall outlive it: a coded snapshot, which need not be one of today's models.
    struct Remains: Codable, Sendable {
        let identifier: PersistentIdentifier
        let values: Data?
    }

    var transactions: [Transaction] = []
    /// The number of the last transaction that was forgotten.
    var forgotten: Int64 = 0
    var last: Int64 = 0
}

extension ArchiveContents {
    /// Notes what a save has done.
    mutating func remember(
        _ request: DataStoreSaveChangesRequest<DefaultSnapshot>, before: [String: Rows],
        _ permanent: [PersistentIdentifier: PersistentIdentifier]
    ) throws {
        func known(_ identifier: PersistentIdentifier) -> DefaultSnapshot? {
            before[identifier.entityName]?[identifier]
        }
        var transaction = newTransaction(request.editingState.author)
        for identifier in request.inserted.compactMap({ permanent[$0.persistentIdentifier] })
            + request.updated.map(\.persistentIdentifier)
        {
            guard let row = self[identifier] else { continue }
            guard let old = known(identifier) else {
                if !transaction.inserted.contains(identifier) { transaction.inserted.append(identifier) }
                continue
            }
            let names = schema.entitiesByName[identifier.entityName]?.properties.map(\.name) ?? []
            let changed = names.indices.filter { row.value($0) != old.value($0) }.map { names[$0] }
            if !changed.isEmpty { transaction.updated[identifier] = changed }
        }
        transaction.deleted = try request.deleted.compactMap { known($0.persistentIdentifier) }.map(remains)
        finish(transaction)
    }

    mutating func remember(deleted rows: [DefaultSnapshot], author: String?) throws {
        var transaction = newTransaction(author)
        transaction.deleted = try rows.map(remains)
        finish(transaction)
    }

    private func newTransaction(_ author: String?) -> ArchiveHistory.Transaction {
        ArchiveHistory.Transaction(number: history.last + 1, date: .now, author: author)
    }

    /// A transaction without changes is none.
    private mutating func finish(_ transaction: ArchiveHistory.Transaction) {
        if transaction.inserted.isEmpty, transaction.updated.isEmpty, transaction.deleted.isEmpty { return }
        history.last = transaction.number
        history.transactions.append(transaction)
    }

    private func remains(of row: DefaultSnapshot) throws -> ArchiveHistory.Remains {
        let copy = row.copy(persistentIdentifier: row.persistentIdentifier, remappedIdentifiers: nil)
        var isEmpty = true
        for (slot, property) in (schema.entitiesByName[row.persistentIdentifier.entityName]?.properties ?? [])
            .enumerated()
        {
            if (property as? Schema.Attribute)?.options.contains(.preserveValueOnDeletion) == true {
                isEmpty = false
            } else {
                copy.batch.set(.null, row: copy.row, slot: slot)
            }
        }
        return ArchiveHistory.Remains(
            identifier: row.persistentIdentifier, values: isEmpty ? nil : try JSONEncoder().encode(copy))
    }
}

extension ArchiveStore: HistoryProviding {
    public func fetchHistory(
        _ descriptor: HistoryDescriptor<DefaultHistoryTransaction>
    ) throws -> [DefaultHistoryTransaction] {
        try read { contents in
            let history = contents.history
            // Whoever asks for what came after a token must be told when some of that is gone. The predicate says whether
            // the last one that is gone would have been wanted, of which nothing is known but its token.
            if history.forgotten > 0, let predicate = descriptor.predicate {
                let gone = DefaultHistoryTransaction(
                    transactionIdentifier: history.forgotten, storeIdentifier: identifier, timestamp: .distantPast,
                    changes: [])
                if try predicate.evaluate(gone) { throw SwiftDataError(.historyTokenExpired, operation: .history) }
            }
            var found = history.transactions.map { $0.told(contents) }
            if let predicate = descriptor.predicate { found = try found.filter { try predicate.evaluate($0) } }
            if !descriptor.sortBy.isEmpty { found.sort(using: descriptor.sortBy) }
            return descriptor.fetchLimit == 0 ? found : Array(found.prefix(Int(clamping: descriptor.fetchLimit)))
        }
    }

    public func deleteHistory(_ descriptor: HistoryDescriptor<DefaultHistoryTransaction>) throws {
        try change(.history) { contents in
            var kept: [ArchiveHistory.Transaction] = []
            for transaction in contents.history.transactions {
                if try descriptor.predicate?.evaluate(transaction.told(contents)) ?? true {
                    contents.history.forgotten = max(contents.history.forgotten, transaction.number)
                } else {
                    kept.append(transaction)
                }
            }
            contents.history.transactions = kept
        }
    }
}

extension ArchiveHistory.Transaction {
    /// The transaction as programs see it: each change under the class of its model.
    func told(_ contents: ArchiveContents) -> DefaultHistoryTransaction {
        var changes: [HistoryChange] = []
        func model(_ identifier: PersistentIdentifier) -> (any PersistentModel.Type)? {
            contents.schema.entitiesByName[identifier.entityName]?._modelType
        }
        func identifier() -> Int64 { number << 20 + Int64(changes.count) }
        func insert<M: PersistentModel>(_ type: M.Type, _ row: PersistentIdentifier) {
            changes.append(
                .insert(
                    DefaultHistoryInsert<M>(
                        changeIdentifier: identifier(), transactionIdentifier: number, changedPersistentIdentifier: row)
                ))
        }
        func update<M: PersistentModel>(_ type: M.Type, _ row: PersistentIdentifier, _ names: [String]) {
            let paths = keyPaths(of: type)
            changes.append(
                .update(
                    DefaultHistoryUpdate<M>(
                        changeIdentifier: identifier(), transactionIdentifier: number, changedPersistentIdentifier: row,
                        updatedAttributes: names.compactMap { paths[$0] })))
        }
        func delete<M: PersistentModel>(_ type: M.Type, _ row: ArchiveHistory.Remains) {
            let values = row.decoded(contents.schema)
            let tombstone = HistoryTombstone<M>(keyPaths(of: type).map { ($0.value, values[$0.key]) })
            changes.append(
                .delete(
                    DefaultHistoryDelete<M>(
                        changeIdentifier: identifier(), transactionIdentifier: number,
                        changedPersistentIdentifier: row.identifier, tombstone: tombstone)))
        }
        for row in inserted { if let type = model(row) { insert(type, row) } }
        for (row, names) in updated.sorted(by: { $0.key < $1.key }) {
            if let type = model(row) { update(type, row, names) }
        }
        for row in deleted { if let type = model(row.identifier) { delete(type, row) } }
        return DefaultHistoryTransaction(
            transactionIdentifier: number, storeIdentifier: contents.identifier, timestamp: date, changes: changes,
            author: author)
    }
}

/// The properties of a class by name, as the macro lists them.
private func keyPaths<M: PersistentModel>(of type: M.Type) -> [String: any PartialKeyPath<M> & Sendable] {
    var found: [String: any PartialKeyPath<M> & Sendable] = [:]
    for property in M.schemaMetadata {
        let parts = Mirror(reflecting: property).children
        guard let name = parts.first(where: { $0.label == "name" })?.value as? String,
            let path = parts.first(where: { $0.label == "keypath" })?.value as? PartialKeyPath<M>
        else { continue }
        // A key path to a property holds nothing that could change.
        found[name] = unsafeBitCast(path, to: (any PartialKeyPath<M> & Sendable).self)
    }
    return found
}

extension ArchiveHistory.Remains {
    /// The values that are there, of the types that a snapshot codes as they code themselves.
    fileprivate func decoded(_ schema: Schema) -> [String: any Sendable] {
        guard let values, let object = try? JSONSerialization.jsonObject(with: values) as? [String: Any] else {
            return [:]
        }
        func decode<T: Decodable & Sendable>(_ attribute: Schema.Attribute, as type: T.Type) -> T? {
            guard attribute.valueType == T.self || attribute.valueType == T?.self, let value = object[attribute.name],
                let json = try? JSONSerialization.data(withJSONObject: [value])
            else { return nil }
            return (try? JSONDecoder().decode([T].self, from: json))?.first
        }
        let types: [any (Decodable & Sendable).Type] = [
            String.self, Int.self, Double.self, Date.self, URL.self, Data.self,
        ]
        var found: [String: any Sendable] = [:]
        for attribute in schema.entitiesByName[identifier.entityName]?.attributes ?? [] {
            for type in types { if let value = decode(attribute, as: type) { found[attribute.name] = value } }
        }
        return found
    }
}
