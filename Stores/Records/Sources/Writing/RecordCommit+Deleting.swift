import CofferCore

extension RecordCommit {
    /// Deletes rows and notes those that have links to them. Unknown keys are passed over.
    mutating func delete(_ deleted: [(entityName: String, keys: [Int64])]) throws {
        var gone: [(space: RecordSpace, keys: [Int64])] = []
        for (entityName, keys) in deleted {
            guard let space = layout.space(of: entityName) else { throw unknown(entityName) }
            var found: [Int64] = []
            for key in RecordFetch.ascending(keys) {
                if try delete(key, space) {
                    found.append(key)
                } else {
                    missing.insert(RowPlace(space: space.index, key: key))
                }
            }
            gone.append((space, found))
        }
        for (space, keys) in gone {
            for link in layout.linksTo[space.index] {
                guard let table = layout.spaces[link.space].fields[link.field].links,
                    try writer.count(table) > 0
                else { continue }
                for key in keys {
                    try writer.scan(table, LinkKey.range(of: key)) { entry, _ in
                        orphans.append((link.space, link.field, LinkKey.member(entry)))
                        return true
                    }
                }
            }
            for pairs in layout.pairs {
                for side in [PairSide.owner, .member] where pairs.space(at: side) == space.index {
                    if try writer.count(pairs.table(at: side)) == 0 { continue }
                    for key in keys { try unpair(key, pairs, side) }
                }
            }
        }
    }

    /// Deletes one row with its index entries and its own links.
    private func delete(_ key: Int64, _ space: RecordSpace) throws -> Bool {
        guard let bytes = try writer.get(space.rows, key) else { return false }
        let record = try Record(bytes, fields: space.fields.count)
        for index in space.indexes { try writer.delete(index.table, entry(of: index, record, key).bytes) }
        if let words = space.words {
            var entries = WordBuffer(maximumKeySize: maximumKeySize)
            entries.add(record, row: key, of: words)
            try entries.remove(from: words.table, writer)
        }
        for field in space.links {
            if let links = field.links, let target = record.link(field.number) {
                try writer.deleteLink(links, target, key)
            }
        }
        return try writer.delete(space.rows, key)
    }

    /// Removes all pairs of a row.
    private func unpair(_ key: Int64, _ pairs: RecordPairs, _ side: PairSide) throws {
        var others: [Int64] = []
        try writer.scan(pairs.table(at: side), LinkKey.range(of: key)) { entry, _ in
            others.append(LinkKey.member(entry))
            return true
        }
        for other in others {
            try writer.deleteLink(pairs.table(at: side), key, other)
            try writer.deleteLink(pairs.table(at: side.opposite), other, key)
        }
    }

    /// Cuts what still leads to deleted rows, or finds that it must not.
    mutating func cutOrphans() throws {
        for (spaceIndex, number, key) in orphans {
            let space = layout.spaces[spaceIndex]
            let field = space.fields[number]
            guard let bytes = try writer.get(space.rows, key), let target = try Record(bytes).link(number),
                try !exists(target, in: field.destination ?? 0)
            else { continue }
            try cut(field, of: key, space)
        }
    }

    /// Takes the links of rows that new ones were written onto away from whoever had them before.
    mutating func leavePartners() throws {
        for place in Set(merges.map { RowPlace(space: $0.space, key: $0.key) }) {
            let (space, key) = (layout.spaces[place.space], place.key)
            for link in space.links {
                guard let partner = link.partner, let destination = link.destination,
                    let links = layout.spaces[destination].fields[partner].links,
                    let bytes = try writer.get(space.rows, key)
                else { continue }
                let holder = try Record(bytes).link(link.number)
                var others: [Int64] = []
                try writer.scan(links, LinkKey.range(of: key)) { entry, _ in
                    let other = LinkKey.member(entry)
                    if other != holder { others.append(other) }
                    return true
                }
                let other = layout.spaces[destination]
                for row in others { try cut(other.fields[partner], of: row, other) }
            }
        }
    }

    /// Has a row's link lead nowhere.
    private mutating func cut(_ field: RecordField, of key: Int64, _ space: RecordSpace) throws {
        if field.isRequired { throw brokenLink(space, field.property, toNew: false) }
        let batch = RowBatch(entityName: space.entityName, width: space.width, storeIdentifier: nil, capacity: 1)
        batch.appendRow(key: key)
        batch.set(RowCell(.null), row: 0, slot: field.slot)
        for index in space.uniques where index.fields.contains(field.number) {
            try removeUnique(index, space, key)
            layers[RowPlace(space: space.index, key: key), default: []].append((batch, 0))
            try insertUnique(index, space, key)
        }
        try update(batch, 0, space, key: key)
    }

    /// The entry of a stored row in an index.
    func entry(of index: RecordIndex, _ record: Record, _ key: Int64) -> IndexKey {
        IndexKey(of: index, record, key, maximumSize: maximumKeySize)
    }
}
