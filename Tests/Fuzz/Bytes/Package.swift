// swift-tools-version: 6.2

import Foundation
import PackageDescription

// Everything that reads bytes which may come from anywhere, under libFuzzer: `make fuzz`. A package of its own, since it
// is built with other flags and links libFuzzer. The targets themselves run in the tests of the package above, too.

/// Where the toolchain keeps libFuzzer. `Scripts/fuzz-bytes` says so.
let runtime = Context.environment["COFFER_CLANG_RUNTIME"] ?? ""

let package = Package(
    name: "coffer-byte-fuzz",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "coffer", path: "../../..")],
    targets: [
        // The command's sources once more: an executable cannot be imported by another package.
        .target(
            name: "CofferCommandParts",
            dependencies: [
                .product(name: "Coffer", package: "coffer"), .product(name: "CofferLMDB", package: "coffer"),
                .product(name: "CofferJSON", package: "coffer"),
            ],
            exclude: ["Resources/README.md"],
            resources: [.embedInCode("Resources/packages.status")],
            swiftSettings: [
                .unsafeFlags(["-Xfrontend", "-entry-point-function-name", "-Xfrontend", "coffer_command_main"])
            ]),
        .target(
            name: "CofferFuzzTargets",
            dependencies: [
                "CofferCommandParts", .product(name: "Coffer", package: "coffer"),
                .product(name: "CofferCore", package: "coffer"), .product(name: "CofferRecords", package: "coffer"),
                .product(name: "CofferSQLite", package: "coffer"), .product(name: "CofferLMDB", package: "coffer"),
                .product(name: "CofferJSON", package: "coffer"),
            ]),
        .target(name: "CLibFuzzer"),
        .executableTarget(
            name: "coffer-fuzz-bytes", dependencies: ["CofferFuzzTargets", "CLibFuzzer"],
            linkerSettings: [
                .unsafeFlags([runtime + "/libclang_rt.fuzzer_no_main-x86_64.a"]), .linkedLibrary("stdc++"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)
