import Synchronization

/// What examples print, so that what guides show as their output can be compared with it.
final class Printed: Sendable {
    @TaskLocal static var current: Printed?
    private let lines = Mutex<[String]>([])

    var text: String { lines.withLock { $0.joined(separator: "\n") } }

    func add(_ line: String) { lines.withLock { $0.append(line) } }
}

/// Takes the place of Swift's function in the examples, all of whose calls end a line.
func print(_ items: Any..., separator: String = " ", terminator: String = "\n") {
    Printed.current?.add(items.map { "\($0)" }.joined(separator: separator))
}

/// What is printed meanwhile, without the last line's end.
func printed(_ body: () throws -> Void) rethrows -> String {
    let printed = Printed()
    try Printed.$current.withValue(printed, operation: body)
    return printed.text
}

/// What is printed meanwhile, without the last line's end.
func printed(isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Void) async rethrows -> String {
    let printed = Printed()
    try await Printed.$current.withValue(printed, operation: body)
    return printed.text
}
