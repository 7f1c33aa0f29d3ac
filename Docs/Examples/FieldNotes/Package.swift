// swift-tools-version: 6.2

import PackageDescription

// A program of somebody else's, as it would be written for Apple's SwiftData, but for the choice of the store.
let package = Package(
    name: "FieldNotes",
    platforms: [.macOS(.v15)],
    products: [.executable(name: "fieldnotes", targets: ["FieldNotesCommand"])],
    dependencies: [.package(name: "coffer", path: "../../..")],
    targets: [
        .target(
            name: "FieldNotes",
            dependencies: [
                .product(name: "SwiftData", package: "coffer"), .product(name: "CofferLMDB", package: "coffer"),
                .product(name: "CofferJSON", package: "coffer"),
            ]),
        .executableTarget(name: "FieldNotesCommand", dependencies: ["FieldNotes"]),
        .testTarget(
            name: "FieldNotesTests",
            dependencies: [
                "FieldNotes", "FieldNotesCommand", .product(name: "SwiftData", package: "coffer"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)
