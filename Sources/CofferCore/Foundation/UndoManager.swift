#if !canImport(Darwin)
import Foundation

/// Keeps what it takes to undo what a program did, and to redo what was undone. What Foundation has on Apple's systems.
///
/// ```swift
/// func rename(_ trip: Trip, to name: String) {
///     let old = trip.name
///     undoManager.registerUndo(withTarget: trip) { rename($0, to: old) }
///     trip.name = name
/// }
/// ```
///
/// Actions come in groups, and ``undo()`` runs the actions of one group in reverse. While ``groupsByEvent`` is true,
/// the first action outside of a group opens one by itself, which is closed when the main queue gets to its next piece
/// of work, when the program begins a group of its own, or by ``undo()``. Elsewhere than on the main actor there is no
/// such piece of work.
///
/// A group that the program opens, outside of another that it opened, is always one undo. On Apple's systems it is a part
/// of the event's; here most programs have no events that would tell one action from the next.
///
/// Calls that make no sense, such as ending a group that was not begun, do nothing.
///
/// Isolation: an undo manager belongs to the isolation that uses it.
open class UndoManager {
    /// An action, or a group inside a group.
    private enum Item {
        case action(target: Weak, handler: (AnyObject) -> Void)
        case group(Group)
    }

    private struct Weak {
        weak var object: AnyObject?
    }

    private final class Group {
        var items: [Item] = []
        var name = ""
        var isDiscardable = false
        /// Whether the manager opened it for an event, and not the program.
        let isEvent: Bool

        init(isEvent: Bool = false) { self.isEvent = isEvent }

        func remove(target: AnyObject) {
            items.removeAll { item in
                switch item {
                case .action(let known, _): return known.object == nil || known.object === target
                case .group(let group):
                    group.remove(target: target)
                    return group.items.isEmpty
                }
            }
        }
    }

    private enum State {
        case recording, undoing, redoing
    }

    private var openGroups: [Group] = []
    private var undoStack: [Group] = []
    private var redoStack: [Group] = []
    private var state = State.recording
    private var disableCount = 0

    /// Makes a manager without actions.
    public init() {}

    // MARK: Registering

    /// Registers what undoes a change; the last registered runs first. What it registers itself becomes the redo.
    ///
    /// Does nothing while registration is disabled. Registering a new action forgets what could be redone.
    ///
    /// - Parameters:
    ///   - target: what the action works on. It is not kept alive; without it the action is passed over.
    ///   - handler: the action.
    public func registerUndo<TargetType: AnyObject>(
        withTarget target: TargetType, handler: @escaping (TargetType) -> Void
    ) {
        guard isUndoRegistrationEnabled else { return }
        if state == .recording { redoStack.removeAll() }
        let isAlone = openGroups.isEmpty
        if isAlone { openGroup(isEvent: groupsByEvent) }
        openGroups.last?.items.append(
            .action(target: Weak(object: target)) { object in
                if let object = object as? TargetType { handler(object) }
            })
        if isAlone {
            if groupsByEvent { scheduleEndOfEvent() } else { endUndoGrouping() }
        }
    }

    /// Whether actions are registered: whether every disabling call was followed by an enabling one.
    public var isUndoRegistrationEnabled: Bool { disableCount == 0 }

    /// Ignores actions until ``enableUndoRegistration()`` is called as often.
    public func disableUndoRegistration() { disableCount += 1 }

    /// Ends what ``disableUndoRegistration()`` began.
    public func enableUndoRegistration() { disableCount = max(disableCount - 1, 0) }

    // MARK: Grouping

    /// Whether the manager opens a group by itself for the first action of an event. True unless set.
    ///
    /// When false, an action that is registered outside of a group makes a group of its own.
    public var groupsByEvent = true

    /// The run loop modes in which events end. Kept for source compatibility; events end on the main queue.
    public var runLoopModes: [RunLoop.Mode] = [.default]

    /// How many groups are open inside each other.
    public var groupingLevel: Int { openGroups.count }

    /// Opens a group; actions belong to it until ``endUndoGrouping()``. A group that was opened for an event is closed.
    public func beginUndoGrouping() {
        endEvent()
        openGroup(isEvent: false)
    }

