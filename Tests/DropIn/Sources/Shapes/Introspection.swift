import Foundation
import SwiftData

// Code that looks into schemas and gives the framework's types protocols of its own.

nonisolated protocol EditingStateProviding: Identifiable, Sendable, SendableMetatype where ID == UUID {
    nonisolated var author: String? { get }
}

extension EditingState: EditingStateProviding {}

nonisolated protocol SaveRequest<Row>: Sendable, SendableMetatype {
    associatedtype Row: DataStoreSnapshot
    associatedtype State: EditingStateProviding
    var editingState: State { get }
    var inserted: [Row] { get }
    var updated: [Row] { get }
    var deleted: [Row] { get }
}

extension DataStoreSaveChangesRequest: SaveRequest {}

nonisolated protocol StoreDelegate: AnyObject, Sendable {
    nonisolated func storeDidSave(inserted: [PersistentIdentifier], deleted: [PersistentIdentifier])
}

nonisolated struct ObjectMetadata: Sendable, Hashable {
    let entityName: String
    let persistentIdentifier: PersistentIdentifier
}

nonisolated protocol Difference: Sendable {
    associatedtype Model: PersistentModel
    associatedtype Value: Sendable
    static func compare(_ model: Model, with value: Value) -> Self
}

extension Schema {
    nonisolated func isManyToMany(_ relationship: Relationship) -> Bool {
        guard let target = entitiesByName[relationship.destination], let name = relationship.inverseName,
            let inverse = target.relationshipsByName[name]
        else { return false }
        return !relationship.isToOneRelationship && !inverse.isToOneRelationship
    }
}

extension Schema.Relationship {
    nonisolated var isUnidirectional: Bool { (inverseName == nil) && (inverseKeyPath == nil) }
}

/// Names and key paths of a model's properties, found as libraries do.
func keyPaths<M: PersistentModel>(of type: M.Type) -> [String: AnyKeyPath] {
    var found: [String: AnyKeyPath] = [:]
    for metadata in M.schemaMetadata {
        let children = Mirror(reflecting: metadata).children
        guard let name = children.first(where: { $0.label == "name" })?.value as? String,
            let keyPath = children.first(where: { $0.label == "keypath" })?.value as? AnyKeyPath
        else { continue }
        found[name] = keyPath
    }
    return found
}

/// A text of every entity, with a switch over what a property may be.
func outline(_ schema: Schema) -> [String] {
    schema.entities.flatMap { entity in
        entity.properties.map { property in
            switch property {
            case let composite as Schema.CompositeAttribute:
                "\(entity.name).\(composite.name) {\(composite.properties.map(\.name).joined(separator: ","))}"
            case let attribute as Schema.Attribute:
                "\(entity.name).\(attribute.name)" + (attribute.isUnique ? "!" : "") + (attribute.isOptional ? "?" : "")
            case let relationship as Schema.Relationship:
                "\(entity.name).\(relationship.name) -> \(relationship.destination)"
            default:
                "\(entity.name).\(property.name)"
            }
        }
    }
}
