import CofferBenchmarks

BenchmarkCommand.main(
    stores: [SQLiteBenchmark(), InMemoryBenchmark(), LMDBBenchmark(), JSONBenchmark()],
    others: [ModelConfigurationBenchmark()])
