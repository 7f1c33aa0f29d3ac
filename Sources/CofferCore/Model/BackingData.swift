import Foundation

/// A model's values by key path: the compatible, slow door that stores with snapshots of their own use.
public protocol BackingData<Model> {
    /// The model whose values these are.
    associatedtype Model: PersistentModel

    /// Empty values.
    init(for type: Model.Type)
    /// The identifier of the model's row; nil for values that belong to no row.
    var persistentModelID: PersistentIdentifier? { get set }
    /// What the implementation keeps beside the values; without a meaning to anybody else.
    var metadata: Any { get }

    /// The value of an attribute.
    func getValue<V: Decodable>(forKey keyPath: KeyPath<Model, V>) -> V
    /// The model at the end of a required to-one relationship.
    func getValue<V: PersistentModel>(forKey keyPath: KeyPath<Model, V>) -> V
    /// The model at the end of an optional to-one relationship; nil where there is none.
    func getValue<V: PersistentModel>(forKey keyPath: KeyPath<Model, V?>) -> V?
    /// The models of a to-many relationship.
    func getValue<V: RelationshipCollection, O>(forKey keyPath: KeyPath<Model, V>) -> V where O == V.PersistentElement
    /// The models of a to-many relationship whose type can be decoded as well.
    func getValue<V: RelationshipCollection & Decodable, O>(
        forKey keyPath: KeyPath<Model, V>
    ) -> V where O == V.PersistentElement
    /// The value of an attribute that a value transformer turns into bytes.
    func getTransformableValue<V>(forKey keyPath: KeyPath<Model, V>) -> V
    /// Sets an attribute.
    func setValue<V: Encodable>(forKey keyPath: KeyPath<Model, V>, to value: V)
    /// Sets a required to-one relationship.
    func setValue<V: PersistentModel>(forKey keyPath: KeyPath<Model, V>, to value: V)
    /// Sets an optional to-one relationship; nil cuts it.
    func setValue<V: PersistentModel>(forKey keyPath: KeyPath<Model, V?>, to value: V?)
    /// Sets a to-many relationship.
    func setValue<V: RelationshipCollection, O>(
        forKey keyPath: KeyPath<Model, V>, to value: V
    ) where O == V.PersistentElement
    /// Sets a to-many relationship whose type can be encoded as well.
    func setValue<V: RelationshipCollection & Encodable, O>(
        forKey keyPath: KeyPath<Model, V>, to value: V
    ) where O == V.PersistentElement
    /// Sets an attribute that a value transformer turns into bytes.
    func setTransformableValue<V>(forKey keyPath: KeyPath<Model, V>, to value: V)

    /// A snapshot of the values; defaulted.
    func _snapshot() -> DefaultSnapshot
    /// Gives a model the values; defaulted.
    func _fill(_ model: Model)
}

extension BackingData {
    /// For a backing data of somebody else's: the model's attributes that it can be asked for one by one.
    public func _snapshot() -> DefaultSnapshot {
        let model = Model(_$blank: ())
        _fill(model)
        return ModelBackingData(model)._snapshot()
    }

    public func _fill(_ model: Model) {
        for property in Model._$descriptor.properties {
            func fill<V>(_ type: V.Type) {
                guard let decodable = type as? any Decodable.Type else { return }
                func fillDecodable<D: Decodable>(_ type: D.Type) {
                    guard let keyPath = property.keyPath as? ReferenceWritableKeyPath<Model, D> else { return }
                    model[keyPath: keyPath] = getValue(forKey: keyPath)
                }
                fillDecodable(decodable)
            }
            _openExistential(Swift.type(of: property.keyPath).valueType, do: fill)
        }
    }
}

/// The backing data of Coffer's models: the model itself.
struct ModelBackingData<Model: PersistentModel>: BackingData {
    let model: Model

    init(_ model: Model) { self.model = model }

    init(for type: Model.Type) { model = Model(_$blank: ()) }

    var persistentModelID: PersistentIdentifier? {
        get { model.persistentModelID }
        nonmutating set {
            guard let newValue else { return }
            if let home = model._$home {
                home.setIdentifier(newValue, of: model)
            } else {
                model._$key = newValue._key
            }
        }
    }

    var metadata: Any { Model._$descriptor.properties.map(\.metadata) }

    func getValue<V: Decodable>(forKey keyPath: KeyPath<Model, V>) -> V { model[keyPath: keyPath] }
    func getValue<V: PersistentModel>(forKey keyPath: KeyPath<Model, V>) -> V { model[keyPath: keyPath] }
    func getValue<V: PersistentModel>(forKey keyPath: KeyPath<Model, V?>) -> V? { model[keyPath: keyPath] }
    func getValue<V: RelationshipCollection, O>(
        forKey keyPath: KeyPath<Model, V>
    ) -> V where O == V.PersistentElement { model[keyPath: keyPath] }
    func getValue<V: RelationshipCollection & Decodable, O>(
        forKey keyPath: KeyPath<Model, V>
    ) -> V where O == V.PersistentElement { model[keyPath: keyPath] }
    func getTransformableValue<V>(forKey keyPath: KeyPath<Model, V>) -> V { model[keyPath: keyPath] }

