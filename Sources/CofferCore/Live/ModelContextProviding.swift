/// A class or actor with a context, from which its ``Query`` properties fetch.
///
/// A class of the main actor conforms on the main actor:
///
/// ```swift
/// @MainActor @Observable final class TripList: @MainActor ModelContextProviding {
///     let modelContext: ModelContext
///     @ObservationIgnored @Query(sort: \.start) var trips: [Trip]
///     …
/// }
/// ```
///
/// A ``ModelActor`` needs no conformance; its queries find its context.
public protocol ModelContextProviding {
    /// The context to fetch from.
    var modelContext: ModelContext { get }
}
