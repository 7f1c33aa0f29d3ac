/// A piece of the expansion that makes one node.
struct PredicateTerm {
    /// The Swift text.
    var text: String
    /// Whether the compiler needs to know where the value goes to find its type: a literal, `.a`. Such text stays
    /// inside the call that takes it.
    var isOpen = false
    /// Whether this is the literal nil, which stands in no call.
    var isNil = false
    /// Whether the text is a mere name, which need not be given another one.
    var isName = false

    static let null = PredicateTerm(text: "nil", isOpen: true, isNil: true)

    /// What stands for something that could not be translated, and was reported.
    static let failed = PredicateTerm(text: "_", isName: true)

    static func name(_ text: String) -> PredicateTerm { PredicateTerm(text: text, isName: true) }
}
