import Foundation
import Testing

@testable import CofferCore

@Suite struct FetchResultsCollectionTests {
    final class Source {
        var loads: [Range<Int>] = []
        var isBroken = false

        func results(_ count: Int, batchSize: Int) -> FetchResultsCollection<Int> {
            FetchResultsCollection(count: count, batchSize: batchSize) { range in
                self.loads.append(range)
                if self.isBroken { throw SwiftDataError(.ioFailure) }
                return Array(range)
            } placeholder: {
                -$0
            }
        }
    }

    @Test func batchesAreLoadedOnceInOrder() {
        let source = Source()
        let results = source.results(10, batchSize: 4)
        #expect(results.count == 10 && source.loads.isEmpty)
        #expect(Array(results) == Array(0..<10))
        #expect(source.loads == [0..<4, 4..<8, 8..<10])
        #expect(results.reversed().first == 9 && source.loads.count == 3)
        #expect(Array(results[2..<5]) == [2, 3, 4])
    }

    @Test func fewBatchesAreKept() {
        let source = Source()
        let results = source.results(100, batchSize: 10)
        #expect(results.reduce(0, +) == 4950)
        #expect(results[0] == 0 && source.loads.count == 11)
    }

    @Test func aBatchThatCannotBeLoadedDoesNotTrap() throws {
        let source = Source()
        let results = source.results(10, batchSize: 4)
        #expect(results[1] == 1)
        source.isBroken = true
        #expect(results[5] == -5 && results[6] == -6)
        #expect(source.loads.count == 2, "one failure per batch")
        #expect(results.loadError as? SwiftDataError == .ioFailure)
        #expect(throws: SwiftDataError.ioFailure) { try results.element(at: 5) }
        source.isBroken = false
        #expect(try results.load(3..<6) == [3, 4, 5])
        #expect(results[5] == 5 && results.loadError == nil)
    }

    @Test func emptyResults() {
        #expect(Array(Source().results(0, batchSize: 0)) == [])
    }
}
