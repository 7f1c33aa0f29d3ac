import Coffer
import Foundation

@testable import CofferJSON
@testable import CofferRecords

/// The tables of an archive that was read.
private struct ReadArchive {
    let memory = MemoryEngine()
    let result: DocumentReader.Result

    init(_ text: UnsafeRawBufferPointer) throws {
        let memory = memory
        do {
            result = try memory.fill { writer in
                var reader = DocumentReader(text, into: writer, maximumKeySize: memory.maximumKeySize)
                return try reader.read()
            }
        } catch let fault as TextFault {
            _ = TextPosition(fault.offset, in: text)
            throw SwiftDataError(.corruptStore, detail: fault.detail)
        }
    }

    /// The archive as Coffer writes it.
    func text() throws -> [UInt8] {
        var bytes: [UInt8] = []
        try memory.read { reader in
            let header = try DocumentHeader(reader, generation: result.header.generation)
            var writer = DocumentWriter(result.layout, reader) { bytes += $0 }
            try writer.write(header)
        }
        return bytes
    }

    func store() throws -> JSONArchiveStore {
        let core = try RecordStoreCore(name: "fuzz", schema: try result.header.decodedSchema(), engine: memory)
        return JSONArchiveStore(JSONArchiveConfiguration("fuzz", url: URL(fileURLWithPath: "/")), core, nil, nil)
    }
}

/// An archive of a few models, and the journal of its last saves.
private struct SampleArchive {
    let document: [UInt8]
    let identifier: String
    let generation: Int64

    static let shared = Result { try SampleArchive() }

    init() throws {
        let folder = FuzzFolder()
        let path = folder.path + "/sample.json"
        try FuzzWorld.fill(JSONArchiveConfiguration("fuzz", url: URL(fileURLWithPath: path)))
        document = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
        let read = try document.withUnsafeBytes { try ReadArchive($0) }
        (identifier, generation) = (read.result.header.identifier, read.result.header.generation)
    }
}

extension FuzzTarget {
    /// Documents of JSON archives.
    static let archives = FuzzTarget(name: "archives", summary: "documents of JSON archives") { bytes in
        // What cannot be read is read leniently, as a salvage does.
        let memory = MemoryEngine()
        do {
            try memory.fill { writer in
                var reader = DocumentReader(
                    bytes, into: writer, maximumKeySize: memory.maximumKeySize, isDamaged: true)
                _ = try reader.read()
                _ = TextPosition.all((reader.losses ?? []).map(\.offset), in: bytes)
            }
        } catch is TextFault {} catch let error as SwiftDataError where error.code != .storeFailure {}
        let first = try ReadArchive(bytes)
        // What can be read is the same once it was written again.
        let text = try first.text()
        let second: ReadArchive
        do {
            second = try text.withUnsafeBytes { try ReadArchive($0) }
        } catch {
            throw FuzzFinding("an archive that can be read cannot be read once it is written: \(error)")
        }
        try demand(try second.text() == text, "an archive is another one each time it is written")
        try FuzzWorld.use(first.store())
    }

    /// Journals beside an archive.
    ///
    /// The first byte says what the others are: a journal as it is, or objects without their checksums, a line each,
    /// behind a header that fits the archive.
    static let journals = FuzzTarget(name: "journals", summary: "journals of JSON archives") { bytes in
        let sample = try SampleArchive.shared.get()
        let archive = try sample.document.withUnsafeBytes { try ReadArchive($0) }
        var journal = Array(bytes.dropFirst())
        if let mode = bytes.first, mode & 1 == 1 {
            let lines = journal.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            journal = try JournalHeader(identifier: sample.identifier, generation: sample.generation).line()
            for line in lines {
                journal += Checksum.digits(line) + [UInt8(ascii: " ")] + line + [UInt8(ascii: "\n")]
            }
        }
        _ = JournalText.sound(journal)
        let text = try JournalText(journal)
        guard let first = text.lines.first else {
            _ = text.isTornBeginning
            return
        }
        _ = try text.withObject(first) { try JournalHeader($0) }
        try archive.memory.fill { writer in
            var saves = SaveReader(
                archive.result.layout, into: writer, maximumKeySize: archive.memory.maximumKeySize)
            for (index, line) in text.lines.dropFirst().enumerated() {
                do {
                    try text.withObject(line) { try saves.apply($0, number: index + 1) }
                } catch let fault as RecordFault {
                    throw FuzzFinding("a row that does not fit comes out as itself: \(fault)")
                }
            }
        }
        // What was put into effect can be written and read again.
        let written = try archive.text()
        do {
            _ = try written.withUnsafeBytes { try ReadArchive($0) }
        } catch {
            throw FuzzFinding("a journal has made an archive that cannot be read: \(error)")
        }
        try FuzzWorld.use(archive.store())
    }
}
