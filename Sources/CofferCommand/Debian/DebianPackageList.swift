/// Reads a Debian package list (`/var/lib/dpkg/status`, or a `Packages` index) stanza by stanza.
///
///     var list = try DebianPackageList(path: "/var/lib/dpkg/status")
///     while let package = try list.next() {
///         print(package.name)
///     }
///
/// The list is read as a stream: memory holds one stanza, however long the list. Nothing is written. What breaks the
/// rules of the format is an error that names file and line; after an error the list is not read further.
struct DebianPackageList: ~Copyable {
    let name: String
    private var lines: LineReader
    private var seen: [String: Int] = [:]

    /// - Throws: `DebianListError` when the file cannot be opened.
    init(path: String) throws(DebianListError) {
        name = path
        lines = try LineReader(path: path)
    }

    /// Reads bytes in memory; `name` stands for the file in errors.
    init(bytes: [UInt8], name: String) {
        self.name = name
        lines = LineReader(bytes: bytes, name: name)
    }

    /// The next package, or `nil` at the end of the list.
    ///
    /// - Throws: `DebianListError` for a broken stanza and for a failure to read.
    mutating func next() throws(DebianListError) -> DebianPackage? {
        guard let stanza = try nextStanza() else { return nil }
        let package = try stanza.package(file: name)
        let key = "\(package.name) \(package.architecture ?? "") \(package.version ?? "")"
        if let first = seen[key] {
            throw DebianListError(
                file: name, line: package.line, package: package.name,
                problem: "is listed a second time; the first is on line \(first)")
        }
        seen[key] = package.line
        return package
    }

    /// All packages that are left.
    mutating func readAll() throws(DebianListError) -> [DebianPackage] {
        var packages: [DebianPackage] = []
        while let package = try next() { packages.append(package) }
        return packages
    }

    // MARK: - Lines to fields

    private mutating func nextStanza() throws(DebianListError) -> DebianStanza? {
        var stanza = DebianStanza()
        while var text = try lines.next() {
            while let last = text.last, last == .space || last == .tab || last == .carriageReturn { text.removeLast() }
            guard let first = text.first else {
                if stanza.fields.isEmpty { continue }
                return stanza
            }
            if first == .space || first == .tab {
                guard stanza.appendContinuation(text) else {
                    throw broken("a continuation line without a field before it")
                }
                continue
            }
            try appendField(text, to: &stanza)
        }
        return stanza.fields.isEmpty ? nil : stanza
    }

    private func appendField(_ text: [UInt8], to stanza: inout DebianStanza) throws(DebianListError) {
        guard let colon = text.firstIndex(of: .colon) else {
            throw broken("expected 'Field: value', found \(String(decoding: text, as: UTF8.self).quotedForMessage)")
        }
        let label = text[..<colon]
        // Printable ASCII; a field never starts like a comment or a signature.
        guard let first = label.first, first != UInt8(ascii: "#"), first != UInt8(ascii: "-"),
            label.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
        else {
            throw broken("\(String(decoding: label, as: UTF8.self).quotedForMessage) is no field name")
        }
        let field = String(decoding: label, as: UTF8.self)
        let value = Array(text[(colon + 1)...].drop { $0 == .space || $0 == .tab })
        guard stanza.append(field, value: value, line: lines.line) else {
            throw broken("field \(field) appears twice in one stanza")
        }
    }

    private func broken(_ problem: String) -> DebianListError {
        DebianListError(file: name, line: lines.line, problem: problem)
    }
}

extension UInt8 {
    static var space: UInt8 { UInt8(ascii: " ") }
    static var tab: UInt8 { UInt8(ascii: "\t") }
    static var carriageReturn: UInt8 { UInt8(ascii: "\r") }
    static var newline: UInt8 { UInt8(ascii: "\n") }
    static var colon: UInt8 { UInt8(ascii: ":") }
}
