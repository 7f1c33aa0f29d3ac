import Foundation

/// Reads a file, or bytes in memory, line by line and holds no more than one chunk and one line.
///
/// The file is opened for reading only.
struct LineReader: ~Copyable {
    private let file: UnsafeMutablePointer<FILE>?
    private let name: String
    private var chunk: [UInt8]
    private var position = 0
    private var atEnd = false
    /// The number of the line that `next` gave last, counted from 1.
    private(set) var line = 0

    /// - Throws: `DebianListError` when the file cannot be opened or is a folder.
    init(path: String) throws(DebianListError) {
        name = path
        chunk = []
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue {
            throw DebianListError(file: path, problem: "is a folder, not a package list")
        }
        guard let opened = fopen(path, "rb") else {
            throw DebianListError(file: path, problem: "cannot be opened: \(LineReader.systemMessage())")
        }
        file = opened
    }

    init(bytes: [UInt8], name: String) {
        self.name = name
        file = nil
        chunk = bytes
    }

    deinit {
        if let file { fclose(file) }
    }

    /// The next line without its end, or `nil` after the last.
    mutating func next() throws(DebianListError) -> [UInt8]? {
        var result: [UInt8] = []
        while true {
            if position < chunk.count {
                let start = position
                if let end = chunk[start...].firstIndex(of: UInt8(ascii: "\n")) {
                    position = end + 1
                    line += 1
                    if result.isEmpty { return Array(chunk[start..<end]) }
                    result.append(contentsOf: chunk[start..<end])
                    return result
                }
                result.append(contentsOf: chunk[start...])
                position = chunk.count
            }
            guard try fill() else { break }
        }
        guard !result.isEmpty else { return nil }
        line += 1
        return result
    }

    private mutating func fill() throws(DebianListError) -> Bool {
        guard let file, !atEnd else { return false }
        position = 0
        chunk = [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
            count = fread(buffer.baseAddress, 1, buffer.count, file)
        }
        if chunk.isEmpty {
            atEnd = true
            if ferror(file) != 0 {
                throw DebianListError(file: name, problem: "cannot be read: \(LineReader.systemMessage())")
            }
        }
        return !chunk.isEmpty
    }

    private static func systemMessage() -> String {
        String(cString: strerror(errno))
    }
}
