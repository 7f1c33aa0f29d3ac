import Foundation
import Synchronization

/// Finds out which properties a key path such as `\Trip.owner?.name` goes through.
///
/// Swift's key paths cannot be taken apart, so the probe reads through the key path from a model without values and
/// looks at which property was read; a to-one link found this way is given another empty model, and so on. A chain is
/// believed when it ends in one property of the right type and gives that property's value back, whatever it is.
enum KeyPathProbe {
    struct Step: Sendable {
        let descriptor: _ModelDescriptor
        let slot: Int
    }

    private struct Known: @unchecked Sendable {
        var chains: [AnyKeyPath: [Step]?] = [:]
    }
    private static let known = Mutex(Known())

    /// Key paths are immutable; the type only does not say so.
    struct Key: @unchecked Sendable { let keyPath: AnyKeyPath }

    /// The properties from the model to the value, none for the model's identity; nil where the key path is not a mere
    /// chain.
    static func chain<M: PersistentModel>(of keyPath: AnyKeyPath, in type: M.Type) -> [Step]? {
        let key = Key(keyPath: keyPath)
        if let found = known.withLock({ $0.chains[key.keyPath] }) { return found }
        guard Swift.type(of: keyPath).rootType == M.self else { return nil }
        let chain = search(keyPath, in: M.self)
        known.withLock { $0.chains[key.keyPath] = .some(chain) }
        return chain
    }

    private static func search<M: PersistentModel>(_ keyPath: AnyKeyPath, in type: M.Type) -> [Step]? {
        if isForced(keyPath) || entersValue(keyPath, in: M._$descriptor) { return nil }
        var links: [Step] = []
        while links.count < 16 {
            let models = makeModels(M.self, links)
            guard let last = models.last else { return nil }
            let value = models[0][keyPath: keyPath]
            let read = slotsWithValues(last)
            if read.isEmpty, let identifier = value as? PersistentIdentifier, identifier == last.persistentModelID {
                return links
            }
            guard read.count == 1 else { return nil }
            let descriptor = Swift.type(of: last)._$descriptor
            let slot = read[0]
            let shape = _ValueShape(descriptor.properties[slot].metadata.valueType)
            let step = Step(descriptor: descriptor, slot: slot)
            if shape.wrapped == valueType(of: keyPath) {
                return confirms(keyPath, M.self, links, step) ? links + [step] : nil
            }
            guard case .toOne = shape.kind else { return nil }
            links.append(step)
        }
        return nil
    }

    /// What a key path leads to, without optionals; text that a sort descriptor compares as people do is text.
    private static func valueType(of keyPath: AnyKeyPath) -> any Any.Type {
        let type = _ValueShape(Swift.type(of: keyPath).valueType).wrapped
        #if !canImport(Darwin)
        if type is any _LocalizedSortText.Type { return String.self }
        #endif
        return type
    }

    private static func plain(_ value: Any) -> Any {
        #if !canImport(Darwin)
        if let text = _flatten(value) as? any _LocalizedSortText { return text.text }
        #endif
        return value
    }

    /// A chain of models without values, linked through the given slots.
    static func makeModels<M: PersistentModel>(_ type: M.Type, _ links: [Step]) -> [any PersistentModel] {
        var models: [any PersistentModel] = [M(_$blank: ())]
        for step in links {
            let shape = _ValueShape(step.descriptor.properties[step.slot].metadata.valueType)
            guard case .toOne(let destination) = shape.kind, let last = models.last else { return [] }
            let next = destination.init(_$blank: ())
            last._$edit(step.slot, .set(next))
            models.append(next)
        }
        return models
    }

    /// The slots whose storage holds a value: in a model without values, those that were read.
    private static func slotsWithValues(_ model: any PersistentModel) -> [Int] {
        let batch = row(of: model)
        return (0..<batch.width).filter { batch.cell(row: 0, slot: $0).kind != .absent }
    }

    private static func row(of model: any PersistentModel) -> RowBatch {
        let descriptor = type(of: model)._$descriptor
        let batch = RowBatch(
            entityName: descriptor.entityName, width: descriptor.slotCount, storeIdentifier: nil, capacity: 1)
        batch.appendRow(key: 0)
        var writer = _RowWriter(batch, row: 0, descriptor: descriptor)
        try? model._$store(&writer)
        return batch
    }

    /// Whether the key path gives back what the property holds, for a few values.
    private static func confirms<M: PersistentModel>(
        _ keyPath: AnyKeyPath, _ type: M.Type, _ links: [Step], _ end: Step
    ) -> Bool {
        if case .toMany(let destination) = _ValueShape(end.descriptor.properties[end.slot].metadata.valueType).kind {
            return confirmsList(keyPath, makeModels(M.self, links), end, of: destination)
        }
        let samples = samples(of: end.descriptor.properties[end.slot].metadata.valueType)
        return samples.allSatisfy { sample in
            let models = makeModels(M.self, links)
            guard let last = models.last else { return false }
            if let sample, !load(sample, into: last, slot: end.slot) { return false }
            guard let value = models[0][keyPath: keyPath], let seen = StoredForm.value(plain(value)) else {
                return false
            }
            let batch = row(of: last)
            let cell = batch.cell(row: 0, slot: end.slot)
            let held = batch.value(of: cell)
            if case .reference(let identifier) = seen, case .reference(let other) = held {
                return identifier._key == other._key
            }
            return seen == held
        }
    }

    /// Whether the key path gives back the models that a to-many property holds: so many that no page is taken for all,
    /// in their order, and without a look at any of them, as a filter or an order would need.
    private static func confirmsList(
        _ keyPath: AnyKeyPath, _ models: [any PersistentModel], _ end: Step, of destination: any PersistentModel.Type
    ) -> Bool {
        let members: [any PersistentModel] = (0..<300).map { _ in destination.init(_$blank: ()) }
        models.last?._$edit(end.slot, .replace(members))
        guard let seen = models.first.flatMap({ _flatten($0[keyPath: keyPath] as Any) }) as? [AnyObject] else {
            return false
        }
        return seen.elementsEqual(members) { $0 === $1 }
            && members.allSatisfy { $0._$key == 0 && slotsWithValues($0).isEmpty }
    }

    private static func load(_ value: StoredValue, into model: any PersistentModel, slot: Int) -> Bool {
        let descriptor = type(of: model)._$descriptor
        let batch = RowBatch(
            entityName: descriptor.entityName, width: descriptor.slotCount, storeIdentifier: nil, capacity: 1)
        batch.appendRow(key: 0)
        batch.set(value, row: 0, slot: slot)
        return (try? model._$load(_RowReader(batch, row: 0, mask: _slotBit(slot), home: nil))) != nil
    }

    /// Values to try; nil stands for the property's default.
    private static func samples(of type: any Any.Type) -> [StoredValue?] {
        guard case .scalar(let scalar) = _ValueShape(type).kind else { return [nil] }
        switch scalar._storage {
        case .boolean: return [.integer(0), .integer(1)]
        case .integer, .unsigned: return [nil, .integer(0), .integer(7), .integer(101)]
        case .real, .date: return [nil, .real(0), .real(-0.625), .real(77.5)]
        case .text: return scalar is Character.Type ? [nil, .text("q")] : [nil, .text(""), .text(" Ab. ß\u{E9}7_ ")]
        case .blob: return [nil, .blob([]), .blob([1, 2, 0])]
        case .uuid: return [.blob((0..<16).map { UInt8($0) * 3 })]
        case .url: return [.text("a:b/C?d#e")]
        case .decimal: return [nil, .text("1")]
        }
    }
}
