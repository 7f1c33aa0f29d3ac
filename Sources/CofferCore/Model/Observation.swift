import CofferRuntime
import Observation

/// Tracks what `apply` reads, models of a context included, and calls `onChange` once when one of it changes.
///
/// The same as Observation's function of this name, which it calls: it also tells models that a read may be tracked.
/// Where both modules are imported this one is taken. A getter can then leave Observation alone as long as nobody
/// tracks anything, which makes it several times faster.
///
/// - Parameters:
///   - apply: the reads to track.
///   - onChange: called once, before the first of the tracked properties changes, from wherever it is changed.
/// - Returns: what `apply` returns.
public func withObservationTracking<T>(
    _ apply: () -> T, onChange: @autoclosure () -> @Sendable () -> Void
) -> T {
    coffer_observation_begin()
    defer { coffer_observation_end() }
    return Observation.withObservationTracking(apply, onChange: onChange())
}
