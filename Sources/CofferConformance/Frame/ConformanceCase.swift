/// One promise of the seam: what it claims, what it needs, and how it is tried.
///
/// Cases are independent of each other and of any test framework; each has a place of its own, so that they may run side
/// by side.
public struct ConformanceCase: Sendable, Identifiable, CustomStringConvertible {
    /// An identifier that never changes, area first: `fetch.limit-after-sort`.
    public let id: String
    /// What the case claims, in one sentence.
    public let claim: String
    /// What a store must have for the claim to make sense. A store that lacks one skips the case.
    public let needs: [ConformanceNeed]
    /// What a store must lack: the case then shows that the call is refused as it should be.
    public let refuses: ConformanceNeed?
    /// Where the case stands in the sources.
    public let place: String
    let body: @Sendable (ConformanceTrial) throws -> Void

    /// Makes a case, which may be added to those of the kit.
    ///
    /// - Parameters:
    ///   - id: the identifier, area first.
    ///   - claim: what the case claims.
    ///   - needs: what a store must have.
    ///   - refuses: what a store must lack.
    ///   - file: where the case stands; a failure that no check has found names it.
    ///   - line: the line of it.
    ///   - body: tries the store; it throws what it finds, by the checks of the trial.
    public init(
        _ id: String, _ claim: String, needs: [ConformanceNeed] = [], refuses: ConformanceNeed? = nil,
        file: String = #fileID, line: Int = #line, _ body: @escaping @Sendable (ConformanceTrial) throws -> Void
    ) {
        self.id = id
        self.claim = claim
        self.needs = needs
        self.refuses = refuses
        place = "\(file):\(line)"
        self.body = body
    }

    /// The first part of the identifier.
    public var area: String { String(id.prefix { $0 != "." }) }

    /// The identifier.
    public var description: String { id }
}

/// Takes in the cases of an area, one after the other.
struct CaseList {
    let area: String
    private(set) var cases: [ConformanceCase] = []

    init(_ area: String) { self.area = area }

    mutating func add(
        _ id: String, _ claim: String, needs: [ConformanceNeed] = [], refuses: ConformanceNeed? = nil,
        file: String = #fileID, line: Int = #line, _ body: @escaping @Sendable (ConformanceTrial) throws -> Void
    ) {
        cases.append(
            ConformanceCase(area + "." + id, claim, needs: needs, refuses: refuses, file: file, line: line, body))
    }
}
