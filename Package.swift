// swift-tools-version: 6.2

import CompilerPluginSupport
import Foundation
import PackageDescription

let libraries = [
    "Coffer", "SwiftData", "CofferCore", "CofferSQLite", "CofferInMemory", "CofferRecords", "CofferLMDB", "CofferJSON",
    "CofferConformance",
]

// MARK: - swift-syntax: the toolchain's own, or the package

/// Whether SwiftPM treats this manifest as a version-tagged dependency.
///
/// SwiftPM forbids unsafe flags in such a package, so the plug-in then takes swift-syntax as an ordinary package. A path,
/// branch or revision dependency may use the flags and needs no download. SwiftPM evaluates the manifest of a remote
/// dependency twice, and both must answer alike: while it resolves, with `/` as directory and without Git information
/// whatever the requirement is; then in a folder below `checkouts` (`registry/downloads` for a registry), where the head
/// of a branch may carry a tag too. Neither says what was required, so that is read where it is written. When it cannot
/// be told, the answer errs towards the version: that costs a download, the other way round would be an error.
func isVersionTaggedDependency() -> Bool {
    let folder = Context.packageDirectory
    let isTagged = folder.contains("/checkouts/") && Context.gitInformation?.currentTag != nil
    guard folder == "/" || folder.contains("/registry/downloads/") || isTagged else { return false }
    return !isRequiredByBranchOrRevision()
}

/// Whether the root package, in whose folder SwiftPM runs, requires this one by branch or revision.
///
/// A version may not depend on a branch, so such a requirement stands in the root or in a local package beside it.
func isRequiredByBranchOrRevision() -> Bool {
    var root = URL(fileURLWithPath: FileManager.default.currentDirectoryPath)
    while root.path != "/", access(root.path + "/Package.swift", F_OK) != 0 { root.deleteLastPathComponent() }
    let manifest = root.appendingPathComponent("Package.swift")
    guard let text = try? String(contentsOf: manifest, encoding: .utf8) else { return false }
    let code = text.components(separatedBy: "\n").filter { !$0.drop(while: \.isWhitespace).hasPrefix("//") }.joined()
    // Each call, cut at its quotation marks: code at even places, strings at odd ones.
    func calls(of name: String) -> [[String]] {
        code.components(separatedBy: name + "(").dropFirst().map {
            $0.components(separatedBy: ")")[0].components(separatedBy: "\"")
        }
    }
    func string(_ label: String, in call: [String]) -> String? {
        zip(call, call.dropFirst()).first { $0.0.trimmingCharacters(in: .whitespaces).hasSuffix(label + ":") }?.1
    }
    // To others this package has the name of its folder or repository, which need not be "coffer".
    var names: Set = ["coffer"]
    for call in calls(of: ".product") where libraries.contains(string("name", in: call) ?? "") {
        if let package = string("package", in: call) { names.insert(package.lowercased()) }
    }
    return calls(of: ".package").contains { call in
        guard var name = string("url", in: call)?.split(separator: "/").last?.lowercased() else { return false }
        if name.hasSuffix(".git") { name.removeLast(4) }
        let requirement = stride(from: 0, to: call.count, by: 2).map { call[$0] }.joined()
        return names.contains(name) && (requirement.contains("branch") || requirement.contains("revision"))
    }
}

/// The path of the `PackageDescription` library that this manifest runs with.
///
/// The library belongs to the toolchain that builds the package, so its place tells where that toolchain lies, whatever
/// `PATH` says. Linux lists it among the mapped files; elsewhere the dynamic linker is asked for it.
func packageDescriptionLibrary() -> String? {
    #if os(Linux)
    guard let maps = fopen("/proc/self/maps", "r") else { return nil }
    defer { fclose(maps) }
    var line = [CChar](repeating: 0, count: 4608)
    while fgets(&line, Int32(line.count), maps) != nil {
        guard let path = strchr(line, Int32(UInt8(ascii: "/"))), strstr(path, "libPackageDescription") != nil else {
            continue
        }
        return String(cString: path)
    }
    return nil
    #else
    var image = Dl_info()
    let package = unsafeBitCast(Package.self as AnyClass, to: UnsafeRawPointer.self)
    guard dladdr(package, &image) != 0, let name = image.dli_fname else { return nil }
    return String(cString: name)
    #endif
}

