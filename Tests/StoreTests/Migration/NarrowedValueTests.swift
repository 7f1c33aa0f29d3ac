import Coffer
import Foundation
import Testing

/// Values of types that a later program narrows while they are kept the same.
enum NarrowedV1 {
    struct Size: Codable { var width: Int }
    enum Grade: String, Codable { case good, bad }

    @Model final class Part {
        var number: Int
        var name: String
        var grade: Grade
        var weight: Double
        var link: String
        var mark: String
        var size: Size
        var small: Int8
        init(_ number: Int, name: String, grade: Grade = .good, weight: Double = 0.5, width: Int = 1) {
            self.number = number
            self.name = name
            self.grade = grade
            self.weight = weight
            link = "https://example.org/\(name)"
            mark = "6F9619FF-8B86-D011-B42D-00C04FC964FF"
            size = Size(width: width)
            small = 3
        }
    }
}

/// What the later program makes of them.
enum Narrowed {
    enum Name: String, Codable { case bolt, nut }
    enum Rank: String, Codable { case good }
    struct Extent: Codable { var width: Int8 }

    enum Fitting {
        @Model final class Part {
            var number: Int8
            var name: Name
            var grade: String
            var weight: Float
            var link: URL
            var mark: UUID
            var size: Extent
            var small: Int
            init() {
                (number, name, grade, weight, small) = (0, .bolt, "", 0, 0)
                (link, mark, size) = (URL(fileURLWithPath: "/"), UUID(), Extent(width: 0))
            }
        }
    }

    enum Number { @Model final class Part { var number: Int8; init() { number = 0 } } }
    enum Names { @Model final class Part { var name: Name; init() { name = .bolt } } }
    enum Grades { @Model final class Part { var grade: Rank; init() { grade = .good } } }
    enum Weight { @Model final class Part { var weight: Float; init() { weight = 0 } } }
    enum Link { @Model final class Part { var name: URL; init() { name = URL(fileURLWithPath: "/") } } }
    enum Mark { @Model final class Part { var name: UUID; init() { name = UUID() } } }
    enum Letter { @Model final class Part { var name: Character; init() { name = "a" } } }
    enum Sizes { @Model final class Part { var size: Extent; init() { size = Extent(width: 0) } } }
    enum Wider {
        @Model final class Part {
            var number: Int64
            var name: String
            var grade: String
            var weight: Double
            var link: String
            var mark: String
            var size: NarrowedV1.Size
            var small: Int16
            init() {
                (number, name, grade, weight, link, mark, small) = (0, "", "", 0, "", "", 0)
                size = NarrowedV1.Size(width: 0)
            }
        }
    }
    enum Marked {
        enum Grade: String, Codable { case good }
        @Model final class Part {
            @Attribute(hashModifier: "without bad") var grade: Grade
            init() { grade = .good }
        }
    }
}

@Suite("Values of a narrower type that is kept the same")
struct NarrowedValueTests {
    private func make(_ store: TestStore, _ parts: NarrowedV1.Part...) throws -> MigrationSite {
        let site = try MigrationSite(store)
        try site.open(NarrowedV1.Part.self) { context in
            for part in parts { context.insert(part) }
            try context.save()
        }
        return site
    }

    @Test("are taken over on a copy where all of them fit", arguments: TestStore.migrating)
    func fitting(_ store: TestStore) throws {
        let site = try make(store, .init(1, name: "bolt"), .init(-7, name: "nut", grade: .bad, weight: 0.25))
        #expect(try site.preview(Schema([Narrowed.Fitting.Part.self])).way == .copy)
        for _ in 0..<2 {
            try site.open(Narrowed.Fitting.Part.self) { context in
                let parts = try context.all(Narrowed.Fitting.Part.self, by: SortDescriptor(\.number))
                #expect(parts.map(\.number) == [-7, 1])
                #expect(parts.map(\.name) == [.nut, .bolt])
                #expect(parts.map(\.grade) == ["bad", "good"])
                #expect(parts.map(\.weight) == [0.25, 0.5])
                #expect(parts.map(\.link.absoluteString) == ["https://example.org/nut", "https://example.org/bolt"])
                #expect(parts.allSatisfy { $0.mark.uuidString == "6F9619FF-8B86-D011-B42D-00C04FC964FF" })
                #expect(parts.map(\.size.width) == [1, 1])
                #expect(parts.map(\.small) == [3, 3])
            }
        }
    }