    private func openGroup(isEvent: Bool) {
        post(.NSUndoManagerCheckpoint)
        openGroups.append(Group(isEvent: isEvent))
        post(.NSUndoManagerDidOpenUndoGroup)
    }

    /// Closes the group that was opened last. The outermost group becomes what one ``undo()`` undoes; an empty group is
    /// forgotten.
    public func endUndoGrouping() {
        guard !openGroups.isEmpty else { return }
        post(.NSUndoManagerCheckpoint)
        post(.NSUndoManagerWillCloseUndoGroup)
        let group = openGroups.removeLast()
        if !group.items.isEmpty {
            if let outer = openGroups.last {
                outer.items.append(.group(group))
            } else if state == .undoing {
                redoStack.append(group)
            } else {
                undoStack.append(group)
                trim()
            }
        }
        post(.NSUndoManagerDidCloseUndoGroup)
    }

    /// Closes the group that the manager opened by itself, unless the program has groups open in it.
    func endEvent() {
        if openGroups.count == 1, openGroups[0].isEvent { endUndoGrouping() }
    }

    private struct EventEnd: @unchecked Sendable {
        weak var manager: UndoManager?
        weak var group: Group?
    }

    /// Only the main queue has events; what runs on it is the main actor's.
    private func scheduleEndOfEvent() {
        guard MainQueue.isCurrent else { return }
        let end = EventEnd(manager: self, group: openGroups.first)
        DispatchQueue.main.async {
            guard let manager = end.manager, let group = end.group, manager.openGroups.first === group else { return }
            manager.endEvent()
        }
    }

    // MARK: Undo and redo

    /// How many groups are kept; the oldest are forgotten. 0, the default, for all.
    public var levelsOfUndo = 0 {
        didSet { trim() }
    }

    private func trim() {
        guard levelsOfUndo > 0 else { return }
        undoStack.removeFirst(max(undoStack.count - levelsOfUndo, 0))
        redoStack.removeFirst(max(redoStack.count - levelsOfUndo, 0))
    }

    /// Whether there is something to undo.
    public var canUndo: Bool { !undoStack.isEmpty || openGroups.contains { !$0.items.isEmpty } }
    /// Whether there is something to redo.
    public var canRedo: Bool { !redoStack.isEmpty }
    /// How many groups can be undone.
    public var undoCount: Int { undoStack.count }
    /// How many groups can be redone.
    public var redoCount: Int { redoStack.count }
    /// Whether an undo is under way.
    public var isUndoing: Bool { state == .undoing }
    /// Whether a redo is under way.
    public var isRedoing: Bool { state == .redoing }

    /// Undoes the last group, after closing the one that was opened for the current event.
    ///
    /// Does nothing while the program has a group open, or during an undo or redo.
    public func undo() {
        endEvent()
        undoNestedGroup()
    }

    /// Undoes the last closed group. Does nothing while a group is open, or during an undo or redo.
    public func undoNestedGroup() {
        guard openGroups.isEmpty, state == .recording, let group = undoStack.popLast() else { return }
        post(.NSUndoManagerCheckpoint)
        post(.NSUndoManagerWillUndoChange)
        run(group, as: .undoing)
        post(.NSUndoManagerDidUndoChange)
    }

    /// Does again what was undone last. Does nothing while a group is open, or during an undo or redo.
    public func redo() {
        endEvent()
        guard openGroups.isEmpty, state == .recording, let group = redoStack.popLast() else { return }
        post(.NSUndoManagerCheckpoint)
        post(.NSUndoManagerWillRedoChange)
        run(group, as: .redoing)
        post(.NSUndoManagerDidRedoChange)
    }

    /// Runs the actions of a group; what they register becomes the group on the other side.
    private func run(_ group: Group, as state: State) {
        self.state = state
        openGroup(isEvent: false)
        openGroups[0].name = group.name
        openGroups[0].isDiscardable = group.isDiscardable
        perform(group)
        while openGroups.count > 1 { endUndoGrouping() }
        endUndoGrouping()
        self.state = .recording
    }

