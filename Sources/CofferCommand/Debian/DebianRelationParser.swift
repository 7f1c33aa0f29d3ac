/// Reads a relation field: `libc6 (>= 2.34), awk | mawk, python3:any, gcc [amd64 arm64]`.
struct DebianRelationParser {
    private let bytes: [UInt8]
    private var position = 0
    private let field: DebianStanza.Field
    private let file: String
    private let package: String

    init(field: DebianStanza.Field, file: String, package: String) {
        bytes = field.value
        self.field = field
        self.file = file
        self.package = package
    }

    /// The groups between commas, each with its alternatives. An empty field has none.
    mutating func groups() throws(DebianListError) -> [[DebianAlternative]] {
        skipSpace()
        guard position < bytes.count else { return [] }
        var groups: [[DebianAlternative]] = []
        repeat {
            var alternatives: [DebianAlternative] = []
            repeat { alternatives.append(try alternative()) } while take(UInt8(ascii: "|"))
            groups.append(alternatives)
        } while take(UInt8(ascii: ","))
        guard position == bytes.count else { throw fault("expected ',' or '|', found \(rest)") }
        return groups
    }

    /// The names of a Provides field: no alternatives, and no other comparison than `=`.
    mutating func provisions() throws(DebianListError) -> [DebianProvision] {
        var provisions: [DebianProvision] = []
        for group in try groups() {
            guard group.count == 1, let item = group.first else { throw fault("a provided name has no alternatives") }
            if let constraint = item.constraint, constraint.comparison != .equal {
                throw fault("'\(item.name)' is provided in one version, not \(constraint.description.quotedForMessage)")
            }
            provisions.append(DebianProvision(name: item.name, version: item.constraint?.version))
        }
        return provisions
    }

    private mutating func alternative() throws(DebianListError) -> DebianAlternative {
        skipSpace()
        let start = position
        let name = word(DebianName.isNameByte)
        guard DebianName.isValid(name.utf8) else {
            position = start
            throw fault("expected a package name, found \(rest)")
        }
        var result = DebianAlternative(name: name)
        if position < bytes.count, bytes[position] == .colon {
            position += 1
            let architecture = word { DebianName.isAlphanumeric($0) || $0 == UInt8(ascii: "-") }
            guard !architecture.isEmpty else { throw fault("expected an architecture after '\(name):'") }
            result.architecture = architecture
        }
        if take(UInt8(ascii: "(")) { result.constraint = try constraint(of: name) }
        // Architectures and build profiles say where a relation holds; a list of installed packages has it settled.
        if take(UInt8(ascii: "[")) { try skip(to: UInt8(ascii: "]"), of: name) }
        while take(UInt8(ascii: "<")) { try skip(to: UInt8(ascii: ">"), of: name) }
        skipSpace()
        return result
    }

    private mutating func constraint(of name: String) throws(DebianListError) -> DebianVersionConstraint {
        skipSpace()
        let sign = word { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: ">") }
        // Two old spellings mean "or equal".
        let spelling = sign == "<" ? "<=" : sign == ">" ? ">=" : sign
        guard let comparison = DebianVersionConstraint.Comparison(rawValue: spelling) else {
            throw fault("'\(name)': \(sign.quotedForMessage) does not compare versions")
        }
        skipSpace()
        let version = word { $0 != UInt8(ascii: ")") && $0 != .space && $0 != .tab && $0 != .newline }
        guard DebianName.isValidVersion(version.utf8) else {
            throw fault("'\(name)': \(version.quotedForMessage) is no version")
        }
        guard take(UInt8(ascii: ")")) else { throw fault("'\(name)': a bracket is not closed") }
        return DebianVersionConstraint(comparison: comparison, version: version)
    }

    // MARK: - Bytes

    private mutating func skipSpace() {
        while position < bytes.count, [.space, .tab, .newline].contains(bytes[position]) { position += 1 }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        skipSpace()
        guard position < bytes.count, bytes[position] == byte else { return false }
        position += 1
        return true
    }

    private mutating func word(_ belongs: (UInt8) -> Bool) -> String {
        let start = position
        while position < bytes.count, belongs(bytes[position]) { position += 1 }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func skip(to end: UInt8, of name: String) throws(DebianListError) {
        guard let found = bytes[position...].firstIndex(of: end) else {
            throw fault("'\(name)': a bracket is not closed")
        }
        position = found + 1
    }

    private var rest: String {
        position < bytes.count ? String(decoding: bytes[position...], as: UTF8.self).quotedForMessage : "the end"
    }

    private func fault(_ problem: String) -> DebianListError {
        let line = field.line + bytes[..<min(position, bytes.count)].count { $0 == .newline }
        return DebianListError(file: file, line: line, package: package, problem: "\(field.name): \(problem)")
    }
}
