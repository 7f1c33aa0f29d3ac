// One-to-one links that two contexts changed.

extension ModelContext {
    /// Takes away what another context linked in the meantime where a link of one to one was changed here, too.
    ///
    /// Both sides of such a link are stored, so the partner that the other context gave the model would go on leading
    /// to it. A link of one to many needs no such care, its list follows from the other side.
    func settleContestedLinks() throws {
        if contested.isEmpty { return }
        for (model, slots) in contested.values {
            func settle<M: PersistentModel>(_ model: M) throws {
                let slots = slots.filter { model._$flags & _slotBit($0) != 0 }
                guard let home = model._$home, !model._isGone, !slots.isEmpty, let row = try row(of: model, in: home)
                else { return }
                for slot in slots {
                    guard let target = home.destination(slot), let inverse = home.relationships[slot]?.inverseSlot
                    else { continue }
                    func settle<T: PersistentModel>(_ type: T.Type) throws {
                        let cell = row.batch.cell(row: row.row, slot: slot)
                        let stored = try home.resolve(cell, in: row.batch, slot: slot, as: T.self)
                        guard let stored, stored !== model._current(slot) else { return }
                        _unlink(stored, inverse, model, isToMany: false)
                    }
                    try settle(target.descriptor.type)
                }
            }
            try settle(model)
        }
        contested = [:]
    }
}
