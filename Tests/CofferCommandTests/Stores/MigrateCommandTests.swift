import Coffer
import Foundation
import Testing

@testable import CofferCommand

@Suite struct MigrateCommandTests {
    @Test(arguments: SampleStore.allCases)
    func aDryRunSaysWhatWouldBeLostAndChangesNothing(_ kind: SampleStore) throws {
        try withTemporaryFolder { folder in
            let path = try kind.make(in: folder)
            let schema = folder + "/new.json"
            let text = coffer("inspect", "--schema", path).output
            // The property is gone, and with it the values of three rows.
            let changed = try #require(
                try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
            var entities = try #require(changed["entities"] as? [[String: Any]])
            let index = try #require(entities.firstIndex { $0["name"] as? String == "Halt" })
            let properties = try #require(entities[index]["properties"] as? [[String: Any]])
            entities[index]["properties"] = properties.filter { $0["name"] as? String != "nights" }
            var result = changed
            result["entities"] = entities
            try JSONSerialization.data(withJSONObject: result).write(to: URL(fileURLWithPath: schema))
            let before = try contents(of: folder)
            let run = coffer("migrate", "--dry-run", "--to-schema", schema, path)
            #expect(run.code == 0, "\(run.errors)")
            #expect(run.output.contains("Halt.nights: loses 3 values"), "\(run.output)")
            #expect(run.output.hasSuffix("Data would be lost.\n"))
            #expect(try contents(of: folder) == before)
            #expect(coffer("migrate", "--dry-run", "--to-schema", path, path).output.contains("the schema is the same"))
        }
    }

    @Test func migratingIsLeftToTheProgram() throws {
        try withTemporaryFolder { folder in
            let path = try SampleStore.json.make(in: folder)
            expectFailure(coffer("migrate", path), "is migrated by the program that has the models", code: 2)
            expectFailure(coffer("migrate", "--dry-run", path), "option '--to-schema' is missing", code: 2)
        }
    }
}
