import Foundation
import Testing

@testable import CofferCore

@Suite struct UndoManagerTests {
    final class Counter {
        var value = 0
        let manager: UndoManager
        init(_ manager: UndoManager) { self.manager = manager }

        func set(_ new: Int) {
            let old = value
            manager.registerUndo(withTarget: self) { $0.set(old) }
            value = new
        }
    }

    @Test func groupsAreUndoneAndRedone() {
        let manager = UndoManager()
        manager.groupsByEvent = false
        let counter = Counter(manager)
        manager.beginUndoGrouping()
        counter.set(1)
        counter.set(2)
        manager.setActionName("count")
        manager.endUndoGrouping()
        counter.set(3)
        #expect(manager.undoCount == 2 && manager.groupingLevel == 0)
        manager.undo()
        #expect(counter.value == 2 && manager.undoMenuItemTitle == "Undo count")
        manager.undo()
        #expect(counter.value == 0 && !manager.canUndo && manager.redoMenuItemTitle == "Redo count")
        manager.redo()
        #expect(counter.value == 2 && manager.undoActionName == "count")
        manager.redo()
        #expect(counter.value == 3 && !manager.canRedo)
        manager.undo()
        counter.set(9)
        #expect(!manager.canRedo, "a new action forgets what was undone")
    }

    @Test func anEventIsOneGroup() {
        let manager = UndoManager()
        let counter = Counter(manager)
        counter.set(1)
        counter.set(2)
        #expect(manager.canUndo && manager.groupingLevel == 1)
        manager.undo()
        #expect(counter.value == 0 && !manager.canUndo)
    }

    @MainActor @Test func theMainQueueEndsAnEvent() async {
        let manager = UndoManager()
        let counter = Counter(manager)
        counter.set(1)
        // What the main queue is given now it runs after the end of the event, which it was given before.
        await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }
        #expect(manager.groupingLevel == 0)
        counter.set(2)
        manager.undo()
        #expect(counter.value == 1)
    }

    @Test func oldLevelsAndDeadTargetsGo() {
        let manager = UndoManager()
        manager.groupsByEvent = false
        manager.levelsOfUndo = 2
        let counter = Counter(manager)
        for value in 1...5 { counter.set(value) }
        #expect(manager.undoCount == 2)
        manager.removeAllActions(withTarget: counter)
        #expect(!manager.canUndo)
        Counter(manager).set(1)
        manager.undo()
        #expect(!manager.canUndo && !manager.canRedo)
        manager.disableUndoRegistration()
        counter.set(1)
        #expect(!manager.canUndo)
        manager.enableUndoRegistration()
        manager.endUndoGrouping()
        #expect(manager.groupingLevel == 0)
    }
}

@Suite struct TextComparisonTests {
    struct Item {
        var name: String
        var note: String?
    }

    @Test func textIsSortedAsPeopleDo() {
        let items = ["b10", "B9", "a"].map { Item(name: $0, note: $0 == "a" ? nil : $0) }
        let sorted = items.sorted(using: SortDescriptor(\Item.name, comparator: .localizedStandard))
        #expect(sorted.map(\.name) == ["a", "B9", "b10"])
        let reversed = items.sorted(using: SortDescriptor(\Item.note, comparator: .localizedStandard, order: .reverse))
        #expect(reversed.map(\.name) == ["b10", "B9", "a"])
        let explicit = SortDescriptor(\Item.name, comparator: String.StandardComparator.localized)
        #expect(items.sorted(using: explicit).map(\.name) == ["a", "b10", "B9"])
        #expect(items.sorted(using: SortDescriptor(\.name, comparator: .lexical)).map(\.name) == ["B9", "a", "b10"])
    }

    @Test func theComparatorIsReadBack() throws {
        let descriptor = FetchDescriptor<Trip>(
            sortBy: [SortDescriptor(\.name, comparator: .localizedStandard), SortDescriptor(\.days)])
        let keyPath = try #require(descriptor.sortBy[0].keyPath)
        #expect(_LocalizedKeyPath.comparator(of: keyPath) == .localizedStandard)
        #expect(_LocalizedKeyPath.isSort(keyPath, by: \Trip.name))
        #expect(!_LocalizedKeyPath.isSort(keyPath, by: \Stop.place))
        let owner = try #require(SortDescriptor(\Trip.owner?.name, comparator: .localized).keyPath)
        #expect(_LocalizedKeyPath.comparator(of: owner) == .localized)
        #expect(_LocalizedKeyPath.isSort(owner, by: \Trip.owner?.name))
        #expect(_LocalizedKeyPath.comparator(of: \Trip.name) == nil)
    }

    @Test func predicatesSearchText() throws {
        let word = "resume"
        let contains = #Predicate<Item> { $0.name.localizedStandardContains(word) }
        #expect(try contains.evaluate(Item(name: "My Résumé")))
        #expect(try !contains.evaluate(Item(name: "My CV")))
        let same = ComparisonResult.orderedSame
        let equal = #Predicate<Item> { $0.name.caseInsensitiveCompare(word) == same }
        #expect(try equal.evaluate(Item(name: "RESUME")))
        let ordered = #Predicate<Item> { $0.name.localizedCompare(word) == same }
        #expect(try !ordered.evaluate(Item(name: "RESUMES")))
    }

    @Test func predicatesTakeCompositionsOfATextForTheSame() throws {
        let (composed, parts) = ("\u{AC00}", "\u{1100}\u{1161}")
        let same = ComparisonResult.orderedSame
        for (text, other) in [(composed, parts), (parts, composed)] {
            let item = Item(name: text)
            let localised = #Predicate<Item> { $0.name.localizedCompare(other) == same }
            let caseless = #Predicate<Item> { $0.name.caseInsensitiveCompare(other) == same }
            let contains = #Predicate<Item> { $0.name.localizedStandardContains(other) }
            #expect(try localised.evaluate(item))
            #expect(try caseless.evaluate(item))
            #expect(try contains.evaluate(item))
            #expect(LocalizedStringComparator.localizedStandard.compare(text, other) == same)
        }
    }
}

@Suite struct OtherAdditionsTests {
    final class Doubler: ValueTransformer {
        override func transformedValue(_ value: Any?) -> Any? { (value as? Int).map { $0 * 2 } }
    }

    @Test func transformersAreFoundByName() {
        let name = NSValueTransformerName("test.doubler")
        #expect(ValueTransformer(forName: name) == nil)
        let doubler = Doubler()
        ValueTransformer.setValueTransformer(doubler, forName: name)
        #expect(ValueTransformer(forName: name) === doubler)
        #expect(ValueTransformer(forName: name)?.transformedValue(4) as? Int == 8)
        #expect(ValueTransformer.valueTransformerNames().contains(name))
        ValueTransformer.setValueTransformer(nil, forName: name)
        #expect(ValueTransformer(forName: name) == nil)
    }

    @Test func foldersHavePlaces() {
        #expect(URL.applicationSupportDirectory.isFileURL)
        #expect(URL.documentsDirectory.isFileURL && URL.cachesDirectory.isFileURL)
    }

    @Test func notificationsArriveInOrder() async throws {
        let name = Notification.Name("test.\(UUID().uuidString)")
        var iterator = NotificationCenter.default.notifications(named: name).makeAsyncIterator()
        for number in 1...3 { NotificationCenter.default.post(name: name, object: nil, userInfo: ["n": number]) }
        for number in 1...3 {
            let note = await iterator.next()
            #expect(note?.userInfo?["n"] as? Int == number)
        }
    }
}
