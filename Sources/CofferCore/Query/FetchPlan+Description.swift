extension FetchPlan: CustomStringConvertible {
    /// The plan on one line: `Trip where $0.days > 3 sort 0, -2 limit 10`. Sort keys and properties are slots.
    public var description: String {
        var text = ([entityName] + subentityNames).joined(separator: "|")
        switch scope {
        case .all: break
        case .keys(let keys): text += " of \(keys.count) keys"
        case .related(let entity, let slot, let owners): text += " in slot \(slot) of \(owners.count) \(entity)"
        }
        if let filter { text += " where \(filter)" }
        if !sort.isEmpty { text += " sort " + sort.map(\.description).joined(separator: ", ") }
        if let limit { text += " limit \(limit)" }
        if offset > 0 { text += " offset \(offset)" }
        if let slots { text += " slots " + slots.map(String.init).joined(separator: ", ") }
        return text
    }
}

extension SortKey: CustomStringConvertible {
    /// The slots with dots between, a minus in front where descending, and the comparison where it is not the standard.
    public var description: String {
        let path = (isDescending ? "-" : "") + path.map(String.init).joined(separator: ".")
        return comparison == .standard ? path : path + " " + comparison.rawValue
    }
}
