import Foundation

/// What a peer's process is told, as a line of JSON.
struct PeerCommand: Encodable {
    var `do`: String
    var path: String?
    var indexed: Bool?
    var durable: Bool?
    var dataset: String?
    var task: String?
}

/// The data of a run, as a peer is told of it.
private struct PeerData: Encodable {
    var `do` = "data"
    var path: String
    var city: String
    var budgetLimit: Double
    var earliestStart: Double
    var rangeStart: Double
    var rangeEnd: Double
    var outsideStart: Double
    var moving: Int
    var pageLimit: Int
    var pageOffset: Int
    var changeCount: Int
    var graphTrips: Int
    var smallSaves: Int
    var refreshes: Int
}

/// What a peer's process answers.
struct PeerAnswer: Decodable {
    var error: String?
    var unsupported: String?
    var seconds: Double?
    var rows: Int?
    var text: Int?
    var number: Int?
    var trips: Int?
    var stops: Int?
    var budget: Double?
}

/// A running peer.
final class PeerProcess: @unchecked Sendable {
    private struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    private let process = Process()
    private let commands = Pipe()
    private let answers = Pipe()
    private let folder: URL
    private var unread = Data()
    private var rows = 0

    /// Starts a peer.
    ///
    /// - Parameters:
    ///   - python: the interpreter of the environment that has the mapper.
    ///   - folder: where the data may lie meanwhile.
    init(_ name: String, python: URL, script: URL, folder: URL) throws {
        self.folder = folder
        process.executableURL = python
        process.arguments = [script.path, name]
        process.standardInput = commands
        process.standardOutput = answers
        try process.run()
    }

    deinit {
        try? commands.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    /// Has the process read the rows, unless it has them already.
    func use(_ data: BenchmarkData) throws {
        if rows == data.rows { return }
        let file = folder.appendingPathComponent("data-\(data.rows).sqlite")
        if !FileManager.default.fileExists(atPath: file.path) { try RawSQLiteSession.write(data, to: file.path) }
        let range = data.startRange
        _ = try send(
            PeerData(
                path: file.path, city: data.city, budgetLimit: data.budgetLimit,
                earliestStart: data.earliestStart.timeIntervalSinceReferenceDate,
                rangeStart: range.lowerBound.timeIntervalSinceReferenceDate,
                rangeEnd: range.upperBound.timeIntervalSinceReferenceDate,
                outsideStart: data.outsideStart.timeIntervalSinceReferenceDate, moving: data.moving ?? -1,
                pageLimit: data.pageLimit, pageOffset: data.pageOffset, changeCount: data.changeCount,
                graphTrips: data.graphTrips, smallSaves: data.smallSaveCount, refreshes: data.refreshCount))
        rows = data.rows
    }

    /// Has something done and waits for it.
    ///
    /// - Throws: ``Unsupported`` for what the mapper does not do.
    func run(_ command: PeerCommand) throws -> PeerAnswer { try send(command) }

    private func send(_ command: some Encodable) throws -> PeerAnswer {
        let line = try JSONEncoder().encode(command) + Data("\n".utf8)
        try commands.fileHandleForWriting.write(contentsOf: line)
        let answer = try JSONDecoder().decode(PeerAnswer.self, from: try readLine())
        if let reason = answer.unsupported { throw Unsupported(reason) }
        if let error = answer.error { throw Failure(description: error) }
        return answer
    }

    private func readLine() throws -> Data {
        while true {
            if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
                defer { unread = Data(unread[(end + 1)...]) }
                return Data(unread[..<end])
            }
            let more = answers.fileHandleForReading.availableData
            if more.isEmpty { throw Failure(description: "the peer's process has ended") }
            unread += more
        }
    }
}
