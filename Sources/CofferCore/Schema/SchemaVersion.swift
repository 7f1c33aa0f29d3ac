extension Schema {
    /// The version of a schema: three numbers, ordered as Semantic Versioning 2.0 orders releases.
    ///
    /// ```swift
    /// enum TripsV2: VersionedSchema {
    ///     static let versionIdentifier = Schema.Version(2, 0, 0)
    ///     static var models: [any PersistentModel.Type] { [Trip.self] }
    /// }
    /// ```
    public struct Version: Codable, Comparable, CustomStringConvertible, Hashable, Sendable {
        /// The first number; a change of it says that old and new data differ in kind.
        public let major: Int
        /// The second number.
        public let minor: Int
        /// The third number.
        public let patch: Int

        /// Makes a version of three numbers.
        ///
        /// - Precondition: no number is negative.
        public init(_ major: Int, _ minor: Int, _ patch: Int) {
            precondition(major >= 0 && minor >= 0 && patch >= 0, "the numbers of a schema version must not be negative")
            self.major = major
            self.minor = minor
            self.patch = patch
        }

        /// Orders by the first number that differs.
        public static func < (left: Version, right: Version) -> Bool {
            (left.major, left.minor, left.patch) < (right.major, right.minor, right.patch)
        }

        /// The version as `1.2.3`.
        public var description: String { "\(major).\(minor).\(patch)" }

        private enum CodingKeys: String, CodingKey {
            case major, minor, patch
        }

        /// Reads a version.
        ///
        /// - Throws: `DecodingError` for a missing or a negative number.
        public init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            func number(_ key: CodingKeys) throws -> Int {
                let number = try values.decode(Int.self, forKey: key)
                guard number >= 0 else {
                    throw DecodingError.dataCorruptedError(
                        forKey: key, in: values, debugDescription: "a schema version has no negative numbers")
                }
                return number
            }
            self.init(try number(.major), try number(.minor), try number(.patch))
        }
    }
}
