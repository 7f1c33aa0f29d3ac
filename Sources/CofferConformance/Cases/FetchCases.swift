import CofferCore
import Foundation

/// Order, limit, offset, properties, batches.
enum FetchCases {
    static func add(_ cases: inout CaseList) {
        order(&cases)
        pages(&cases)
        parts(&cases)
    }

    private static func names(_ context: ModelContext, _ descriptor: FetchDescriptor<Sailor>) throws -> [String] {
        try context.fetch(descriptor).map(\.name)
    }

    private static func order(_ cases: inout CaseList) {
        cases.add("sort", "Rows come in the order that is asked for, up and down") { trial in
            try trial.tell()
            try trial.read { context in
                let names = try context.all(Sailor.self, by: SortDescriptor(\.name)).map(\.name)
                try trial.equal(names, ["Ada", "Bo", "Cem", "Dot", "Eli", "Fay", "Gus", "Hal"], "names, ascending")
                let ages = try context.all(Sailor.self, by: SortDescriptor(\.age, order: .reverse)).map(\.age)
                try trial.equal(ages, [64, 52, 41, 33, 33, 27, 19, 19], "ages, descending")
            }
        }
        cases.add("sort-by-two", "The second key orders what the first finds equal") { trial in
            try trial.tell()
            try trial.read { context in
                let names = try context.all(
                    Sailor.self, by: SortDescriptor(\.age), SortDescriptor(\.name, order: .reverse)
                ).map(\.name)
                try trial.equal(names, ["Fay", "Bo", "Dot", "Hal", "Cem", "Ada", "Eli", "Gus"], "the names")
            }
        }
        cases.add("sort-nil", "Nil comes before every value") { trial in
            try trial.tell()
            try trial.read { context in
                let up = try context.all(Sailor.self, by: SortDescriptor(\.rank), SortDescriptor(\.name))
                try trial.equal(
                    up.map { $0.rank ?? "-" }, ["-", "-", "captain", "captain", "captain", "cook", "mate", "mate"],
                    "ranks, ascending")
                let down = try context.all(Sailor.self, by: SortDescriptor(\.rank, order: .reverse))
                try trial.equal(
                    down.map { $0.rank ?? "-" }, ["mate", "mate", "cook", "captain", "captain", "captain", "-", "-"],
                    "ranks, descending")
            }
        }
        cases.add("sort-text", "Text is ordered by its scalars") { trial in
            let labels = ["b", "a", "Z", "á", "", "aa", "z", "😀", "\u{FFFD}", "a\0", "e\u{301}a", "é"]
            try trial.write { context in for label in labels { context.insert(Skill(label)) } }
            try trial.read { context in
                let read = try context.all(Skill.self, by: SortDescriptor(\.label)).map(\.label)
                try trial.equal(read, labels.sorted(), "the labels")
            }
        }
        cases.add("sort-link", "Rows are ordered by a value behind a link") { trial in
            try trial.tell()
            // The order of the names is not that in which the harbours were stored.
            try trial.write { try $0.only(Harbour.self, where: #Predicate { $0.name == "Brest" }).name = "Zeebrugge" }
            try trial.read { context in
                let ships = try context.all(
                    Ship.self, by: SortDescriptor(\.home?.name), SortDescriptor(\.name, order: .reverse))
                try trial.equal(ships.map(\.name), ["Cutty", "Beagle", "Argo"], "the ships by home")
            }
        }
    }

    private static func pages(_ cases: inout CaseList) {
        cases.add("limit-after-sort", "A limit keeps the first rows of the order, not the first that were stored") {
            trial in
            try trial.tell()
            try trial.read { context in
                var descriptor = FetchDescriptor<Sailor>(sortBy: [SortDescriptor(\.name, order: .reverse)])
                descriptor.fetchLimit = 3
                try trial.equal(try names(context, descriptor), ["Hal", "Gus", "Fay"], "the last three names")
                try trial.equal(try context.fetchCount(descriptor), 3, "the count")
                try trial.equal(try context.fetchIdentifiers(descriptor).count, 3, "the number of identifiers")
            }
        }
        cases.add("limit-after-filter", "A limit counts rows that match") { trial in
            try trial.tell()
            try trial.read { context in
                var descriptor = FetchDescriptor<Sailor>(
                    predicate: #Predicate { $0.age > 30 }, sortBy: [SortDescriptor(\.name)])
                descriptor.fetchLimit = 4
                try trial.equal(try names(context, descriptor), ["Ada", "Cem", "Eli", "Gus"], "the first four")
                try trial.equal(try context.fetchCount(descriptor), 4, "the count")
            }
        }
        cases.add("offset", "An offset leaves out the first rows of the order") { trial in
            try trial.tell()
            try trial.read { context in
                var descriptor = FetchDescriptor<Sailor>(sortBy: [SortDescriptor(\.name)])
                descriptor.fetchOffset = 6
                try trial.equal(try names(context, descriptor), ["Gus", "Hal"], "what is left")
                try trial.equal(try context.fetchCount(descriptor), 2, "the count")
            }
        }
        cases.add("page", "Offset and limit make a page; pages put together make the whole") { trial in
            try trial.tell()
            try trial.read { context in
                var descriptor = FetchDescriptor<Sailor>(
                    predicate: #Predicate { $0.name != "Cem" }, sortBy: [SortDescriptor(\.name)])
                var pages: [[String]] = []
                for page in 0..<4 {
                    descriptor.fetchOffset = page * 3
                    descriptor.fetchLimit = 3
                    pages.append(try names(context, descriptor))
                    try trial.equal(try context.fetchCount(descriptor), pages[page].count, "the count of page \(page)")
                }
                try trial.equal(pages, [["Ada", "Bo", "Dot"], ["Eli", "Fay", "Gus"], ["Hal"], []], "the pages")
            }
        }
        cases.add("limit-edges", "A limit of zero gives nothing, one beyond the end gives all") { trial in
            try trial.tell()
            try trial.read { context in
                var descriptor = FetchDescriptor<Sailor>(sortBy: [SortDescriptor(\.name)])
                descriptor.fetchLimit = 0
                try trial.equal(try names(context, descriptor), [], "nothing")
                try trial.equal(try context.fetchCount(descriptor), 0, "the count of nothing")
                descriptor.fetchLimit = 8
                try trial.equal(try names(context, descriptor).count, 8, "exactly all")
                descriptor.fetchLimit = 1_000_000
                try trial.equal(try names(context, descriptor).count, 8, "more than all")
                descriptor.fetchLimit = 1
                descriptor.fetchOffset = 7
                try trial.equal(try names(context, descriptor), ["Hal"], "the last one")
                descriptor.fetchOffset = 8
                try trial.equal(try names(context, descriptor), [], "the one after the last")
            }
        }
        cases.add("unsorted-page", "Without an order, a page still has as many rows as it should") { trial in
            try trial.tell()
            try trial.read { context in
                var descriptor = FetchDescriptor<Sailor>()
                descriptor.fetchLimit = 5
                descriptor.fetchOffset = 2
                try trial.equal(Set(try names(context, descriptor)).count, 5, "rows of a page in the middle")
                descriptor.fetchOffset = 6
                try trial.equal(Set(try names(context, descriptor)).count, 2, "rows of the last page")
            }
        }
        cases.add(
            "unsorted-order", "Without an order, rows come in the same one each time, and pages have each row once"
        ) {
            trial in
            try trial.write { context in for number in 0..<57 { context.insert(Berth(number)) } }
            var first: [Int]?
            try trial.read { context in
                let read = try context.all(Berth.self).map(\.number)
                try trial.equal(read.sorted(), Array(0..<57), "the numbers of all rows")
                for round in 2...4 {
                    let again = try trial.context().all(Berth.self).map(\.number)
                    try trial.equal(again, read, "the numbers in the order of fetch \(round)")
                }
                try trial.equal(read, first ?? read, "the numbers in the order of the opening before")
                first = read
                var descriptor = FetchDescriptor<Berth>()
                descriptor.fetchLimit = 10
                var pages: [Int] = []
                for offset in stride(from: 0, to: 60, by: 10) {
                    descriptor.fetchOffset = offset
                    pages += try trial.context().fetch(descriptor).map(\.number)
                }
                try trial.equal(pages.sorted(), Array(0..<57), "the numbers of all pages")
            }
        }
    }

    private static func parts(_ cases: inout CaseList) {
        cases.add("count", "A count agrees with the fetch, whatever is asked") { trial in
            try trial.tell()
            try trial.read { context in
                for limit in [nil, 0, 1, 3, 100] {
                    for offset in [nil, 0, 2, 4, 50] {
                        var descriptor = FetchDescriptor<Sailor>(predicate: #Predicate { $0.age < 50 })
                        descriptor.fetchLimit = limit
                        descriptor.fetchOffset = offset
                        try trial.equal(
                            try context.fetchCount(descriptor), try context.fetch(descriptor).count,
                            "the count with limit \(limit.map(String.init) ?? "none"), offset \(offset ?? 0)")
                    }
                }
            }
        }
        cases.add("identifiers", "Identifiers come in the order of the fetch") { trial in
            try trial.tell()
            try trial.read { context in
                var descriptor = FetchDescriptor<Sailor>(
                    predicate: #Predicate { $0.age > 19 },
                    sortBy: [SortDescriptor(\.age, order: .reverse), SortDescriptor(\.name)])
                descriptor.fetchOffset = 1
                descriptor.fetchLimit = 4
                let models = try context.fetch(descriptor)
                try trial.equal(models.map(\.name), ["Eli", "Ada", "Cem", "Hal"], "the names")
                try trial.equal(
                    try context.fetchIdentifiers(descriptor), models.map(\.persistentModelID), "the identifiers")
            }
        }
        cases.add("properties", "A fetch of some properties gives them, and the others when they are read") { trial in
            try trial.tell()
            try trial.read { context in
                var descriptor = FetchDescriptor<Sailor>(sortBy: [SortDescriptor(\.name)])
                descriptor.propertiesToFetch = [\.name, \.rank]
                descriptor.fetchLimit = 3
                let read = try context.fetch(descriptor)
                try trial.equal(read.map(\.name), ["Ada", "Bo", "Cem"], "a property that was fetched")
                try trial.equal(read.map(\.rank), ["captain", nil, "mate"], "an optional one")
                try trial.equal(read.map(\.age), [41, 19, 33], "one that was not fetched")
                try trial.equal(read.map { $0.ship?.name }, ["Argo", "Argo", "Argo"], "a link that was not fetched")
            }
        }
        cases.add("batches", "A fetch in batches gives the same models in the same order") { trial in
            try trial.write { context in for number in 0..<57 { context.insert(Berth(number)) } }
            try trial.read { context in
                let descriptor = FetchDescriptor<Berth>(sortBy: [SortDescriptor(\.number, order: .reverse)])
                let batches = try context.fetch(descriptor, batchSize: 10)
                try trial.equal(batches.count, 57, "the count")
                try trial.equal(batches.map(\.number), (0..<57).reversed(), "the numbers")
            }
        }
        cases.add("enumerated", "An enumeration reaches every row once, in order") { trial in
            try trial.write { context in for number in 0..<57 { context.insert(Berth(number)) } }
            try trial.read { context in
                var numbers: [Int] = []
                try context.enumerate(
                    FetchDescriptor<Berth>(sortBy: [SortDescriptor(\.number)]), batchSize: 8
                ) { numbers.append($0.number) }
                try trial.equal(numbers, Array(0..<57), "the numbers")
            }
        }
        cases.add("does-not-change", "A fetch changes nothing, neither in the context nor in the store") { trial in
            try trial.tell()
            try trial.read { context in
                for _ in 0..<3 { _ = try context.all(Sailor.self, by: SortDescriptor(\.age)).map { $0.ship?.name } }
                try trial.expect(!context.hasChanges, "the context has no changes")
                try trial.equal(try context.count(Sailor.self), 8, "the number of sailors")
            }
        }
    }
}
