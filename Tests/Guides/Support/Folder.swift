import Foundation

/// Runs an example with a folder of its own, which is gone afterwards.
func withFolder<Result>(_ body: (URL) throws -> Result) throws -> Result {
    let folder = URL.temporaryDirectory.appending(path: "guide-\(UUID().uuidString)", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try body(folder)
}

/// Runs an example with a folder of its own, which is gone afterwards.
func withFolder<Result>(
    isolation: isolated (any Actor)? = #isolation, _ body: (URL) async throws -> Result
) async throws -> Result {
    let folder = URL.temporaryDirectory.appending(path: "guide-\(UUID().uuidString)", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try await body(folder)
}