/// The folder in which the running toolchain keeps its swift-syntax, or nil where it ships none.
func toolchainSyntaxFolder() -> String? {
    guard let library = packageDescriptionLibrary() else { return nil }
    let folders = library.split(separator: "/", omittingEmptySubsequences: false)
    // <toolchain>/lib/swift/pm/ManifestAPI/libPackageDescription.so
    guard folders.count > 4, folders.dropLast(2).last == "pm" else { return nil }
    let host = folders.dropLast(3).joined(separator: "/") + "/host"
    return access(host + "/SwiftSyntax.swiftmodule", F_OK) == 0 ? host : nil
}

let syntaxModules = [
    "SwiftSyntax", "SwiftSyntaxBuilder", "SwiftSyntaxMacros", "SwiftDiagnostics", "SwiftOperators", "SwiftParser",
    "SwiftBasicFormat", "SwiftSyntaxMacroExpansion", "SwiftParserDiagnostics", "SwiftCompilerPluginMessageHandling",
    "SwiftIfConfig",
]
let syntaxFolder = isVersionTaggedDependency() ? nil : toolchainSyntaxFolder()
let syntaxPackage: [Package.Dependency]
let syntaxDependencies: [Target.Dependency]
let syntaxSwiftSettings: [SwiftSetting]
let syntaxLinkerSettings: [LinkerSetting]
if let syntaxFolder {
    syntaxPackage = []
    syntaxDependencies = []
    syntaxSwiftSettings = [.unsafeFlags(["-I", syntaxFolder])]
    syntaxLinkerSettings = [
        .unsafeFlags(
            ["-L", syntaxFolder, "-Xlinker", "-rpath", "-Xlinker", syntaxFolder]
                + syntaxModules.map { "-l\($0)" })
    ]
} else {
    syntaxPackage = [.package(url: "https://github.com/swiftlang/swift-syntax.git", "603.0.0"..<"605.0.0")]
    syntaxDependencies = [
        "_SwiftCompilerPluginMessageHandling", "SwiftSyntaxMacros", "SwiftSyntaxBuilder", "SwiftOperators",
        "SwiftIfConfig",
    ].map {
        .product(name: $0, package: "swift-syntax")
    }
    syntaxSwiftSettings = []
    syntaxLinkerSettings = []
}

// MARK: - The package

