/// The results of a fetch in batches: elements are loaded as they are reached.
///
/// ```swift
/// var descriptor = FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.start)])
/// descriptor.includePendingChanges = false
/// for trip in try context.fetch(descriptor, batchSize: 100) { … }
/// ```
///
/// How many elements there are, and which, is settled by the fetch; their values are read batch by batch. A few batches
/// are kept, so going through the collection in either direction reads each batch once, and a result of any size
/// needs memory for those few alone. Going back further reads again.
///
/// Reading a batch can fail long after the fetch, and a subscript cannot throw. The elements of that batch are then
/// placeholders: models that know their identifier and read their values from the store when asked for them, so that
/// the failure shows where a value is needed, or is gone by then. ``loadError`` keeps the latest failure. Code that
/// must know at once uses ``element(at:)`` or ``load(_:)``, which throw, and which also try a batch again that failed
/// before.
///
/// Isolation: the collection belongs to the isolation of the context that fetched it.
public struct FetchResultsCollection<Element>: RandomAccessCollection {
    /// Positions are whole numbers from zero.
    public typealias Index = Int
    /// The positions.
    public typealias Indices = Range<Int>
    /// Goes through the elements in order.
    public typealias Iterator = IndexingIterator<FetchResultsCollection<Element>>
    /// A part of the collection, which loads like the whole.
    public typealias SubSequence = Slice<FetchResultsCollection<Element>>

    private let batches: Batches

    /// Makes a collection.
    ///
    /// - Parameters:
    ///   - count: the number of elements.
    ///   - batchSize: how many are loaded at a time; less than one counts as one.
    ///   - loadBatch: loads the elements at some positions, in order and without gaps. May be called again for the same
    ///     positions.
    ///   - placeholder: what stands for the element at a position when its batch cannot be loaded.
    init(
        count: Int, batchSize: Int, loadBatch: @escaping (Range<Int>) throws -> [Element],
        placeholder: @escaping (Int) -> Element
    ) {
        batches = Batches(
            count: count, batchSize: Swift.max(batchSize, 1), loadBatch: loadBatch, placeholder: placeholder)
    }

    /// Zero.
    public var startIndex: Int { 0 }

    /// The number of elements.
    public var endIndex: Int { batches.count }

    /// The element at a position; a placeholder when its batch cannot be loaded.
    ///
    /// Complexity: constant where the batch is loaded; otherwise a fetch of one batch.
    ///
    /// - Precondition: the position is in `indices`.
    public subscript(position: Int) -> Element {
        precondition(position >= 0 && position < batches.count, "the position is outside of the results")
        if batches.failure?.number == position / batches.batchSize { return batches.placeholder(position) }
        return (try? batches.element(at: position)) ?? batches.placeholder(position)
    }

    /// The latest failure to load a batch, until that batch is loaded after all; nil when there is none.
    public var loadError: (any Error)? { batches.failure?.error }

    /// The element at a position.
    ///
    /// - Throws: whatever loading its batch throws.
    /// - Precondition: the position is in `indices`.
    public func element(at position: Int) throws -> Element {
        precondition(position >= 0 && position < batches.count, "the position is outside of the results")
        return try batches.element(at: position)
    }

    /// The elements at some positions, loaded batch by batch.
    ///
    /// - Throws: whatever loading a batch throws.
    /// - Precondition: the positions are in `indices`.
    public func load(_ positions: Range<Int>) throws -> [Element] {
        precondition(
            positions.lowerBound >= 0 && positions.upperBound <= batches.count,
            "the positions are outside of the results")
        return try positions.map(batches.element)
    }

    /// The batches that are in memory. A class, so that copies of the collection share them.
    private final class Batches {
        /// How many batches are kept: the current one, its neighbours, and one for a second reader.
        static var keptCount: Int { 4 }

        let count: Int
        let batchSize: Int
        let loadBatch: (Range<Int>) throws -> [Element]
        let placeholder: (Int) -> Element
        /// The loaded batches, the latest used last.
        var loaded: [(number: Int, elements: [Element])] = []
        var failure: (number: Int, error: any Error)?

        init(
            count: Int, batchSize: Int, loadBatch: @escaping (Range<Int>) throws -> [Element],
            placeholder: @escaping (Int) -> Element
        ) {
            self.count = count
            self.batchSize = batchSize
            self.loadBatch = loadBatch
            self.placeholder = placeholder
        }

        func element(at position: Int) throws -> Element {
            let (number, offset) = position.quotientAndRemainder(dividingBy: batchSize)
            if let last = loaded.last, last.number == number { return last.elements[offset] }
            if let place = loaded.firstIndex(where: { $0.number == number }) {
                let batch = loaded.remove(at: place)
                loaded.append(batch)
                return batch.elements[offset]
            }
            return try load(number)[offset]
        }

        private func load(_ number: Int) throws -> [Element] {
            let start = number * batchSize
            let range = start..<Swift.min(start + batchSize, count)
            do {
                let elements = try loadBatch(range)
                guard elements.count == range.count else {
                    throw SwiftDataError(
                        .modelNotFound, operation: .fetch,
                        detail: "\(range.count - elements.count) of \(range.count) rows of a batch are gone")
                }
                if failure?.number == number { failure = nil }
                if loaded.count == Self.keptCount { loaded.removeFirst() }
                loaded.append((number, elements))
                return elements
            } catch {
                failure = (number, error)
                throw error
            }
        }
    }
}
