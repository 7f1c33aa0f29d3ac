import Foundation
import Testing

@testable import CofferCommand

@Suite struct DebianPackageListTests {
    private func read(_ text: String) throws -> [DebianPackage] {
        var list = DebianPackageList(bytes: Array(text.utf8), name: "list")
        return try list.readAll()
    }

    @Test func readsTheFactsOfAStanza() throws {
        let packages = try read(
            """
            Package: libfoo1
            Status: install ok installed
            Priority: optional
            Section: libs
            Installed-Size: 1234
            Maintainer: Ann Example <ann@example.org>
            Architecture: amd64
            Version: 1:2.3~rc1-4+b5
            Depends: libc6 (>= 2.34), awk | mawk (<< 2) | gawk, python3:any
            Pre-Depends: dpkg
            Recommends: foo-doc
            Provides: foo-abi (= 7), foo
            Description: a library
             More about it.
             .
             And more.

            """)
        let package = try #require(packages.first)
        #expect(packages.count == 1)
        #expect(package.name == "libfoo1")
        #expect(package.version == "1:2.3~rc1-4+b5")
        #expect(package.architecture == "amd64")
        #expect(package.section == "libs")
        #expect(package.installedSize == 1234)
        #expect(package.maintainer == DebianMaintainer(name: "Ann Example", address: "ann@example.org"))
        #expect(package.status == DebianStatus(want: "install", flag: "ok", state: "installed"))
        #expect(package.summary == "a library")
        #expect(package.line == 1)
        #expect(
            package.provisions == [
                DebianProvision(name: "foo-abi", version: "7"), DebianProvision(name: "foo", version: nil),
            ])
        #expect(package.relations.map(\.kind) == [.preDepends, .depends, .depends, .depends, .recommends])
        #expect(
            package.relations[1].alternatives == [
                DebianAlternative(
                    name: "libc6", constraint: DebianVersionConstraint(comparison: .laterOrEqual, version: "2.34"))
            ])
        #expect(package.relations[2].alternatives.map(\.name) == ["awk", "mawk", "gawk"])
        #expect(package.relations[2].alternatives[1].constraint?.description == "<< 2")
        #expect(package.relations[3].alternatives == [DebianAlternative(name: "python3", architecture: "any")])
    }

    @Test func stanzasEndAtBlankLinesHoweverManyAndWhateverTheLineEnd() throws {
        let text = "\n\nPackage: a\nVersion: 1\n \t\n\n\nPackage: b\r\nVersion: 2\r\n\r\nPackage: c\nVersion: 3"
        #expect(try read(text).map(\.name) == ["a", "b", "c"])
        #expect(try read(text).map(\.line) == [3, 8, 11])
    }

    @Test func fieldNamesIgnoreCaseAndRelationsMayContinue() throws {
        let package = try #require(
            try read("package: a\nVERSION: 1\nDepends:\n b,\n c (>= 2)\n [amd64] <!nocheck>\n").first)
        #expect(package.relations.flatMap(\.alternatives).map(\.name) == ["b", "c"])
    }

    @Test func removedPackagesAreNotPresent() throws {
        let text = """
            Package: gone
            Status: deinstall ok config-files
            Version: 1

            Package: never
            Status: unknown ok not-installed

            Package: offered
            Version: 1
            """
        #expect(try read(text).map(\.isPresent) == [false, false, true])
    }

    @Test func onePackageInTwoArchitecturesIsTwoPackages() throws {
        let text = "Package: a\nVersion: 1\nArchitecture: amd64\n\nPackage: a\nVersion: 1\nArchitecture: i386\n"
        #expect(try read(text).count == 2)
    }

    @Test func linesMayBeLongerThanAChunkOfTheFile() throws {
        let long = String(repeating: "x", count: 200_000)
        try withTemporaryFile("Package: a\nVersion: 1\nDescription: \(long)\n\nPackage: b\nVersion: 1\n") { path in
            var list = try DebianPackageList(path: path)
            let packages = try list.readAll()
            #expect(packages.map(\.name) == ["a", "b"])
            #expect(packages[0].summary?.count == 200_000)
        }
    }

    // MARK: - Broken stanzas

    struct Broken: Sendable, CustomTestStringConvertible {
        var text: String
        var line: Int?
        var problem: String
        var testDescription: String { problem }
    }

    @Test(arguments: [
        Broken(text: "Package: a\nVersion 1\n", line: 2, problem: "expected 'Field: value', found 'Version 1'"),
        Broken(text: " continued\n", line: 1, problem: "a continuation line without a field before it"),
        Broken(
            text: "Package: a\nVersion: 1\n\n Depends: b\n", line: 4,
            problem: "a continuation line without a field before it"),
        Broken(text: "# a comment: here\n", line: 1, problem: "'# a comment' is no field name"),
        Broken(
            text: "Package: a\nVersion: 1\nversion: 2\n", line: 3, problem: "field version appears twice in one stanza"),
        Broken(text: "\n\nVersion: 1\n", line: 3, problem: "the stanza has no Package field"),
        Broken(text: "Package: a b\nVersion: 1\n", line: 1, problem: "'a b' is no package name"),
        Broken(text: "Package: a\nSection: x\n", line: 1, problem: "package 'a': has no Version field"),
        Broken(
            text: "Package: a\nVersion: one two\n", line: 2, problem: "package 'a': Version: 'one two' is no version"),
        Broken(
            text: "Package: a\nVersion: 1\nInstalled-Size: 12 kB\n", line: 3,
            problem: "package 'a': Installed-Size: '12 kB' is no whole number of KiB"),
        Broken(
            text: "Package: a\nVersion: 1\nInstalled-Size: -1\n", line: 3,
            problem: "package 'a': Installed-Size: '-1' is no whole number of KiB"),
        Broken(
            text: "Package: a\nVersion: 1\nStatus: installed\n", line: 3,
            problem: "package 'a': Status: 'installed' is no status such as 'install ok installed'"),
        Broken(
            text: "Package: a\nVersion: 1\nDepends: b (>= 1\n", line: 3,
            problem: "package 'a': Depends: 'b': a bracket is not closed"),
        Broken(
            text: "Package: a\nVersion: 1\nDepends: b,\n c (~ 1)\n", line: 4,
            problem: "package 'a': Depends: 'c': '' does not compare versions"),
        Broken(
            text: "Package: a\nVersion: 1\nDepends: b (>= )\n", line: 3,
            problem: "package 'a': Depends: 'b': '' is no version"),
        Broken(
            text: "Package: a\nVersion: 1\nDepends: b, , c\n", line: 3,
            problem: "package 'a': Depends: expected a package name, found ', c'"),
        Broken(
            text: "Package: a\nVersion: 1\nDepends: b |\n", line: 3,
            problem: "package 'a': Depends: expected a package name, found the end"),
        Broken(
            text: "Package: a\nVersion: 1\nDepends: b c\n", line: 3,
            problem: "package 'a': Depends: expected ',' or '|', found 'c'"),
        Broken(
            text: "Package: a\nVersion: 1\nProvides: b | c\n", line: 3,
            problem: "package 'a': Provides: a provided name has no alternatives"),
        Broken(
            text: "Package: a\nVersion: 1\nProvides: b (>= 2)\n", line: 3,
            problem: "package 'a': Provides: 'b' is provided in one version, not '>= 2'"),
        Broken(
            text: "Package: a\nVersion: 1\n\nPackage: a\nVersion: 1\n", line: 4,
            problem: "package 'a': is listed a second time; the first is on line 1"),
    ])
    func brokenStanzasAreNamedWithTheirLine(_ broken: Broken) throws {
        let error = #expect(throws: DebianListError.self) { try read(broken.text) }
        let place = broken.line.map { "list:\($0): " } ?? "list: "
        #expect(error?.description == place + broken.problem)
    }

    @Test func bytesThatAreNoTextAreNamed() throws {
        var bytes = Array("Package: a\nVersion: 1\nSection: ".utf8)
        bytes += [0xFF, 0xFE, 0x0A]
        var list = DebianPackageList(bytes: bytes, name: "list")
        let error = #expect(throws: DebianListError.self) { try list.readAll() }
        #expect(error?.description == "list:3: package 'a': Section is not UTF-8 text")
    }

    @Test func errorsStayOnOneLine() throws {
        let error = #expect(throws: DebianListError.self) {
            try read("Package: a\nVersion: 1\u{7}\u{1B}[31m\u{0}" + String(repeating: "9", count: 500) + "\n")
        }
        let text = try #require(error?.description)
        #expect(text.count < 120)
        #expect(!text.unicodeScalars.contains { $0.value < 0x20 })
    }

    @Test func aFileThatIsNotThereIsNamed() throws {
        let error = #expect(throws: DebianListError.self) { _ = try DebianPackageList(path: "no/such/list") }
        #expect(error?.description == "no/such/list: cannot be opened: No such file or directory")
    }

    @Test func aFolderIsNamed() throws {
        let folder = FileManager.default.temporaryDirectory.path
        let error = #expect(throws: DebianListError.self) { _ = try DebianPackageList(path: folder) }
        #expect(error?.description == "\(folder): is a folder, not a package list")
    }

    @Test func readingLeavesTheFileAsItWas() throws {
        let text = "Package: a\nVersion: 1\nDepends: (\n"
        try withTemporaryFile(text) { path in
            #expect(throws: DebianListError.self) {
                var list = try DebianPackageList(path: path)
                _ = try list.readAll()
            }
            let left = try String(contentsOfFile: path, encoding: .utf8)
            #expect(left == text)
        }
    }
}

/// Calls `body` with the path of a file that holds `text` and goes away afterwards.
func withTemporaryFile<R>(_ text: String, _ body: (String) throws -> R) throws -> R {
    let file = FileManager.default.temporaryDirectory.appending(path: "coffer-\(UUID().uuidString).txt")
    try text.write(to: file, atomically: false, encoding: .utf8)
    defer { try? FileManager.default.removeItem(at: file) }
    return try body(file.path)
}
