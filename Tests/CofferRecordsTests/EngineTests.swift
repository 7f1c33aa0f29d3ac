import CofferCore
import Foundation
import Testing

@testable import CofferRecords

/// What the record layer needs of every engine.
@Suite("Records: engines") struct EngineTests {
    static let table = RecordTable(name: "t", role: .rows(entity: "T"), index: 0)
    static let other = RecordTable(name: "u", role: .rows(entity: "U"), index: 1)

    func open(_ engine: TestEngine, _ folder: URL) throws -> any RecordEngine {
        let opened = try engine.open(folder)
        try opened.write { writer in
            try writer.makeTable(Self.table)
            try writer.makeTable(Self.other)
        }
        return opened
    }

    func entries(_ reader: any RecordReader, _ range: KeyRange = .all, descending: Bool = false) throws -> [[UInt8]] {
        var found: [[UInt8]] = []
        try reader.scan(Self.table, range, descending: descending) { key, value in
            found.append(Array(key) + [0xAA] + Array(value))
            return true
        }
        return found
    }

    func compare(_ reader: any RecordReader, with model: [[UInt8]: [UInt8]], _ low: [UInt8], _ high: [UInt8]) throws {
        #expect(try reader.count(Self.table) == model.count)
        for range in [KeyRange.all, KeyRange(from: low), KeyRange(from: low, to: high), KeyRange(prefix: low)] {
            let inside = model.filter { entry in
                if entry.key.lexicographicallyPrecedes(range.lower) { return false }
                return range.upper.map { entry.key.lexicographicallyPrecedes($0) } ?? true
            }
            let sorted = inside.sorted { $0.key.lexicographicallyPrecedes($1.key) }
            let wanted = sorted.map { $0.key + [0xAA] + $0.value }
            #expect(try entries(reader, range) == wanted)
            #expect(try entries(reader, range, descending: true) == wanted.reversed())
        }
        for key in model.keys.prefix(20) { #expect(try reader.get(Self.table, key).map { Array($0) } == model[key]) }
        #expect(try reader.get(Self.table, [1, 2, 3, 4]) == nil)
    }

    @Test(arguments: TestEngine.allCases) func sameAsADictionary(_ kind: TestEngine) throws {
        let folder = try TestEngine.makeFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let engine = try open(kind, folder)
        defer { engine.close() }
        var random = SeededGenerator(99)
        var model: [[UInt8]: [UInt8]] = [:]
        func key() -> [UInt8] {
            (0..<Int.random(in: 1...3, using: &random)).map { _ in UInt8.random(in: 0...9, using: &random) * 28 }
        }
        for round in 0..<60 {
            var next = model
            let fails = round % 7 == 3
            do {
                try engine.write { writer in
                    // The engine may begin again.
                    next = model
                    for _ in 0..<200 {
                        let key = key()
                        if Int.random(in: 0..<3, using: &random) == 0 {
                            #expect(try writer.delete(Self.table, key) == (next.removeValue(forKey: key) != nil))
                        } else {
                            let value = Array(
                                repeating: UInt8(round),
                                count: Int.random(in: 0...(round % 9 == 0 ? 6000 : 20), using: &random))
                            next[key] = value
                            try writer.put(Self.table, key, value)
                        }
                    }
                    #expect(try writer.count(Self.table) == next.count)
                    if fails { throw CancellationError() }
                }
                model = next
            } catch is CancellationError {}
            let (low, high) = (key(), key())
            try engine.read { try compare($0, with: model, low, high) }
        }
        try engine.write { try $0.removeAll(Self.table) }
        #expect(try engine.read { try $0.count(Self.table) } == 0)
    }

    @Test(arguments: TestEngine.allCases) func aReadSeesOneState(_ kind: TestEngine) throws {
        let folder = try TestEngine.makeFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let engine = try open(kind, folder)
        defer { engine.close() }
        try engine.write { writer in for key in UInt8(0)..<200 { try writer.put(Self.table, [key], [1]) } }
        try engine.read { reader in
            #expect(try entries(reader).count == 200)
            try reader.pause {
                try engine.write { writer in
                    for key in UInt8(0)..<100 { try writer.delete(Self.table, [key]) }
                    for key in UInt8(100)..<200 { try writer.put(Self.table, [key], [2]) }
                }
                #expect(try engine.read { try entries($0).count } == 100)
            }
            #expect(try entries(reader) == (UInt8(0)..<200).map { [$0, 0xAA, 1] })
        }
    }

    @Test(arguments: TestEngine.allCases) func aClosedEngineSaysSo(_ kind: TestEngine) throws {
        let folder = try TestEngine.makeFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let engine = try open(kind, folder)
        engine.close()
        expect(.storeClosed) { try engine.read { _ in } }
        expect(.storeClosed) { try engine.write { _ in } }
    }
}
