import Coffer
import Foundation

/// Something that reads bytes which may come from anywhere: a file of somebody else's, a damaged disk, a token that was
/// handed out and came back.
public struct FuzzTarget: Sendable {
    public let name: String
    public let summary: String
    /// Reads the bytes, and checks what came of them.
    ///
    /// It throws a `SwiftDataError`, or another error that the reader is documented to throw, for bytes that are
    /// refused; ``FuzzFinding`` for what ought not to be.
    let run: @Sendable (UnsafeRawBufferPointer) throws -> Void

    /// What is wrong with how some bytes are read; nil where they are read or refused as they should be.
    public func finding(_ bytes: UnsafeRawBufferPointer) -> String? {
        do {
            try run(bytes)
            return nil
        } catch let finding as FuzzFinding {
            return finding.text
        } catch let error as SwiftDataError {
            // Bytes are no mistake of the program's.
            let mistakes: [SwiftDataError.Code] = [.storeFailure]
            return mistakes.contains(error.code) ? "refused as \(error)" : nil
        } catch {
            return "refused by a \(type(of: error)): \(error)"
        }
    }

    /// All targets.
    public static let all: [FuzzTarget] = [
        records, archives, journals, keys, schemas, identifiers, tokens, debian, lmdb, filters, dumps,
    ]

    public static func named(_ name: String) -> FuzzTarget? { all.first { $0.name == name } }
}

/// What ought not to be.
struct FuzzFinding: Error {
    let text: String

    init(_ text: String) { self.text = text }
}

/// Reports what ought not to be.
func demand(_ condition: Bool, _ text: @autoclosure () -> String) throws {
    if !condition { throw FuzzFinding(text()) }
}
