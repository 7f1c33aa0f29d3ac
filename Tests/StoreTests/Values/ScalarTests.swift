import Coffer
import Foundation
import Testing

@Model final class Numbers {
    var key: Int
    var bool = false
    var int = 0
    var int8: Int8 = 0
    var int16: Int16 = 0
    var int32: Int32 = 0
    var int64: Int64 = 0
    var uint: UInt = 0
    var uint8: UInt8 = 0
    var uint16: UInt16 = 0
    var uint32: UInt32 = 0
    var uint64: UInt64 = 0
    var float: Float = 0
    var double = 0.0
    init(_ key: Int) { self.key = key }
}

@Model final class OptionalNumbers {
    var key: Int
    var bool: Bool?
    var int: Int?
    var int8: Int8?
    var int16: Int16?
    var int32: Int32?
    var int64: Int64?
    var uint: UInt?
    var uint8: UInt8?
    var uint16: UInt16?
    var uint32: UInt32?
    var uint64: UInt64?
    var float: Float?
    var double: Double?
    init(_ key: Int) { self.key = key }
}

@Suite("Numbers")
struct ScalarTests {
    /// Saves one model for each value and answers what a new container reads, in order.
    private func roundTrip<V>(
        _ store: TestStore, _ keyPath: ReferenceWritableKeyPath<Numbers, V>, _ values: [V]
    ) throws -> [[V]] {
        let place = try TestPlace(store, Numbers.self)
        let context = place.context()
        for (key, value) in values.enumerated() {
            let numbers = Numbers(key)
            numbers[keyPath: keyPath] = value
            context.insert(numbers)
        }
        try context.save()
        return try place.newContexts().map { context in
            try context.all(Numbers.self, by: SortDescriptor(\.key)).map { $0[keyPath: keyPath] }
        }
    }

