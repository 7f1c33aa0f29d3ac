import CofferCore

/// Appends records to the batch of a plan.
enum RecordOutput {
    /// Rows of an entity without relatives.
    case rows(RecordDecoder)
    /// Rows of a hierarchy, each in the slots of its own entity; by way of a batch with the slots of the space.
    case members(RecordDecoder, FlatHierarchy.Reader, RowBatch)

    /// - Parameters:
    ///   - plan: as the context made it, in the slots of its entity.
    ///   - decoder: for all fields of the space.
    init(_ plan: FetchPlan, _ space: RecordSpace, _ decoder: RecordDecoder) {
        if let hierarchy = space.hierarchy {
            let reader = FlatHierarchy.Reader(plan, hierarchy) { space.field(ofSlot: $0) != nil }
            self = .members(
                decoder, reader,
                RowBatch(entityName: space.entityName, width: space.width, storeIdentifier: nil, capacity: 1))
        } else {
            self = .rows(plan.slots.map { RecordDecoder(space, slots: $0) } ?? decoder)
        }
    }

    @inline(__always)
    func append(_ bytes: UnsafeRawBufferPointer, key: Int64, to batch: RowBatch) throws {
        switch self {
        case .rows(let decoder): try decoder.append(bytes, key: key, to: batch)
        case .members(let decoder, let reader, let flat):
            flat.removeAll()
            try decoder.append(bytes, key: key, to: flat)
            reader.append(flat, 0..<1, to: batch)
        }
    }

    /// Reads the keys of lists that a plan asks for by name.
    func fillLists(
        _ plan: FetchPlan, _ space: RecordSpace, _ layout: RecordSchema, _ batch: RowBatch, from first: Int,
        _ reader: any RecordReader
    ) throws {
        guard let slots = plan.slots, !space.lists.isEmpty else { return }
        for row in first..<batch.count {
            let own = space.hierarchy.map { $0.slots(of: batch.entityName(ofRow: row)) }
            for slot in slots {
                if let own, !own.indices.contains(slot) { continue }
                guard let place = space.list(ofSlot: own.map { $0[slot] } ?? slot) else { continue }
                let keys = try RecordList.members(of: batch.key(ofRow: row), place, layout, reader)
                batch.setReferences(keys, row: row, slot: slot)
            }
        }
    }
}
