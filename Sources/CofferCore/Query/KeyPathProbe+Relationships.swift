import Foundation
import Synchronization

extension KeyPathProbe {
    private struct Paths: @unchecked Sendable {
        var known: [AnyKeyPath: [Int]?] = [:]
    }
    private static let paths = Mutex(Paths())

    /// The relationships that a key path such as `\Part.machine?.owner` goes through, by slot; nil where it is not a mere
    /// chain of relationships. All but the last are to-one.
    ///
    /// A model without values is linked to a marked one by each of its relationships in turn, to see whether the key path
    /// leads there.
    ///
    /// - Complexity: grows with the number of relationships to the power of the chain's length, once for a key path.
    static func relationships<M: PersistentModel>(of keyPath: PartialKeyPath<M>) -> [Int]? {
        let key = Key(keyPath: keyPath)
        if let found = paths.withLock({ $0.known[key.keyPath] }) { return found }
        if isForced(keyPath) { return nil }
        var found: [Int]?
        for length in 1...longestPath where found == nil { found = path(of: keyPath, after: [], length) }
        let result = found
        paths.withLock { $0.known[key.keyPath] = .some(result) }
        return found
    }

    private static var longestPath: Int { 4 }

    /// A path of the given length that begins with some links.
    private static func path<M: PersistentModel>(
        of keyPath: PartialKeyPath<M>, after links: [Step], _ length: Int
    ) -> [Int]? {
        let descriptor = links.last.flatMap { $0.descriptor.relationships[$0.slot]?.destination } ?? M._$descriptor
        for case let relationship? in descriptor.relationships {
            let step = Step(descriptor: descriptor, slot: relationship.slot)
            if links.count + 1 == length {
                if leads(keyPath, links, to: relationship) { return links.map(\.slot) + [relationship.slot] }
            } else if !relationship.isToMany, let found = path(of: keyPath, after: links + [step], length) {
                return found
            }
        }
        return nil
    }

    private static func leads<M: PersistentModel>(
        _ keyPath: PartialKeyPath<M>, _ links: [Step], to relationship: _ModelDescriptor.Relationship
    ) -> Bool {
        let models = makeModels(M.self, links)
        guard let last = models.last, let root = models.first as? M else { return false }
        let mark = relationship.destination.type.init(_$blank: ())
        last._$edit(relationship.slot, relationship.isToMany ? .replace([mark]) : .set(mark))
        let value = _flatten(root[keyPath: keyPath] as Any)
        if relationship.isToMany { return (value as? [any PersistentModel])?.first.map { $0 === mark } ?? false }
        return (value as? any PersistentModel).map { $0 === mark } ?? false
    }
}
