extension Schema {
    /// Something that is wrong with a schema.
    public struct Problem: Hashable, Sendable, CustomStringConvertible {
        /// The kind of problem; ``SwiftDataError/Code`` says what to do about it.
        public let code: SwiftDataError.Code
        /// The entity it concerns; nil for the whole schema.
        public let entity: String?
        /// The property it concerns; nil for the whole entity.
        public let property: String?
        /// What is wrong, in words.
        public let detail: String

        init(_ code: SwiftDataError.Code, entity: String? = nil, property: String? = nil, detail: String) {
            self.code = code
            self.entity = entity
            self.property = property
            self.detail = detail
        }

        /// The place and what is wrong there.
        public var description: String {
            guard let entity else { return detail }
            return "\(entity)\(property.map { "." + $0 } ?? ""): \(detail)"
        }
    }

    /// What is wrong with the schema; empty when it can be used.
    ///
    /// Complexity: looks at every property; the answer is not kept.
    public var problems: [Problem] { _buildProblems + SchemaCheck.problems(of: self) }

    /// Checks that the schema can be used.
    ///
    /// - Throws: ``SwiftDataError`` with the code, entity and property of the first problem; its detail lists them all.
    public func validate() throws {
        let problems = self.problems
        guard let first = problems.first else { return }
        let others = problems.dropFirst().map { "; \($0)" }.joined()
        throw SwiftDataError(
            first.code, operation: .validateSchema, entity: first.entity, property: first.property,
            detail: first.detail + others)
    }
}

/// The checks that need nothing but the finished schema.
enum SchemaCheck {
    /// Names that models have already.
    static let reservedNames: Set<String> = [
        "persistentModelID", "modelContext", "hasChanges", "isDeleted", "persistentBackingData", "schemaMetadata",
        "hashValue",
    ]

    static func problems(of schema: Schema) -> [Schema.Problem] {
        if schema.entities.isEmpty {
            return [Schema.Problem(.emptySchema, detail: "the schema has no models")]
        }
        var problems: [Schema.Problem] = []
        var names: Set<String> = []
        for entity in schema.entities {
            if !names.insert(entity.name).inserted {
                problems.append(
                    Schema.Problem(.duplicateEntity, entity: entity.name, detail: "several entities have this name"))
            }
            problems += self.names(in: entity)
            for property in entity.storedProperties {
                switch property {
                case let relationship as Schema.Relationship:
                    problems += check(relationship, of: entity, in: schema)
                case let attribute as Schema.Attribute:
                    problems += check(attribute, of: entity)
                default:
                    break
                }
            }
            problems += constraints(of: entity)
        }
        return problems
    }

    private static func names(in entity: Schema.Entity) -> [Schema.Problem] {
        var problems: [Schema.Problem] = []
        var names = Set(entity.inheritedProperties.map(\.name))
        for property in entity.storedProperties {
            let name = property.name
            if !names.insert(name).inserted {
                problems.append(
                    Schema.Problem(
                        .duplicateProperty, entity: entity.name, property: name,
                        detail: "the class or a superclass has a property of this name"))
            }
            if name.isEmpty || name.hasPrefix("_$") || reservedNames.contains(name) {
                problems.append(
                    Schema.Problem(
                        .reservedPropertyName, entity: entity.name, property: name,
                        detail: "every model has a member of this name; choose another"))
            }
        }
        return problems
    }

    private static func check(_ attribute: Schema.Attribute, of entity: Schema.Entity) -> [Schema.Problem] {
        func problem(_ code: SwiftDataError.Code, _ detail: String) -> [Schema.Problem] {
            [Schema.Problem(code, entity: entity.name, property: attribute.name, detail: detail)]
        }
        if attribute._decodedType != nil { return [] }
        let hasTransformer = attribute.options.contains { $0._transformerName != nil }
        switch attribute._valueShape.kind {
        case .toOne, .toMany:
            return problem(.invalidRelationship, "an attribute cannot hold models; describe it as a relationship")
        case .transformable where !hasTransformer && !attribute.isTransient:
            return problem(
                .unsupportedValueType,
                "\(attribute.valueTypeName) is neither Codable nor a model; make it Codable, give the property a "
                    + "transformer, or mark it @Transient")
        default:
            if canMakeUp(attribute) { return [] }
            return problem(
                .unsupportedValueType,
                "no \(attribute.valueTypeName) can be made up, which a read of a model whose row is gone would take; give "
                    + "the property a default value or an optional type")
        }
    }

