import CrashShim
import Foundation

/// Runs something in a copy of this process, which may die of it.
///
/// Nothing is opened in this process itself, which has one thread only: a copy starts with nothing to take over.
enum Worker {
    /// How a copy has ended.
    struct Ended {
        var lines: [String] = []
        /// The signal that ended it; 0 for none.
        var signal: Int32 = 0
        var isTooSlow = false

        /// What lines with a first word say.
        func texts(_ word: String) -> [String] {
            lines.filter { $0.hasPrefix(word + " ") }.map { String($0.dropFirst(word.count + 1)) }
        }

        /// How many saves were reported.
        var saved: Int { texts("saved").last.flatMap { Int($0) } ?? 0 }
        var hasFinished: Bool { lines.last == "end" }
    }

    /// How long a copy may take.
    private static let patience = 60.0

    /// - Parameters:
    ///   - delay: kills the copy so many microseconds after it has said `begin`.
    ///   - body: is run in the copy; it says lines.
    static func run(killedAfter delay: Int? = nil, _ body: (@escaping (String) -> Void) throws -> Void) throws -> Ended
    {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw CrashFault("no pipe: \(errno)") }
        let process = coffer_crash_fork()
        guard process >= 0 else { throw CrashFault("no process: \(errno)") }
        if process == 0 {
            close(ends[0])
            let say: (String) -> Void = { line in
                let bytes = Array((line.replacingOccurrences(of: "\n", with: " ") + "\n").utf8)
                var done = 0
                while done < bytes.count {
                    let count = bytes.withUnsafeBytes {
                        write(ends[1], $0.baseAddress.map { $0 + done }, $0.count - done)
                    }
                    if count <= 0 { coffer_crash_exit(3) }
                    done += count
                }
            }
            do {
                try body(say)
                say("end")
            } catch {
                say("error \(error)")
            }
            coffer_crash_exit(0)
        }
        close(ends[1])
        defer { close(ends[0]) }
        return try watch(process, ends[0], delay)
    }

    private static func watch(_ process: pid_t, _ pipe: Int32, _ delay: Int?) throws -> Ended {
        var ended = Ended()
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        let end = Date(timeIntervalSinceNow: patience)
        var delay = delay
        while true {
            var wanted = pollfd(fd: pipe, events: Int16(POLLIN), revents: 0)
            let ready = poll(&wanted, 1, 1000)
            if ready == 0, Date() > end {
                ended.isTooSlow = true
                kill(process, SIGKILL)
            }
            guard ready > 0 else { continue }
            let count = read(pipe, &buffer, buffer.count)
            if count <= 0 { break }
            bytes += buffer[..<count]
            if let time = delay, bytes.starts(with: Array("begin\n".utf8)) {
                usleep(UInt32(time))
                kill(process, SIGKILL)
                delay = nil
            }
        }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        ended.signal = coffer_crash_signal(status)
        // A line without an end was being written at the kill.
        let whole = bytes.lastIndex(of: 10).map { bytes[...$0] } ?? []
        ended.lines = whole.split(separator: 10).map { String(decoding: $0, as: UTF8.self) }
        return ended
    }
}