    @Test("are refused by entity, property, number and row where one does not", arguments: TestStore.migrating)
    func misfits(_ store: TestStore) throws {
        let site = try make(
            store, .init(1, name: "bolt"), .init(300, name: "secret nut", grade: .bad, weight: 0.1, width: 1000),
            .init(400, name: "secret", weight: 1e300))
        let before = try site.files()
        let wrong: [(type: any PersistentModel.Type, property: String, text: String)] = [
            (
                Narrowed.Number.Part.self, "number",
                "2 values do not fit the property's new type Int8, the first of the row 2"
            ),
            (Narrowed.Names.Part.self, "name", "2 values do not fit the property's new type Name"),
            (
                Narrowed.Grades.Part.self, "grade",
                "a value does not fit the property's new type Rank, the one of the row 2"
            ),
            (Narrowed.Weight.Part.self, "weight", "2 values do not fit the property's new type Float"),
            (Narrowed.Link.Part.self, "name", "a value does not fit the property's new type URL, the one of the row 2"),
            (
                Narrowed.Mark.Part.self, "name",
                "3 values do not fit the property's new type UUID, the first of the row 1"
            ),
            (Narrowed.Letter.Part.self, "name", "3 values do not fit the property's new type Character"),
            (
                Narrowed.Sizes.Part.self, "size",
                "a value does not fit the property's new type Extent, the one of the row 2"
            ),
            (Narrowed.Marked.Part.self, "grade", "a value does not fit the property's new type Grade"),
            // Nothing else differs: the layout is the same.
            (Narrowed.Fitting.Part.self, "number", "2 values do not fit"),
        ]
        for (type, property, text) in wrong {
            let error = try #require(#expect(throws: SwiftDataError.self) { try site.open(Schema([type])) { _ in } })
            #expect(error.code == .migrationFailure && error.entity == "Part" && error.property == property)
            #expect("\(error)".contains(text), "\(error)")
            // The name of the folder is made by chance, of digits too.
            let said = "\(error)".replacingOccurrences(of: site.folder.path, with: "")
            #expect(!said.contains("secret") && !said.contains("300"), "\(error)")
            #expect(try site.files() == before)
        }
    }

    @Test("need the right to write", arguments: TestStore.migrating)
    func readOnly(_ store: TestStore) throws {
        let site = try make(store, .init(1, name: "bolt"))
        let before = try site.files()
        let schema = Schema([Narrowed.Fitting.Part.self])
        let error = try #require(
            #expect(throws: SwiftDataError.self) {
                _ = try ModelContainer(for: schema, configurations: [site.readOnlyConfiguration])
            })
        #expect(error.code == .unknownSchema && error.entity == "Part" && error.property != nil)
        #expect(try site.files() == before)
    }

    @Test("that all fit the wider type stay where they are", arguments: TestStore.migrating)
    func wider(_ store: TestStore) throws {
        let site = try make(store, .init(1 << 40, name: "bolt", weight: 0.1))
        let preview = try site.preview(Schema([Narrowed.Wider.Part.self]))
        #expect(preview.way == .inPlace && "\(preview)".hasSuffix(": other models of version 1.0.0, in place"))
        try site.open(Narrowed.Wider.Part.self) { context in
            let part = try #require(try context.fetch(FetchDescriptor<Narrowed.Wider.Part>()).first)
            #expect(part.number == 1 << 40 && part.name == "bolt" && part.grade == "good" && part.weight == 0.1)
            #expect(part.small == 3 && part.size.width == 1)
        }
    }
}
