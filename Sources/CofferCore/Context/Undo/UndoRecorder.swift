import Foundation

/// Records the changes of a context in steps, and gives each step to the undo manager.
///
/// A step begins with the first change after the last one was closed. It is registered then, so that it lies in the
/// group that the manager has open, and collects what follows until a checkpoint: the manager opens or closes a group,
/// the context saves, or the program says so.
///
/// The recorder learns of every change in the setters' slow path. A model it has seen is marked as observed, which is
/// what keeps its setters out of the fast path from then on; models of a context without a recorder pay nothing.
final class UndoRecorder {
    let manager: UndoManager
    weak var context: ModelContext?
    private var current: UndoStep?
    private var observation: (any NSObjectProtocol)?
    /// The steps that deleted models since the last save, in order; the save completes them.
    var stepsWithDeletions: [UndoStep] = []

    private struct Reference: @unchecked Sendable {
        weak var recorder: UndoRecorder?
    }

    init(_ manager: UndoManager, context: ModelContext) {
        self.manager = manager
        self.context = context
        let reference = Reference(recorder: self)
        observation = NotificationCenter.default.addObserver(
            forName: .NSUndoManagerCheckpoint, object: manager, queue: nil
        ) { _ in reference.recorder?.closeStep() }
        for home in context.homes.values { join(home) }
    }

    /// Listens to the models of a home; those with unsaved changes are marked, since their setters are fast by now.
    func join(_ home: _ModelHome) {
        home.recorder = self
        for model in home.inserted + home.changed + home.deleted { model._$flags |= _Flag.observed }
    }

    /// Ends the recording; the manager forgets this context's actions.
    func end(_ homes: some Sequence<_ModelHome>) {
        reset()
        if let observation { NotificationCenter.default.removeObserver(observation) }
        observation = nil
        for home in homes {
            home.recorder = nil
            // Who watches the home needs the mark, too.
            if home.isWatched { continue }
            for model in home.models() + home.inserted where model._$extras?.registrar == nil {
                model._$flags &= ~_Flag.observed
            }
        }
    }

    /// Forgets all steps.
    func reset() {
        current = nil
        stepsWithDeletions = []
        manager.removeAllActions(withTarget: self)
    }

    // MARK: Steps

    /// The step that takes changes now; nil while registration is disabled.
    @discardableResult
    func openStep() -> UndoStep? {
        guard manager.isUndoRegistrationEnabled, let context else { return nil }
        if let current { return current }
        let step = UndoStep(saves: context.saveCount, merges: context.mergeCount)
        // Before it is the current one: opening a group is a checkpoint, which would close it.
        manager.registerUndo(withTarget: self) { $0.undo(step) }
        current = step
        return step
    }

    /// Ends the step; the next change begins another.
    func closeStep() {
        guard let step = current else { return }
        current = nil
        if let context, step.died.contains(where: { $0.contents == nil }) { takeDown(step, context) }
        step.close()
    }

    /// Ends the step, and the group that the manager opened for it: what follows is undone by itself.
    func checkpoint() {
        closeStep()
        #if !canImport(Darwin)
        manager.endEvent()
        #endif
    }

    // MARK: Changes

    /// A property is about to be changed.
    ///
    /// - Parameter added: the model that is about to be appended to a to-many relationship, if that is all.
    func willChange<M: PersistentModel>(_ model: M, _ slot: Int, adding added: (any PersistentModel)? = nil) {
        guard let home = model._$home, model._$flags & _Flag.detached == 0 else { return }
        model._$flags |= _Flag.observed
        // What no store keeps is no part of the data whose history this is.
        if home.descriptor.special.ephemeral.contains(slot) { return }
        guard let step = openStep() else { return }
        // Undoing the step takes a model that is new in it away as a whole.
        if model._$flags & _Flag.inserted != 0, step.isBorn(model) { return }
        let change = step.change(of: model)
        if let relationship = home.relationships[safe: slot] ?? nil {
            change.keepLinks(of: model, relationship, in: home, adding: added)
        } else {
            change.keepValue(of: model, slot, in: home)
        }
    }

    /// A model has come into the context, or its deletion was taken back.
    func noteBirth(of model: any PersistentModel) {
        model._$flags |= _Flag.observed
        openStep()?.noteBirth(of: model)
    }

    /// A model is about to be deleted.
    ///
    /// - Parameter keepsContents: whether to take down now what it holds; otherwise the end of the step does.
    func noteDeath<M: PersistentModel>(of model: M, keepsContents: Bool) {
        guard let step = openStep(), let home = model._$home else { return }
        if keepsContents { home.completeAll(model) }
        keepPlaces(of: model, in: home, step)
        let contents = keepsContents ? ModelContents(of: model, in: home) : nil
        if step.noteDeath(of: model, contents: contents), stepsWithDeletions.last !== step {
            stepsWithDeletions.append(step)
        }
    }

    /// The lists that hold a model which is about to be deleted: later steps may order them anew before the save takes it
    /// out.
    private func keepPlaces<M: PersistentModel>(of model: M, in home: _ModelHome, _ step: UndoStep) {
        func keep<T: PersistentModel>(_ other: T, _ inverse: Int) {
            guard let home = other._$home, other._$flags & _Flag.detached == 0,
                let relationship = home.relationships[safe: inverse] ?? nil
            else { return }
            other._$flags |= _Flag.observed
            if other._$flags & _Flag.inserted != 0, step.isBorn(other) { return }
            step.change(of: other).keepLinks(of: other, relationship, in: home, adding: nil)
        }
        for link in home.pairedLinks where link.inverseIsToMany {
            if link.isToMany { home.loadLinks(of: model, link.slot) } else { home.complete(model, link.slot) }
            for other in model._related(link.slot) { keep(other, link.inverse) }
        }
    }
}
