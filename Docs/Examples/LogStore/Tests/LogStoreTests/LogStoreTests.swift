import CofferConformance
import CofferCore
import Foundation
import LogStore
import Testing

struct LogStoreSubject: ConformanceSubject {
    let name = "log"

    func configuration(at place: ConformancePlace) -> any DataStoreConfiguration {
        LogStoreConfiguration(url: files(at: place)[0])
    }

    func readOnlyConfiguration(at place: ConformancePlace) -> (any DataStoreConfiguration)? {
        LogStoreConfiguration(url: files(at: place)[0], allowsSave: false)
    }

    func facilities(_ capabilities: StoreCapabilities) -> Set<ConformanceNeed> { [.reopening, .checking, .additions] }

    func files(at place: ConformancePlace) -> [URL] { [place.folder.appendingPathComponent("data.log")] }

    var optOuts: [ConformanceExemption] {
        ["damage.cut-in-half", "damage.cut-short"].map {
            ConformanceExemption($0, "what the end of a log lacks is a save that had not returned")
        }
    }
}

/// Says what the kit has found; the tests write it with `COFFER_LEDGERS=write`.
private let readme = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../README.md").standardizedFileURL

@Suite(.serialized) struct LogStoreConformance {
    static let run = ConformanceRun(LogStoreSubject())

    @Test(arguments: run.cases) func conforms(_ item: ConformanceCase) throws { try Self.run.run(item) }
    @Test func ledger() throws { try ConformanceDocument(readme).check(Self.run.finish(), of: Self.run) }

    @Test func aTornSaveIsCutOffAndNothingElse() throws {
        let (subject, place) = (LogStoreSubject(), try ConformancePlace())
        defer { try? subject.remove(place) }
        let file = subject.files(at: place)[0]
        func names(adding name: String? = nil) throws -> [String] {
            let container = try ModelContainer(
                for: Schema([Leaf.self]), configurations: [subject.configuration(at: place)])
            let context = ModelContext(container)
            if let name { context.insert(Leaf(name)) }
            try context.save()
            return try context.fetch(FetchDescriptor<Leaf>()).map(\.name)
        }
        #expect(try names(adding: "first") == ["first"])
        let first = try Data(contentsOf: file)
        #expect(try names(adding: "second") == ["first", "second"])
        let both = try Data(contentsOf: file)
        for size in first.count..<both.count {
            // Cut off, and as a file system leaves it that had made room already.
            for torn in [both.prefix(size), both.prefix(size) + Data(count: both.count - size)] {
                try torn.write(to: file)
                #expect(try names() == ["first"])
                #expect(try Data(contentsOf: file) == first)
            }
        }
        #expect(try names(adding: "third") == ["first", "third"])
    }
}

@Model final class Leaf {
    var name: String
    init(_ name: String) { self.name = name }
}
