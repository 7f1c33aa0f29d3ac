import Foundation

/// How the time of one operation grows with the number of rows: as `rows` to the power of ``exponent``.
struct GrowthFit {
    let exponent: Double

    /// The least squares line through the logarithms; nil for fewer than two sizes.
    init?(_ points: [(rows: Int, seconds: Double)]) {
        let usable = points.filter { $0.seconds > 0 }
        guard Set(usable.map(\.rows)).count > 1 else { return nil }
        let x = usable.map { log(Double($0.rows)) }
        let y = usable.map { log($0.seconds) }
        let meanX = x.reduce(0, +) / Double(x.count)
        let meanY = y.reduce(0, +) / Double(y.count)
        let covariance = zip(x, y).reduce(0) { $0 + ($1.0 - meanX) * ($1.1 - meanY) }
        let variance = x.reduce(0) { $0 + ($1 - meanX) * ($1 - meanX) }
        exponent = covariance / variance
    }
}

extension Workload.Growth {
    /// The greatest exponent that counts as this growth. A logarithm from 10,000 to 1,000,000 rows is one of 0.09; the
    /// rest is for the caches of the processor, which hold less and less of what there is.
    ///
    /// - Parameter baseline: the exponent of the same work without Coffer.
    func limit(baseline: Double?) -> Double {
        switch self {
        case .constant: max(0.15, (baseline ?? 0) + 0.05)
        case .linear: max(1.1, (baseline ?? 0) + 0.05)
        case .engine: max(0.15, (baseline ?? 0.2) + 0.1)
        }
    }
}