let package = Package(
    name: "coffer",
    platforms: [.macOS(.v15)],
    products: libraries.map { .library(name: $0, targets: [$0]) }
        + [.executable(name: "coffer", targets: ["CofferCommand"])],
    dependencies: syntaxPackage,
    targets: [
        // A library, since a test that depended on the plug-in itself would have everything built twice, for the host too.
        .target(
            name: "CofferMacroExpansion",
            dependencies: syntaxDependencies,
            path: "Sources/CofferMacros/Expansion",
            swiftSettings: syntaxSwiftSettings),
        .macro(
            name: "CofferMacros",
            dependencies: ["CofferMacroExpansion"] + syntaxDependencies,
            path: "Sources/CofferMacros/Plugin",
            swiftSettings: syntaxSwiftSettings,
            linkerSettings: syntaxLinkerSettings),
        .target(name: "CofferRuntime"),
        .target(name: "CofferCore", dependencies: ["CofferMacros", "CofferRuntime"]),
        .systemLibrary(
            name: "CSQLite", path: "Stores/SQLite/CSQLite", pkgConfig: "sqlite3",
            providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite3"])]),
        .target(name: "CofferSQLite", dependencies: ["CofferCore", "CSQLite"], path: "Stores/SQLite/Sources"),
        .target(name: "CofferInMemory", dependencies: ["CofferRecords"], path: "Stores/InMemory/Sources"),
        .target(name: "CofferRecords", dependencies: ["CofferCore", "CofferRuntime"], path: "Stores/Records/Sources"),
        .systemLibrary(
            name: "CLMDB", path: "Stores/LMDB/CLMDB", pkgConfig: "lmdb",
            providers: [.apt(["liblmdb-dev"]), .brew(["lmdb"])]),
        .target(name: "CofferLMDB", dependencies: ["CofferRecords", "CLMDB"], path: "Stores/LMDB/Sources"),
        .systemLibrary(
            name: "CJansson", path: "Stores/JSON/CJansson", pkgConfig: "jansson",
            providers: [.apt(["libjansson-dev"]), .brew(["jansson"])]),
        .target(name: "CofferJSON", dependencies: ["CofferRecords", "CJansson"], path: "Stores/JSON/Sources"),
        .target(name: "Coffer", dependencies: ["CofferCore", "CofferSQLite", "CofferInMemory"]),
        .target(name: "SwiftData", dependencies: ["Coffer"]),
        .target(name: "CofferConformance", dependencies: ["CofferCore"]),
        // Not `coffer`: on a file system that ignores case its folder would be that of the module `Coffer`.
        .executableTarget(
            name: "CofferCommand", dependencies: ["Coffer", "CofferLMDB", "CofferJSON"],
            exclude: ["Resources/README.md"],
            resources: [.embedInCode("Resources/packages.status")]),
        .testTarget(name: "CofferCoreTests", dependencies: ["CofferCore"]),
        .testTarget(name: "CofferInMemoryTests", dependencies: ["CofferInMemory"]),
        .testTarget(name: "CofferSQLiteTests", dependencies: ["CofferSQLite"]),
        .testTarget(name: "CofferRecordsTests", dependencies: ["CofferRecords", "CofferLMDB"]),
        .testTarget(name: "CofferLMDBTests", dependencies: ["CofferLMDB", "LMDBNeighbour"]),
        .executableTarget(name: "LMDBNeighbour", dependencies: ["CofferLMDB"], path: "Tests/LMDBNeighbour"),
        .testTarget(name: "CofferJSONTests", dependencies: ["CofferJSON", "CJansson"]),
        .testTarget(name: "CofferTests", dependencies: ["Coffer", "SwiftData"]),
        // SwiftData code as people write it, in each of the modes they compile it in: one folder, and two links to it.
        .target(name: "DropInLedger", dependencies: ["SwiftData"], path: "Tests/DropIn/Ledger"),
        .target(name: "DropInSwift6", dependencies: ["DropInLedger", "SwiftData"], path: "Tests/DropIn/Sources"),
        .target(
            name: "DropInSwift5", dependencies: ["DropInLedger", "SwiftData"], path: "Tests/DropIn/Swift5",
            swiftSettings: [.swiftLanguageMode(.v5)]),
        .target(
            name: "DropInMainActor", dependencies: ["DropInLedger", "SwiftData"], path: "Tests/DropIn/MainActor",
            swiftSettings: [.defaultIsolation(MainActor.self)]),
        .testTarget(
            name: "DropInTests",
            dependencies: ["SwiftData", "DropInLedger", "DropInSwift6", "DropInSwift5", "DropInMainActor"],
            path: "Tests/DropIn/Tests", exclude: ["members.txt"]),
        .testTarget(
            name: "StoreTests", dependencies: ["Coffer", "CofferFuzz", "CofferLMDB", "CofferJSON", "StoreNeighbour"]),
        .executableTarget(
            name: "StoreNeighbour", dependencies: ["Coffer", "CofferLMDB", "CofferJSON"], path: "Tests/StoreNeighbour"),
        // Random programs against a model of the graph in plain Swift: `make fuzz`, and a short run in StoreTests.
        .target(name: "CofferFuzz", dependencies: ["Coffer", "CofferLMDB", "CofferJSON"], path: "Tests/Fuzz/Library"),
        // Predicates and orders at random: a target of its own, since its macros take long to compile.
        .target(name: "CofferShapes", dependencies: ["CofferFuzz", "Coffer"], path: "Tests/Fuzz/Shapes"),
        .testTarget(name: "ShapeTests", dependencies: ["CofferShapes", "CofferFuzz", "Coffer"]),
        // What reads bytes that may come from anywhere: a test target, since it looks into every store and the command. The
        // same sources run under libFuzzer in a package of their own.
        .testTarget(
            name: "ByteFuzzTests",
            dependencies: ["Coffer", "CofferRecords", "CofferSQLite", "CofferLMDB", "CofferJSON", "CofferCommand"],
            path: "Tests/Fuzz/Bytes",
            exclude: [
                "Package.swift", "Sources/CLibFuzzer", "Sources/coffer-fuzz-bytes", "Sources/CofferCommandParts",
            ],
            sources: ["Sources/CofferFuzzTargets", "Tests"]),
        .executableTarget(
            name: "coffer-fuzz", dependencies: ["CofferFuzz", "CofferShapes", "Coffer"], path: "Tests/Fuzz/Command"),
        // Processes that are killed at every call, disks that fail, power that goes: `make crash`, and a short run in tests.
        .target(name: "CrashShim", path: "Tests/Crash/Shim"),
        .target(
            name: "CofferCrash", dependencies: ["CrashShim", "CSQLite", "Coffer", "CofferLMDB", "CofferJSON"],
            path: "Tests/Crash/Library"),
        .executableTarget(name: "coffer-crash", dependencies: ["CofferCrash"], path: "Tests/Crash/Command"),
        // It runs the command, whose own calls of the system would otherwise become those of all tests.
        .testTarget(name: "CrashTests"),
        .testTarget(
            name: "CofferConformanceTests",
            dependencies: ["CofferConformance", "CofferSQLite", "CofferInMemory", "CofferLMDB", "CofferJSON"]),
        // The examples' sources once more, so that `make test` runs them; Tests/Packaging/check builds packages of them.
        .target(name: "LogStore", dependencies: ["CofferRecords"], path: "Docs/Examples/LogStore/Sources/LogStore"),
        .testTarget(
            name: "LogStoreTests", dependencies: ["LogStore", "CofferConformance"],
            path: "Docs/Examples/LogStore/Tests/LogStoreTests"),
        .target(
            name: "ArchiveStore", dependencies: ["CofferCore"],
            path: "Docs/Examples/ArchiveStore/Sources/ArchiveStore"),
        .testTarget(
            name: "ArchiveStoreTests", dependencies: ["ArchiveStore", "CofferConformance"],
            path: "Docs/Examples/ArchiveStore/Tests/ArchiveStoreTests"),
        .target(
            name: "FieldNotes", dependencies: ["SwiftData", "CofferLMDB", "CofferJSON"],
            path: "Docs/Examples/FieldNotes/Sources/FieldNotes"),
        .executableTarget(
            name: "FieldNotesCommand", dependencies: ["FieldNotes"],
            path: "Docs/Examples/FieldNotes/Sources/FieldNotesCommand"),
        .testTarget(
            name: "FieldNotesTests", dependencies: ["FieldNotes", "FieldNotesCommand", "SwiftData"],
            path: "Docs/Examples/FieldNotes/Tests/FieldNotesTests"),
        .executableTarget(
            name: "coffer-mutants",
            dependencies: ["ArchiveStore", "CofferConformance", "CofferInMemory", "CofferJSON"],
            path: "Tests/Mutants"),
        // The benchmarks' sources once more, for their tests: Benchmarks is a package of its own, so that whoever uses
        // Coffer builds none of it.
        .target(name: "CBenchmarkMeter", path: "Benchmarks/Sources/CBenchmarkMeter"),
        .target(
            name: "CRawSQLite", path: "Benchmarks/Sources/CRawSQLite", linkerSettings: [.linkedLibrary("sqlite3")]),
        .target(
            name: "CRawJansson", path: "Benchmarks/Sources/CRawJansson", linkerSettings: [.linkedLibrary("jansson")]),
        .target(
            name: "CofferBenchmarks",
            dependencies: ["Coffer", "CofferLMDB", "CofferJSON", "CBenchmarkMeter", "CRawSQLite", "CRawJansson"],
            path: "Benchmarks/Sources/CofferBenchmarks", resources: [.embedInCode("Peers/peers.py")]),
        .executableTarget(
            name: "coffer-bench", dependencies: ["CofferBenchmarks"], path: "Benchmarks/Sources/CofferBench"),
        // Runs the command as another process, whose allocations and statements are its own; so it links none of it.
        .testTarget(name: "BenchmarkTests"),
        .testTarget(
            name: "CofferCommandTests", dependencies: ["CofferCommand", "Coffer", "CofferLMDB", "CofferJSON"]),
        .executableTarget(name: "ReadmeExample", dependencies: ["Coffer"], path: "Tests/ReadmeExample"),
        .executableTarget(
            name: "StartHere", dependencies: ["Coffer", "CofferJSON"], path: "Docs/Examples/StartHere/Sources/Trips"),
        // What README and guides show. Programs are run as what they are, beside the tests.
        .testTarget(
            name: "GuideTests", dependencies: ["ReadmeExample", "StartHere", "Coffer", "CofferLMDB", "CofferJSON"],
            path: "Tests/Guides"),
        .testTarget(
            name: "CofferMacrosTests",
            dependencies: ["CofferMacroExpansion", "CofferCore"] + syntaxDependencies,
            exclude: ["MainActorModels"],
            swiftSettings: syntaxSwiftSettings,
            linkerSettings: syntaxLinkerSettings),
        .testTarget(
            name: "MainActorModelTests",
            dependencies: ["CofferCore"],
            path: "Tests/CofferMacrosTests/MainActorModels",
            swiftSettings: [.defaultIsolation(MainActor.self)]),
    ],
    swiftLanguageModes: [.v6]
)
