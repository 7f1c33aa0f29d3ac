import CofferCore
import CofferRecords

/// The engine in memory, which takes its tables from a log when it is opened and adds to it what each save changes.
final class LogEngine: RecordEngine {
    private let memory: MemoryEngine
    private let file: LogFile

    init(_ path: String, isReadOnly: Bool) throws {
        memory = MemoryEngine(path: path, isReadOnly: isReadOnly)
        file = try LogFile(path, isReadOnly: isReadOnly)
        var tables: [String: RecordTable] = [:]
        try memory.fill { writer in try file.read { try LogEntry.replay($0, writer, &tables) } }
    }

    var path: String? { memory.path }
    var isReadOnly: Bool { memory.isReadOnly }
    var maximumKeySize: Int { memory.maximumKeySize }

    func read<T>(_ body: (any RecordReader) throws -> T) throws -> T { try memory.read(body) }

    func write<T>(_ body: (any RecordWriter) throws -> T) throws -> T {
        try memory.write { writer in
            let writer = LogWriter(writer)
            let result = try body(writer)
            // What is in memory counts once this closure has returned: the disk comes first.
            if !writer.log.isEmpty { try file.append(writer.log) }
            return result
        }
    }

    func close() {
        memory.close()
        file.close()
    }
}
