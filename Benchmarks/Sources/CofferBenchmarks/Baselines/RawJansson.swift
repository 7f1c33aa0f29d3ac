import CRawJansson
import Coffer
import CofferJSON
import Foundation

/// The baseline of the JSON archive: jansson reads a whole document into a tree, or writes one. The document is the
/// archive's own.
struct RawJansson: Participant {
    let name = "raw jansson"
    let keepsFiles = true

    func open(_ folder: URL, for workload: Workload, _ data: BenchmarkData) throws -> any ParticipantSession {
        guard workload.opensStore else { throw Unsupported("jansson reads and writes whole documents only") }
        return RawJanssonSession(folder: folder, data: data)
    }
}

final class RawJanssonSession: ParticipantSession {
    private let folder: URL
    private let data: BenchmarkData
    private var path: String { folder.appendingPathComponent("trips.json").path }

    init(folder: URL, data: BenchmarkData) {
        self.folder = folder
        self.data = data
    }

    private struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    func fill(_ dataset: Workload.Dataset) throws {
        try StoreSession(JSONBenchmark().makeConfiguration(in: folder, isFullyDurable: true), data).fill(dataset)
    }

    func prepare(_ task: Workload.Task) throws -> () throws -> Tally {
        let path = path
        func read() throws -> OpaquePointer {
            if let document = raw_json_read(path) { return document }
            throw Failure(description: "jansson cannot read the document")
        }
        if task == .open {
            return {
                let document = try read()
                defer { raw_json_free(document) }
                return Tally(rows: raw_json_rows(document, "Trip") > 0 ? 1 : 0)
            }
        }
        let document = try read()
        return {
            defer { raw_json_free(document) }
            guard raw_json_replace(document, path) == 0 else {
                throw Failure(description: "jansson cannot write the document")
            }
            return Tally()
        }
    }

    /// What the document holds, and the row that ``Workload/Task/close`` adds to a store.
    func totals() throws -> StoredTotals {
        guard let document = raw_json_read(path) else { throw Failure(description: "the document is gone") }
        defer { raw_json_free(document) }
        return StoredTotals(
            trips: raw_json_rows(document, "Trip") + 1,
            budget: raw_json_sum(document, "Trip", "budget") + data.trips[0].budget)
    }
}
