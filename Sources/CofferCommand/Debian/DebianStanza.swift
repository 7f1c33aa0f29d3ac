/// The fields of one stanza, before they are understood.
struct DebianStanza {
    struct Field {
        var name: String
        var value: [UInt8]
        /// The line on which the field begins. A continuation follows each line feed in the value.
        var line: Int
    }

    private(set) var fields: [Field] = []
    private var positions: [String: Int] = [:]

    /// - Returns: false when the stanza has the field already; case does not tell fields apart.
    mutating func append(_ name: String, value: [UInt8], line: Int) -> Bool {
        guard positions.updateValue(fields.count, forKey: name.lowercased()) == nil else { return false }
        fields.append(Field(name: name, value: value, line: line))
        return true
    }

    /// - Returns: false when there is no field to continue.
    mutating func appendContinuation(_ text: [UInt8]) -> Bool {
        guard let last = fields.indices.last else { return false }
        fields[last].value.append(.newline)
        fields[last].value.append(contentsOf: text)
        return true
    }

    subscript(_ name: String) -> Field? {
        positions[name.lowercased()].map { fields[$0] }
    }

    // MARK: - Fields to facts

    /// What the stanza says about its package.
    ///
    /// - Throws: `DebianListError` at the line of the field that breaks a rule.
    func package(file: String) throws(DebianListError) -> DebianPackage {
        let start = fields.first?.line ?? 1
        guard let label = try text("Package", file, package: nil) else {
            throw DebianListError(file: file, line: start, problem: "the stanza has no Package field")
        }
        guard DebianName.isValid(label.utf8) else {
            throw DebianListError(
                file: file, line: self["Package"]?.line, problem: "\(label.quotedForMessage) is no package name")
        }
        var package = DebianPackage(name: label, line: start)
        package.status = try status(file, package: label)
        package.version = try text("Version", file, package: label)
        if let version = package.version, !DebianName.isValidVersion(version.utf8) {
            throw fault("Version", file, label, "\(version.quotedForMessage) is no version")
        }
        if package.version == nil, package.isPresent {
            throw DebianListError(file: file, line: start, package: label, problem: "has no Version field")
        }
        package.architecture = try text("Architecture", file, package: label)
        package.section = try text("Section", file, package: label)
        package.priority = try text("Priority", file, package: label)
        package.maintainer = try text("Maintainer", file, package: label).map(DebianMaintainer.init(parsing:))
        package.installedSize = try installedSize(file, package: label)
        package.summary = try text("Description", file, package: label)
        for kind in DebianRelation.Kind.allCases {
            guard let field = self[kind.rawValue] else { continue }
            var parser = DebianRelationParser(field: field, file: file, package: label)
            package.relations += try parser.groups().map { DebianRelation(kind: kind, alternatives: $0) }
        }
        if let field = self["Provides"] {
            var parser = DebianRelationParser(field: field, file: file, package: label)
            package.provisions = try parser.provisions()
        }
        return package
    }

    /// The first line of a field, or `nil` when it is absent or empty.
    private func text(_ name: String, _ file: String, package: String?) throws(DebianListError) -> String? {
        guard let field = self[name] else { return nil }
        let line = field.value.prefix { $0 != .newline }
        guard let text = String(validating: line, as: UTF8.self), !line.contains(0) else {
            throw DebianListError(file: file, line: field.line, package: package, problem: "\(name) is not UTF-8 text")
        }
        return text.isEmpty ? nil : text
    }

    private func installedSize(_ file: String, package: String) throws(DebianListError) -> Int? {
        guard let text = try text("Installed-Size", file, package: package) else { return nil }
        guard text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }), let size = Int(text) else {
            throw fault("Installed-Size", file, package, "\(text.quotedForMessage) is no whole number of KiB")
        }
        return size
    }

    private func status(_ file: String, package: String) throws(DebianListError) -> DebianStatus? {
        guard let text = try text("Status", file, package: package) else { return nil }
        let words = text.split(separator: " ").map(String.init)
        guard words.count == 3, DebianStanza.wants.contains(words[0]), DebianStanza.flags.contains(words[1]),
            DebianStanza.states.contains(words[2])
        else {
            throw fault("Status", file, package, "\(text.quotedForMessage) is no status such as 'install ok installed'")
        }
        return DebianStatus(want: words[0], flag: words[1], state: words[2])
    }

    private func fault(_ field: String, _ file: String, _ package: String, _ problem: String) -> DebianListError {
        DebianListError(file: file, line: self[field]?.line, package: package, problem: "\(field): \(problem)")
    }

    private static let wants: Set = ["unknown", "install", "hold", "deinstall", "purge"]
    private static let flags: Set = ["ok", "reinstreq"]
    private static let states: Set = [
        "not-installed", "config-files", "half-installed", "unpacked", "half-configured", "triggers-awaited",
        "triggers-pending", "installed",
    ]
}

/// The rules for package names and versions.
enum DebianName {
    static func isValid(_ bytes: some Collection<UInt8>) -> Bool {
        guard let first = bytes.first, isAlphanumeric(first) else { return false }
        return bytes.allSatisfy(isNameByte)
    }

    static func isValidVersion(_ bytes: some Collection<UInt8>) -> Bool {
        guard let first = bytes.first, isAlphanumeric(first) else { return false }
        return bytes.allSatisfy { isNameByte($0) && $0 != UInt8(ascii: "_") || $0 == .colon || $0 == UInt8(ascii: "~") }
    }

    static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"): true
        default: isAlphanumeric(byte)
        }
    }

    static func isAlphanumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}
