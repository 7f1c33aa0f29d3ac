import Foundation

/// The package of a new store: its files, as text.
///
/// The store and its tests are those of `SmallStore` in `Docs/Examples/ArchiveStore`, where they are compiled and run; a
/// test compares them.
struct StorePackage {
    /// Where the package finds Coffer.
    enum Source: Equatable {
        case folder(String)
        case address(String)
    }

    struct File: Equatable {
        let path: String
        let text: String
    }

    let name: String
    let coffer: Source

    var files: [File] {
        [
            File(path: "Package.swift", text: manifest),
            File(path: "README.md", text: readme),
            File(path: "Sources/\(name)/\(name).swift", text: store),
            File(path: "Tests/\(name)Tests/\(name)Tests.swift", text: tests),
            File(path: ".gitignore", text: ".build\n"),
        ]
    }

    // MARK: - Manifest

    private var manifest: String {
        let (dependency, identity) =
            switch coffer {
            case .folder(let path): (".package(name: \"coffer\", path: \(Self.literal(path)))", "coffer")
            case .address(let address):
                (".package(url: \(Self.literal(address)), branch: \"main\")", Self.identity(address))
            }
        return """
            // swift-tools-version: 6.2

            import PackageDescription

            let package = Package(
                name: "\(name)",
                platforms: [.macOS(.v15)],
                products: [.library(name: "\(name)", targets: ["\(name)"])],
                dependencies: [\(dependency)],
                targets: [
                    .target(name: "\(name)", dependencies: [.product(name: "CofferCore", package: \(Self.literal(identity)))]),
                    .testTarget(
                        name: "\(name)Tests",
                        dependencies: [
                            "\(name)", .product(name: "CofferConformance", package: \(Self.literal(identity))),
                        ]),
                ],
                swiftLanguageModes: [.v6]
            )

            """
    }

    /// What packages are called by their dependents: the last part of the address.
    private static func identity(_ address: String) -> String {
        let last = address.split(whereSeparator: { $0 == "/" || $0 == ":" }).last.map(String.init) ?? address
        return last.hasSuffix(".git") ? String(last.dropLast(4)) : last
    }

