// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "Trips",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "coffer", path: "../../..")],
    targets: [
        .executableTarget(
            name: "Trips",
            dependencies: [
                .product(name: "Coffer", package: "coffer"), .product(name: "CofferJSON", package: "coffer"),
            ])
    ]
)
