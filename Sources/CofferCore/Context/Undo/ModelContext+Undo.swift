import Foundation

extension ModelContext {
    /// Records what can be undone; nil, the default, for nothing.
    ///
    /// ```swift
    /// let undoManager = UndoManager()
    /// context.undoManager = undoManager
    /// trip.name = "Rome"
    /// context.processPendingChanges()
    /// context.delete(trip)
    /// undoManager.undo()  // the trip is no longer deleted
    /// undoManager.undo()  // and has its old name
    /// undoManager.redo()
    /// ```
    ///
    /// One undo takes back all that was changed in one group of the manager: properties, both sides of every
    /// relationship with the order of its models, insertions, and deletions with all that the delete rules deleted along.
    /// Values that no store keeps (`@Transient`, `.ephemeral`) are left out.
    /// A group that the program opens (`beginUndoGrouping`, `endUndoGrouping`) is one step. Without one, a step ends at
    /// the next turn of the main queue, at ``processPendingChanges()``, and at every ``save()``. A value that is set to
    /// what it was is no change.
    ///
    /// A save does not end the history: undoing what was saved makes unsaved changes that the next save stores.
    /// Undoing a saved insertion deletes the model; undoing a saved deletion inserts the *same object* again, which
    /// gets a new ``PersistentModel/persistentModelID`` by its next save, since an identifier is never used for a second
    /// row. Links to it are made again as far as their models are in memory, or the relationship has an inverse.
    ///
    /// What other contexts have saved since is kept: only the properties that the step changed are written, and of a
    /// list only the difference that the step made.
    ///
    /// Setting another manager, or nil, ends the recording, and the former manager forgets this context's actions. To
    /// leave something out and keep what was recorded, disable the manager's registration meanwhile. ``rollback()``
    /// and erasing the container empty the history, too.
    ///
    /// Isolation: the manager belongs to the isolation of the context.
    ///
    /// Complexity: with a manager, the first change of a property in a step costs a copy of what it held, a to-many
    /// relationship from which a model is taken is loaded, and the end of a step loads what it deletes. The steps keep
    /// their models in memory. Leave it nil during an import.
    public var undoManager: UndoManager? {
        get { recorder?.manager }
        set {
            if newValue === recorder?.manager { return }
            settleBatchesOrNote()
            recorder?.end(homes.values)
            recorder = newValue.map { UndoRecorder($0, context: self) }
        }
    }

    /// Ends the current undo step: what is changed from now on is undone by itself.
    ///
    /// Inside a group that the program has opened with the undo manager the steps stay together, as that group. Does
    /// nothing without an ``undoManager``.
    public func processPendingChanges() {
        let isInside = enterOrReport("process pending changes")
        defer { if isInside { leave() } }
        recorder?.checkpoint()
    }
}
