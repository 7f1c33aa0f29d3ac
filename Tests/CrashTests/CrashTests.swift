import Foundation
import Testing

/// The short form of `make crash`.
///
/// The command is run as a program of its own: it stands between itself and the system, and makes copies of itself,
/// which a process with threads cannot.
@Suite struct CrashTests {
    static let stores = ["sqlite", "lmdb", "json", "journal"]

    /// Expects that the command finds nothing.
    private func expectNothing(_ arguments: String...) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
            .deletingLastPathComponent().appendingPathComponent("coffer-crash")
        process.arguments = arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "\(output)")
        #expect(output.contains(" 0 findings"), "\(output)")
    }

    @Test(arguments: stores) func killsLeaveTheStateBeforeOrAfter(_ store: String) throws {
        try expectNothing("kills", "random", "--quick", "--store", store)
    }

    @Test(arguments: stores) func powerFailuresLeaveWhatWasSaved(_ store: String) throws {
        try expectNothing("power", "--quick", "--store", store)
    }

    @Test(arguments: stores) func faultsAreThrownAndLeaveTheStateBefore(_ store: String) throws {
        try expectNothing("faults", "--quick", "--store", store, "--error", "ENOSPC")
        try expectNothing("faults", "--quick", "--store", store, "--error", "EACCES")
    }

    // What sweeps have found, each for itself.

    @Test func aStoreWhoseMakingWasKilledIsMadeAnew() throws {
        try expectNothing("kills", "--store", "sqlite", "--scenario", "make a store", "--every", "7")
        try expectNothing("kills", "--store", "lmdb", "--scenario", "make a store")
    }

    @Test func aConnectionThatCanOnlyReadIsNotKept() throws {
        try expectNothing(
            "faults", "--retry", "--once", "--store", "sqlite", "--scenario", "insert one", "--error", "EMFILE")
    }

    @Test func aSaveThatThrewAfterTheRenameHasLeftNothing() throws {
        try expectNothing("faults", "--once", "--store", "json", "--scenario", "insert a graph", "--error", "EIO")
        try expectNothing("faults", "--once", "--store", "json", "--scenario", "insert a graph", "--error", "EMFILE")
    }

    @Test func aFolderThatLMDBGaveUpCanBeOpenedAgain() throws {
        try expectNothing("faults", "--store", "lmdb", "--scenario", "insert a graph", "--error", "ENOSPC")
    }

    @Test func filesThatAnOlderStateRefersToStayUntilTheNewOneIsOnDisk() throws {
        try expectNothing(
            "power", "--store", "relaxed", "--scenario", "replace a file", "--states", "3")
    }

    @Test func aBackupThatWasKilledDoesNotStopTheNextMigration() throws {
        try expectNothing(
            "kills", "--quick", "--store", "sqlite", "--scenario", "migrate by a plan with a backup")
    }
}
