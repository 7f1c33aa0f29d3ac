import CofferCore
import Testing

@testable import CofferRecords

@Suite("The engine in memory")
struct MemoryEngineTests {
    private let engine = MemoryEngine()
    private let table = RecordTable(name: "rows", role: .rows(entity: "Row"), index: 0)
    private let other = RecordTable(name: "more", role: .rows(entity: "More"), index: 1)

    init() throws {
        try engine.write { (writer) throws in
            try writer.makeTable(table)
            try writer.makeTable(other)
        }
    }

    /// Everything of a range, as the engine tells it.
    private func entries(
        _ reader: any RecordReader, _ range: KeyRange = .all, descending: Bool = false
    ) throws -> [(key: [UInt8], value: [UInt8])] {
        var entries: [(key: [UInt8], value: [UInt8])] = []
        try reader.scan(table, range, descending: descending) { key, value in
            entries.append((Array(key), Array(value)))
            return true
        }
        return entries
    }

    private func expectEqual(_ left: [(key: [UInt8], value: [UInt8])], _ right: [(key: [UInt8], value: [UInt8])]) {
        #expect(left.map(\.key) == right.map(\.key))
        #expect(left.map(\.value) == right.map(\.value))
    }

    /// Keys of every kind: row keys, links, texts with common beginnings, very long ones, the empty one.
    private func randomKey(_ random: inout SeededGenerator) -> [UInt8] {
        switch random.next() % 8 {
        case 0...3: withUnsafeBytes(of: Int64(random.next() % 2000).bigEndian) { Array($0) }
        case 4:
            withUnsafeBytes(of: (Int64(random.next() % 9).bigEndian, Int64(random.next() % 99).bigEndian)) { Array($0) }
        case 5: Array("common beginning \(random.next() % 300)".utf8)
        case 6: Array(repeating: UInt8(random.next() % 4), count: Int(random.next() % 512))
        default: Array("\(random.next() % 20)".utf8.dropFirst(Int(random.next() % 2)))
        }
    }

    private func randomValue(_ random: inout SeededGenerator) -> [UInt8] {
        let size =
            switch random.next() % 40 {
            case 0: 1024 + Int(random.next() % 3)
            case 1: 5000
            case 2...9: 0
            default: Int(random.next() % 300)
            }
        return Array(repeating: UInt8(truncatingIfNeeded: random.next()), count: size)
    }

    @Test("agrees with a sorted dictionary through random changes", arguments: [1, 2, 3] as [UInt64])
    func agreesWithDictionary(seed: UInt64) throws {
        var random = SeededGenerator(seed)
        var model: [[UInt8]: [UInt8]] = [:]
        for step in 0..<30 {
            let isGrowing = step % 10 < 6
            let before = model
            let fails = random.next() % 6 == 0
            do {
                try engine.write { (writer) throws in
                    for _ in 0..<Int(random.next() % 400) {
                        let key = randomKey(&random)
                        if random.next() % 10 < (isGrowing ? 8 : 2) {
                            let value = randomValue(&random)
                            try key.withUnsafeBytes { key in
                                try writer.put(table, key, count: value.count, ascending: random.next() % 2 == 0) {
                                    $0.copyBytes(from: value)
                                }
                            }
                            model[key] = value
                        } else {
                            let isThere = model.removeValue(forKey: key) != nil
                            #expect(try writer.delete(table, key) == isThere)
                        }
                    }
                    #expect(try writer.count(table) == model.count)
                    if fails { throw Failure() }
                }
            } catch is Failure {
                model = before
            }
            let sorted = model.sorted { $0.key.lexicographicallyPrecedes($1.key) }
            let (lower, upper) = (randomKey(&random), randomKey(&random))
            try engine.read { (reader) throws in
                #expect(try reader.count(table) == model.count)
                expectEqual(try entries(reader), sorted)
                let inside = sorted.filter {
                    !$0.key.lexicographicallyPrecedes(lower) && $0.key.lexicographicallyPrecedes(upper)
                }
                expectEqual(try entries(reader, KeyRange(from: lower, to: upper)), inside)
                expectEqual(try entries(reader, KeyRange(from: lower, to: upper), descending: true), inside.reversed())
                #expect(try reader.get(table, lower).map { Array($0) } == model[lower])
            }
        }
    }

    @Test("takes many ascending keys and finds each of them")
    func ascendingKeys() throws {
        try engine.write { (writer) throws in
            for key in 0..<20_000 as Range<Int64> {
                try withUnsafeBytes(of: key.bigEndian) { bytes in
                    try writer.put(table, bytes, count: 8, ascending: true) { $0.copyMemory(from: bytes) }
                }
            }
        }
        try engine.read { (reader) throws in
            #expect(try reader.count(table) == 20_000)
            for key in 0..<20_000 as Range<Int64> {
                let value = try reader.get(table, key)
                #expect(value?.loadUnaligned(as: Int64.self).bigEndian == key)
            }
            #expect(try reader.get(table, 20_000 as Int64) == nil)
        }
    }

