// swift-tools-version: 6.2

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

/// The folder in which the running toolchain keeps its swift-syntax, or nil where it ships none.
///
/// The manifest is linked against the toolchain's own `PackageDescription`, so the image that holds this class tells
/// where the toolchain lies, whatever `PATH` says.
func toolchainSyntaxFolder() -> String? {
    var image = Dl_info()
    let package = unsafeBitCast(Package.self as AnyClass, to: UnsafeRawPointer.self)
    guard dladdr(package, &image) != 0, let name = image.dli_fname else { return nil }
    let library = String(cString: name)
    guard let lib = library.range(of: "/lib/swift/pm/") else { return nil }
    let host = library[..<lib.lowerBound] + "/lib/swift/host"
    return access(String(host) + "/SwiftSyntax.swiftmodule", F_OK) == 0 ? String(host) : nil
}

extension String {
    /// The first place of `text`; spelled out since the manifest does not load Foundation, which would slow it down.
    func range(of text: String) -> Range<Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
            start = index(after: start)
        }
        return nil
    }
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
        .executable(name: "coffer", targets: ["coffer"]),
    ],
    dependencies: syntaxPackage,
    targets: [
        .macro(
            name: "CofferMacros",
            dependencies: syntaxDependencies,
            swiftSettings: syntaxSwiftSettings,
            linkerSettings: syntaxLinkerSettings),
        .target(name: "CofferCore", dependencies: ["CofferMacros"]),
        .systemLibrary(
            name: "CSQLite", path: "Stores/SQLite/CSQLite", pkgConfig: "sqlite3",
            providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite3"])]),
        .target(name: "CofferSQLite", dependencies: ["CofferCore", "CSQLite"], path: "Stores/SQLite/Sources"),
        .target(name: "CofferInMemory", dependencies: ["CofferCore"], path: "Stores/InMemory/Sources"),
        .target(name: "Coffer", dependencies: ["CofferCore", "CofferSQLite", "CofferInMemory"]),
        .target(name: "SwiftData", dependencies: ["Coffer"]),
        .executableTarget(name: "coffer", dependencies: ["Coffer"]),
    ],
    swiftLanguageModes: [.v6]
)
