// swift-tools-version: 6.2

import CompilerPluginSupport
import PackageDescription

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

// MARK: - swift-syntax: the toolchain's own, or the package

/// Whether SwiftPM treats this manifest as a version-tagged dependency.
///
/// SwiftPM forbids unsafe flags in such a package, so the plug-in then takes swift-syntax as an ordinary package.
/// While versions are computed a tagged manifest is evaluated with `/` as its directory; afterwards it lies in a
/// folder named `checkouts`. A path, branch or revision dependency may use the flags and needs no download — a branch
/// or revision checkout has the same folder, so a checkout counts as tagged only while its head is at a tag.
func isVersionTaggedDependency() -> Bool {
    if Context.packageDirectory == "/" { return true }
    guard Context.packageDirectory.contains("/checkouts/") else { return false }
    return Context.gitInformation?.currentTag != nil
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
        guard let path = strchr(line, Int32(UInt8(ascii: "/"))), strstr(path, "libPackageDescription") != nil else { continue }
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
        .unsafeFlags(["-L", syntaxFolder, "-Xlinker", "-rpath", "-Xlinker", syntaxFolder]
            + syntaxModules.map { "-l\($0)" })
    ]
} else {
    syntaxPackage = [.package(url: "https://github.com/swiftlang/swift-syntax.git", "602.0.0"..<"604.0.0")]
    syntaxDependencies = [
        "SwiftCompilerPlugin", "SwiftSyntaxMacros", "SwiftSyntaxBuilder", "SwiftOperators", "SwiftIfConfig",
    ].map {
        .product(name: $0, package: "swift-syntax")
    }
    syntaxSwiftSettings = [.define("COFFER_SYNTAX_PACKAGE")]
    syntaxLinkerSettings = []
}

// MARK: - The package

let package = Package(
    name: "coffer",
    platforms: [.macOS(.v15)],
    products: [
        .library(name: "Coffer", targets: ["Coffer"]),
        .library(name: "SwiftData", targets: ["SwiftData"]),
        .library(name: "CofferCore", targets: ["CofferCore"]),
        .library(name: "CofferSQLite", targets: ["CofferSQLite"]),
        .library(name: "CofferInMemory", targets: ["CofferInMemory"]),
        .executable(name: "coffer", targets: ["CofferCommand"]),
    ],
    dependencies: syntaxPackage,
    targets: [
        .macro(
            name: "CofferMacros",
            dependencies: syntaxDependencies,
            swiftSettings: syntaxSwiftSettings,
            linkerSettings: syntaxLinkerSettings),
        .target(name: "CofferRuntime"),
        .target(name: "CofferCore", dependencies: ["CofferMacros", "CofferRuntime"]),
        .systemLibrary(
            name: "CSQLite", path: "Stores/SQLite/CSQLite", pkgConfig: "sqlite3",
            providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite3"])]),
        .target(name: "CofferSQLite", dependencies: ["CofferCore", "CSQLite"], path: "Stores/SQLite/Sources"),
        .target(name: "CofferInMemory", dependencies: ["CofferCore"], path: "Stores/InMemory/Sources"),
        .target(name: "Coffer", dependencies: ["CofferCore", "CofferSQLite", "CofferInMemory"]),
        .target(name: "SwiftData", dependencies: ["Coffer"]),
        // Not `coffer`: on a file system that ignores case its folder would be that of the module `Coffer`.
        .executableTarget(name: "CofferCommand", dependencies: ["Coffer"]),

        .testTarget(
            name: "CofferMacrosTests",
            dependencies: ["CofferMacros", "CofferCore"] + syntaxDependencies,
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
