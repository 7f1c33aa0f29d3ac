/// A command line that cannot be understood. The command ends with exit code 2.
public struct UsageError: Error, Equatable, CustomStringConvertible {
    public var description: String

    init(description: String) { self.description = description }
}
