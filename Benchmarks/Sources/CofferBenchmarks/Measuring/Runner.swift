import Coffer
import Foundation

/// Measures workloads: every participant in turn, over and over, so that what disturbs the machine disturbs all.
final class Runner {
    /// A store and its baseline.
    struct Contender {
        let store: any BenchmarkStore
        let participant: StoreParticipant
        let baseline: (any Participant)?

        init(_ store: any BenchmarkStore, withBaseline: Bool) {
            self.store = store
            participant = StoreParticipant(store: store)
            baseline = withBaseline ? store.baseline : nil
        }

        var participants: [any Participant] { (baseline.map { [$0] } ?? []) + [participant] }
    }

    private let contenders: [Contender]
    private let repetitions: Int
    private let folders: WorkFolder
    private let progress: (String) -> Void

    init(
        stores: [any BenchmarkStore], withBaselines: Bool, repetitions: Int, folders: WorkFolder,
        progress: @escaping (String) -> Void
    ) {
        contenders = stores.map { Contender($0, withBaseline: withBaselines) }
        self.repetitions = repetitions
        self.folders = folders
        self.progress = progress
    }

    /// Measures one workload on all stores.
    func run(_ workload: Workload, _ data: BenchmarkData) -> [WorkloadResult] {
        let participants = contenders.flatMap(\.participants)
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
        var next = 0
        var results: [WorkloadResult] = []
        for contender in contenders {
            let baseline = contender.baseline == nil ? nil : runs[next].measurement
            if contender.baseline != nil { next += 1 }
            results.append(
                WorkloadResult(
                    workload: workload.id, title: workload.title, store: contender.store.name, rows: data.rows,
                    operations: workload.operations(data), iterations: workload.iterations(rows: data.rows),
                    ours: runs[next].measurement, baseline: baseline, target: contender.store.target(of: workload),
                    growthLimit: contender.store.growthLimit(of: workload),
                    valueBytes: data.tripBytes))
            next += 1
        }
        for index in results.indices {
            guard let store = results[index].target?.store else { continue }
            results[index].reference = results.first { $0.store == store }?.ours.samples
        }
        return results
    }
}
