import Foundation

/// What a migration did to a store, or would do to it.
public struct MigrationReport: Hashable, Codable, Sendable, CustomStringConvertible {
    /// How a store is brought to the schema of the program.
    public enum Way: String, Hashable, Codable, Sendable {
        /// There is nothing to do.
        case equal
        /// Tables, properties and indexes that are new are added in place.
        case inPlace
        /// The rows are copied into a new store, which then takes the old one's place.
        case copy
    }

    /// What a step did to the rows of one entity.
    public struct Entity: Hashable, Codable, Sendable {
        /// The entity's name; the old one where it is gone.
        public let name: String
        /// Rows that were copied.
        public internal(set) var rows = 0
        /// Rows that are gone, since the entity is.
        public internal(set) var lostRows = 0
        /// How many values are gone with each property that is.
        public internal(set) var lostValues: [String: Int] = [:]
        /// How many rows got a default value, by property.
        public internal(set) var filledValues: [String: Int] = [:]

        init(_ name: String) { self.name = name }

        /// Whether something is gone.
        public var losesData: Bool { lostRows > 0 || !lostValues.isEmpty }
    }

    /// One step: from one version of the models to another.
    public struct Step: Hashable, Codable, Sendable {
        /// The version that the step begins with.
        public let from: Schema.Version
        /// The version that it leads to.
        public let to: Schema.Version
        /// The stage of the plan, counted from zero; nil where the step is not one of a plan's.
        public let stage: Int?
        /// Whether the program takes part in the step.
        public let isCustom: Bool
        /// By name.
        public internal(set) var entities: [Entity] = []
    }

    /// The store's name.
    public let store: String
    /// The version that was found.
    public let from: Schema.Version
    /// The version of the program.
    public let to: Schema.Version
    /// What was done to the store.
    public let way: Way
    /// The steps that were taken, in order; none where nothing was copied.
    public internal(set) var steps: [Step] = []
    /// Where the store as it was is kept; nil where it is not.
    public internal(set) var backup: URL?

    /// Whether values or rows are gone.
    public var losesData: Bool { steps.contains { $0.entities.contains(where: \.losesData) } }

    /// How many rows all steps copied.
    public var rows: Int { steps.reduce(0) { $0 + $1.entities.reduce(0) { $0 + $1.rows } } }

    /// The report in lines, for a terminal.
    public var description: String {
        switch way {
        case .equal: return "\(store): the schema is the same"
        case .inPlace: return "\(store): \(change), in place"
        case .copy: break
        }
        var lines = ["\(store): \(change), on a copy"]
        for step in steps {
            lines.append("  \(step.from) → \(step.to)\(step.isCustom ? ", with code of the program" : "")")
            for entity in step.entities { lines += entity.lines.map { "    " + $0 } }
        }
        if let backup { lines.append("  backup: \(backup.path)") }
        return lines.joined(separator: "\n")
    }
}

extension MigrationReport {
    /// Models change without a new version where no plan gives them numbers.
    private var change: String { from == to ? "other models of version \(to)" : "from \(from) to \(to)" }
}

extension MigrationReport.Entity {
    fileprivate var lines: [String] {
        var lines = ["\(name): \(rows) rows"]
        if lostRows > 0 { lines.append("\(name): loses \(lostRows) rows, the entity is gone") }
        for (property, count) in lostValues.sorted(by: { $0.key < $1.key }) {
            lines.append("\(name).\(property): loses \(count) values")
        }
        for (property, count) in filledValues.sorted(by: { $0.key < $1.key }) {
            lines.append("\(name).\(property): \(count) rows get the default value")
        }
        return lines
    }
}

extension MigrationReport {
    /// The report of a store that does not exist yet.
    public init(newStore name: String, _ schema: Schema) {
        self.init(store: name, from: schema.version, to: schema.version, way: .equal)
    }

    /// The report of a decision that takes no copying.
    public init(_ decision: MigrationDecision, store: String) {
        self.init(store: store, from: decision.stored.version, to: decision.schema.version, way: decision.way)
    }
}
