import SwiftSyntax

/// The access of a type, as far as its generated members have to repeat it.
enum AccessLevel {
    case `open`, `public`, `package`, other

    init(_ modifiers: DeclModifierListSyntax) {
        for modifier in modifiers where modifier.detail == nil {
            switch modifier.name.tokenKind {
            case .keyword(.open): self = .open; return
            case .keyword(.public): self = .public; return
            case .keyword(.package): self = .package; return
            default: continue
            }
        }
        self = .other
    }

    /// For members that no subclass overrides. Less than `package` needs no word: members of a private class are
    /// never more visible than the class.
    var prefix: String {
        switch self {
        case .open, .public: "public "
        case .package: "package "
        case .other: ""
        }
    }

    /// For members that subclasses override, in other modules too when the class is open.
    var overridablePrefix: String { self == .open ? "open " : prefix }
}
