// A store of one's own beside Coffer's: the example of Docs/Examples/LogStore.

import Coffer
import CofferBenchmarks
import Foundation
import LogStore

struct LogBenchmark: BenchmarkStore {
    let name = "log"

    func makeConfiguration(in folder: URL, isFullyDurable: Bool) -> any DataStoreConfiguration {
        LogStoreConfiguration(url: folder.appendingPathComponent("trips.log"))
    }
}

BenchmarkCommand.main(stores: [SQLiteBenchmark(), LogBenchmark()])
