import CofferCore
import Foundation
import Testing

@Model private final class Observed {
    var capped: Int = 0 {
        didSet {
            log.append("\(oldValue) to \(capped)")
            if capped > 10 { capped = 10 }
        }
    }
    var text = "x" {
        willSet(next) {
            if next.isEmpty { return }
            log.append("will be \(next)")
        }
        didSet { log.append("was set") }
    }
    var list: [Int] = [] { didSet(old) { log.append("\(old.count) to \(list.count)") } }
    @Transient var log: [String] = []
    init() {}
}

@Suite("Models outside any context")
struct ModelBehaviourTests {
    @Test func observersRun() {
        let model = Observed()
        model.capped = 5
        model.capped = 50
        #expect(model.capped == 10)
        model.text = "y"
        model.text = ""
        model.list.append(3)
        #expect(model.log == ["0 to 5", "5 to 50", "will be y", "was set", "was set", "0 to 1"])
    }

    @Test func valuesAreKept() throws {
        let model = try Everything(counting: 4)
        #expect(model.count == 6 && model.optional == 6 && model.made == 3 && model.madeToo == 3)
        #expect(model.long == "hello\n  \"quoted\" 2 {" && model.braces == "{ } ")
        model.change()
        #expect(model.point.x == 2 && model.map == ["a": 1] && model.default == 2 && model[2] == 1)
        model.text = nil
        #expect(model.text == nil && model.description == "d" && model.late == 3)
        #expect(Everything(maybe: "") == nil)
    }

    @Test func changesInPlaceDoNotCopy() {
        let model = Everything()
        model.row = Array(repeating: 0, count: 8)
        model.row.reserveCapacity(64)
        let address = model.row.withUnsafeBufferPointer { $0.baseAddress }
        for number in 0..<20 { model.row.append(number) }
        #expect(model.row.withUnsafeBufferPointer { $0.baseAddress } == address)
    }

    @Test func slotsOfSubclasses() {
        let puppy = Puppy(breed: "Hound")
        puppy.weeks.append(1)
        puppy.toys.append(Leaf(number: 1))
        puppy.legs = 4
        #expect(puppy.weeks == [1] && puppy.toys.map(\.number) == [1] && puppy.name == "Hound")
        puppy._$forget(4)
        #expect(puppy.weeks == [])
        #expect(puppy.breed == "Hound")
        #expect(Puppy._$descriptor !== Dog._$descriptor)
        #expect(Dog._$constraints.count == 1 && Puppy._$constraints.isEmpty && Animal._$constraints.isEmpty)
    }

    @Test func constraintsOfAModel() {
        #expect(Everything._$constraints.count == 2)
        #expect(Leaf._$constraints.isEmpty)
    }

    @Test func whatIsMissingGetsAnInitialiser() {
        #expect(WithoutInitialiser().number == 1)
    }

    @Test func aBoundModelIsDescribedOnAnyThread() async {
        let name = await Task.detached { Bound._$descriptor.entityName + String(Bound.schemaMetadata.count) }.value
        #expect(name == "Bound2")
    }
}