    /// Whether a read that cannot throw has a value of the property to give, whatever became of the row.
    private static func canMakeUp(_ attribute: Schema.Attribute) -> Bool {
        let shape = attribute._valueShape
        if shape.isOptional || attribute._default != nil { return true }
        if case .scalar = shape.kind { return true }
        if MadeUpValue.canMake(shape.wrapped) { return true }
        func isMade<T>(_ type: T.Type) -> Bool { EmptyValue.make(type) != nil }
        return _openExistential(shape.wrapped, do: isMade)
    }

    private static func check(
        _ relationship: Schema.Relationship, of entity: Schema.Entity, in schema: Schema
    ) -> [Schema.Problem] {
        var problems: [Schema.Problem] = []
        func problem(_ code: SwiftDataError.Code, _ detail: String) {
            problems.append(Schema.Problem(code, entity: entity.name, property: relationship.name, detail: detail))
        }
        let isRead = relationship._decodedShape != nil
        if !isRead, relationship.keypath != nil, !relationship._valueShape.isRelationship {
            problem(
                .invalidRelationship,
                "\(relationship.destination) is no model; a relationship leads to a model, an optional model or an "
                    + "array of models")
        } else if let destination = schema.entitiesByName[relationship.destination] {
            if let name = relationship.inverseName {
                let inverse = destination.relationshipsByName[name]
                let back = inverse?.inverseName ?? relationship.name
                if inverse?.destination != entity.name || back != relationship.name {
                    problem(.invalidRelationship, "its inverse \(destination.name).\(name) does not lead back to it")
                }
            }
        } else {
            problem(.unknownModelType, "its destination \(relationship.destination) is not in the schema")
        }
        if relationship.isUnique, !relationship.isToOneRelationship {
            problem(.invalidUniqueness, "a relationship to several models cannot be unique")
        }
        let (least, most) = (relationship.minimumModelCount ?? 0, relationship.maximumModelCount ?? 0)
        if least < 0 || most < 0 || (most > 0 && least > most) {
            problem(.invalidRelationship, "it asks for at least \(least) and at most \(most) models")
        }
        return problems
    }

    /// Constraints and indexes must name properties that can carry them.
    private static func constraints(of entity: Schema.Entity) -> [Schema.Problem] {
        var problems: [Schema.Problem] = []
        let relationships = entity.relationshipsByName
        let names = Set(entity.properties.map(\.name))
        let external = Set(entity.attributes.filter(\._isExternal).map(\.name))
        let isKnown = { (name: String) in names.contains(name) || names.contains(String(name.prefix { $0 != "." })) }
        for list in entity.uniquenessConstraints {
            for name in list {
                if !isKnown(name) {
                    problems.append(
                        Schema.Problem(
                            .invalidUniqueness, entity: entity.name, property: name,
                            detail: "a uniqueness constraint names it, but it is no persisted property"))
                } else if external.contains(name) {
                    problems.append(
                        Schema.Problem(
                            .invalidUniqueness, entity: entity.name, property: name,
                            detail: "values that may lie in files (.externalStorage) cannot be unique"))
                } else if let relationship = relationships[name], !relationship.isToOneRelationship,
                    list.count > 1 || !relationship.isUnique
                {
                    problems.append(
                        Schema.Problem(
                            .invalidUniqueness, entity: entity.name, property: name,
                            detail: "a relationship to several models cannot be part of a uniqueness constraint"))
                }
            }
        }
        for name in entity.fullText where !isText(name, in: entity) {
            problems.append(
                Schema.Problem(
                    .invalidIndex, entity: entity.name, property: name,
                    detail: "#FullText names it, but it is no persisted property of the type String"))
        }
        for name in entity.indices.joined() {
            if !isKnown(name) {
                problems.append(
                    Schema.Problem(
                        .invalidIndex, entity: entity.name, property: name,
                        detail: "an index names it, but it is no persisted property"))
            } else if external.contains(name) {
                problems.append(
                    Schema.Problem(
                        .invalidIndex, entity: entity.name, property: name,
                        detail: "values that may lie in files (.externalStorage) cannot be indexed"))
            } else if let relationship = relationships[name], !relationship.isToOneRelationship {
                problems.append(
                    Schema.Problem(
                        .invalidIndex, entity: entity.name, property: name,
                        detail: "a relationship to several models cannot be indexed"))
            }
        }
        return problems
    }

    /// Whether full-text search can look into a property.
    private static func isText(_ name: String, in entity: Schema.Entity) -> Bool {
        guard let attribute = entity.attributesByName[name], !attribute.isTransient,
            !attribute.options.contains(.codable), !attribute.options.contains(where: { $0._transformerName != nil })
        else { return false }
        return attribute._decodedType.map { $0.form == .scalar && $0.name == "String" }
            ?? (attribute._valueShape.wrapped == String.self)
    }
}