    private static func literal(_ text: String) -> String {
        "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }

    // MARK: - The store

    private var store: String {
        #"""
        import CofferCore
        import Foundation
        import Synchronization

        /// Says that models are kept by a ``\#(name)``, and in which file.
        public struct \#(name)Configuration: DataStoreConfiguration {
            public typealias Store = \#(name)
            public let name: String
            /// Left nil it becomes the container's schema.
            public var schema: Schema?
            public let url: URL

            public init(_ name: String = "\#(name)", schema: Schema? = nil, url: URL) {
                self.name = name
                self.schema = schema
                self.url = url
            }
        }

        /// A store that keeps everything in one JSON file. It reads the whole file for a fetch and writes it anew for a save.
        public final class \#(name): DataStore {
            public typealias Configuration = \#(name)Configuration
            public typealias Snapshot = DefaultSnapshot
            public let configuration: \#(name)Configuration
            public let schema: Schema
            public let identifier: String
            /// The contexts of a container call their store from their own threads.
            private let lock = Mutex<Void>(())

            /// What is in the file.
            private struct Contents: Codable {
                var identifier = UUID().uuidString
                var lastKey = 0
                var rows: [DefaultSnapshot] = []
            }

            public init(_ configuration: \#(name)Configuration, migrationPlan: (any SchemaMigrationPlan.Type)?) throws {
                self.configuration = configuration
                schema = configuration.schema ?? Schema()
                if FileManager.default.fileExists(atPath: configuration.url.path) {
                    identifier = try Self.read(configuration.url).identifier
                } else {
                    let contents = Contents()
                    try Self.write(contents, to: configuration.url)
                    identifier = contents.identifier
                }
            }

            public func fetch<M: PersistentModel>(
                _ request: DataStoreFetchRequest<M>
            ) throws -> DataStoreFetchResult<M, DefaultSnapshot> {
                // The context then asks once more, without that part, and does it by itself.
                if request.descriptor.predicate != nil { throw DataStoreError.preferInMemoryFilter }
                if !request.descriptor.sortBy.isEmpty { throw DataStoreError.preferInMemorySort }
                let entity = Schema.entityName(for: M.self)
                let contents = try lock.withLock { _ in try Self.read(configuration.url) }
                let rows = contents.rows.filter { $0.persistentIdentifier.entityName == entity }
                let page = rows.dropFirst(request.descriptor.fetchOffset ?? 0).prefix(request.descriptor.fetchLimit ?? .max)
                return DataStoreFetchResult(descriptor: request.descriptor, fetchedSnapshots: Array(page))
            }

            public func save(
                _ request: DataStoreSaveChangesRequest<DefaultSnapshot>
            ) throws -> DataStoreSaveChangesResult<DefaultSnapshot> {
                try lock.withLock { _ in
                    var contents = try Self.read(configuration.url)
                    // New rows come under temporary identifiers. Each gets a key that no row ever had.
                    var permanent: [PersistentIdentifier: PersistentIdentifier] = [:]
                    for snapshot in request.inserted {
                        contents.lastKey += 1
                        permanent[snapshot.persistentIdentifier] = try PersistentIdentifier.identifier(
                            for: identifier, entityName: snapshot.persistentIdentifier.entityName,
                            primaryKey: contents.lastKey)
                    }
                    let replaced = Set((request.updated + request.deleted).map(\.persistentIdentifier))
                    contents.rows.removeAll { replaced.contains($0.persistentIdentifier) }
                    // New rows may be linked to each other, and changed ones to new ones: all links are translated.
                    for snapshot in request.updated + request.inserted {
                        let old = snapshot.persistentIdentifier
                        contents.rows.append(
                            snapshot.copy(persistentIdentifier: permanent[old] ?? old, remappedIdentifiers: permanent))
                    }
                    contents.rows.sort { $0.persistentIdentifier < $1.persistentIdentifier }
                    try Self.write(contents, to: configuration.url)
                    return DataStoreSaveChangesResult(for: identifier, remappedIdentifiers: permanent)
                }
            }

            private static func read(_ url: URL) throws -> Contents {
                try JSONDecoder().decode(Contents.self, from: Data(contentsOf: url))
            }

            private static func write(_ contents: Contents, to url: URL) throws {
                // Atomically: another file takes the place of the old one, so that a save is stored whole or not at all.
                try JSONEncoder().encode(contents).write(to: url, options: .atomic)
            }
        }

        """#
    }

    private var tests: String {
        #"""
        import CofferConformance
        import CofferCore
        import \#(name)
        import Testing

        /// What the conformance kit has to know of the store.
        struct \#(name)Subject: ConformanceSubject {
            let name = "\#(name)"

            func configuration(at place: ConformancePlace) -> any DataStoreConfiguration {
                \#(name)Configuration(url: place.folder.appendingPathComponent("models.json"))
            }

            /// What the kit cannot see by itself. Here: what was saved is there when the file is opened again.
            func facilities(_ capabilities: StoreCapabilities) -> Set<ConformanceNeed> { [.reopening] }
        }

        @Suite(.serialized) struct \#(name)Conformance {
            static let run = ConformanceRun(\#(name)Subject())

            @Test(arguments: run.cases) func conforms(_ item: ConformanceCase) throws { try Self.run.run(item) }
            @Test func ledger() throws { try Self.run.finish() }
        }

        """#
    }

    // MARK: - README

    private var readme: String {
        """
        # \(name)

        A store for models of Coffer, an open SwiftData: everything in one JSON file.

        ```swift
        let container = try ModelContainer(for: Trip.self, configurations: \(name)Configuration(url: file))
        ```

            swift test

        runs Coffer's conformance kit. Each case is a test; the table at the end says what the store passes, and what it lacks
        and therefore skips, with the reason:

        | What a store may have beside | How it says so |
        | --- | --- |
        | features: uniqueness, batches, durable saves, … | `capabilities` |
        | ways to be used: reopening, several openings, reading only, files that can be damaged | the subject in the tests |
        | optional protocols: `RowStore`, `DataStoreBatching`, `HistoryProviding` | its type |

        Declare one, and the kit runs the cases that hold you to it. `COFFER_CONFORMANCE_JSON=DIR swift test` writes the
        table as JSON. Coffer's `Docs/WritingAStore.md` goes on from here.

        """
    }
}
