import Foundation

/// The folder in which the participants' files lie while they are measured.
final class WorkFolder {
    let url: URL
    private var count = 0
    /// Filled folders to copy from, by participant and data.
    private var templates: [String: URL] = [:]

    /// Makes a folder inside another one.
    init(in parent: URL) throws {
        url = parent.appendingPathComponent("coffer-bench-\(ProcessInfo.processInfo.processIdentifier)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    /// Removes everything.
    func remove() { try? FileManager.default.removeItem(at: url) }

    /// A new, empty folder.
    func make() throws -> URL {
        count += 1
        let folder = url.appendingPathComponent("\(count)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }

    /// A folder that was filled once under this name.
    func template(_ name: String, fill: (URL) throws -> Void) throws -> URL {
        if let folder = templates[name] { return folder }
        let folder = try make()
        do {
            try fill(folder)
        } catch {
            try? FileManager.default.removeItem(at: folder)
            throw error
        }
        templates[name] = folder
        return folder
    }

    /// A copy of a folder that may be changed.
    func copy(_ template: URL) throws -> URL {
        count += 1
        let folder = url.appendingPathComponent("\(count)")
        try FileManager.default.copyItem(at: template, to: folder)
        return folder
    }

    /// Removes the filled folders: the next workloads have other data.
    func forgetTemplates() {
        for folder in templates.values { try? FileManager.default.removeItem(at: folder) }
        templates = [:]
    }

    /// The bytes of all files in a folder.
    static func size(of folder: URL) -> Int {
        guard let files = FileManager.default.enumerator(atPath: folder.path) else { return 0 }
        var total = 0
        while files.nextObject() != nil {
            total += (files.fileAttributes?[.size] as? NSNumber)?.intValue ?? 0
        }
        return total
    }
}
