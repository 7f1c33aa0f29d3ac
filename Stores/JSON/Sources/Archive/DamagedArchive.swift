import CofferCore
import CofferRecords

/// What can be read of an archive that is damaged: the rows of the document, and the saves in the journal up to the first
/// that cannot be read.
struct DamagedArchive {
    /// The tables, which need not fit each other.
    let engine: MemoryEngine
    let schema: Schema
    private(set) var losses: [StoreProblem] = []

    /// - Throws: `corruptStore` where not even the schema can be read.
    init(_ place: ArchivePlace) throws {
        guard let file = try OpenFile(reading: place.path) else { throw SwiftDataError(.storeNotFound) }
        let document = try file.read()
        let memory = MemoryEngine(path: place.path)
        var losses: [StoreProblem] = []
        let result = try memory.fill { writer in
            try document.withUnsafeBytes { text in
                do {
                    var reader = DocumentReader(
                        text, into: writer, maximumKeySize: memory.maximumKeySize, isDamaged: true)
                    let result = try reader.read()
                    losses = Self.problems(reader.losses ?? [], in: text)
                    return result
                } catch let fault as TextFault {
                    throw SwiftDataError(
                        .corruptStore, entity: fault.entity, property: fault.property,
                        detail: "\(TextPosition(fault.offset, in: text)): \(fault.detail)")
                }
            }
        }
        engine = memory
        schema = try result.header.decodedSchema()
        self.losses = losses
        try readJournal(place, result.header, result.layout)
    }

    private static func problems(_ faults: [TextFault], in text: UnsafeRawBufferPointer) -> [StoreProblem] {
        let places = TextPosition.all(faults.map(\.offset), in: text)
        return faults.map { fault in
            let place = places[fault.offset].map { "\($0): " } ?? ""
            return StoreProblem(entity: fault.entity, property: fault.property, place + fault.detail)
        }
    }

    private mutating func readJournal(
        _ place: ArchivePlace, _ header: DocumentHeader, _ layout: RecordSchema
    ) throws {
        guard let file = try OpenFile(reading: place.journal) else { return }
        let (text, isWhole) = JournalText.sound(try file.read())
        guard let first = text.lines.first, let start = try? text.withObject(first, { try JournalHeader($0) }),
            start.identifier == header.identifier, start.generation >= header.generation
        else {
            if !text.lines.isEmpty || !isWhole { losses.append(StoreProblem("the journal cannot be read")) }
            return
        }
        for (number, line) in text.lines.enumerated().dropFirst() {
            do {
                // Each save by itself: one that cannot be read leaves the tables as they were.
                try engine.fill { writer in
                    var saves = SaveReader(layout, into: writer, maximumKeySize: engine.maximumKeySize)
                    try text.withObject(line) { try saves.apply($0, number: start.isNumbered ? number : nil) }
                }
            } catch {
                let detail = "the saves from line \(number + 1) of the journal on are lost"
                losses.append(StoreProblem(detail))
                return
            }
        }
        if !isWhole {
            losses.append(StoreProblem("the saves from line \(text.lines.count + 1) of the journal on are lost"))
        }
    }
}
