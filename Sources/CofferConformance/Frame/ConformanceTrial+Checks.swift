import CofferCore
import Foundation

extension ConformanceTrial {
    /// Checks that a value is the expected one.
    ///
    /// - Throws: ``ConformanceFailure`` where it is not.
    public func equal<T: Equatable>(
        _ came: T, _ expected: T, _ subject: @autoclosure () -> String, file: String = #fileID, line: Int = #line
    ) throws {
        if came == expected { return }
        throw failure(subject(), expected: Self.text(expected), came: Self.text(came), file, line)
    }

    /// Checks that something holds.
    ///
    /// - Throws: ``ConformanceFailure`` where it does not.
    public func expect(
        _ condition: Bool, _ claim: @autoclosure () -> String, came: @autoclosure () -> String = "it does not hold",
        file: String = #fileID, line: Int = #line
    ) throws {
        if condition { return }
        throw failure("a condition", expected: claim(), came: came(), file, line)
    }

    /// The value of an optional.
    ///
    /// - Throws: ``ConformanceFailure`` where there is none.
    public func unwrap<T>(
        _ value: T?, _ subject: @autoclosure () -> String, file: String = #fileID, line: Int = #line
    ) throws -> T {
        if let value { return value }
        throw failure(subject(), expected: "a value", came: "nil", file, line)
    }

    /// Checks that a call fails with one of some codes of ``SwiftDataError``.
    ///
    /// - Returns: the error.
    /// - Throws: ``ConformanceFailure`` where the call succeeds or fails in another way.
    @discardableResult
    public func fails(
        _ codes: SwiftDataError.Code..., when subject: @autoclosure () -> String, file: String = #fileID,
        line: Int = #line, _ body: () throws -> Void
    ) throws -> SwiftDataError {
        let expected = "the error " + codes.map(\.rawValue).joined(separator: " or ")
        do {
            try body()
        } catch let error as SwiftDataError where codes.contains(error.code) {
            return error
        } catch let error as ConformanceFailure {
            throw error
        } catch {
            throw failure(subject(), expected: expected, came: "\(error)", file, line)
        }
        throw failure(subject(), expected: expected, came: "no error", file, line)
    }

    /// Checks that a call fails with an error of the data store family.
    ///
    /// - Throws: ``ConformanceFailure`` where it succeeds, or fails with another error.
    public func refuses(
        _ error: DataStoreError, when subject: @autoclosure () -> String, file: String = #fileID, line: Int = #line,
        _ body: () throws -> Void
    ) throws {
        let expected = "DataStoreError.\(error)"
        do {
            try body()
        } catch let came as DataStoreError where came == error {
            return
        } catch SwiftDataError.unsupportedFeature where error == .unsupportedFeature {
            return
        } catch let came {
            throw failure(subject(), expected: expected, came: "\(came)", file, line)
        }
        throw failure(subject(), expected: expected, came: "no error", file, line)
    }

    func failure(
        _ subject: String, expected: String, came: String, _ file: String, _ line: Int
    ) -> ConformanceFailure {
        ConformanceFailure(subject: subject, expected: expected, came: came, place: "\(file):\(line)")
    }

    /// A value in words, shortened where it is long.
    private static func text(_ value: some Any) -> String {
        let text = String(reflecting: value)
        return text.count > 600 ? text.prefix(300) + " … " + text.suffix(200) : text
    }
}

extension ModelContext {
    /// Every model of a type.
    func all<M: PersistentModel>(
        _ type: M.Type, by sortBy: SortDescriptor<M>..., where predicate: Predicate<M>? = nil
    ) throws -> [M] {
        try fetch(FetchDescriptor(predicate: predicate, sortBy: sortBy))
    }

    /// How many models of a type there are.
    func count<M: PersistentModel>(_ type: M.Type, where predicate: Predicate<M>? = nil) throws -> Int {
        try fetchCount(FetchDescriptor(predicate: predicate))
    }

    /// The only model of a type that matches.
    func only<M: PersistentModel>(
        _ type: M.Type, where predicate: Predicate<M>? = nil, file: String = #fileID, line: Int = #line
    ) throws -> M {
        let found = try all(type, where: predicate)
        if found.count == 1 { return found[0] }
        throw ConformanceFailure(
            subject: "the models of type \(type)", expected: "one", came: "\(found.count)", place: "\(file):\(line)")
    }
}
