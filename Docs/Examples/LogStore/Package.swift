// swift-tools-version: 6.2

import PackageDescription

// A store of somebody else's: nothing in here can reach into Coffer.
let package = Package(
    name: "LogStore",
    platforms: [.macOS(.v15)],
    products: [.library(name: "LogStore", targets: ["LogStore"])],
    dependencies: [.package(name: "coffer", path: "../../..")],
    targets: [
        .target(
            name: "LogStore",
            dependencies: [
                .product(name: "CofferCore", package: "coffer"), .product(name: "CofferRecords", package: "coffer"),
            ]),
        .testTarget(
            name: "LogStoreTests",
            dependencies: ["LogStore", .product(name: "CofferConformance", package: "coffer")]),
    ],
    swiftLanguageModes: [.v6]
)
