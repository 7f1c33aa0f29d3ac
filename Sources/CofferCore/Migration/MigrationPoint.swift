/// Points of a migration at which tests stop it or look at what a process that died there would leave behind.
package enum MigrationPoint: Hashable, Sendable, CustomStringConvertible {
    /// The old store is open and held.
    case held
    /// A new store beside it was made.
    case made(Int)
    /// The rows of an entity were copied.
    case copied(String)
    /// The lists were written.
    case linked
    /// Code of the program has run.
    case stage(Int)
    /// The new store is complete and on disk.
    case finished
    /// The old store was backed up.
    case backedUp
    /// The new store is in the old one's place.
    case replaced

    /// What is run at each point; it may throw.
    @TaskLocal package static var observer: (@Sendable (MigrationPoint) throws -> Void)?

    func reach() throws { try Self.observer?(self) }

    package var description: String {
        switch self {
        case .held: "held"
        case .made(let number): "made \(number)"
        case .copied(let name): "copied \(name)"
        case .linked: "linked"
        case .stage(let number): "stage \(number)"
        case .finished: "finished"
        case .backedUp: "backed up"
        case .replaced: "replaced"
        }
    }
}
