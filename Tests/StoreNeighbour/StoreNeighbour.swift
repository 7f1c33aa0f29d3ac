import Coffer
import CofferJSON
import CofferLMDB
import Foundation

@Model final class Keg {
    @Attribute(.unique) var name: String
    var count: Int
    init(_ name: String, _ count: Int) {
        self.name = name
        self.count = count
    }
}

/// Another process at a store, for tests: `StoreNeighbour sqlite|lmdb|json PATH`.
///
/// It opens the store, says `ready`, and carries out one order for each line that it reads, saying `done` after each:
/// `insert NAME COUNT`, `set NAME COUNT`, `delete NAME`, `forget` (the whole history). With a word behind the path it is a
/// ``Trial``.
@main struct StoreNeighbour {
    static func main() throws {
        let url = URL(fileURLWithPath: CommandLine.arguments[2])
        let configuration = configuration(CommandLine.arguments[1], url)
        if CommandLine.arguments.count > 3 {
            var trial = Trial(configuration)
            return trial.run()
        }
        let context = ModelContext(try ModelContainer(for: Schema([Keg.self]), configurations: [configuration]))
        context.author = "neighbour"
        say("ready")
        while let line = readLine() {
            try follow(line.split(separator: " ").map(String.init), context)
            say("done")
        }
    }

    /// Others are waited for, however busy the machine is.
    private static func configuration(_ kind: String, _ url: URL) -> any DataStoreConfiguration {
        let patience = Duration.seconds(60)
        switch kind {
        case "lmdb":
            var configuration = LMDBStoreConfiguration(url: url)
            configuration.busyTimeout = patience
            return configuration
        case "json":
            var configuration = JSONArchiveConfiguration(url: url)
            configuration.busyTimeout = patience
            return configuration
        default:
            var configuration = SQLiteStoreConfiguration(url: url)
            configuration.busyTimeout = patience
            return configuration
        }
    }

    private static func follow(_ order: [String], _ context: ModelContext) throws {
        switch order[0] {
        case "insert":
            context.insert(Keg(order[1], Int(order[2]) ?? 0))
        case "set":
            let name = order[1]
            for keg in try context.fetch(FetchDescriptor<Keg>(predicate: #Predicate { $0.name == name })) {
                keg.count = Int(order[2]) ?? 0
            }
        case "delete":
            let name = order[1]
            try context.delete(model: Keg.self, where: #Predicate { $0.name == name })
        default:
            try context.deleteHistory(HistoryDescriptor<DefaultHistoryTransaction>())
        }
        try context.save()
    }

    static func say(_ text: String) {
        print(text)
        fflush(nil)
    }
}