    private func perform(_ group: Group) {
        for item in group.items.reversed() {
            switch item {
            case .action(let target, let handler):
                if let object = target.object { handler(object) }
            case .group(let inner):
                perform(inner)
            }
        }
    }

    /// Forgets everything, and enables registration.
    public func removeAllActions() {
        openGroups.removeAll()
        undoStack.removeAll()
        redoStack.removeAll()
        disableCount = 0
    }

    /// Forgets all actions of a target, and of targets that are gone.
    public func removeAllActions(withTarget target: Any) {
        let target = target as AnyObject
        for group in openGroups + undoStack + redoStack { group.remove(target: target) }
        undoStack.removeAll(where: \.items.isEmpty)
        redoStack.removeAll(where: \.items.isEmpty)
    }

    // MARK: Names

    /// Names the open group, or else the last one, for menus: "Undo *rename*".
    public func setActionName(_ actionName: String) { (openGroups.first ?? undoStack.last)?.name = actionName }

    /// Says that losing the change would be no loss, as with a selection.
    public func setActionIsDiscardable(_ discardable: Bool) {
        (openGroups.first ?? undoStack.last)?.isDiscardable = discardable
    }

    /// The name of what ``undo()`` would undo; empty for none.
    public var undoActionName: String { nextUndo?.name ?? "" }
    /// The name of what ``redo()`` would do; empty for none.
    public var redoActionName: String { redoStack.last?.name ?? "" }
    /// Whether losing what ``undo()`` would undo is no loss.
    public var undoActionIsDiscardable: Bool { nextUndo?.isDiscardable ?? false }
    /// Whether losing what ``redo()`` would do is no loss.
    public var redoActionIsDiscardable: Bool { redoStack.last?.isDiscardable ?? false }
    /// The title of a menu item for ``undo()``.
    public var undoMenuItemTitle: String { undoMenuTitle(forUndoActionName: undoActionName) }
    /// The title of a menu item for ``redo()``.
    public var redoMenuItemTitle: String { redoMenuTitle(forUndoActionName: redoActionName) }

    /// The title of a menu item that undoes an action; override to translate it.
    open func undoMenuTitle(forUndoActionName actionName: String) -> String {
        actionName.isEmpty ? "Undo" : "Undo \(actionName)"
    }

    /// The title of a menu item that redoes an action; override to translate it.
    open func redoMenuTitle(forUndoActionName actionName: String) -> String {
        actionName.isEmpty ? "Redo" : "Redo \(actionName)"
    }

    private var nextUndo: Group? { openGroups.first ?? undoStack.last }

    private func post(_ name: Notification.Name) { NotificationCenter.default.post(name: name, object: self) }
}

extension Notification.Name {
    /// An undo manager is about to open or close a group, to undo or to redo: the moment to register what is pending.
    public static let NSUndoManagerCheckpoint = Notification.Name("NSUndoManagerCheckpointNotification")
    /// An undo manager opened a group.
    public static let NSUndoManagerDidOpenUndoGroup = Notification.Name("NSUndoManagerDidOpenUndoGroupNotification")
    /// An undo manager is about to close a group.
    public static let NSUndoManagerWillCloseUndoGroup = Notification.Name("NSUndoManagerWillCloseUndoGroupNotification")
    /// An undo manager closed a group.
    public static let NSUndoManagerDidCloseUndoGroup = Notification.Name("NSUndoManagerDidCloseUndoGroupNotification")
    /// An undo manager is about to undo a group.
    public static let NSUndoManagerWillUndoChange = Notification.Name("NSUndoManagerWillUndoChangeNotification")
    /// An undo manager undid a group.
    public static let NSUndoManagerDidUndoChange = Notification.Name("NSUndoManagerDidUndoChangeNotification")
    /// An undo manager is about to redo a group.
    public static let NSUndoManagerWillRedoChange = Notification.Name("NSUndoManagerWillRedoChangeNotification")
    /// An undo manager redid a group.
    public static let NSUndoManagerDidRedoChange = Notification.Name("NSUndoManagerDidRedoChangeNotification")
}
#endif
