import Coffer
import Foundation

/// Reads a dump into a store in memory, and sees to it that what is in it fits together: a dump may have been edited.
struct DumpReader {
    private let path: String

    /// - Parameter path: the file; `-` for standard input.
    init(_ path: String) { self.path = path }

    /// Reads all of it.
    ///
    /// - Throws: ``CommandFailure`` that names the line and the column.
    /// - Complexity: O(*size of the file*), in memory too.
    func load(progress: (_ rows: Int) -> Void = { _ in }) throws -> any ImportingRowStore {
        let lines = try self.lines()
        guard lines.count >= 3 else { throw CommandFailure("\(name): is no dump, or cut off") }
        let identifier = try readHeader(lines[0])
        let schema = try readSchema(lines[1])
        let store = try InMemoryStore(InMemoryStoreConfiguration(name, schema: schema), identifier: identifier)
        guard let last = lines.last, (try? JSONValue(last)["coffer dump"]?.text) == "end" else {
            throw CommandFailure("\(name):\(lines.count): the dump is cut off: its last line is missing")
        }
        var filling = DumpFilling(store)
        for (index, line) in lines.enumerated().dropFirst(3).dropLast() {
            try named(index) { try filling.add(try JSONValue(line), line: index + 1) }
            if index % 1024 == 0 { progress(index) }
        }
        do {
            try filling.finish(nextKeys: try readNextKeys(lines[2]))
            if let latest = try JSONValue(lines[2])["history"]?.integer, latest > 0, latest < .max {
                try store.importHistory([], start: latest)
            }
        } catch let error as DumpFilling.Fault {
            throw CommandFailure("\(name):\(error.line): \(error.detail)")
        }
        let problems = try StoreCheck(of: store).run()
        if let first = problems.first {
            let more = problems.count > 1 ? "; and \(problems.count - 1) problems more" : ""
            throw CommandFailure("\(name): what is in it does not fit together: \(first)\(more)")
        }
        return store
    }

    /// The schema alone.
    func schema() throws -> Schema {
        let lines = try self.lines()
        guard lines.count >= 3 else { throw CommandFailure("\(name): is no dump, or cut off") }
        _ = try readHeader(lines[0])
        return try readSchema(lines[1])
    }

    private var name: String { path == "-" ? "standard input" : path }

    private func lines() throws -> [Data] {
        let data: Data
        do {
            data =
                path == "-"
                ? try FileHandle.standardInput.readToEnd() ?? Data()
                : try Data(contentsOf: URL(fileURLWithPath: path), options: .mappedIfSafe)
        } catch {
            throw CommandFailure("\(name): cannot be read: \(String(cString: strerror(errno)))")
        }
        return data.split(separator: UInt8(ascii: "\n"))
    }

    /// Runs a body whose failures get the number of the line.
    private func named<T>(_ index: Int, _ body: () throws -> T) throws -> T {
        do {
            return try body()
        } catch let fault as JSONFault {
            throw CommandFailure("\(name):\(index + 1):\(fault.offset): \(fault.detail)")
        } catch let fault as DumpFilling.Fault {
            throw CommandFailure("\(name):\(fault.line): \(fault.detail)")
        }
    }

    private func readHeader(_ line: Data) throws -> String {
        let value = try named(0) { try JSONValue(line) }
        guard let version = value["coffer dump"]?.integer, let identifier = value["identifier"]?.text else {
            throw CommandFailure("\(name):1: is no dump")
        }
        guard version <= DumpFormat.version else {
            throw CommandFailure(
                "\(name):1: it has the format \(version), and this version of Coffer knows \(DumpFormat.version)")
        }
        return identifier
    }

    private func readSchema(_ line: Data) throws -> Schema {
        struct Line: Decodable { let schema: Schema }
        _ = try named(1) { try JSONValue(line) }
        do {
            let schema = try JSONDecoder().decode(Line.self, from: line).schema
            return schema
        } catch {
            throw CommandFailure(
                "\(name):2: \(SwiftDataError(.corruptStore, detail: "the schema cannot be read", underlying: error))")
        }
    }

    private func readNextKeys(_ line: Data) throws -> [String: Int64] {
        guard case .object(let members)? = try named(2, { try JSONValue(line) })["next keys"] else {
            throw CommandFailure("\(name):3: the next keys are missing")
        }
        return members.compactMapValues(\.integer)
    }
}
