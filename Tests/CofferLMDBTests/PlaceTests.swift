import CofferCore
import Foundation
import Testing

@testable import CofferLMDB

/// What lies at a store's place, or no longer does.
@Suite struct PlaceTests {
    let shop: Workshop

    init() throws { shop = try Workshop() }

    // MARK: Files that go away

    @Test func aRemovedFileIsNotWrittenTo() throws {
        let store = try shop.open()
        try shop.insert(3, into: store)
        try FileManager.default.removeItem(at: shop.data)
        let error = expect(.storeReplaced) { try shop.insert(1, into: store) }
        #expect(error?.detail == "data.mdb was removed while it was open" && error?.file == shop.url.path)
        expect(.storeReplaced) { try store.erase() }
        // Fetches show the state that was there.
        #expect(try shop.count(store) == 3)
        store.close()
        #expect(try shop.count(shop.open()) == 0)
    }

    @Test func aReplacedFileIsNotWrittenTo() throws {
        let other = try Workshop()
        let stranger = try other.open()
        try other.insert(7, into: stranger)
        stranger.close()
        let store = try shop.open()
        try shop.insert(3, into: store)
        #expect(rename(other.data.path, shop.data.path) == 0)
        let before = try Data(contentsOf: shop.data)
        let error = expect(.storeReplaced) { try shop.insert(1, into: store) }
        #expect(error?.detail == "data.mdb was replaced while it was open")
        // A second file would share the list of readers with the first.
        expect(.storeReplaced) { _ = try shop.open() }
        #expect(try Data(contentsOf: shop.data) == before)
        store.close()
        #expect(try shop.count(shop.open()) == 7)
    }

    // MARK: Places that are none

    @Test func aPipeInPlaceOfTheFileIsLeftAlone() throws {
        try FileManager.default.createDirectory(at: shop.url, withIntermediateDirectories: true)
        try #require(mkfifo(shop.data.path, 0o600) == 0)
        for allowsSave in [true, false] {
            let error = expect(.corruptStore) { _ = try shop.open(allowsSave: allowsSave) }
            #expect(error?.detail == "data.mdb is no regular file")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: shop.url.path) == ["data.mdb"])
    }

    @Test func aLinkThatLeadsNowhereIsNamed() throws {
        try FileManager.default.createSymbolicLink(
            atPath: shop.url.path, withDestinationPath: shop.folder.path + "/nowhere")
        let error = expect(.storeNotFound) { _ = try shop.open() }
        #expect(error?.detail?.contains("link that leads nowhere") == true)
    }

    @Test func aFolderThatMayNotBeReadIsThere() throws {
        let store = try shop.open()
        try shop.insert(1, into: store)
        store.close()
        chmod(shop.url.path, 0)
        defer { chmod(shop.url.path, 0o755) }
        let answer = try shop.answer("visit")
        #expect(answer.hasPrefix("ioFailure") && answer.contains("the folder may not be read"), "\(answer)")
    }

    @Test func failuresOfTheSystemHaveTheirNames() throws {
        for (code, name) in [
            (ENOMEM, SwiftDataError.Code.storeFailure), (ENOSPC, .storeFull), (EFBIG, .storeFull), (EIO, .ioFailure),
            (EFAULT, .corruptStore), (EACCES, .storeNotWritable),
        ] {
            let error = LMDBFailure(code: code).error(shop.folder.path)
            #expect(error.code == name && error.file == shop.folder.path && error.detail != nil)
        }
    }

    @Test func aMapBeyondAllBoundsIsCutDown() throws {
        let store = try shop.open(mapSize: .max)
        try shop.insert(1, into: store)
        #expect(try #require(store.environment).mapSize == LMDBEnvironment.largestMap)
        store.close()
        #expect(try shop.count(shop.open(mapSize: .min)) == 1)
    }
}
