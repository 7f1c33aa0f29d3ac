import Coffer
import Foundation
import Testing

@Suite("Orders that could stop the program")
struct HazardousOrderTests {
    @Test("are refused by name", arguments: TestStore.all) func refused(_ store: TestStore) throws {
        let place = try TestPlace(store, Casket.self, Wharf.self, CasketItem.self)
        let context = place.context()
        for casket in Casket.make() { context.insert(casket) }
        for _ in 0..<2 {
            for order in [SortDescriptor(\Casket.wharf!.name), SortDescriptor(\Casket.nums[0])] {
                #expect(throws: SwiftDataError.unsupportedSortDescriptor) { try context.all(Casket.self, by: order) }
            }
            // A value that every model has is no danger.
            let found = try context.all(Casket.self, by: SortDescriptor(\.nums.count), SortDescriptor(\.code))
            #expect(found.map(\.code) == [2, 4, 3, 5, 1, 6])
            let byName = try context.all(Casket.self, by: SortDescriptor(\.wharf?.name), SortDescriptor(\.code))
            #expect(byName.map(\.code) == [3, 6, 2, 5, 1, 4])
            try context.save()
        }
    }
}
