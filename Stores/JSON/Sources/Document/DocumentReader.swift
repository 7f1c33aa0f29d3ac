import CJansson
import CofferCore
import CofferRecords
import Foundation

/// Reads a document into tables that are empty. Rows are parsed one by one.
struct DocumentReader {
    private let text: UnsafeRawBufferPointer
    private let writer: any RecordWriter
    private let maximumKeySize: Int
    private var header = DocumentHeader()
    private var format: Int64?
    /// The first member that no document has.
    private var stranger: TextFault?
    /// Members that were met.
    private var known: Set<String> = []
    /// Where the rows begin that were met before what is needed to read them.
    private var postponed: Int?
    private var layout: RecordSchema?
    /// What could not be read of a damaged document; nil where that is a fault.
    private(set) var losses: [TextFault]?

    /// What was read.
    struct Result {
        let header: DocumentHeader
        let layout: RecordSchema
    }

    /// - Parameter isDamaged: whether rows that cannot be read are passed over.
    init(
        _ text: UnsafeRawBufferPointer, into writer: any RecordWriter, maximumKeySize: Int, isDamaged: Bool = false
    ) {
        losses = isDamaged ? [] : nil
        self.text = text
        self.writer = writer
        self.maximumKeySize = maximumKeySize
    }

    /// - Throws: `TextFault` for what is wrong at a place, `SwiftDataError` for the rest.
    mutating func read() throws -> Result {
        var scanner = JSONScanner(text)
        guard scanner.peek() == UInt8(ascii: "{") else {
            throw scanner.peek() == nil
                ? SwiftDataError(.corruptStore, detail: "the file is empty")
                : TextFault(scanner.offset, "it is no archive of Coffer's: that begins with a brace")
        }
        do {
            try scanner.object { try readMember(&$0, $1, $2) }
            try scanner.expectEnd()
        } catch let fault as TextFault where losses != nil {
            losses?.append(fault)
        }
        guard format != nil else {
            throw SwiftDataError(.corruptStore, detail: "it is JSON, but no archive of Coffer's")
        }
        if let stranger, losses == nil { throw stranger }
        for name in [Document.identifier, Document.schema, Document.rows] where !known.contains(name) {
            throw SwiftDataError(.corruptStore, detail: "the member “\(name)” is missing")
        }
        if let postponed {
            var scanner = JSONScanner(text, from: postponed)
            try readRows(&scanner)
        }
        guard let layout else { throw SwiftDataError(.corruptStore, detail: "the member “rows” is missing") }
        try header.write(writer)
        return Result(header: header, layout: layout)
    }

    // MARK: Members

    private mutating func readMember(_ scanner: inout JSONScanner, _ name: String, _ start: Int) throws {
        let place = scanner.offset
        guard known.insert(name).inserted else { throw TextFault(start, "the member “\(name)” is there twice") }
        func needed<T>(_ value: T?, _ what: String) throws -> T {
            if let value { return value }
            throw TextFault(place, "\(what) is expected")
        }
        switch name {
        case Document.format:
            let number = try needed(try scanner.value().integer, "the number of a format")
            try Document.checkFormat(number, of: "archive")
            format = number
        case Document.identifier:
            let text = try needed(try scanner.value().string, "a UUID")
            header.identifier = try needed(UUID(uuidString: text), "a UUID").uuidString
        case Document.generation:
            header.generation = try needed(try scanner.value().integer, "a number")
        case Document.fingerprint:
            header.fingerprint = Array(try needed(try scanner.value().string, "a text").utf8)
        case Document.schema: header.schema = try bytes(try scanner.value(), place)
        case Document.layout:
            let layout = try bytes(try scanner.value(), place)
            do {
                header.numbering = try JSONDecoder().decode(RecordNumbering.self, from: Data(layout))
            } catch {
                throw TextFault(place, "the numbers of entities and the names of their fields are expected")
            }
        case Document.nextKeys:
            try scanner.object { scanner, name, start in
                guard let key = try scanner.value().integer, key > 0 else {
                    throw TextFault(start, entity: name, "the next key is a number from 1 on")
                }
                header.nextKeys[name] = key
            }
        case Document.metadata:
            try scanner.object { scanner, name, start in
                header.others.append((name, try bytes(try scanner.value(), start)))
            }
        case Document.history:
            do {
                try readHistory(&scanner)
            } catch let fault as TextFault where losses != nil {
                losses?.append(fault)
                // The rows come next, and their member begins a line.
                guard let rows = text.offset(of: Document.beginningOfRows, from: fault.offset) else { throw fault }
                scanner = JSONScanner(text, from: rows)
            }
        case Document.rows:
            if known.isSuperset(of: [Document.format, Document.schema, Document.layout]) {
                try readRows(&scanner)
            } else {
                postponed = scanner.offset
                try scanner.skipValue()
            }
        default:
            if stranger == nil { stranger = TextFault(start, "an archive has no member of this name") }
            try scanner.skipValue()
        }
    }

    private mutating func readHistory(_ scanner: inout JSONScanner) throws {
        try scanner.array { scanner in
            let start = scanner.offset
            let tree = try scanner.value()
            if let entry = try tree.withRoot({ try HistoryText.read($0) }), let text = entry.text {
                header.history.append((entry.number, text))
                return
            }
            let fault = TextFault(start, "a transaction of the history is expected")
            if losses == nil { throw fault }
            losses?.append(fault)
        }
    }

