/// The values of a model as a save stores them: without links to what the save deletes.
///
/// Stores with snapshots of their own get it. The model itself keeps those links until everything is stored, since a save
/// that fails changes nothing.
struct SavedBackingData<Model: PersistentModel>: BackingData {
    private let model: ModelBackingData<Model>
    /// The row that is saved.
    private let row: DefaultSnapshot?
    private let isDoomed: (any PersistentModel) -> Bool

    init(_ model: Model, row: DefaultSnapshot, plan: SavePlan) {
        self.model = ModelBackingData(model)
        self.row = row
        isDoomed = plan.isDoomed
    }

    init(for type: Model.Type) {
        model = ModelBackingData(for: type)
        row = nil
        isDoomed = { _ in false }
    }

    var persistentModelID: PersistentIdentifier? {
        get { model.persistentModelID }
        nonmutating set { model.persistentModelID = newValue }
    }

    var metadata: Any { model.metadata }

    func getValue<V: Decodable>(forKey keyPath: KeyPath<Model, V>) -> V { model.getValue(forKey: keyPath) }
    func getValue<V: PersistentModel>(forKey keyPath: KeyPath<Model, V>) -> V { model.getValue(forKey: keyPath) }
    func getValue<V: PersistentModel>(forKey keyPath: KeyPath<Model, V?>) -> V? {
        model.getValue(forKey: keyPath).flatMap { isDoomed($0) ? nil : $0 }
    }
    func getValue<V: RelationshipCollection, O>(
        forKey keyPath: KeyPath<Model, V>
    ) -> V where O == V.PersistentElement { kept(model.getValue(forKey: keyPath)) }
    func getValue<V: RelationshipCollection & Decodable, O>(
        forKey keyPath: KeyPath<Model, V>
    ) -> V where O == V.PersistentElement { kept(model.getValue(forKey: keyPath)) }
    func getTransformableValue<V>(forKey keyPath: KeyPath<Model, V>) -> V {
        model.getTransformableValue(forKey: keyPath)
    }

    private func kept<V: RelationshipCollection>(_ models: V) -> V {
        guard let list = models as? [V.PersistentElement], list.contains(where: isDoomed) else { return models }
        return list.filter { !isDoomed($0) } as? V ?? models
    }

    func setValue<V: Encodable>(forKey keyPath: KeyPath<Model, V>, to value: V) {
        model.setValue(forKey: keyPath, to: value)
    }
    func setValue<V: PersistentModel>(forKey keyPath: KeyPath<Model, V>, to value: V) {
        model.setValue(forKey: keyPath, to: value)
    }
    func setValue<V: PersistentModel>(forKey keyPath: KeyPath<Model, V?>, to value: V?) {
        model.setValue(forKey: keyPath, to: value)
    }
    func setValue<V: RelationshipCollection, O>(
        forKey keyPath: KeyPath<Model, V>, to value: V
    ) where O == V.PersistentElement { model.setValue(forKey: keyPath, to: value) }
    func setValue<V: RelationshipCollection & Encodable, O>(
        forKey keyPath: KeyPath<Model, V>, to value: V
    ) where O == V.PersistentElement { model.setValue(forKey: keyPath, to: value) }
    func setTransformableValue<V>(forKey keyPath: KeyPath<Model, V>, to value: V) {
        model.setTransformableValue(forKey: keyPath, to: value)
    }

    func _snapshot() -> DefaultSnapshot { row ?? model._snapshot() }
    func _fill(_ other: Model) { model._fill(other) }
}
