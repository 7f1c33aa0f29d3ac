// swift-tools-version: 6.2

import PackageDescription

// Stores of somebody else's: nothing in here can reach into Coffer.
let package = Package(
    name: "ArchiveStore",
    platforms: [.macOS(.v15)],
    products: [.library(name: "ArchiveStore", targets: ["ArchiveStore"])],
    dependencies: [.package(name: "coffer", path: "../../..")],
    targets: [
        .target(name: "ArchiveStore", dependencies: [.product(name: "CofferCore", package: "coffer")]),
        .testTarget(
            name: "ArchiveStoreTests",
            dependencies: ["ArchiveStore", .product(name: "CofferConformance", package: "coffer")]),
    ],
    swiftLanguageModes: [.v6]
)
