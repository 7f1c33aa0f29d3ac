import Coffer
import Foundation
import Testing

enum ChestV1 {
    struct Lock: Codable, Equatable {
        var code: Int
        var maker: String?
    }
    struct Lid: Codable, Equatable { var lock: Lock }
    @Model final class Chest {
        var name: String
        var lid: Lid
        init(_ name: String, _ code: Int) {
            self.name = name
            lid = Lid(lock: Lock(code: code))
        }
    }
}

/// The innermost structure has an optional member more.
enum ChestV2 {
    struct Lock: Codable, Equatable {
        var code: Int
        var maker: String?
        var year: Int?
    }
    struct Lid: Codable, Equatable { var lock: Lock }
    @Model final class Chest {
        var name: String
        var lid: Lid
        init(_ name: String, _ lid: Lid) {
            self.name = name
            self.lid = lid
        }
    }
}

/// It has one that old values do not have.
enum ChestV3 {
    struct Lock: Codable, Equatable {
        var code: Int
        var key: String
    }
    struct Lid: Codable, Equatable { var lock: Lock }
    @Model final class Chest {
        var name: String
        var lid: Lid
        init(_ name: String, _ lid: Lid) {
            self.name = name
            self.lid = lid
        }
    }
}

/// The innermost structure has lost a member.
enum ChestV4 {
    struct Lock: Codable, Equatable { var code: Int }
    struct Lid: Codable, Equatable { var lock: Lock }
    @Model final class Chest {
        var name: String
        var lid: Lid
        init(_ name: String, _ lid: Lid) {
            self.name = name
            self.lid = lid
        }
    }
}

/// A member has a default value that old values get, by a coding of the program's own.
enum ChestV5 {
    struct Lock: Codable, Equatable {
        var code: Int
        var turns = 1
        init(code: Int) { self.code = code }
        init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            code = try values.decode(Int.self, forKey: .code)
            turns = try values.decodeIfPresent(Int.self, forKey: .turns) ?? 1
        }
    }
    struct Lid: Codable, Equatable { var lock: Lock }
    @Model final class Chest {
        var name: String
        var lid: Lid
        init(_ name: String, _ lid: Lid) {
            self.name = name
            self.lid = lid
        }
    }
}

@Suite("A structure with other members than the store was made with")
struct StructureChangeTests {
    private func make(_ store: TestStore) throws -> MigrationSite {
        let site = try MigrationSite(store)
        try site.open(ChestV1.Chest.self) { context in
            for code in 1...3 { context.insert(ChestV1.Chest("c\(code)", code)) }
            try context.save()
        }
        return site
    }

    @Test("is another version, whose values are looked at once", arguments: TestStore.migrating)
    func noticed(_ store: TestStore) throws {
        let site = try make(store)
        #expect(try site.reports(Schema([ChestV1.Chest.self])).isEmpty)
        let preview = try site.preview(Schema([ChestV2.Chest.self]))
        #expect(preview.way == .copy && !preview.losesData)
        let report = try #require(try site.reports(Schema([ChestV2.Chest.self])).first)
        #expect(report.way == .copy && report.steps.first?.entities.first?.rows == 3 && report.backup == nil)
        #expect(try site.reports(Schema([ChestV2.Chest.self])).isEmpty)
        try site.open(ChestV2.Chest.self) { context in
            try expectSame(
                context.all(ChestV2.Chest.self, by: SortDescriptor(\.name)).map(\.lid.lock.code), [1, 2, 3])
            try expectSame(context.count(ChestV2.Chest.self, where: #Predicate { $0.lid.lock.year == nil }), 3)
        }
    }

    @Test("loses the values of a member that is gone with a report and a backup", arguments: TestStore.migrating)
    func lost(_ store: TestStore) throws {
        let site = try MigrationSite(store)
        try site.open(ChestV1.Chest.self) { context in
            for code in 1...3 {
                let chest = ChestV1.Chest("c\(code)", code)
                if code > 1 { chest.lid.lock.maker = "Chubb" }
                context.insert(chest)
            }
            try context.save()
        }
        #expect(try site.preview(Schema([ChestV4.Chest.self])).losesData)
        let report = try #require(try site.reports(Schema([ChestV4.Chest.self])).first)
        #expect(report.steps.first?.entities.first?.lostValues == ["lid.lock.maker": 2])
        #expect(report.backup != nil)
        try site.open(ChestV4.Chest.self) { context in
            let second = ChestV4.Lid(lock: ChestV4.Lock(code: 2))
            try expectSame(context.count(ChestV4.Chest.self, where: #Predicate { $0.lid == second }), 1)
        }
    }

    @Test("has old values as new ones are kept, so that equal ones are found", arguments: TestStore.migrating)
    func codedAnew(_ store: TestStore) throws {
        let site = try make(store)
        let report = try #require(try site.reports(Schema([ChestV5.Chest.self])).first)
        #expect(report.way == .copy && !report.losesData)
        try site.open(ChestV5.Chest.self) { context in
            let second = ChestV5.Lid(lock: ChestV5.Lock(code: 2))
            try expectSame(context.count(ChestV5.Chest.self, where: #Predicate { $0.lid == second }), 1)
            try expectSame(context.count(ChestV5.Chest.self, where: #Predicate { $0.lid.lock.turns == 1 }), 3)
        }
    }

    @Test("and values that do not fit is refused, by name, and the store is as it was", arguments: TestStore.migrating)
    func refused(_ store: TestStore) throws {
        let site = try make(store)
        let before = try site.files()
        let error = try #require(
            #expect(throws: SwiftDataError.self) { try site.open(ChestV3.Chest.self) { _ in } })
        #expect(error.code == .migrationFailure && error.entity == "Chest" && error.property == "lid")
        let detail = error.detail ?? ""
        #expect(
            detail.contains(
                "3 values do not fit the property's new type Lid, the first of the row 1 for its member lock.key;"))
        #expect(try site.files() == before)
    }
}
