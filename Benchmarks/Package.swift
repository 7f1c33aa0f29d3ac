// swift-tools-version: 6.2

import PackageDescription

// A package of its own, so that whoever uses Coffer neither builds nor resolves any of this.
let package = Package(
    name: "coffer-benchmarks",
    platforms: [.macOS(.v15)],
    products: [
        .library(name: "CofferBenchmarks", targets: ["CofferBenchmarks"]),
        .executable(name: "coffer-bench", targets: ["CofferBench"]),
        .executable(name: "log-store-bench", targets: ["LogStoreBench"]),
    ],
    dependencies: [
        .package(name: "coffer", path: ".."), .package(name: "LogStore", path: "../Docs/Examples/LogStore"),
    ],
    targets: [
        // Clock and allocation counter.
        .target(name: "CBenchmarkMeter"),
        // The baseline of the SQLite store: the same work in C.
        .target(name: "CRawSQLite", linkerSettings: [.linkedLibrary("sqlite3")]),
        // The baseline of the JSON archive.
        .target(name: "CRawJansson", linkerSettings: [.linkedLibrary("jansson")]),
        // Workloads, baselines and reports, for any store.
        .target(
            name: "CofferBenchmarks",
            dependencies: [
                .product(name: "Coffer", package: "coffer"), .product(name: "CofferLMDB", package: "coffer"),
                .product(name: "CofferJSON", package: "coffer"), "CBenchmarkMeter", "CRawSQLite", "CRawJansson",
            ],
            resources: [.embedInCode("Peers/peers.py")]),
        // The command: those over Coffer's own stores.
        .executableTarget(name: "CofferBench", dependencies: ["CofferBenchmarks"]),
        // The same for a store of one's own.
        .executableTarget(
            name: "LogStoreBench",
            dependencies: ["CofferBenchmarks", .product(name: "LogStore", package: "LogStore")]),
    ],
    swiftLanguageModes: [.v6]
)
