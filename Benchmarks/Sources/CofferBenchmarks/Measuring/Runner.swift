import Coffer
import Foundation

/// Measures workloads: every participant in turn, over and over, so that what disturbs the machine disturbs all.
final class Runner {
    /// A store, or a peer, and its baseline.
    struct Contender {
        let name: String
        let participant: any Participant
        let baseline: (any Participant)?
        let store: (any BenchmarkStore)?

        init(_ store: any BenchmarkStore, withBaseline: Bool) {
            name = store.name
            participant = StoreParticipant(store: store)
            baseline = withBaseline ? store.baseline : nil
            self.store = store
        }

        init(_ peer: Peer, withBaseline: Bool) {
            name = peer.name
            participant = peer
            baseline = withBaseline ? RawSQLite() : nil
            store = nil
        }

        var participants: [any Participant] { (baseline.map { [$0] } ?? []) + [participant] }
    }

    private let contenders: [Contender]
    private let repetitions: Int
    private let folders: WorkFolder
    private let progress: (String) -> Void

    init(
        _ contenders: [Contender], repetitions: Int, folders: WorkFolder, progress: @escaping (String) -> Void
    ) {
        self.contenders = contenders
        self.repetitions = repetitions
        self.folders = folders
        self.progress = progress
    }

    /// Measures one workload on all stores.
    func run(_ workload: Workload, _ data: BenchmarkData) -> [WorkloadResult] {
        // Contenders may have the same baseline, which is measured once.
        var participants: [any Participant] = []
        for participant in contenders.flatMap(\.participants)
        where !participants.contains(where: { $0.name == participant.name }) { participants.append(participant) }
        let runs = participants.map { ParticipantRun($0, workload, data, folders) }
        for (run, participant) in zip(runs, participants) {
            progress("\(workload.id) \(participant.name), \(data.rows) rows: counting")
            run.warmUp()
        }
        for repetition in 0..<repetitions {
            // Each time another one begins: whoever follows a writer finds other caches.
            for index in runs.indices {
                let run = runs[(index + repetition) % runs.count]
                let place = "\(workload.id) \(run.participant.name), \(data.rows) rows"
                progress("\(place): \(repetition + 1) of \(repetitions)")
                run.measure()
            }
        }
        let measurements = Dictionary(uniqueKeysWithValues: runs.map { ($0.participant.name, $0.measurement) })
        var results = contenders.compactMap { contender -> WorkloadResult? in
            guard let ours = measurements[contender.participant.name] else { return nil }
            return WorkloadResult(
                workload: workload.id, title: workload.title, store: contender.name, rows: data.rows,
                operations: workload.operations(data), iterations: workload.iterations(rows: data.rows), ours: ours,
                baseline: contender.baseline.flatMap { measurements[$0.name] },
                target: contender.store?.target(of: workload),
                growthLimit: contender.store?.growthLimit(of: workload), valueBytes: data.tripBytes)
        }
        for index in results.indices {
            guard let store = results[index].target?.store else { continue }
            results[index].reference = results.first { $0.store == store }?.ours.samples
        }
        return results
    }
}
