import Coffer
import Foundation

/// A store of Coffer's, or a stranger's, behind a model context.
struct StoreParticipant: Participant {
    let store: any BenchmarkStore
    /// Counts what reaches the store; nil where it is timed.
    var counter: RequestCounter?

    var name: String { store.name }
    var keepsFiles: Bool { store.keepsFiles }

    func open(_ folder: URL, for workload: Workload, _ data: BenchmarkData) throws -> any ParticipantSession {
        if workload.opensStore, !keepsFiles { throw Unsupported("nothing is there to be opened again") }
        var configuration = store.makeConfiguration(in: folder, isFullyDurable: workload.isFullyDurable)
        if let counter { configuration = RecordingConfiguration(base: configuration, counter: counter) }
        return workload.isIndexed
            ? IndexedStoreSession(configuration, data) : StoreSession(configuration, data)
    }
}
