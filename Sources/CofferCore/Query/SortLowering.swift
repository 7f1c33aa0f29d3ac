import Foundation

/// Turns sort descriptors into sort keys.
enum SortLowering {
    /// - Throws: ``SwiftDataError/unsupportedSortDescriptor`` for an order by something that is not stored.
    static func key<M: PersistentModel>(_ descriptor: SortDescriptor<M>) throws -> SortKey {
        guard let keyPath = descriptor.keyPath else {
            throw unsupported(M.self, "a sort descriptor without a key path")
        }
        let isDescending = descriptor.order == .reverse
        if let path = try path(of: keyPath, in: M.self) {
            return SortKey(path: path, isDescending: isDescending)
        }
        #if !canImport(Darwin)
        if let comparator = _LocalizedKeyPath.comparator(of: keyPath),
            let chain = KeyPathProbe.chain(of: keyPath, in: M.self), areStored(chain)
        {
            return SortKey(
                path: chain.map(\.slot), isDescending: isDescending,
                comparison: comparator == .localized ? .localized : .localizedStandard)
        }
        #endif
        // The context would sort models by it, whose values it could stop at.
        if KeyPathProbe.isHazardous(keyPath, in: M._$descriptor) {
            throw RefusedFetch(
                error: unsupported(
                    M.self,
                    "\(name(of: keyPath, in: M.self)), which unwraps by force or leads to an element of a collection"))
        }
        let problem =
            isProperty(keyPath, in: M.self)
            ? "whose own order is not that of the values in the store" : "which leads to no persisted property"
        throw unsupported(M.self, "\(name(of: keyPath, in: M.self)), \(problem)")
    }

    /// What a key path is called: its properties by name, as far as they are known.
    static func name<M: PersistentModel>(of keyPath: AnyKeyPath, in type: M.Type) -> String {
        if let slot = M._$descriptor.slot(of: keyPath) { return M._$descriptor.properties[slot].name }
        if let chain = KeyPathProbe.chain(of: keyPath, in: M.self), !chain.isEmpty {
            return chain.map { $0.descriptor.properties[$0.slot].name }.joined(separator: ".")
        }
        return "a key path to \(Swift.type(of: keyPath).valueType)"
    }

    private static func isProperty<M: PersistentModel>(_ keyPath: AnyKeyPath, in type: M.Type) -> Bool {
        M._$descriptor.slot(of: keyPath) != nil || KeyPathProbe.chain(of: keyPath, in: M.self)?.isEmpty == false
    }

    /// The slots of a key path, where it leads to a value that has a stored order.
    private static func path<M: PersistentModel>(of keyPath: AnyKeyPath, in type: M.Type) throws -> [Int]? {
        let valueType = Swift.type(of: keyPath).valueType
        guard valueType is any PersistentScalar.Type || FilterCoding(valueType)?.storedOrderIsNatural == true else {
            return nil
        }
        if let slot = M._$descriptor.slot(of: keyPath) {
            try refuseCoded(slot, M._$descriptor)
            return isStored(slot, M._$descriptor) ? [slot] : nil
        }
        guard let chain = KeyPathProbe.chain(of: keyPath, in: M.self) else { return nil }
        for step in chain { try refuseCoded(step.slot, step.descriptor) }
        guard areStored(chain) else { return nil }
        return chain.map(\.slot)
    }

    private static func refuseCoded(_ slot: Int, _ descriptor: _ModelDescriptor) throws {
        guard descriptor.special.opaque.contains(slot) else { return }
        throw RefusedFetch(
            error: SwiftDataError(
                .unsupportedSortDescriptor, operation: .fetch, entity: descriptor.entityName,
                property: descriptor.properties[slot].name,
                detail: "its values are kept in coded form (.codable), which is closed to orders"))
    }

    private static func areStored(_ chain: [KeyPathProbe.Step]) -> Bool {
        !chain.isEmpty && chain.allSatisfy { isStored($0.slot, $0.descriptor) }
    }

    private static func isStored(_ slot: Int, _ descriptor: _ModelDescriptor) -> Bool {
        guard let attribute = descriptor.properties[slot].metadata.metadata as? Schema.Attribute else { return true }
        return !attribute.isTransient && !attribute.options.contains { $0._transformerName != nil }
    }

    private static func unsupported<M: PersistentModel>(_ type: M.Type, _ detail: String) -> SwiftDataError {
        SwiftDataError(
            .unsupportedSortDescriptor, operation: .fetch, entity: M._$descriptor.entityName, detail: detail)
    }
}
