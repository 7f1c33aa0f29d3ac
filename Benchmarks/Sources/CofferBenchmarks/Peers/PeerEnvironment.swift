import Foundation

/// The virtual environment of Python that the peers run in: made at its first use, with what pip installs from PyPI.
struct PeerEnvironment {
    /// Why there are no peers.
    struct Absence: Error, CustomStringConvertible {
        var description: String
    }

    private let folder: URL
    private var python: URL { folder.appendingPathComponent("bin/python") }

    /// Makes the environment in a folder, unless it is there.
    ///
    /// - Throws: ``Absence`` where there is no Python, or pip cannot get the packages.
    init(in folder: URL, progress: (String) -> Void) throws {
        self.folder = folder
        guard (try? importPeers()) == nil else { return }
        progress("making a virtual environment")
        try Self.run(
            ["python3", "-m", "venv", folder.path], failing: "python3 cannot make a virtual environment")
        progress("installing \(Peer.names.joined(separator: " and "))")
        try Self.run(
            [python.path, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--retries", "1"]
                + Peer.names, failing: "pip cannot install \(Peer.names.joined(separator: " and "))")
        try importPeers()
    }

    private func importPeers() throws {
        try Self.run(
            [python.path, "-c", "import " + Peer.names.joined(separator: ", ")],
            failing: "the packages cannot be imported")
    }

    /// Starts all peers.
    ///
    /// - Parameter scratch: where their data may lie meanwhile.
    func start(scratch: URL) throws -> [Peer] {
        let script = scratch.appendingPathComponent("peers.py")
        try Data(PackageResources.peers_py).write(to: script)
        return try Peer.names.map { name in
            Peer(name: name, process: try PeerProcess(name, python: python, script: script, folder: scratch))
        }
    }

    /// Runs a program to its end; its last words become part of the error.
    private static func run(_ words: [String], failing: String) throws {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = words
        process.standardOutput = output
        process.standardError = output
        process.standardInput = FileHandle.nullDevice
        do {
            try process.run()
        } catch {
            throw Absence(description: "\(failing): \(error)")
        }
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            let last = text.split(whereSeparator: \.isNewline).last.map(String.init) ?? "no word why"
            throw Absence(description: "\(failing): \(last)")
        }
    }
}
