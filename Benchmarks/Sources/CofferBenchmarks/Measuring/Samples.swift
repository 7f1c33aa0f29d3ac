import Foundation

/// The times of one piece of work, in the order of the repetitions.
struct Samples: Codable, Sendable {
    /// Seconds of processor time, one for each repetition.
    var seconds: [Double] = []

    var isEmpty: Bool { seconds.isEmpty }
    var median: Double { seconds.median }
    var minimum: Double { seconds.min() ?? 0 }
    var maximum: Double { seconds.max() ?? 0 }
}

extension [Double] {
    /// The middle value, or the mean of the two in the middle; 0 where there is none.
    var median: Double {
        guard !isEmpty else { return 0 }
        let sorted = sorted()
        let middle = sorted.count / 2
        return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }
}
