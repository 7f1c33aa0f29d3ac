import Coffer
import Foundation

/// Models whose saves are told in histories.
enum Told {
    @Model final class Doc {
        @Attribute(.preserveValueOnDeletion) var code: String
        var name: String
        var size: Int
        var shelf: Shelf?
        init(_ code: String, name: String = "n", size: Int = 0) {
            self.code = code
            self.name = name
            self.size = size
        }
    }

    @Model final class Shelf {
        @Attribute(.unique) var label: String
        var height: Double
        @Relationship(deleteRule: .cascade, inverse: \Doc.shelf) var docs: [Doc] = []
        init(_ label: String, height: Double = 1) {
            self.label = label
            self.height = height
        }
    }

    enum Grade: String, Codable { case low, high }

    struct Point: Codable, Equatable {
        var x: Int
        var y: Double
    }

    /// Something of every kind that a tombstone may hold.
    @Model class Item {
        @Attribute(.preserveValueOnDeletion) var number: Int
        @Attribute(.preserveValueOnDeletion) var ratio: Double
        @Attribute(.preserveValueOnDeletion) var text: String?
        @Attribute(.preserveValueOnDeletion) var note: String?
        @Attribute(.preserveValueOnDeletion) var date: Date
        @Attribute(.preserveValueOnDeletion) var uuid: UUID
        @Attribute(.preserveValueOnDeletion) var data: Data
        @Attribute(.preserveValueOnDeletion, .externalStorage) var picture: Data
        @Attribute(.preserveValueOnDeletion) var decimal: Decimal
        @Attribute(.preserveValueOnDeletion) var grade: Grade
        @Attribute(.preserveValueOnDeletion) var point: Point
        @Attribute(.preserveValueOnDeletion) var large: UInt64
        var lost: Int = 7

        init(_ number: Int) {
            self.number = number
            ratio = -0.1
            text = "a \"quoted\"\n\\ text \u{1} é 🦊"
            date = Date(timeIntervalSinceReferenceDate: 0.1)
            uuid = UUID(uuidString: "01234567-89AB-CDEF-0123-456789ABCDEF") ?? UUID()
            data = Data([0, 255, 7])
            picture = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
            decimal = Decimal(string: "1.10") ?? 0
            grade = .high
            point = Point(x: 1, y: 0.5)
            large = .max
        }
    }

    @Model class SpecialItem: Item {
        @Attribute(.preserveValueOnDeletion) var extra: String

        init(_ number: Int, extra: String) {
            self.extra = extra
            super.init(number)
        }
    }
}

extension Told {
    static var names: [AnyKeyPath: String] {
        [
            \Doc.name: "name", \Doc.size: "size", \Doc.shelf: "shelf", \Doc.code: "code", \Shelf.label: "label",
            \Shelf.height: "height", \Shelf.docs: "docs",
        ]
    }
}

extension ModelContext {
    typealias Transaction = DefaultHistoryTransaction

    /// All transactions that match, oldest first.
    func told(_ predicate: Predicate<Transaction>? = nil) throws -> [Transaction] {
        try fetchHistory(HistoryDescriptor<Transaction>(predicate: predicate))
    }

    /// The changes of the last transaction, as text: kind, entity and updated attributes.
    func lastChanges() throws -> [String] { try told().last?.changes.map(\.summary) ?? [] }
}

extension HistoryChange {
    /// Kind and entity, and of an update the names of the attributes.
    var summary: String {
        let entity = changedPersistentIdentifier.entityName
        func names<U: HistoryUpdate>(_ update: U) -> String {
            update.updatedAttributes.map { Told.names[$0] ?? "?" }.joined(separator: ",")
        }
        switch self {
        case .insert: return "insert \(entity)"
        case .update(let update): return "update \(entity) \(names(update))"
        case .delete: return "delete \(entity)"
        }
    }
}
