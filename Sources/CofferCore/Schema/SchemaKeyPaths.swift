extension Schema {
    /// The model classes of a hierarchy, from the topmost down to the type itself.
    static func _lineage(of type: any PersistentModel.Type) -> [any PersistentModel.Type] {
        var lineage = [type]
        while let parent = _superclassModel(of: lineage[0]) { lineage.insert(parent, at: 0) }
        return lineage
    }

    /// The nearest superclass that is a model, or nil. Plain classes in between are passed over.
    static func _superclassModel(of type: any PersistentModel.Type) -> (any PersistentModel.Type)? {
        var parent: AnyClass? = _getSuperclass(type)
        while let known = parent {
            if let model = known as? any PersistentModel.Type { return model }
            parent = _getSuperclass(known)
        }
        return nil
    }

    /// The name of the property a key path leads to, or nil when it leads to none that is persisted.
    ///
    /// Swift does not consider `\Sub.name` and `\Base.name` equal, so that the first is tried out on a model.
    static func _propertyName(of keyPath: AnyKeyPath, in type: any PersistentModel.Type) -> String? {
        for type in _lineage(of: type).reversed() {
            if let metadata = type.schemaMetadata.first(where: { $0.keypath == keyPath }) { return metadata.name }
        }
        let descriptor = type._$descriptor
        return descriptor.slot(of: keyPath).flatMap { descriptor.properties[safe: $0]?.name }
    }

    /// The names of the properties the key paths lead to; one that leads to none shows as the key path itself.
    static func _names(of keyPaths: [AnyKeyPath], in type: any PersistentModel.Type) -> [String] {
        keyPaths.map { _propertyName(of: $0, in: type) ?? $0.debugDescription }
    }

    /// The key paths of the named properties.
    static func _keyPaths<M: PersistentModel>(
        named names: [String], in type: M.Type, codingPath: [any CodingKey]
    ) throws -> [PartialKeyPath<M>] {
        try names.map { name in
            for type in _lineage(of: type).reversed() {
                if let metadata = type.schemaMetadata.first(where: { $0.name == name }),
                    let keyPath = metadata.keypath as? PartialKeyPath<M>
                {
                    return keyPath
                }
            }
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: codingPath,
                    debugDescription: "\(name) is no property that \(Schema.entityName(for: M.self)) declares"))
        }
    }
}
