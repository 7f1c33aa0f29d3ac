import Foundation

// Key paths that must not be read through: a model without values would stop the program there.

extension KeyPathProbe {
    /// Whether a key path unwraps an optional by force.
    static func isForced(_ keyPath: AnyKeyPath) -> Bool { keyPath.debugDescription.contains("!") }

    /// Whether a key path goes on from an attribute: to a member of its value, or to an element, which may not be there.
    static func entersValue(_ keyPath: AnyKeyPath, in descriptor: _ModelDescriptor) -> Bool {
        #if !canImport(Darwin)
        if _LocalizedKeyPath.comparator(of: keyPath) != nil { return false }
        #endif
        return !attributes(before: keyPath, in: descriptor).isEmpty
    }

    /// Whether reading a key path of some model can stop the program: by a force unwrap, or at an element of a
    /// collection that is not there.
    static func isHazardous(_ keyPath: AnyKeyPath, in descriptor: _ModelDescriptor) -> Bool {
        func isSafe<C: Collection>(_ attribute: AnyKeyPath, _ type: C.Type) -> Bool {
            let known: [AnyKeyPath] = [\C.count, \C.isEmpty, \C.first]
            if known.contains(where: { attribute.appending(path: $0) == keyPath }) { return true }
            return (C.self as? any KnownKeyPaths.Type)?.keyPaths.contains {
                attribute.appending(path: $0) == keyPath
            } ?? false
        }
        if isForced(keyPath) { return true }
        return attributes(before: keyPath, in: descriptor).contains { attribute in
            guard let type = Swift.type(of: attribute).valueType as? any Collection.Type else { return false }
            return !isSafe(attribute, type)
        }
    }

    /// The attributes whose values a key path goes into.
    private static func attributes(before keyPath: AnyKeyPath, in descriptor: _ModelDescriptor) -> [AnyKeyPath] {
        let text = keyPath.debugDescription
        return descriptor.properties.indices.compactMap { slot in
            // The descriptor's own list of relationships may be what is being made just now.
            if _ValueShape(descriptor.properties[slot].metadata.valueType).isRelationship { return nil }
            let start = descriptor.properties[slot].keyPath as AnyKeyPath
            let name = start.debugDescription
            return text.hasPrefix(name) && text.count > name.count ? start : nil
        }
    }
}

/// What may be read of any value of a type.
private protocol KnownKeyPaths {
    static var keyPaths: [AnyKeyPath] { get }
}

extension Array: KnownKeyPaths {
    fileprivate static var keyPaths: [AnyKeyPath] {
        [\[Element].count, \[Element].isEmpty, \[Element].first, \[Element].last]
    }
}

extension String: KnownKeyPaths {
    fileprivate static var keyPaths: [AnyKeyPath] {
        [\String.count, \String.isEmpty, \String.first, \String.last]
    }
}
