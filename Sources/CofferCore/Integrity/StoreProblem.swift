/// Something that is wrong with what a store holds, and where. It shows no values of the user's data.
public struct StoreProblem: Hashable, Codable, Sendable, CustomStringConvertible {
    /// The entity; nil where the store as a whole is concerned.
    public let entity: String?
    /// The key of the row.
    public let key: Int64?
    /// The property.
    public let property: String?
    /// What is wrong, in words.
    public let detail: String

    /// Describes a problem.
    ///
    /// - Parameters:
    ///   - entity: the entity of the row; nil for what concerns no row.
    ///   - key: the key of the row.
    ///   - property: the property concerned.
    ///   - detail: what is wrong; leave values of the user's data out.
    public init(entity: String? = nil, key: Int64? = nil, property: String? = nil, _ detail: String) {
        self.entity = entity
        self.key = key
        self.property = property
        self.detail = detail
    }

    /// The problem on one line: `Trip 3, name: the text is no UTF-8`.
    public var description: String {
        let row = [entity, key.map(String.init)].compactMap(\.self).joined(separator: " ")
        let place = [row, property ?? ""].filter { !$0.isEmpty }.joined(separator: ", ")
        return place.isEmpty ? detail : "\(place): \(detail)"
    }
}
