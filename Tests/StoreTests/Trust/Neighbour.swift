import Foundation
import Testing

/// A process of its own at a store, which does what it is told; see `Trial` in `Tests/StoreNeighbour`.
final class Neighbour {
    private let process = Process()
    private let (input, output) = (Pipe(), Pipe())

    /// Orders to a process that has died are answered by nothing, and do not end this one.
    private static let survivesBrokenPipes: Void = { signal(SIGPIPE, SIG_IGN) }()

    init(_ site: MigrationSite) throws {
        Self.survivesBrokenPipes
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
            .deletingLastPathComponent().appendingPathComponent("StoreNeighbour")
        process.arguments = [site.store.name, site.path, "trial"]
        (process.standardInput, process.standardOutput) = (input, output)
        try process.run()
        #expect(answer() == "ready")
    }

    /// What it answers to an order.
    @discardableResult
    func ask(_ order: String) throws -> String {
        try tell(order)
        return answer()
    }

    /// Hands an order over without waiting for the answer.
    func tell(_ order: String) throws {
        try input.fileHandleForWriting.write(contentsOf: Data((order + "\n").utf8))
    }

    func answer() -> String {
        var line = Data()
        while let byte = try? output.fileHandleForReading.read(upToCount: 1), !byte.isEmpty {
            if byte[0] == UInt8(ascii: "\n") { break }
            line += byte
        }
        return String(decoding: line, as: UTF8.self).trimmingCharacters(in: .whitespaces)
    }

    /// Ends it in the middle of what it is doing.
    func kill() {
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    deinit {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }
}