    func setValue<V: Encodable>(forKey keyPath: KeyPath<Model, V>, to value: V) { set(keyPath, value) }
    func setValue<V: PersistentModel>(forKey keyPath: KeyPath<Model, V>, to value: V) { set(keyPath, value) }
    func setValue<V: PersistentModel>(forKey keyPath: KeyPath<Model, V?>, to value: V?) { set(keyPath, value) }
    func setValue<V: RelationshipCollection, O>(
        forKey keyPath: KeyPath<Model, V>, to value: V
    ) where O == V.PersistentElement { set(keyPath, value) }
    func setValue<V: RelationshipCollection & Encodable, O>(
        forKey keyPath: KeyPath<Model, V>, to value: V
    ) where O == V.PersistentElement { set(keyPath, value) }
    func setTransformableValue<V>(forKey keyPath: KeyPath<Model, V>, to value: V) { set(keyPath, value) }

    /// A property that the program may only read is still written by whoever holds its backing data.
    private func set<V>(_ keyPath: KeyPath<Model, V>, _ value: V) {
        if let writable = keyPath as? ReferenceWritableKeyPath<Model, V> { model[keyPath: writable] = value }
    }

    func _snapshot() -> DefaultSnapshot {
        let descriptor = Model._$descriptor
        let batch = RowBatch(
            space: model.persistentModelID._space, width: descriptor.slotCount, capacity: 1)
        batch.descriptor = descriptor
        batch.appendRow(identifier: model.persistentModelID)
        var writer = _RowWriter(batch, row: 0, descriptor: descriptor)
        // What cannot be encoded is left out here; saving the model reports it.
        try? model._$store(&writer)
        return DefaultSnapshot(batch, row: 0)
    }

    func _fill(_ other: Model) {
        if other === model { return }
        let snapshot = _snapshot()
        try? other._$load(_RowReader(snapshot.batch, row: 0, home: nil))
        for slot in Model._$descriptor.relationships.indices {
            guard let relationship = Model._$descriptor.relationships[slot] else { continue }
            var visitor = _RelatedVisitor(slot: slot)
            model._$visit(&visitor)
            if !visitor.isLoaded { continue }
            other._$edit(slot, relationship.isToMany ? .replace(visitor.models) : .set(visitor.models.first))
        }
    }
}

extension PersistentModel {
    /// Empty backing data for a model type.
    public static func createBackingData<P: PersistentModel>() -> some BackingData<P> {
        ModelBackingData<P>(for: P.self)
    }

    /// The value of an attribute, as reading the property gives it.
    public func getValue<V: Decodable>(forKey keyPath: KeyPath<Self, V>) -> V { self[keyPath: keyPath] }
    /// The model at the end of a required to-one relationship, as reading the property gives it.
    public func getValue<V: PersistentModel>(forKey keyPath: KeyPath<Self, V>) -> V { self[keyPath: keyPath] }
    /// The model at the end of an optional to-one relationship, as reading the property gives it.
    public func getValue<V: PersistentModel>(forKey keyPath: KeyPath<Self, V?>) -> V? { self[keyPath: keyPath] }
    /// The models of a to-many relationship, as reading the property gives them.
    public func getValue<V: RelationshipCollection, O>(
        forKey keyPath: KeyPath<Self, V>
    ) -> V where O == V.PersistentElement { self[keyPath: keyPath] }
    /// The models of a to-many relationship whose type can be decoded as well, as reading the property gives them.
    public func getValue<V: RelationshipCollection & Decodable, O>(
        forKey keyPath: KeyPath<Self, V>
    ) -> V where O == V.PersistentElement { self[keyPath: keyPath] }
    /// The value of a transformable attribute, as reading the property gives it.
    public func getTransformableValue<V>(forKey keyPath: KeyPath<Self, V>) -> V { self[keyPath: keyPath] }

    /// Sets an attribute, as setting the property does. A key path that cannot be written through changes nothing.
    public func setValue<V: Encodable>(forKey keyPath: KeyPath<Self, V>, to value: V) { write(keyPath, value) }
    /// Sets a required to-one relationship, as setting the property does.
    public func setValue<V: PersistentModel>(forKey keyPath: KeyPath<Self, V>, to value: V) { write(keyPath, value) }
    /// Sets an optional to-one relationship, as setting the property does.
    public func setValue<V: PersistentModel>(forKey keyPath: KeyPath<Self, V?>, to value: V?) {
        write(keyPath, value)
    }
    /// Sets a to-many relationship, as setting the property does.
    public func setValue<V: RelationshipCollection, O>(
        forKey keyPath: KeyPath<Self, V>, to value: V
    ) where O == V.PersistentElement { write(keyPath, value) }
    /// Sets a to-many relationship whose type can be encoded as well, as setting the property does.
    public func setValue<V: RelationshipCollection & Encodable, O>(
        forKey keyPath: KeyPath<Self, V>, to value: V
    ) where O == V.PersistentElement { write(keyPath, value) }
    /// Sets a transformable attribute, as setting the property does.
    public func setTransformableValue<V>(forKey keyPath: KeyPath<Self, V>, to value: V) { write(keyPath, value) }

    private func write<V>(_ keyPath: KeyPath<Self, V>, _ value: V) {
        if let writable = keyPath as? ReferenceWritableKeyPath<Self, V> { self[keyPath: writable] = value }
    }
}
