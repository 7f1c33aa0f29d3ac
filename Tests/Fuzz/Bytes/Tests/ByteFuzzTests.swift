import Foundation
import Testing

/// The short form of `make fuzz`: every file of the corpus, and the same changes of it at each run. One after the other, since
/// a target has one place for its files.
@Suite("Bytes from anywhere", .serialized) struct ByteFuzzTests {
    /// How many changed files are tried for a target; what is slow is tried less often.
    private static let rounds = ["lmdb": 60, "archives": 150, "journals": 300, "dumps": 150, "records": 400]

    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../../Fixtures/fuzz").standardizedFileURL

    private static func corpus(_ target: FuzzTarget) throws -> [(name: String, bytes: [UInt8])] {
        let folder = folder.appendingPathComponent(target.name)
        return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().map {
            ($0, Array(try Data(contentsOf: folder.appendingPathComponent($0))))
        }
    }

    @Test("are refused by name, or read as what they are", arguments: FuzzTarget.all.map(\.name))
    func corpus(_ name: String) throws {
        let target = try #require(FuzzTarget.named(name))
        let corpus = try Self.corpus(target)
        #expect(!corpus.isEmpty)
        for (file, bytes) in corpus {
            let finding = bytes.withUnsafeBytes { target.finding($0) }
            #expect(finding == nil, "\(file)")
        }
        #expect([UInt8]().withUnsafeBytes { target.finding($0) } == nil)
    }

    @Test("are so too when they were changed", arguments: FuzzTarget.all.map(\.name))
    func changed(_ name: String) throws {
        let target = try #require(FuzzTarget.named(name))
        let corpus = try Self.corpus(target)
        var mutation = Mutation(seed: 1, others: corpus.map(\.bytes))
        for round in 0..<(Self.rounds[name] ?? 1000) {
            let (file, original) = corpus[round % corpus.count]
            let bytes = mutation.mutate(original)
            let finding = bytes.withUnsafeBytes { target.finding($0) }
            #expect(finding == nil, "\(file), round \(round): \(Data(bytes.prefix(4000)).base64EncodedString())")
        }
    }

    /// What the corpus has to hold at least: something that each target takes.
    @Test func samplesAreTaken() throws {
        for target in FuzzTarget.all where target.name != "lmdb" {
            let taken = try Self.corpus(target).contains { _, bytes in
                (try? bytes.withUnsafeBytes { try target.run($0) }) != nil
            }
            #expect(taken, "\(target.name) takes none of its corpus")
        }
    }
}
