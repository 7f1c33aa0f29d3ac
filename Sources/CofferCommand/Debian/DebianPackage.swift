/// One stanza of a Debian package list: the facts about a package that the demo uses.
struct DebianPackage: Equatable, Sendable {
    var name: String
    /// `nil` only for a package that is not installed.
    var version: String?
    var architecture: String?
    var section: String?
    var priority: String?
    var maintainer: DebianMaintainer?
    /// In KiB, as the list gives it.
    var installedSize: Int?
    /// `nil` in a list of available packages, which says nothing about installation.
    var status: DebianStatus?
    /// The first line of the description.
    var summary: String?
    /// Pre-Depends, Depends and Recommends, in the order in which a stanza gives each field.
    var relations: [DebianRelation] = []
    var provisions: [DebianProvision] = []
    /// The line on which the stanza begins, counted from 1.
    var line: Int

    /// Whether the files of the package are there; a list of available packages counts as present throughout.
    var isPresent: Bool {
        guard let status else { return true }
        return status.state != "not-installed" && status.state != "config-files"
    }
}

/// Who looks after a package: `Name <address>`.
struct DebianMaintainer: Hashable, Sendable {
    var name: String
    var address: String?

    init(name: String, address: String? = nil) {
        self.name = name
        self.address = address
    }

    /// Takes `Name <address>` apart. Text of another form is kept whole as the name.
    init(parsing text: String) {
        guard text.last == ">", let bracket = text.lastIndex(of: "<") else {
            self.init(name: text)
            return
        }
        let address = String(text[text.index(after: bracket)...].dropLast())
        var name = text[..<bracket]
        while name.last?.isWhitespace == true { name.removeLast() }
        self.init(name: name.isEmpty ? address : String(name), address: address)
    }
}

/// The three words of a Status field.
struct DebianStatus: Equatable, Sendable {
    var want: String
    var flag: String
    var state: String
}

/// What a package asks for in one place: any one of the alternatives will do.
struct DebianRelation: Equatable, Sendable {
    enum Kind: String, CaseIterable, Sendable {
        case preDepends = "Pre-Depends"
        case depends = "Depends"
        case recommends = "Recommends"
    }

    var kind: Kind
    var alternatives: [DebianAlternative]
}

/// A package by name, with the versions and the architecture that will do.
struct DebianAlternative: Equatable, Sendable {
    var name: String
    /// The qualifier after a colon, as in `python3:any`.
    var architecture: String?
    var constraint: DebianVersionConstraint?
}

/// `>= 2.34`, for example.
struct DebianVersionConstraint: Equatable, Sendable, CustomStringConvertible {
    enum Comparison: String, CaseIterable, Sendable {
        case earlier = "<<"
        case earlierOrEqual = "<="
        case equal = "="
        case laterOrEqual = ">="
        case later = ">>"
    }

    var comparison: Comparison
    var version: String

    var description: String { "\(comparison.rawValue) \(version)" }
}

/// A name that a package stands in for, beside its own.
struct DebianProvision: Equatable, Sendable {
    var name: String
    var version: String?
}
