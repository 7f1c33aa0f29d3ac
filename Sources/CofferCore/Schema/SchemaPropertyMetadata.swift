extension Schema {
    /// What a model class says about one of its persisted properties; `@Model` writes an array of these.
    public struct PropertyMetadata {
        // Libraries read `name` and `keypath` with `Mirror`: the labels are part of the interface.
        let name: String
        let keypath: AnyKeyPath
        let metadata: (any SchemaProperty)?
        let _default: _DefaultValue?

        /// Describes a property.
        ///
        /// - Parameters:
        ///   - name: the property's name.
        ///   - keypath: the property.
        ///   - defaultValue: the value it is declared with; nil for none.
        ///   - metadata: what `@Attribute` or `@Relationship` says about it.
        public init(
            name: String, keypath: AnyKeyPath, defaultValue: Any? = nil, metadata: (any SchemaProperty)? = nil
        ) {
            self.init(
                name: name, keypath: keypath, metadata: metadata,
                default: defaultValue.map { _DefaultValue(explicit: $0) })
        }

        private init(name: String, keypath: AnyKeyPath, metadata: (any SchemaProperty)?, default: _DefaultValue?) {
            self.name = name
            self.keypath = keypath
            self.metadata = metadata
            self._default = `default`
        }

        /// The value the property is declared with; an expression is evaluated once.
        var defaultValue: Any? { _default?.value }

        /// The declared type, read from the key path.
        var valueType: any Any.Type { type(of: keypath).valueType }

        /// Describes a property without a default value. Called by what `@Model` generates.
        ///
        /// - Parameters:
        ///   - name: the property's name.
        ///   - keyPath: the property.
        ///   - metadata: what `@Attribute` or `@Relationship` says about it.
        public static func _make<M, V>(
            _ name: String, _ keyPath: KeyPath<M, V>, metadata: (any SchemaProperty)? = nil
        ) -> PropertyMetadata {
            PropertyMetadata(name: name, keypath: keyPath, metadata: metadata, default: nil)
        }

        /// Describes a property with a default value. Called by what `@Model` generates.
        ///
        /// - Parameters:
        ///   - name: the property's name.
        ///   - keyPath: the property; it gives the default its type.
        ///   - default: the expression of the source; evaluated when the value is first needed, usually never.
        ///   - metadata: what `@Attribute` or `@Relationship` says about it.
        public static func _make<M, V>(
            _ name: String, _ keyPath: KeyPath<M, V>, default: @autoclosure @escaping () -> V,
            metadata: (any SchemaProperty)? = nil
        ) -> PropertyMetadata {
            PropertyMetadata(
                name: name, keypath: keyPath, metadata: metadata,
                default: _DefaultValue(expression: `default`))
        }
    }
}