    @Test("joins pages that have become sparse, and still finds what is left", arguments: [false, true])
    func sparsePagesAreJoined(largeKeys: Bool) throws {
        var tree = MemoryTree()
        func withKey<T>(_ number: Int64, _ body: (UnsafeRawBufferPointer) throws -> T) rethrows -> T {
            // Long keys make a tree of several levels from few entries.
            let filling = Array(repeating: UInt8(0), count: largeKeys ? 400 : 0)
            return try (withUnsafeBytes(of: number.bigEndian) { Array($0) } + filling).withUnsafeBytes(body)
        }
        let count: Int64 = largeKeys ? 8_000 : 40_000
        for number in 0..<count {
            withKey(number) {
                tree.put($0, count: 8, ascending: true, stamp: 1) { $0.storeBytes(of: number, as: Int64.self) }
            }
        }
        let full = tree.pageCount
        let kept = tree
        let left = count / 40
        for number in 0..<count where number % 40 != 7 { withKey(number) { _ = tree.delete($0, stamp: 2) } }
        #expect(tree.count == Int(left))
        #expect(tree.pageCount < full / 10)
        #expect(kept.pageCount == full && kept.count == Int(count))
        for number in 0..<count {
            let value = withKey(number) { tree.get($0)?.loadUnaligned(as: Int64.self) }
            if value != (number % 40 == 7 ? number : nil) { Issue.record("\(number)") }
            if withKey(number, { kept.get($0)?.loadUnaligned(as: Int64.self) }) != number { Issue.record("\(number)") }
        }
        // What comes back goes where it belongs.
        for number in 0..<count where number % 40 != 7 && number % 3 == 0 {
            withKey(number) {
                tree.put($0, count: 8, ascending: false, stamp: 2) { $0.storeBytes(of: number, as: Int64.self) }
            }
        }
        var found: [Int64] = []
        try tree.scan(.all, descending: false) { _, value in
            found.append(value.loadUnaligned(as: Int64.self))
            return true
        }
        let expected = (0..<count).filter { number in number % 40 == 7 || number % 3 == 0 }
        #expect(found == expected)
        for number in found { withKey(number) { _ = tree.delete($0, stamp: 3) } }
        #expect(tree.count == 0 && tree.pageCount == 0)
    }

    @Test("shows a reader the state it began with, whatever is written meanwhile")
    func readersKeepTheirState() throws {
        try engine.write { try $0.put(table, [1], [1]) }
        try engine.read { (reader) throws in
            try engine.write { (writer) throws in
                try writer.put(table, [1], [2])
                try writer.put(table, [2], [2])
                try writer.put(other, [3], [3])
            }
            #expect(try reader.get(table, [1]).map { Array($0) } == [1])
            #expect(try reader.get(table, [2]) == nil)
            #expect(try reader.count(other) == 0)
        }
        let now = try engine.read { try $0.get(table, [1]).map { Array($0) } }
        #expect(now == [2])
    }

    @Test("keeps a large value of an old state while a new state has another of the same size")
    func largeValuesAreNotOverwritten() throws {
        let size = 5000
        try engine.write { try $0.put(table, [1], Array(repeating: 1, count: size)) }
        try engine.read { (reader) throws in
            try engine.write { try $0.put(table, [1], Array(repeating: 2, count: size)) }
            #expect(try reader.get(table, [1]).map { Array($0) } == Array(repeating: 1, count: size))
        }
    }

    @Test("forgets everything of a transaction that throws")
    func failedTransaction() throws {
        try engine.write { try $0.put(table, [1], [1]) }
        #expect(throws: Failure.self) {
            try engine.write { (writer) throws in
                try writer.removeAll(table)
                try writer.dropTable(named: other.name)
                throw Failure()
            }
        }
        try engine.read { (reader) throws in
            #expect(try reader.count(table) == 1)
            #expect(try reader.openTable(other))
        }
    }

    @Test("ends a scan when it is told to")
    func scansEnd() throws {
        try engine.write { (writer) throws in for key in 0..<100 as Range<UInt8> { try writer.put(table, [key]) } }
        var visited: [UInt8] = []
        try engine.read { (reader) throws in
            try reader.scan(table, KeyRange(from: [10]), descending: false) { key, _ in
                visited.append(key[0])
                return visited.count < 3
            }
        }
        #expect(visited == [10, 11, 12])
    }

    @Test("finds a table by its name when two layouts number it differently")
    func tablesAreFoundByName() throws {
        let renumbered = RecordTable(name: "more", role: .rows(entity: "More"), index: 0)
        try engine.write { (writer) throws in
            try writer.put(other, [1], [1])
            #expect(try writer.get(renumbered, [1]).map { Array($0) } == [1])
            try writer.dropTable(named: "more")
            #expect(try !writer.openTable(renumbered))
        }
        #expect(throws: SwiftDataError.corruptStore) { try engine.read { try $0.count(other) } }
    }

    @Test("refuses to change what is read only, and anything once it is closed")
    func closedAndReadOnly() throws {
        let fixed = MemoryEngine(path: "somewhere", isReadOnly: true)
        try fixed.fill { try $0.makeTable(table) }
        let refusal = #expect(throws: SwiftDataError.storeNotWritable) { try fixed.write { try $0.removeAll(table) } }
        #expect(refusal?.file == "somewhere")
        #expect(try fixed.read { try $0.count(table) } == 0)

        engine.close()
        #expect(throws: SwiftDataError.storeClosed) { try engine.read { try $0.count(table) } }
        #expect(throws: SwiftDataError.storeClosed) { try engine.write { try $0.removeAll(table) } }
    }

    private struct Failure: Error {}
}

/// Random numbers that can be had again (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}
