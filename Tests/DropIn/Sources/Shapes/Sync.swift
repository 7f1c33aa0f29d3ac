import Foundation
import SwiftData

/// Reads what others have changed since it last looked, and keeps the place as data.
@MainActor
struct ChangeReader {
    var tokenData: Data?
    let context: ModelContext

    mutating func changes(besides author: String) throws -> (inserted: [PersistentIdentifier], deleted: [Int]) {
        var descriptor = HistoryDescriptor<DefaultHistoryTransaction>()
        if let tokenData {
            let token = try JSONDecoder().decode(DefaultHistoryToken.self, from: tokenData)
            descriptor.predicate = #Predicate { transaction in
                (transaction.token > token) && (transaction.author != author)
            }
        }
        let transactions = try context.fetchHistory(descriptor)
        if let last = transactions.last { tokenData = try JSONEncoder().encode(last.token) }
        var inserted: [PersistentIdentifier] = []
        var deleted: [Int] = []
        for transaction in transactions {
            for change in transaction.changes {
                switch change {
                case .insert(let insertion):
                    inserted.append(insertion.changedPersistentIdentifier)
                case .update(_ as any HistoryUpdate<Poster>):
                    break
                case .delete(let deletion as any HistoryDelete<Poster>):
                    if let number = deletion.tombstone[\.number] as? Int { deleted.append(number) }
                default:
                    break
                }
            }
        }
        return (inserted, deleted)
    }
}

/// Hears of saves by notification.
final class SaveLog: @unchecked Sendable {
    private(set) var inserted: [PersistentIdentifier] = []
    private(set) var updated: [PersistentIdentifier] = []
    private(set) var deleted: [PersistentIdentifier] = []
    private(set) var starts = 0
    private var tokens: [any NSObjectProtocol] = []

    init(_ context: ModelContext) {
        let center = NotificationCenter.default
        tokens.append(
            center.addObserver(forName: ModelContext.willSave, object: context, queue: nil) { [unowned self] _ in
                MainActor.assumeIsolated { self.starts += 1 }
            })
        tokens.append(
            center.addObserver(forName: ModelContext.didSave, object: context, queue: nil) { [unowned self] note in
                let lists = [
                    ModelContext.NotificationKey.insertedIdentifiers, .updatedIdentifiers, .deletedIdentifiers,
                ].map { note.userInfo?[$0.rawValue] as? [PersistentIdentifier] ?? [] }
                MainActor.assumeIsolated {
                    self.inserted += lists[0]
                    self.updated += lists[1]
                    self.deleted += lists[2]
                }
            })
    }

    func stop() { tokens.forEach(NotificationCenter.default.removeObserver) }
}
