import CofferBenchmarks

BenchmarkCommand.main(
    stores: [SQLiteBenchmark(), InMemoryBenchmark(), LMDBBenchmark()], others: [ModelConfigurationBenchmark()])
