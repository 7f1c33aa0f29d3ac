/// What a salvage brought into a new store, and what it had to leave behind.
public struct SalvageReport: Hashable, Codable, Sendable {
    /// The rows of one entity.
    public struct Entity: Hashable, Codable, Sendable {
        /// The name of the entity.
        public let name: String
        /// Rows in the new store.
        public internal(set) var rows = 0
        /// Rows that are lost, as far as it is known how many.
        public internal(set) var lostRows = 0
    }

    /// By name.
    public internal(set) var entities: [Entity] = []
    /// What was lost or changed, and where.
    public internal(set) var losses: [StoreProblem] = []
}
