import CofferCore
import Foundation
import Testing

@testable import CofferLMDB

/// LMDB believes what a file says, so a small file is looked at from end to end before LMDB gets it.
@Suite struct DamageTests {
    let shop: Workshop

    init() throws { shop = try Workshop() }

    private func check() throws {
        let descriptor = open(shop.data.path, O_RDONLY)
        defer { close(descriptor) }
        let pages = LMDBPages(descriptor: descriptor, size: shop.fileSize)
        try LMDBCheck.run(pages, try pages.meta())
    }

    @Test func damagedHeadersNeverEndTheProcess() throws {
        let store = try shop.open()
        let keys = try shop.insert(60, size: 300, into: store)
        try shop.insert(2, size: 9000, into: store)
        try shop.delete(Array(keys.prefix(20)), from: store)
        store.close()
        let before = try Data(contentsOf: shop.data)
        let answer = try shop.answer("damage").split(separator: "\n")
        #expect(answer.first == "ready")
        let outcomes = answer.dropFirst().map { $0.split(separator: " ")[0] }
        // Pages that nothing uses may hold anything, and some bytes of a header mean nothing.
        #expect(Set(outcomes) == ["corruptStore", "newerStoreFormat", "opened"], "\(answer)")
        #expect(try Data(contentsOf: shop.data) == before)
        #expect(try shop.count(shop.open()) == 42)
    }

    /// What lies between the headers is the record layer's to look at.
    @Test func damageAnywhereNeverEndsTheProcess() throws {
        let store = try shop.open()
        try shop.insert(40, size: 100, into: store)
        try shop.insert(1, size: 5000, into: store)
        store.close()
        let answer = try shop.answer("scatter").split(separator: "\n")
        #expect(answer.first == "ready", "\(answer)")
        #expect(try shop.count(shop.open()) == 41)
    }

    @Test func whatIsSoundIsNeverRefused() throws {
        var random = SystemRandomNumberGenerator()
        let store = try shop.open()
        try check()
        var keys: [Int64] = []
        for round in 0..<150 {
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<5:
                let size = [0, 10, 700, 1900, 2100, 5000, 30_000].randomElement(using: &random) ?? 0
                keys += try shop.insert(Int.random(in: 1...40, using: &random), size: size, into: store)
            case 5..<7: try shop.rename(keys.shuffled(using: &random).suffix(9), to: "round \(round)", in: store)
            default:
                keys.shuffle(using: &random)
                try shop.delete(keys.suffix(keys.count / 3), from: store)
                keys.removeLast(keys.count / 3)
            }
            try check()
        }
        try store.erase()
        try check()
        #expect(try LMDBFile.inspect(shop.url.path, willWrite: true) == .store)
    }

    /// A reader keeps the pages from being used again, so that the list of free ones becomes long.
    @Test func longListsOfFreePagesAreSound() throws {
        let store = try shop.open()
        let keys = try shop.insert(3000, size: 3000, into: store)
        try store.core.engine.read { _ in
            for part in stride(from: 0, to: keys.count, by: 500) {
                try shop.delete(Array(keys[part..<part + 500]), from: store)
                try check()
            }
        }
        for _ in 0..<5 {
            try shop.insert(300, size: 3000, into: store)
            try check()
        }
    }

    @Test func aPageThatIsListedAsFreeAndUsedIsNamed() throws {
        let store = try shop.open()
        let keys = try shop.insert(60, size: 300, into: store)
        try shop.delete(keys, from: store)
        store.close()
        var data = try Data(contentsOf: shop.data)
        let descriptor = open(shop.data.path, O_RDONLY)
        let pages = LMDBPages(descriptor: descriptor, size: data.count)
        let meta = try pages.meta()
        let page = try pages.page(meta.free.root, meta)
        let node = try #require(try pages.nodes(page, meta.free.root).first)
        close(descriptor)
        let place = Int(meta.free.root) * meta.pageSize + node.data + 8
        withUnsafeBytes(of: meta.main.root.littleEndian) { data.replaceSubrange(place..<place + 8, with: $0) }
        try data.write(to: shop.data)
        expect(.corruptStore) { _ = try shop.open() }
        #expect(try Data(contentsOf: shop.data) == data)
    }
}
