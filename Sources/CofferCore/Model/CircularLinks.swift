// Models hold the models they are linked to. Once their context has ended nothing is loaded any more, and links that lead
// in a circle would keep the whole graph, and the store with it.

extension _ModelDescriptor {
    /// The slots that have to be emptied so that no circle is left: all to-many relationships, one side of each pair of
    /// to-one links, and what else leads back by to-one links.
    ///
    /// Links that must have a value stay; where all links of a circle must have one, no program can make the circle.
    func findCircularSlots() -> [Int] {
        relationships.indices.filter { slot in
            guard let relationship = relationships[slot] else { return false }
            return relationship.isToMany || relationship.isOptional && closesCircle(relationship)
        }
    }

    private func closesCircle(_ relationship: Relationship) -> Bool {
        if let other = relationship.pairedLink {
            if !other.isOptional { return true }
            if yields(relationship, to: other) { return true }
        }
        // Whether a link of the destination, or of what that leads to, leads back here.
        var seen: Set<ObjectIdentifier> = []
        var front = [relationship.destination]
        while let descriptor = front.popLast() {
            if descriptor.root === root { return true }
            guard seen.insert(ObjectIdentifier(descriptor)).inserted else { continue }
            for case let next? in descriptor.relationships where !next.isToMany {
                if let other = next.pairedLink, descriptor.yields(next, to: other) { continue }
                // The link back along this very pair is the other side's to give up.
                if next.pairedLink === relationship { continue }
                front.append(next.destination)
            }
        }
        return false
    }

    /// The topmost class: a link to a class may hold any class below it.
    private var root: _ModelDescriptor { superclass?._$descriptor.root ?? self }

    /// Which side of a pair gives its link up: the one that owns the other, as the owner of a list does; otherwise the one
    /// whose name comes first.
    private func yields(_ link: Relationship, to other: Relationship) -> Bool {
        if !link.isOptional { return false }
        if !other.isOptional { return true }
        let (owns, isOwned) = (link.deleteRule == .cascade, other.deleteRule == .cascade)
        if owns != isOwned { return owns }
        return (entityName, link.slot) <= (link.destination.entityName, other.slot)
    }
}

extension _ModelDescriptor.Relationship {
    /// The other side, where both hold one model.
    fileprivate var pairedLink: _ModelDescriptor.Relationship? {
        guard !isToMany, !inverseIsToMany, let inverseSlot else { return nil }
        return destination.relationships[safe: inverseSlot] ?? nil
    }
}
