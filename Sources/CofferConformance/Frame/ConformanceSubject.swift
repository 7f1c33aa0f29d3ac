import CofferCore
import Foundation

/// A store that goes through the kit, and all that the kit has to be told about it.
///
/// Two members are enough:
///
/// ```swift
/// struct LogStoreSubject: ConformanceSubject {
///     let name = "log"
///     func configuration(at place: ConformancePlace) -> any DataStoreConfiguration {
///         LogStoreConfiguration(url: place.folder.appendingPathComponent("data.log"))
///     }
/// }
/// ```
///
/// The test file of the store then has a few lines; see ``ConformanceRun``.
public protocol ConformanceSubject: Sendable {
    /// The store's name in reports.
    var name: String { get }
    /// The configuration that opens the store at a place. It is asked for again to open the same place anew.
    ///
    /// The schema may be left nil: the container fills it in.
    ///
    /// - Throws: what keeps the subject from naming one; the case then fails.
    func configuration(at place: ConformancePlace) throws -> any DataStoreConfiguration
    /// The configuration that opens the place for reading only; nil, the default, where there is no such way.
    ///
    /// - Throws: as ``configuration(at:)`` may.
    func readOnlyConfiguration(at place: ConformancePlace) throws -> (any DataStoreConfiguration)?
    /// What the store's type and capabilities cannot say.
    ///
    /// By default a store whose saves are durable can be reopened, and one for several processes may be open several
    /// times at once.
    func facilities(_ capabilities: StoreCapabilities) -> Set<ConformanceNeed>
    /// The files of a place that the store reads when it opens, to be damaged; empty by default.
    ///
    /// - Throws: as ``configuration(at:)`` may.
    func files(at place: ConformancePlace) throws -> [URL]
    /// Removes what a case left at a place; by default the folder, with everything in it.
    ///
    /// - Throws: as ``configuration(at:)`` may.
    func remove(_ place: ConformancePlace) throws
    /// Cases that shall not run, each with its reason; none by default.
    var optOuts: [ConformanceExemption] { get }
    /// Cases that are known to fail, each with its reason; none by default. One that passes fails the run.
    var expectedFailures: [ConformanceExemption] { get }
}

extension ConformanceSubject {
    public func readOnlyConfiguration(at place: ConformancePlace) throws -> (any DataStoreConfiguration)? { nil }

    public func facilities(_ capabilities: StoreCapabilities) -> Set<ConformanceNeed> {
        var found: Set<ConformanceNeed> = []
        if capabilities.features.contains(.durable) { found.insert(.reopening) }
        if capabilities.features.contains(.severalProcesses) { found.insert(.severalOpenings) }
        return found
    }

    public func files(at place: ConformancePlace) throws -> [URL] { [] }

    public func remove(_ place: ConformancePlace) throws {
        try FileManager.default.removeItem(at: place.folder)
    }

    public var optOuts: [ConformanceExemption] { [] }
    public var expectedFailures: [ConformanceExemption] { [] }
}

/// One case, by identifier, that is treated differently for a store, and why.
public struct ConformanceExemption: Hashable, Sendable {
    /// The identifier of the case. A case that does not exist (any more) fails the run.
    public let caseID: String
    /// Why.
    public let reason: String

    /// Makes an exemption.
    ///
    /// - Parameters:
    ///   - caseID: the identifier of the case.
    ///   - reason: why, in words that stand in the ledger.
    public init(_ caseID: String, _ reason: String) {
        self.caseID = caseID
        self.reason = reason
    }
}

/// Where one case has its store: a new, empty folder.
///
/// A store without files may take the place's name as a key.
public struct ConformancePlace: Hashable, Sendable {
    /// An empty folder that nobody else uses.
    public let folder: URL
    /// A name that no other place has.
    public var name: String { folder.lastPathComponent }

    /// Makes a folder for a place.
    ///
    /// - Throws: what the file system throws.
    public init() throws {
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("coffer-conformance-\(UUID().uuidString)", isDirectory: true)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }
}
