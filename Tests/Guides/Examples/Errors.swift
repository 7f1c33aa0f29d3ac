import Coffer
import Foundation
import Testing

/// The code of Docs/Errors.md.
enum ErrorsGuide {
    @Model final class Trip {
        @Attribute(.unique) var name: String
        init(name: String) { self.name = name }
    }

    @Suite struct Examples {
        @Test func catching() throws {
            let context = ModelContext(
                try ModelContainer(for: Trip.self, configurations: InMemoryStoreConfiguration()))
            let printed = try printed {
                let alps = Trip(name: "Alps")
                let andes = Trip(name: "Andes")
                context.insert(alps)
                context.insert(andes)
                try context.save()

                andes.name = "Alps"
                do {
                    try context.save()
                } catch SwiftDataError.uniquenessConflict {
                    andes.name = "Andes, again"
                    try context.save()
                } catch let error as SwiftDataError {
                    print(error.code, error.entity ?? "", error.property ?? "", error.detail ?? "")
                    throw error
                }
                print(andes.name)
            }
            #expect(printed == "Andes, again")
        }

        @Test func readingCannotThrow() throws {
            let context = ModelContext(
                try ModelContainer(for: Trip.self, configurations: InMemoryStoreConfiguration()))
            context.insert(Trip(name: "Alps"))
            if let problem = context.loadError { throw problem }
            #expect(context.loadError == nil)
        }
    }
}
