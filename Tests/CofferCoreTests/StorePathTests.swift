import CofferCore
import Foundation
import Testing

@Suite struct StorePathTests {
    /// Who looks for a store that is made by somebody else sees nothing, and then a file.
    @Test func aFileAndALinkThatLeadsSomewhereAreNoDeadLinks() throws {
        let files = FileManager.default
        let folder = files.temporaryDirectory.appendingPathComponent("coffer-path-\(UUID().uuidString)")
        try files.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? files.removeItem(at: folder) }
        let (file, link) = (folder.path + "/store", folder.path + "/link")
        try files.createSymbolicLink(atPath: link, withDestinationPath: file)
        #expect(StorePath.isDeadLink(link))
        #expect(!StorePath.isDeadLink(file))
        #expect(files.createFile(atPath: file, contents: nil))
        #expect(!StorePath.isDeadLink(link))
        #expect(!StorePath.isDeadLink(file))
        #expect(!StorePath.isDeadLink(folder.path))
    }
}
