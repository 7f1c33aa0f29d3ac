import CofferCore

/// The history of a store of records: a table with an entry for each save, by its number.
///
/// The entry of the number zero, where there is one, has the greatest number that was deleted.
package enum RecordHistory {
    private static let table = RecordSchema.history

    // MARK: Reading

    /// Reads a part of the history.
    static func read(_ query: HistoryQuery, _ reader: any RecordReader) throws -> StoredHistory {
        var history = StoredHistory(start: try start(reader), latest: try latest(reader))
        let first = max(query.after.map { $0 == .max ? .max : $0 + 1 } ?? 1, 1)
        let last = query.through ?? .max
        guard first <= last, query.limit != 0 else { return history }
        let range = KeyRange(from: key(first), to: last == .max ? nil : key(last + 1))
        try reader.scan(table, range, descending: query.isNewestFirst) { _, text in
            let transaction = try StoredTransaction(text: text, isBrief: query.isBrief)
            if query.matches(number: transaction.number, author: transaction.author) {
                history.transactions.append(transaction)
            }
            return history.transactions.count < query.limit ?? .max
        }
        return history
    }

    private static func start(_ reader: any RecordReader) throws -> Int64 {
        try reader.get(table, key(0)).flatMap { Int64(String(decoding: $0, as: UTF8.self)) } ?? 0
    }

    private static func latest(_ reader: any RecordReader) throws -> Int64 {
        var last: Int64 = 0
        try reader.scan(table, .all, descending: true) { key, _ in
            last = IndexKey.row(key) ?? 0
            return false
        }
        return last == 0 ? try start(reader) : max(last, try start(reader))
    }

    private static func key(_ number: Int64) -> [UInt8] { withUnsafeBytes(of: number.bigEndian) { Array($0) } }

    /// Whether tables may be a later state of others, going by the last transaction of these.
    package static func goes(on new: any RecordReader, from old: any RecordReader) throws -> Bool {
        var last: (number: Int64, text: [UInt8])?
        try old.scan(table, .all, descending: true) { key, text in
            if let number = IndexKey.row(key), number > 0 { last = (number, Array(text)) }
            return false
        }
        guard let last, let text = try new.get(table, key(last.number)) else { return true }
        return try last.text.elementsEqual(text)
            || StoredTransaction(text: text).isOfSameSave(
                as: last.text.withUnsafeBytes { try StoredTransaction(text: $0) })
    }

    // MARK: Writing

    /// Adds a transaction, and gives it its number.
    static func append(_ transaction: StoredTransaction, _ writer: any RecordWriter) throws -> Int64 {
        var transaction = transaction
        transaction.number = try StoredTransaction.number(after: try latest(writer))
        try writer.put(table, key(transaction.number), Array(transaction.text.utf8))
        return transaction.number
    }

    /// Puts an entry where it was when its text was read.
    package static func restore(_ text: [UInt8], number: Int64, _ writer: any RecordWriter) throws {
        try writer.put(table, key(number), text)
    }

    /// Removes one entry.
    package static func remove(_ number: Int64, _ writer: any RecordWriter) throws {
        try writer.delete(table, key(number))
    }

    /// Deletes transactions and moves the start on, so that their numbers are not given out again.
    static func forget(_ numbers: KeyRanges, _ writer: any RecordWriter) throws {
        guard let end = numbers.ranges.last?.upperBound else { return }
        let last = min(end, try latest(writer))
        var found: [Int64] = []
        for range in numbers.ranges where range.upperBound >= 1 {
            let upper = range.upperBound == .max ? nil : key(range.upperBound + 1)
            try writer.scan(table, KeyRange(from: key(max(range.lowerBound, 1)), to: upper)) { key, _ in
                if let number = IndexKey.row(key) { found.append(number) }
                return true
            }
        }
        for number in found { try remove(number, writer) }
        try raiseStart(to: last, writer)
    }

    /// Deletes all transactions, and the number that the removal of all rows would have had: whoever has read up to here
    /// misses something from now on.
    static func removeAll(_ writer: any RecordWriter) throws {
        let last = try latest(writer)
        try writer.removeAll(table)
        try raiseStart(to: try StoredTransaction.number(after: last), writer)
    }

    /// Adds transactions under the numbers that they have.
    static func add(_ transactions: [StoredTransaction], start: Int64, _ writer: any RecordWriter) throws {
        for transaction in transactions {
            try writer.put(table, key(transaction.number), Array(transaction.text.utf8))
        }
        try raiseStart(to: start, writer)
    }

    private static func raiseStart(to number: Int64, _ writer: any RecordWriter) throws {
        if number > 0, number > (try start(writer)) { try writer.put(table, key(0), Array(String(number).utf8)) }
    }
}

extension StoredTransaction {
    /// What it says of the changes may have been put into other words.
    fileprivate func isOfSameSave(as other: StoredTransaction) -> Bool {
        timestamp == other.timestamp && processIdentifier == other.processIdentifier && author == other.author
    }
}

extension RecordStoreCore {
    /// A part of the store's history; empty for a store that was made without one and is open for reading only.
    ///
    /// - Throws: what the engine throws; `corruptStore` for a transaction that cannot be read.
    public func history(_ query: HistoryQuery) throws -> StoredHistory {
        guard hasHistory else { return StoredHistory() }
        do {
            return try reading { try RecordHistory.read(query, $0) }
        } catch {
            throw named(error, .history, nil)
        }
    }

    /// Forgets transactions of the history, for ever.
    ///
    /// - Throws: what the engine throws; `corruptStore` for a transaction that cannot be read.
    public func forgetHistory(_ numbers: KeyRanges) throws {
        do {
            try engine.write { try RecordHistory.forget(numbers, $0) }
        } catch {
            throw named(error, .history, nil)
        }
    }

    /// Adds transactions of another store's history under their numbers.
    func importHistory(_ transactions: [StoredTransaction], start: Int64) throws {
        do {
            try engine.write { try RecordHistory.add(transactions, start: start, $0) }
        } catch {
            throw named(error, .history, nil)
        }
    }

    /// The values of rows that outlive them, before the rows are deleted.
    func preserved(
        of deleted: [(entityName: String, keys: [Int64])], _ reader: any RecordReader
    ) throws -> [RowBatch] {
        guard recorder.preservesValues else { return [] }
        return try deleted.compactMap { entityName, keys in
            let slots = recorder.preservedSlots(of: entityName)
            if slots.isEmpty || keys.isEmpty { return nil }
            let space = try space(named: entityName)
            let width = space.hierarchy?.slots(of: entityName).count ?? space.width
            let batch = RowBatch(entityName: entityName, width: width, storeIdentifier: identifier)
            let output = RecordOutput(
                FetchPlan(entityName: entityName, slots: slots), space, decoders[space.index])
            for key in RecordFetch.ascending(keys) {
                if let bytes = try reader.get(space.rows, key) { try output.append(bytes, key: key, to: batch) }
            }
            return batch
        }
    }
}

extension RecordCommit {
    /// The keys of new rows that were written onto stored ones, by batch; empty where there are none.
    func upserted(_ count: Int) -> [Set<Int64>] {
        if new.allSatisfy(\.redirects.isEmpty) { return [] }
        var result = [Set<Int64>](repeating: [], count: count)
        for rows in new where !rows.redirects.isEmpty {
            for part in rows.parts {
                for row in 0..<part.batch.count {
                    let given = part.key + Int64(row)
                    // What went onto another new row is a part of that.
                    if let survivor = rows.redirects[given], rows.row(survivor) == nil {
                        result[part.index].insert(survivor)
                    }
                }
            }
        }
        return result
    }
}
