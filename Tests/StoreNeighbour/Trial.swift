import Coffer
import Foundation

@Model final class Barrel {
    @Attribute(.unique) var name: String
    var count: Int
    @Attribute(.externalStorage) var label: Data?
    init(_ name: String, _ count: Int) {
        self.name = name
        self.count = count
    }
}

/// A process that opens a store when it is told to, under what the system does to it: `StoreNeighbour KIND PATH trial`.
///
/// It carries out one order for each line and answers each with a line: `done`, a number, or `threw CODE` and why.
///
/// - `mask OCTAL`, `files NUMBER` (may be open beside those that are), `nobody` (loses the superuser's rights)
/// - `open`, `close`, `insert NAME SIZE`, `add NAME` (one to its count), `count`
/// - `pour PREFIX NUMBER`: a save for each barrel; `pour PREFIX` alone goes on until the process is killed
struct Trial {
    private let configuration: any DataStoreConfiguration
    private var context: ModelContext?

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
            let made = try ModelContainer(for: Schema([Barrel.self]), configurations: [configuration])
            context = ModelContext(made)
        case "close": context = nil
        case "insert": try insert(order[1], size: Int(order[2]) ?? 0)
        case "add":
            let (context, name) = (try opened(), order[1])
            for barrel in try context.fetch(FetchDescriptor<Barrel>(predicate: #Predicate { $0.name == name })) {
                barrel.count += 1
            }
            try context.save()
        case "count": return String(try opened().fetchCount(FetchDescriptor<Barrel>()))
        case "pour":
            guard order.count > 2 else { return try pourForEver(order[1]) }
            for number in 0..<(Int(order[2]) ?? 0) { try insert("\(order[1])\(number)", size: 10) }
        default: return "unknown order"
        }
        return "done"
    }

    private func insert(_ name: String, size: Int) throws {
        let context = try opened()
        let barrel = Barrel(name, 0)
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