    /// A value of the table of metadata.
    private func bytes(_ tree: consuming JSONTree, _ place: Int) throws -> [UInt8] {
        if let text = tree.string { return Array(text.utf8) }
        if let text = tree.withRoot({ $0.member(Document.bytes)?.string }) {
            guard let bytes = Base64.bytes(text) else { throw TextFault(place, "data in base64 is expected") }
            return bytes
        }
        guard tree.withRoot({ $0.kind == JSON_OBJECT || $0.kind == JSON_ARRAY }) else {
            throw TextFault(place, "an object, an array or a text is expected")
        }
        var text = JSONText()
        try text.append(tree)
        return text.bytes
    }

    // MARK: Rows

    private mutating func readRows(_ scanner: inout JSONScanner) throws {
        let layout = try header.makeLayout()
        for table in layout.tables { try writer.makeTable(table) }
        var loader = RecordLoader(layout, writer, maximumKeySize: maximumKeySize)
        if losses != nil {
            loader.isLenient = true
            self.layout = layout
            readWhatIsLeft(&scanner, layout, &loader)
            return try loader.finish(nextKeys: header.nextKeys)
        }
        var entities: Set<String> = []
        try scanner.object { scanner, name, start in
            guard let space = layout.space(of: name), space.entityName == name else {
                throw TextFault(start, entity: name, "the schema does not have this entity")
            }
            guard entities.insert(name).inserted else { throw TextFault(start, entity: name, "it is there twice") }
            var reader = RowReader(space)
            try scanner.array { scanner in
                let start = scanner.offset
                let tree = try scanner.value()
                do {
                    try tree.withRoot { try reader.read($0) }
                    try loader.add(reader.batch, row: 0, to: space)
                    for (number, members) in reader.lists {
                        let list = space.lists[number]
                        try loader.add(
                            members, of: reader.batch.key(ofRow: 0), in: list.property, at: list.place, of: space)
                    }
                } catch let fault as RecordFault {
                    throw TextFault(
                        RowLocator(text).offset(of: fault.property, at: start), entity: fault.entity,
                        property: fault.property, fault.detail)
                }
            }
        }
        do {
            try loader.finish(nextKeys: header.nextKeys)
        } catch let fault as RecordFault {
            let place = fault.key.flatMap {
                RowLocator(text).offset(entity: fault.entity, key: $0, property: fault.property)
            }
            throw TextFault(place ?? 0, entity: fault.entity, property: fault.property, fault.detail)
        }
        self.layout = layout
    }

    // MARK: What is left of a damaged document

    /// Reads the rows that can be read. Behind what cannot, reading goes on at the next line, since a row has a line.
    private mutating func readWhatIsLeft(
        _ scanner: inout JSONScanner, _ layout: RecordSchema, _ loader: inout RecordLoader
    ) {
        do {
            try scanner.expect("{")
            while !scanner.take("}") {
                _ = scanner.peek()
                let start = scanner.offset
                guard let name = try scanner.value().string, let space = layout.space(of: name) else {
                    throw TextFault(start, "the name of an entity is missing; what is behind it is lost")
                }
                try scanner.expect(":")
                try scanner.expect("[")
                try readRows(of: space, &scanner, &loader)
                _ = scanner.take(",")
            }
        } catch let fault as TextFault {
            losses?.append(fault)
        } catch {
            losses?.append(TextFault(scanner.offset, "\(error)"))
        }
    }

    private mutating func readRows(
        of space: RecordSpace, _ scanner: inout JSONScanner, _ loader: inout RecordLoader
    ) throws {
        var reader = RowReader(space)
        while !scanner.take("]") {
            guard let next = scanner.peek() else {
                throw TextFault(scanner.offset, entity: space.entityName, "the text ends too early")
            }
            // The end of the array was lost with its last row.
            if next == UInt8(ascii: "\"") { return }
            let start = scanner.offset
            do {
                let tree = try scanner.value()
                try tree.withRoot { try reader.read($0) }
                try loader.add(reader.batch, row: 0, to: space)
                for (number, members) in reader.lists {
                    let list = space.lists[number]
                    try loader.add(
                        members, of: reader.batch.key(ofRow: 0), in: list.property, at: list.place, of: space)
                }
                _ = scanner.take(",")
            } catch let fault as RecordFault {
                losses?.append(
                    TextFault(start, entity: fault.entity, property: fault.property, "a row is lost: \(fault.detail)"))
                _ = scanner.take(",")
            } catch let fault as TextFault {
                losses?.append(TextFault(start, entity: space.entityName, "a row is lost: \(fault.detail)"))
                scanner = JSONScanner(text, from: start)
                scanner.skipLine()
            }
        }
    }
}

extension UnsafeRawBufferPointer {
    /// Where bytes come first, from an offset on; nil where they do not.
    fileprivate func offset(of pattern: [UInt8], from start: Int) -> Int? {
        guard start <= count - pattern.count else { return nil }
        return (start...(count - pattern.count)).first { self[$0..<$0 + pattern.count].elementsEqual(pattern) }
    }
}