    private func check<V: FixedWidthInteger>(
        _ store: TestStore, _ keyPath: ReferenceWritableKeyPath<Numbers, V>
    ) throws {
        let values = [V.min, V.min + 1, 0, 1, V.max / 2, V.max / 2 + 1, V.max - 1, V.max]
        for read in try roundTrip(store, keyPath, values) { #expect(read == values, "\(V.self)") }
    }

    @Test("integers of every width keep their limits", arguments: TestStore.all)
    func integers(_ store: TestStore) throws {
        try check(store, \.int)
        try check(store, \.int8)
        try check(store, \.int16)
        try check(store, \.int32)
        try check(store, \.int64)
        try check(store, \.uint)
        try check(store, \.uint8)
        try check(store, \.uint16)
        try check(store, \.uint32)
        try check(store, \.uint64)
        for read in try roundTrip(store, \.bool, [true, false]) { #expect(read == [true, false]) }
    }

    static let doubles: [Double] = [
        0, -0.0, 0.1, -0.1, 1e300, .greatestFiniteMagnitude, -.greatestFiniteMagnitude, .leastNormalMagnitude,
        .leastNonzeroMagnitude, -.leastNonzeroMagnitude, .infinity, -.infinity, .pi, .ulpOfOne, 9007199254740992,
        .nan, -.nan, Double(nan: 0x1234, signaling: false), Double(bitPattern: 0xFFF8_0000_0000_0001),
        Double(nan: 0x77, signaling: true),
    ]

    static let floats: [Float] = [
        0, -0.0, 0.1, .greatestFiniteMagnitude, .leastNormalMagnitude, .leastNonzeroMagnitude, .infinity, -.infinity,
        .nan, -.nan, Float(nan: 0x123, signaling: false), Float(nan: 0x77, signaling: true),
    ]

    @Test("floating-point numbers keep every bit", arguments: TestStore.all)
    func floatingPoint(_ store: TestStore) throws {
        for read in try roundTrip(store, \.double, Self.doubles) {
            #expect(read.map(\.bitPattern) == Self.doubles.map(\.bitPattern))
        }
        for read in try roundTrip(store, \.float, Self.floats) {
            #expect(read.map(\.bitPattern) == Self.floats.map(\.bitPattern))
        }
    }

    @Test("nil, zero and the limits of optionals are told apart", arguments: TestStore.all)
    func optionals(_ store: TestStore) throws {
        let place = try TestPlace(store, OptionalNumbers.self)
        let context = place.context()
        let none = OptionalNumbers(0)
        let zero = OptionalNumbers(1)
        (zero.bool, zero.int, zero.int8, zero.int16, zero.int32, zero.int64) = (false, 0, 0, 0, 0, 0)
        (zero.uint, zero.uint8, zero.uint16, zero.uint32, zero.uint64) = (0, 0, 0, 0, 0)
        (zero.float, zero.double) = (-0.0, -0.0)
        let most = OptionalNumbers(2)
        (most.bool, most.int, most.int8, most.int16, most.int32, most.int64) = (true, .max, .max, .max, .max, .max)
        (most.uint, most.uint8, most.uint16, most.uint32, most.uint64) = (.max, .max, .max, .max, .max)
        (most.float, most.double) = (.nan, .nan)
        for model in [none, zero, most] { context.insert(model) }
        try context.save()
        for context in try place.newContexts() {
            let read = try context.all(OptionalNumbers.self, by: SortDescriptor(\.key))
            #expect(read.map(\.bool) == [nil, false, true])
            #expect(read.map(\.int) == [nil, 0, .max])
            #expect(read.map(\.int8) == [nil, 0, .max])
            #expect(read.map(\.int16) == [nil, 0, .max])
            #expect(read.map(\.int32) == [nil, 0, .max])
            #expect(read.map(\.int64) == [nil, 0, .max])
            #expect(read.map(\.uint) == [nil, 0, .max])
            #expect(read.map(\.uint8) == [nil, 0, .max])
            #expect(read.map(\.uint16) == [nil, 0, .max])
            #expect(read.map(\.uint32) == [nil, 0, .max])
            #expect(read.map(\.uint64) == [nil, 0, .max])
            #expect(read.map { $0.float?.bitPattern } == [nil, Float(-0.0).bitPattern, Float.nan.bitPattern])
            #expect(read.map { $0.double?.bitPattern } == [nil, Double(-0.0).bitPattern, Double.nan.bitPattern])
            #expect(try context.count(OptionalNumbers.self, where: #Predicate { $0.double == nil }) == 1)
            #expect(try context.count(OptionalNumbers.self, where: #Predicate { $0.uint64 != nil }) == 2)
        }
        // And back to nothing.
        (most.uint64, most.double, most.bool) = (nil, nil, nil)
        try context.save()
        let context2 = try place.reopen()
        let read = try context2.only(OptionalNumbers.self, where: #Predicate { $0.key == 2 })
        #expect(read.uint64 == nil && read.double == nil && read.bool == nil && read.int == .max)
    }

    @Test("unsigned numbers above the signed ones are compared and sorted", arguments: TestStore.all)
    func unsignedOrder(_ store: TestStore) throws {
        let place = try TestPlace(store, Numbers.self)
        let context = place.context()
        let values: [UInt64] = [.max, 0, 1 << 63, (1 << 63) - 1, .max - 1]
        for (key, value) in values.enumerated() {
            let numbers = Numbers(key)
            numbers.uint64 = value
            context.insert(numbers)
        }
        try context.save()
        let half: UInt64 = 1 << 63
        let top = UInt64.max
        for context in try place.newContexts() {
            let sorted = try context.all(Numbers.self, by: SortDescriptor(\.uint64)).map(\.uint64)
            #expect(sorted == values.sorted())
            let above = try context.all(Numbers.self, where: #Predicate { $0.uint64 >= half }).map(\.uint64)
            #expect(Set(above) == [half, .max - 1, .max])
            #expect(try context.count(Numbers.self, where: #Predicate { $0.uint64 == top }) == 1)
        }
    }
}
