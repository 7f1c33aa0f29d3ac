import Foundation
import Testing

@testable import CofferCommand

@Suite struct QueryCommandTests {
    private func ids(_ run: CommandRun) throws -> [Int64] {
        guard case .array(let rows) = try run.json() else { return [] }
        return rows.compactMap { $0["$id"]?.integer }
    }

    /// Filters over the sample, and the ids of the voyages or halts that they are true of.
    static let filters: [(entity: String, filter: String, ids: [Int64])] = [
        ("Halt", "nights > 1", [1, 3]),
        ("Halt", "nights >= 1 and nights <= 2", [2, 3]),
        ("Halt", "2 < nights", [1]),
        ("Halt", "nights = 1 or city = 'Aosta'", [2, 3]),
        ("Halt", "not (nights = 1 or city = 'Aosta')", [1]),
        ("Halt", "nights in (1, 3)", [1, 2]),
        ("Halt", "nights not in (1, 3)", [3]),
        ("Halt", "city contains 'o'", [2, 3]),
        ("Halt", "city not contains 'o'", [1]),
        ("Halt", "city begins 'Z'", [1]),
        ("Halt", "city ends 'x' || city ends 'a'", [2, 3]),
        ("Halt", "city like 'CHAM'", [2]),
        ("Halt", "voyage == 1", [1, 3]),
        ("Halt", "voyage != 1", [2]),
        ("Halt", "voyage.name == 'Islands'", [2]),
        ("Halt", "voyage.$id in (3)", [2]),
        ("Halt", "voyage.start > '2020-01-01'", [1, 3]),
        ("Halt", "$id == 2", [2]),
        ("Halt", "`city` != \"Aosta\" && nights<>3", [2]),
        ("Voyage", "isDone", [1]),
        ("Voyage", "!isDone", [2, 3]),
        ("Voyage", "isDone == false", [2, 3]),
        ("Voyage", "start is null", [2]),
        ("Voyage", "start is not null", [1, 3]),
        ("Voyage", "start == null", [2]),
        ("Voyage", "start == '2001-01-01'", [3]),
        ("Voyage", "start >= '2023-03-08T20:26:40Z'", [1]),
        ("Voyage", "not (start > '2001-01-01')", [2, 3]),
        ("Voyage", "start != '2001-01-01'", [1, 2]),
        ("Voyage", "price > 1000", [1]),
        ("Voyage", "price < 0", [2]),
        ("Voyage", "price == 1234.5", [1]),
        ("Voyage", "rating == 0", [1]),
        ("Voyage", "rating > -1", [1, 3]),
        ("Voyage", "rating == rating", [1, 3]),
        ("Voyage", "miles == 18446744073709551615", [1]),
        ("Voyage", "small = -128", [1]),
        ("Voyage", "code == '11111111-2222-3333-4444-555555555555'", [1]),
        ("Voyage", "site begins 'https'", [1]),
        ("Voyage", "weather == 'rough'", [1]),
        ("Voyage", "berth is not null", [1]),
        ("Voyage", "seal == 'AAEC/w=='", [1]),
        ("Voyage", "vessel is not null", [1]),
        ("Voyage", "vessel.label == 'Clipper'", [1]),
        ("Voyage", "name == 'it''s'", []),
        ("Voyage", "true", [1, 2, 3]),
        ("Vessel", "label contains 'r'", [2]),
        ("Sailer", "masts == 3", [2]),
    ]

    @Test(arguments: SampleStore.allCases)
    func filtersMeanTheSameOnEveryStore(_ kind: SampleStore) throws {
        try withTemporaryFolder { folder in
            let path = try kind.make(in: folder)
            for (entity, filter, expected) in Self.filters {
                let run = coffer("query", path, entity, "--where", filter, "--json")
                #expect(run.code == 0, "\(filter): \(run.errors)")
                #expect(try ids(run) == expected, "\(filter)")
                let count = coffer("query", path, entity, "--where", filter, "--count")
                #expect(count.output == "\(expected.count)\n", "\(filter)")
            }
        }
    }

    @Test(arguments: [
        ("", "column 1: a property or a value is expected, not the end"),
        ("nights", "column 1: a comparison is expected, not the end"),
        ("nights >", "column 9: a property or a value is expected, not the end"),
        ("nights > 'x'", "column 10: a whole number is expected"),
        ("nights > 1.5", "column 10: a whole number is expected"),
        ("knights > 1", "column 1: Halt has no property 'knights'"),
        ("voyage.nights > 1", "column 8: Voyage has no property 'nights'"),
        ("city.name = 'x'", "column 1: Halt.city leads to no other row"),
        ("voyage.halts = 1", "column 8: Voyage.halts is a list, which a filter cannot follow"),
        ("nights > 1 nights < 2", "column 12: 'and' or 'or' is expected, not 'nights'"),
        ("(nights > 1", "column 12: ')' is expected, not the end"),
        ("city = 'x", "column 8: what begins with ' has no end"),
        ("nights > 1 ; drop", "column 12: ';' begins nothing that is known"),
        ("voyage > 1", "column 1: ids can be told equal or not, and have no order"),
        ("voyage.start > 'soon'", "column 16: a date is written as"),
        ("voyage.code > '11111111-2222-3333-4444-555555555555'", "column 1: a UUID has no order"),
        ("voyage.berth = 'x'", "column 16: the property is kept in a coded form"),
        ("nights contains 'x'", "column 1: a property with text is expected"),
        ("city contains 1", "column 15: a text is expected"),
        ("nights not > 1", "column 12: 'in', 'contains', 'begins', 'ends' or 'like' is expected, not '>'"),
        ("1 = 1", "column 1: one side of a comparison has to be a property"),
        ("nights = city", "column 10: a whole number is no a text"),
        ("nights > null", "column 1: null can be told equal or not, and has no order"),
        (String(repeating: "(", count: 500) + "nights = 1", "column 101: conditions lie too deep in each other"),
    ])
    func whatIsNoFilterIsNamedWithItsColumn(_ filter: String, _ message: String) throws {
        try withTemporaryFolder { folder in
            let path = try SampleStore.json.make(in: folder)
            expectFailure(
                coffer("query", path, "Halt", "-w", filter), "coffer query: the filter, \(message)", code: 2)
        }
    }

