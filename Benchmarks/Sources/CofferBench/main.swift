import CofferBenchmarks

BenchmarkCommand.main(stores: [SQLiteBenchmark(), InMemoryBenchmark()], others: [ModelConfigurationBenchmark()])
