/// A store of rows into which the rows of another one can be copied under their own keys.
///
/// Migration and conversion need it of the store that is made. The members are called while nobody else uses the store.
public protocol ImportingRowStore: RowStore {
    /// Stores rows under the keys that they have, which no stored row has.
    ///
    /// Links may lead to rows that come later; they are taken as they are. Lists are not among the cells: the copy
    /// writes them afterwards, as changes of rows that are all there.
    ///
    /// - Parameter batches: rows with positive keys, in ascending order, with a cell for every stored property that is
    ///   no list.
    /// - Throws: ``SwiftDataError/uniquenessConflict`` where two rows have the same unique values, with entity and
    ///   property; ``SwiftDataError/missingRequiredValue``; what a save throws.
    func importRows(_ batches: [RowBatch]) throws

    /// The key that the next new row gets, by the name of the topmost entity.
    ///
    /// - Throws: what the store throws when it cannot read or write.
    func nextKeys() throws -> [String: Int64]

    /// Has no new row get a lower key. Entities that the store does not have are passed over.
    ///
    /// - Throws: what the store throws when it cannot read or write.
    func reserveKeys(_ next: [String: Int64]) throws

    /// Adds transactions of another store's history under the numbers that they have; of a store that declares
    /// ``StoreCapabilities/Features/history``, defaulted for all others.
    ///
    /// - Parameters:
    ///   - transactions: in ascending order of their numbers, later than those that are there.
    ///   - start: the greatest number that was deleted from the history; zero where none was.
    /// - Throws: ``DataStoreError/unsupportedFeature`` by default.
    func importHistory(_ transactions: [StoredTransaction], start: Int64) throws

    /// The version of the format in which the store lays its data out; defaulted: nil, for a store that has no such thing.
    var formatVersion: Int? { get }

    /// Compares the store's own indexes, and whatever else it keeps twice, with the rows; defaulted: nothing is wrong.
    ///
    /// - Returns: what does not agree, and where.
    /// - Throws: what the store throws when it cannot be read; what is wrong with it is in the answer.
    /// - Complexity: O(*size of the store*).
    func checkIndexes() throws -> [StoreProblem]

    /// Runs a body whose reads of this store, one after the other, see one state of it, whatever others save meanwhile;
    /// defaulted: each read sees the state of its own time, which is the same where nobody can save.
    ///
    /// Called on one thread, while no other uses this store. A read that begins within a block of another may see a newer
    /// state, and the body saves nothing to the store.
    ///
    /// - Parameter body: what reads.
    /// - Returns: what the body returns.
    /// - Throws: what the body throws, and what the store throws when it cannot be read.
    func withOneState<T>(_ body: () throws -> T) throws -> T
}

extension ImportingRowStore {
    public func importHistory(_ transactions: [StoredTransaction], start: Int64) throws {
        throw DataStoreError.unsupportedFeature
    }

    public var formatVersion: Int? { nil }
    public func checkIndexes() throws -> [StoreProblem] { [] }
    public func withOneState<T>(_ body: () throws -> T) throws -> T { try body() }
}
