/// Finds rows that share values which no two rows may share.
///
/// Rows go through it one after the other; it keeps the values of all of them.
struct UniqueValues {
    /// One constraint, as the rows of an entity see it.
    private struct Constraint {
        let id: ID
        let slots: [Int]
    }

    private struct ID: Hashable {
        let entity: String
        let names: [String]
    }

    private var constraints: [String: [Constraint]] = [:]
    private var seen: [ID: [[StoredValue]: Int64]] = [:]

    init(_ schema: Schema) {
        for entity in schema.entities {
            let names = entity.properties.map(\.name)
            constraints[entity.name] = entity.lineage.flatMap { declaring in
                declaring.uniquenessConstraints.compactMap { constraint in
                    let slots = constraint.compactMap { names.firstIndex(of: $0) }
                    guard slots.count == constraint.count, !slots.isEmpty else { return nil }
                    return Constraint(id: ID(entity: declaring.name, names: constraint), slots: slots)
                }
            }
        }
    }

    /// Takes in a row.
    ///
    /// - Returns: the properties it shares with an earlier row, and that row; nil where it shares none, or the row is not
    ///   taken in.
    mutating func add(_ entity: Schema.Entity, _ batch: RowBatch, _ row: Int) -> (names: [String], key: Int64)? {
        let own = constraints[entity.name] ?? []
        var values: [(ID, [StoredValue])] = []
        for constraint in own {
            var list: [StoredValue] = []
            for slot in constraint.slots {
                let cell = batch.cell(row: row, slot: slot)
                let value = cell.kind == .reference ? .integer(cell.integer) : batch.value(of: cell)
                if value.isNull || value.isNotANumber { break }
                list.append(value)
            }
            guard list.count == constraint.slots.count else { continue }
            if let key = seen[constraint.id]?[list] { return (constraint.id.names, key) }
            values.append((constraint.id, list))
        }
        for (id, list) in values { seen[id, default: [:]][list] = batch.key(ofRow: row) }
        return nil
    }
}
