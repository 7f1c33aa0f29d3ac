import CofferCore
import Foundation

/// Unsaved changes: seen by the context that made them, merged with what the store has.
enum PendingCases {
    static func add(_ cases: inout CaseList) {
        cases.add("inserted", "A new model is fetched and counted before it is saved, by its own context only") {
            trial in
            try trial.tell()
            let context = try trial.context()
            context.insert(Sailor("Ivy", age: 99))
            let old = #Predicate<Sailor> { $0.age > 60 }
            try trial.equal(
                try context.all(Sailor.self, by: SortDescriptor(\.name), where: old).map(\.name), ["Gus", "Ivy"],
                "the fetch")
            try trial.equal(try context.count(Sailor.self, where: old), 2, "the count")
            try trial.equal(
                try context.fetchIdentifiers(FetchDescriptor(predicate: old)).count, 2, "the number of identifiers")
            try trial.equal(try trial.context().count(Sailor.self, where: old), 1, "the count in another context")
        }
        cases.add("changed", "A changed model matches by its new values, not by the stored ones") { trial in
            try trial.tell()
            let context = try trial.context()
            try context.only(Sailor.self, where: #Predicate { $0.name == "Bo" }).age = 77
            try context.only(Sailor.self, where: #Predicate { $0.name == "Gus" }).age = 5
            let old = #Predicate<Sailor> { $0.age > 50 }
            try trial.equal(
                try context.all(Sailor.self, by: SortDescriptor(\.name), where: old).map(\.name), ["Bo", "Eli"],
                "the fetch")
            try trial.equal(try context.count(Sailor.self, where: old), 2, "the count")
        }
        cases.add("deleted", "A model that is to be deleted is not fetched any more") { trial in
            try trial.tell()
            let context = try trial.context()
            context.delete(try context.only(Sailor.self, where: #Predicate { $0.name == "Gus" }))
            try trial.equal(try context.count(Sailor.self), 7, "the count")
            try trial.expect(try !context.all(Sailor.self).contains { $0.name == "Gus" }, "it is not among the rest")
            try trial.equal(try trial.context().count(Sailor.self), 8, "the count in another context")
        }
        cases.add("order", "Unsaved values have their place in the order") { trial in
            try trial.tell()
            let context = try trial.context()
            context.insert(Sailor("Dan", age: 1))
            try context.only(Sailor.self, where: #Predicate { $0.name == "Hal" }).name = "Abe"
            let read = try context.all(Sailor.self, by: SortDescriptor(\.name)).map(\.name)
            try trial.equal(read, ["Abe", "Ada", "Bo", "Cem", "Dan", "Dot", "Eli", "Fay", "Gus"], "the names")
        }
        cases.add("page", "Limit and offset apply after unsaved changes are merged") { trial in
            try trial.tell()
            let context = try trial.context()
            context.insert(Sailor("Aaa"))
            context.delete(try context.only(Sailor.self, where: #Predicate { $0.name == "Bo" }))
            try context.only(Sailor.self, where: #Predicate { $0.name == "Cem" }).name = "Zed"
            var descriptor = FetchDescriptor<Sailor>(sortBy: [SortDescriptor(\.name)])
            descriptor.fetchLimit = 3
            try trial.equal(try context.fetch(descriptor).map(\.name), ["Aaa", "Ada", "Dot"], "the first page")
            descriptor.fetchOffset = 3
            try trial.equal(try context.fetch(descriptor).map(\.name), ["Eli", "Fay", "Gus"], "the second page")
            descriptor.fetchOffset = 6
            try trial.equal(try context.fetch(descriptor).map(\.name), ["Hal", "Zed"], "the last page")
            try trial.equal(try context.fetchCount(descriptor), 2, "the count of the last page")
        }
        cases.add("left-out", "A fetch may leave unsaved changes out") { trial in
            try trial.tell()
            let context = try trial.context()
            context.insert(Sailor("Ivy", age: 99))
            context.delete(try context.only(Sailor.self, where: #Predicate { $0.name == "Gus" }))
            var descriptor = FetchDescriptor<Sailor>(predicate: #Predicate { $0.age > 60 })
            descriptor.includePendingChanges = false
            try trial.equal(try context.fetch(descriptor).map(\.name), ["Gus"], "the fetch")
            try trial.equal(try context.fetchCount(descriptor), 1, "the count")
        }
        cases.add("links", "A filter through links sees the unsaved changes of other models") { trial in
            try trial.tell()
            let context = try trial.context()
            try context.only(Ship.self, where: #Predicate { $0.name == "Cutty" }).name = "Sark"
            try context.only(Sailor.self, where: #Predicate { $0.name == "Hal" }).ship = try context.only(
                Ship.self, where: #Predicate { $0.name == "Argo" })
            let sark = try context.all(Sailor.self, where: #Predicate { $0.ship?.name == "Sark" })
            try trial.equal(sark.map(\.name), ["Fay"], "who is on the renamed ship")
            let argo = try context.count(Sailor.self, where: #Predicate { $0.ship?.name == "Argo" })
            try trial.equal(argo, 4, "the number of sailors on the Argo")
        }
        cases.add("saved", "Once saved, changes are no longer pending, and are found in the store") { trial in
            try trial.tell()
            let context = try trial.context()
            context.insert(Sailor("Ivy", age: 99))
            try context.save()
            try trial.expect(!context.hasChanges, "the context has no changes")
            var descriptor = FetchDescriptor<Sailor>(predicate: #Predicate { $0.age > 60 })
            descriptor.includePendingChanges = false
            try trial.equal(try context.fetchCount(descriptor), 2, "the count without pending changes")
        }
    }
}