    @Test(arguments: SampleStore.allCases)
    func orderLimitAndOffsetChooseRows(_ kind: SampleStore) throws {
        try withTemporaryFolder { folder in
            let path = try kind.make(in: folder)
            #expect(try ids(coffer("query", path, "Halt", "-j", "--sort", "nights")) == [2, 3, 1])
            #expect(try ids(coffer("query", path, "Halt", "-j", "-s", "nights:desc")) == [1, 3, 2])
            #expect(try ids(coffer("query", path, "Halt", "-j", "-s", "city:asc", "-n", "2")) == [3, 2])
            #expect(try ids(coffer("query", path, "Halt", "-j", "-s", "city", "--offset=1", "-n1")) == [2])
            #expect(
                try ids(coffer("query", path, "Halt", "-j", "-s", "voyage.name:desc", "-s", "nights:desc"))
                    == [2, 1, 3])
            expectFailure(
                coffer("query", path, "Halt", "-s", "voyage"),
                "the order 'voyage': rows can be put in the order of values only", code: 2)
            expectFailure(
                coffer("query", path, "Halt", "-n", "few"), "option '--limit' takes a number, not 'few'", code: 2)
        }
    }

    @Test(arguments: SampleStore.allCases)
    func aTableShowsValuesForPeople(_ kind: SampleStore) throws {
        try withTemporaryFolder { folder in
            let path = try kind.make(in: folder)
            #expect(
                coffer("query", path, "Halt", "-c", "city,nights,voyage").output == """
                      id  city      nights  voyage
                       1  Zermatt        3       1
                       2  Chamonix       1       3
                       3  Aosta          2       1

                    """)
            #expect(
                coffer("query", path, "Voyage", "-w", "$id = 1", "-c", "start,price,isDone,code,seal,halts,guides")
                    .output
                        == """
                          id  start                      price  isDone  code                                  seal     halts   guides
                           1  2023-03-08T20:26:40.250Z  1234.5  true    11111111-2222-3333-4444-555555555555  4 bytes  [3, 1]  [2, 1]

                        """)
            let names = coffer("query", path, "Voyage", "-c", "name").output
            #expect(names.contains("Coast <script>\\u{1b}[31m"))
            #expect(!names.contains("\u{1b}"))
        }
    }

    @Test(arguments: SampleStore.allCases)
    func jsonShowsValuesForPrograms(_ kind: SampleStore) throws {
        try withTemporaryFolder { folder in
            let path = try kind.make(in: folder)
            guard case .array(let rows) = try coffer("query", path, "Voyage", "-j", "-c", "*").json() else {
                throw MissingJSON("no array")
            }
            let alps = rows[0]
            #expect(alps["price"] == .string("1234.5"))
            #expect(alps["miles"] == .number("18446744073709551615"))
            #expect(alps["rating"] == .number("-0.0"))
            #expect(alps["isDone"] == .bool(true))
            #expect(alps["berth"]?["deck"] == .number("2"))
            #expect(alps["seal"] == .string("AAEC/w=="))
            #expect(alps["halts"] == .array([.number("3"), .number("1")]))
            #expect(alps["photo"]?.text?.count == 53336)
            #expect(rows[1]["rating"] == .string("nan"))
            #expect(rows[1]["start"] == .null)
            #expect(rows[1]["name"]?.text == "Coast <script>\u{1b}[31m")
        }
    }

    @Test(arguments: SampleStore.allCases)
    func rowsOfSubentitiesSayWhatTheyAre(_ kind: SampleStore) throws {
        try withTemporaryFolder { folder in
            let path = try kind.make(in: folder)
            #expect(
                coffer("query", path, "Vessel").output == """
                      id  entity  label
                       1  Vessel  Raft
                       2  Sailer  Clipper

                    """)
            #expect(
                coffer("query", path, "Sailer").output == """
                      id  label    masts
                       2  Clipper      3

                    """)
        }
    }

    @Test func wrongUsesAreNamed() throws {
        try withTemporaryFolder { folder in
            let path = try SampleStore.sqlite.make(in: folder)
            expectFailure(coffer("query", path), "missing operand ENTITY", code: 2)
            expectFailure(coffer("query", path, "Nothing"), "there is no entity 'Nothing'; the store has Guide, Halt,")
            expectFailure(coffer("query", path, "Halt", "-c", "city,x"), "Halt has no property 'x'", code: 2)
        }
    }
}
