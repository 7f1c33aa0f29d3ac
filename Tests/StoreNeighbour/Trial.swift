import Coffer
import Foundation
import Synchronization

/// A process that opens a store when it is told to, under what the system does to it: `StoreNeighbour KIND PATH trial`.
///
/// It carries out one order for each line and answers each with a line: `done`, a number, or `threw CODE` and why.
///
/// - `mask OCTAL`, `files NUMBER` (may be open beside those that are), `nobody` (loses the superuser's rights)
/// - `open`, `close`, `insert NAME SIZE`, `add NAME` (one to its count), `count`
/// - `open more`, `open narrow`: the same with newer models, which a store is brought up to in place, or by copying
/// - `read`: opens for reading only; `erase`; `sizes` (of all labels together)
/// - `cycle PREFIX NUMBER`: opens, saves a barrel and closes so often; `look NUMBER`: opens for reading only, reads and
///   closes, and answers with the errors
/// - `threads PREFIX THREADS NUMBER`: the cycles of so many threads, each with a container of its own
/// - `pour PREFIX NUMBER`: a save for each barrel; `pour PREFIX` alone goes on until the process is killed
struct Trial {
    private let configuration: any DataStoreConfiguration
    private var context: ModelContext?
    private var cask: any Cask.Type = Barrel.self

    init(_ configuration: any DataStoreConfiguration) { self.configuration = configuration }

    mutating func run() {
        StoreNeighbour.say("ready")
        while let line = readLine() {
            do {
                StoreNeighbour.say(try follow(line.split(separator: " ").map(String.init)))
            } catch let error as SwiftDataError {
                StoreNeighbour.say(
                    "threw \(error.code) \(error.file == nil ? "without a file" : "") \(error.detail ?? "")")
            } catch {
                StoreNeighbour.say("threw something else: \(error)")
            }
        }
    }

    private func opened() throws -> ModelContext {
        guard let context else { throw SwiftDataError(.missingModelContext) }
        return context
    }

    private mutating func follow(_ order: [String]) throws -> String {
        switch order[0] {
        case "mask": umask(mode_t(order[1], radix: 8) ?? 0)
        case "nobody":
            // Rights mean nothing to the superuser.
            if getuid() == 0, setgid(65534) != 0 || setuid(65534) != 0 { return "cannot become nobody" }
        case "files": try limitFiles(Int(order[1]) ?? 0)
        case "open":
            cask =
                switch order.dropFirst().first {
                case "more": Refitted.Barrel.self
                case "narrow": Shrunk.Barrel.self
                default: Barrel.self
                }
            try openStore(configuration)
        case "read": try openStore(configuration.forReading)
        case "erase": try opened().container.erase()
        case "close": context = nil
        case "insert": try insert(order[1], size: Int(order[2]) ?? 0)
        case "add":
            let (context, name) = (try opened(), order[1])
            for barrel in try context.fetch(FetchDescriptor<Barrel>(predicate: #Predicate { $0.name == name })) {
                barrel.count += 1
            }
            try context.save()
        case "count": return String(try count(cask))
        case "sizes": return String(try sizes(cask))
        case "cycle": for number in 0..<(Int(order[2]) ?? 0) { try cycle("\(order[1])\(number)", size: number) }
        case "look": return try look(Int(order[1]) ?? 0)
        case "threads": return threads(order[1], Int(order[2]) ?? 0, Int(order[3]) ?? 0)
        case "pour":
            guard order.count > 2 else { return try pourForEver(order[1]) }
            for number in 0..<(Int(order[2]) ?? 0) { try insert("\(order[1])\(number)", size: 10) }
        default: return "unknown order"
        }
        return "done"
    }

    private mutating func openStore(_ configuration: any DataStoreConfiguration) throws {
        context = nil
        context = ModelContext(try ModelContainer(for: Schema([cask]), configurations: [configuration]))
    }

    private func count<C: Cask>(_ type: C.Type) throws -> Int { try opened().fetchCount(FetchDescriptor<C>()) }

    private func sizes<C: Cask>(_ type: C.Type) throws -> Int {
        try opened().fetch(FetchDescriptor<C>()).reduce(0) { $0 + ($1.label?.count ?? 0) }
    }

    private mutating func cycle(_ name: String, size: Int) throws {
        try openStore(configuration)
        try insert(name, size: size % 3 == 0 ? 20_000 : 100)
        context = nil
    }

    private mutating func look(_ times: Int) throws -> String {
        var errors: Set<String> = []
        for _ in 0..<times {
            do {
                try openStore(configuration.forReading)
                _ = try sizes(cask)
            } catch let error as SwiftDataError {
                errors.insert("\(error.code) \(error.detail ?? "")")
            }
            context = nil
        }
        return errors.isEmpty ? "done" : errors.sorted().joined(separator: "; ")
    }

    private func threads(_ prefix: String, _ threads: Int, _ times: Int) -> String {
        // The protocol does not say so, but those of the stores are values.
        nonisolated(unsafe) let configuration = configuration
        let errors = Mutex<Set<String>>([])
        DispatchQueue.concurrentPerform(iterations: threads) { thread in
            var trial = Trial(configuration)
            do {
                for number in 0..<times { try trial.cycle("\(prefix)\(thread)-\(number)", size: number) }
            } catch {
                errors.withLock { _ = $0.insert("\(error)".replacing("\n", with: " ")) }
            }
        }
        let found = errors.withLock { $0 }
        return found.isEmpty ? "done" : found.sorted().joined(separator: "; ")
    }

    private func insert(_ name: String, size: Int) throws { try insert(cask.init(name, 0), size: size) }

    private func insert(_ barrel: any Cask, size: Int) throws {
        let context = try opened()
        barrel.label = Data(repeating: 7, count: size)
        context.insert(barrel)
        do {
            try context.save()
        } catch {
            let isThere = context.hasChanges
            context.rollback()
            // The unsaved changes of a save that threw are still there.
            if !isThere {
                throw SwiftDataError(.missingModelContext, detail: "the changes are gone", underlying: error)
            }
            throw error
        }
    }

    private func pourForEver(_ prefix: String) throws -> String {
        var number = 0
        while true {
            try insert("\(prefix)\(number)", size: number % 5 == 0 ? 20_000 : 100)
            number += 1
            if number == 3 { StoreNeighbour.say("pouring") }
        }
    }

    /// Leaves so many descriptors.
    private func limitFiles(_ count: Int) throws {
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        var limit = rlimit()
        getrlimit(resource, &limit)
        limit.rlim_cur = limit.rlim_max
        setrlimit(resource, &limit)
        if count < 0 { return }
        let next = open("/dev/null", O_RDONLY)
        guard next >= 0 else { throw SwiftDataError(.ioFailure) }
        close(next)
        limit.rlim_cur = rlim_t(Int(next) + count)
        setrlimit(resource, &limit)
    }
}
