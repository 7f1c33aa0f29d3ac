import Foundation

/// Makes up a value of a type: zero, nothing, or whatever its decoder accepts for that.
enum EmptyValue {
    static func make<V>(_ type: V.Type) -> V? {
        if let none = _nilValue(of: type) { return none }
        switch type {
        case is URL.Type: return URL(fileURLWithPath: "/") as? V
        case is UUID.Type: return UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)) as? V
        case is Character.Type: return Character(" ") as? V
        default: break
        }
        if let cases = type as? any CaseIterable.Type {
            func first<C: CaseIterable>(_ type: C.Type) -> V? { type.allCases.first as? V }
            if let value = first(cases) { return value }
        }
        // JSON that most types accept in one of these forms.
        for text in ["0", "\"\"", "[]", "{}", "false", "null"] {
            if let decodable = type as? any Decodable.Type,
                let value = try? JSONDecoder().decode(decodable, from: Data(text.utf8)) as? V
            {
                return value
            }
        }
        return nil
    }
}
