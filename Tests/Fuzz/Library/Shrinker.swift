/// Cuts a program down to steps that are all needed for a difference (delta debugging).
struct Shrinker {
    private let store: FuzzStore
    private let contexts: Int
    /// How many times the program may be run.
    private var runs = 600

    init(_ store: FuzzStore, _ contexts: Int) {
        self.store = store
        self.contexts = contexts
    }

    /// A shorter program with a difference, not necessarily the same, and the difference.
    mutating func shrink(
        _ program: [Operation], _ difference: Difference
    ) throws -> (program: [Operation], difference: Difference) {
        var (program, difference) = (program, difference)
        var size = max(1, program.count / 2)
        while true {
            var start = 0
            var isShorter = false
            while start < program.count, runs > 0 {
                var candidate = program
                candidate.removeSubrange(start..<min(start + size, program.count))
                runs -= 1
                if let found = try FuzzRun.difference(candidate, store, contexts) {
                    program = Array(candidate.prefix(found.count))
                    difference = found.difference
                    isShorter = true
                } else {
                    start += size
                }
            }
            if runs == 0 || size == 1 && !isShorter { return (program, difference) }
            size = max(1, size / 2)
        }
    }
}
