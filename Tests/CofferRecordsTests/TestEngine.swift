import CofferCore
import Foundation
import Testing

@testable import CofferLMDB
@testable import CofferRecords

/// An engine to run tests of the record layer on.
enum TestEngine: String, CaseIterable, CustomTestStringConvertible {
    case memory, lmdb

    /// Opens the engine in a folder; what the memory engine has ends with it.
    func open(_ folder: URL) throws -> any RecordEngine {
        switch self {
        case .memory: return MemoryEngine(maximumKeySize: 511)
        case .lmdb:
            let path = folder.path
            let hold = try LMDBRegistry.hold(path) {
                try LMDBEnvironment(path, isReadOnly: false, mapSize: 1 << 16)
            }
            return LMDBEngine(path, hold: hold, isReadOnly: false, timeout: .seconds(5))
        }
    }

    var testDescription: String { rawValue }
}

extension TestEngine {
    static func makeFolder() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "coffer-records-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }
}

/// Expects an error of a code, and answers it.
@discardableResult
func expect(
    _ code: SwiftDataError.Code, sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Void
) -> SwiftDataError? {
    let error = #expect(throws: SwiftDataError.self, sourceLocation: sourceLocation, performing: body)
    #expect(error?.code == code, sourceLocation: sourceLocation)
    return error
}
