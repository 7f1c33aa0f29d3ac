/// Finds rows in a document, for errors: it goes through all of it.
struct RowLocator {
    private let text: UnsafeRawBufferPointer

    init(_ text: UnsafeRawBufferPointer) { self.text = text }

    /// Where a row stands, or its property; nil where it is not found.
    func offset(entity: String, key: Int64, property: String?) -> Int? {
        var found: Int?
        var scanner = JSONScanner(text)
        try? scanner.object { scanner, name, _ in
            guard name == Document.rows else { return try scanner.skipValue() }
            try scanner.object { scanner, name, _ in
                guard name == entity else { return try scanner.skipValue() }
                try scanner.array { scanner in
                    // The last of several rows with one key is the one that is too many.
                    if id(at: scanner.offset) == key { found = scanner.offset }
                    try scanner.skipValue()
                }
            }
        }
        return found.map { offset(of: property, at: $0) }
    }

    /// Where a property of the row at an offset stands; the row itself where it is not there.
    func offset(of property: String?, at row: Int) -> Int {
        guard let property else { return row }
        let names = property.split(separator: ",").map { $0.drop { $0 == " " } }
        var found: Int?
        var scanner = JSONScanner(text, from: row)
        try? scanner.object { scanner, name, start in
            if found == nil, names.contains(name[...]) { found = start }
            try scanner.skipValue()
        }
        return found ?? row
    }

    private func id(at row: Int) -> Int64? {
        var id: Int64?
        var scanner = JSONScanner(text, from: row)
        try? scanner.object { scanner, name, _ in
            if name == "$id" { id = try scanner.value().integer } else { try scanner.skipValue() }
        }
        return id
    }
}
