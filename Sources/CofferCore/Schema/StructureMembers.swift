import Synchronization

/// The members of structures that are values of attributes, as a schema describes them.
///
/// Found in what the compiler leaves of a type, as SwiftData does: by the names of stored properties, whatever its coding
/// calls them. So no code of the type runs while a schema is made.
enum StructureMembers {
    /// An attribute for each member; nil of what is no structure of the program, or is kept some other way.
    ///
    /// - Parameter options: those of the attribute; what a transformer makes or is kept in coded form has no members.
    static func attributes(of shape: _ValueShape, _ options: [Schema.Attribute.Option]) -> [Schema.Attribute]? {
        guard case .codable(let type) = shape.kind, !options.contains(.codable),
            !options.contains(where: { $0._transformerName != nil }), let members = members(of: type)
        else { return nil }
        return members.map { attribute($0) }
    }

    private static func attribute(_ member: Member) -> Schema.Attribute {
        let members = attributes(of: _ValueShape(member.type), [])
        return Schema.Attribute(name: member.name, valueType: member.type)._copy(withMembers: members)
    }

    private struct Member: @unchecked Sendable {
        let name: String
        let type: any Any.Type
    }

    private static let known = Mutex<[ObjectIdentifier: [Member]?]>([:])

    private static func members(of type: any Codable.Type) -> [Member]? {
        known.withLock { known in
            if let found = known[ObjectIdentifier(type)] { return found }
            let found = isStructure(type) ? read(type) : nil
            known[ObjectIdentifier(type)] = .some(found)
            return found
        }
    }

    /// Whether a type is a structure that the program declares. Those of libraries that come with the language change with
    /// these, and so would the schema; collections have no members of their own.
    private static func isStructure(_ type: any Codable.Type) -> Bool {
        if type is any Collection.Type || type is any SetAlgebra.Type { return false }
        return TypeReflection.kind(type) == .structure && !isOfLibrary(type)
    }

    /// Whether a type comes with the language.
    static func isOfLibrary(_ type: any Any.Type) -> Bool {
        libraries.contains(String(String(reflecting: type).prefix { $0 != "." }))
    }

    private static let libraries: Set = [
        "Swift", "Foundation", "FoundationEssentials", "FoundationInternationalization", "CoreFoundation",
        "CoreGraphics",
        "Dispatch", "Observation", "Synchronization", "__C",
    ]

    /// Nil where the program was built without names of stored properties.
    private static func read(_ type: any Any.Type) -> [Member]? {
        let fields = TypeReflection.fields(type)
        if fields.isEmpty || fields.contains(where: { $0.name.isEmpty }) { return nil }
        return fields.map { Member(name: $0.name, type: $0.type) }
    }
}
