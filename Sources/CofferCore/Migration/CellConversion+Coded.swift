import Foundation

extension CellConversion {
    /// Decodes each value and codes it anew, since a type that has changed may code the same value differently, and
    /// values that are equal have to be kept alike.
    static func recoding<C: Codable>(_ type: C.Type, members: [Schema.Attribute]) -> CellConversion {
        CellConversion(
            convert: { cell, source, target, row, slot in
                guard cell.kind == .text || cell.kind == .blob,
                    let value = try? CompositeCoding.decode(type, from: source.bytes(of: cell)),
                    var text = try? CompositeCoding.encode(value)
                else { return false }
                text.withUTF8 {
                    let bytes = UnsafeRawBufferPointer($0)
                    if cell.kind == .text {
                        target.setText(bytes, row: row, slot: slot)
                    } else {
                        target.setBlob(bytes, row: row, slot: slot)
                    }
                }
                return true
            },
            lostMembers: { cell, source, new, target in
                CodedMembers(source.bytes(of: cell)).missing(in: CodedMembers(target.bytes(of: new)))
            },
            misfitMember: { cell, source in
                do {
                    _ = try CompositeCoding.decode(type, from: source.bytes(of: cell))
                    return nil
                } catch let error as DecodingError {
                    return name(of: error, among: members)
                } catch {
                    return nil
                }
            })
    }

    /// The member that an error is about, by the names that the program declares: other names in the path of an error may
    /// be values, such as keys of dictionaries.
    private static func name(of error: DecodingError, among members: [Schema.Attribute]) -> String? {
        let keys: [any CodingKey]
        switch error {
        case .keyNotFound(let key, let context): keys = context.codingPath + [key]
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            keys = context.codingPath
        @unknown default: return nil
        }
        var names: [String] = []
        var known = members
        for key in keys {
            guard let member = known.first(where: { $0.name == key.stringValue }) else { break }
            names.append(member.name)
            known = (member as? Schema.CompositeAttribute)?.properties ?? []
        }
        return names.isEmpty ? nil : names.joined(separator: ".")
    }
}

/// The members of a coded value, to see which of them another form of it does not have.
private struct CodedMembers {
    private let value: Any?

    init(_ bytes: UnsafeRawBufferPointer) {
        value = try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
    }

    /// The names of members with a value that are not in another form, each once; those of a member are `member.name`.
    func missing(in other: CodedMembers) -> [String] {
        var names: Set<String> = []
        Self.collect(value, other.value, "", &names)
        return names.sorted()
    }

    private static func collect(_ old: Any?, _ new: Any?, _ path: String, _ names: inout Set<String>) {
        if let old = old as? [String: Any] {
            let new = new as? [String: Any]
            for (name, value) in old where !(value is NSNull) {
                if let kept = new?[name] {
                    collect(value, kept, path + name + ".", &names)
                } else {
                    names.insert(path + name)
                }
            }
        } else if let old = old as? [Any], let new = new as? [Any] {
            for (old, new) in zip(old, new) { collect(old, new, path, &names) }
        }
    }
}
