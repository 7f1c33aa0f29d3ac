import DropInLedger
import Foundation
import SwiftData

@MainActor
func exerciseShapes(_ ledger: ParityLedger) async {
    await ledger.works("values of every kind come back", []) { check in
        let container = try check.container(Parcel.self, Slip.self, Station.self)
        let context = ModelContext(container)
        let parcel = Parcel(id: "p")
        context.insert(parcel)
        context.insert(Slip(text: "t", price: 1.25, words: ["a", "b"], gaps: ["a", nil], counts: [nil, 2]))
        let station = Station(
            code: "K", link: URL(string: "https://example.org/k")!,
            address: Postal(street: "s", town: "t", spot: Spot(CGPoint(x: 1, y: 2))))
        station.names = ["de": "Kiel"]
        station.lines = ["a", "b"]
        station.former = [Postal(street: "old")]
        station.forecast = .windyAndCold
        station.weathers = [.rainy, .sunny]
        station.payment = .card(number: "4", until: Date(timeIntervalSince1970: 0))
        station.visit()
        context.insert(station)
        try context.save()
        let other = ModelContext(container)
        let read = try check.require(other.all(Parcel.self).first)
        check.expect(read.large == .max && read.small == -4 && read.mark == "é" && read.price == parcel.price)
        check.expect(read.sent == parcel.sent && read.token == parcel.token && read.link == parcel.link)
        let slip = try check.require(other.all(Slip.self).first)
        check.expect(slip.words == ["a", "b"] && slip.gaps == ["a", nil] && slip.counts == [nil, 2])
        check.expect(slip.number == nil && slip.numbers == nil && slip.price == 1.25)
        let known = try check.require(other.all(Station.self).first)
        check.expect(known.address.spot == Spot(CGPoint(x: 1, y: 2)) && known.names == ["de": "Kiel"])
        check.expect(known.levels == ["low": [1, 2]] && known.lines == ["a", "b"] && known.visits == 1)
        check.expect(known.forecast == .windyAndCold && known.weathers == [.rainy, .sunny])
        check.expect(known.payment == station.payment && known.reveal() == "hidden" && known.elevation == nil)
        check.equal(known.snapshot.code, "K")
        check.equal(known.snapshot.persistentModelID, known.persistentModelID)
        check.equal(
            try other.fetchCount(FetchDescriptor(predicate: expensive(12, Date(timeIntervalSince1970: 0)))), 1)
        check.equal(
            try other.fetchCount(FetchDescriptor<Station>(predicate: #Predicate { $0.address.town == "t" })), 1)
        check.equal(try other.fetchCount(FetchDescriptor<Station>(predicate: #Predicate { $0.tags.isEmpty })), 1)
    }
    await ledger.works("filters, searches and descriptors of programs", []) { check in
        let container = try check.container(School.self)
        let context = ModelContext(container)
        let north = School(name: "North", town: "Kiel")
        let (ada, bea) = (
            Pupil(id: "1", name: "Ada", school: north, marks: [Mark(.maths, 2)]), Pupil(id: "2", name: "Bea")
        )
        ada.clubs = [Club(title: "Chess Club")]
        context.insert(ada)
        context.insert(bea)
        try context.save()
        check.equal(ada.clubs.first?.members, [ada])
        func names(_ descriptor: FetchDescriptor<Pupil>) throws -> [String] {
            try ModelContext(container).fetch(descriptor).map(\.name)
        }
        check.equal(try names(.pupils), ["Bea", "Ada"])
        check.equal(try names(.pupil(id: "2")), ["Bea"])
        check.equal(try names(.pupils(withMark: "maths")), ["Ada"])
        check.equal(try names(.search(["chess", "ADA"])), ["Ada"])
        check.equal(try names(.search(["north"])), ["Ada"])
        check.equal(try names(.search(["chess", "bea"])), [])
        check.equal(try names(FetchDescriptor(sortBy: [SortDescriptor(\.name)], fetchLimit: 1)), ["Ada"])
        for filter in PupilFilter.allCases {
            let wanted: [String] =
                switch filter {
                case .all: ["Ada", "Bea"]
                case .homeless: ["Bea"]
                case .marked: ["Ada"]
                }
            let options = FetchOptions<Pupil>(sortBy: [SortDescriptor(\.name)], prefetching: [\.clubs])
            check.equal(try names(options.descriptor(filter.predicate)), wanted)
        }
        check.equal(try context.fetch(FetchDescriptor(predicate: School.named("No"))).map(\.name), ["North"])
        check.equal(ada.average, 2)
    }
    await ledger.works("repositories that are generic over the model", []) { check in
        let store = try SwiftDataStore<Club>(configuration: check.configuration("r"))
        try store.save([Club(title: "a"), Club(title: "b")])
        let clubs = try store.fetchAll()
        check.equal(Set(clubs.map { ($0 as any Titled).title }), ["a", "b"])
        check.expect(try store.fetch(clubs[0].persistentModelID) === clubs[0])
        try store.delete(clubs[0])
        check.equal(try store.count(), 1)
        try store.deleteAll()
        check.equal(try store.count(), 0)
        let context = ModelContext(try check.container(School.self))
        let id = context.insert { School(name: "x", town: "y") }
        check.expect(id.storeIdentifier == nil)
        try context.save()
        let school = try check.require(context.first(for: FetchDescriptor<School>()))
        check.equal(try context.get(for: school.persistentModelID) { (found: School?) in found?.name }, "x")
        let upsert = Upsert<School>(
            predicate: #Predicate { $0.name == "x" }, makeNew: { School(name: "x", town: "new") },
            apply: { $0.town = "z" })
        try upsert.perform(in: context)
        check.equal(school.town, "z")
        try context.delete(where: #Predicate<School> { $0.town == "z" })
        try upsert.perform(in: context)
        try context.save()
        check.equal(try context.all(School.self).map(\.town), ["new"])
        if case .descriptor(let all) = Selector<School>.List.all() { check.equal(try context.fetchCount(all), 1) }
    }
    await ledger.works("what stands between models and views", []) { check in
        let container = try check.container(School.self)
        let list = SchoolList(context: container.mainContext)
        try list.add("South", in: "Ulm")
        try list.add("North", in: "Kiel")
        check.equal(list.schools.map(\.name), ["North", "South"])
        list.filter = "sou"
        try list.load()
        check.equal(list.schools.map(\.name), ["South"])
        try list.delete(at: [0])
        check.expect(list.schools.isEmpty)
        let preview = Preview(School.self, Club.self)
        preview.add(School.samples)
        check.equal(try preview.container.mainContext.fetchCount(FetchDescriptor<School>()), 2)
        check.equal(try makePreviewContainer().mainContext.fetchCount(FetchDescriptor<School>()), 2)
        Storage.shared.modelContext = preview.container.mainContext
        Storage.shared.insert([Club(title: "c")])
        try Storage.shared.save()
        check.equal(try preview.container.mainContext.all(Club.self).map(\.title), ["c"])
        Storage.shared.modelContext = nil
    }
    await ledger.works("trees and hierarchies", []) { check in
        let container = try check.container(Branch.self, Vehicle.self, Bus.self, Bicycle.self)
        let context = ModelContext(container)
        let root = Branch("root")
        root.children = [Branch("a"), Branch("b")]
        root.children?.first?.children?.append(Branch("a1"))
        context.insert(root)
        let bus = Bus(name: "12", seats: 40)
        bus.tyres = [Tyre(size: 20)]
        context.insert(bus)
        context.insert(Bicycle(name: "red"))
        try context.save()
        let other = ModelContext(container)
        let tops = try other.fetch(FetchDescriptor<Branch>(predicate: #Predicate { $0.parent == nil }))
        check.equal(tops.first?.children?.map(\.name).sorted(), ["a", "b"])
        check.equal(
            try other.fetch(FetchDescriptor<Vehicle>(predicate: #Predicate { $0 is Bus })).map(\.name), ["12"])
        check.equal(try other.all(Tyre.self).first?.vehicle?.name, "12")
        other.delete(tops[0])
        try other.save()
        check.equal(try other.fetchCount(FetchDescriptor<Branch>()), 0)
    }
    await ledger.works("schemas are looked into", []) { check in
        let lines = outline(Schema([School.self]))
        check.expect(lines.contains("Pupil.id!") && lines.contains("Pupil.school -> School"))
        let state: any EditingStateProviding = ModelContext(try check.container(Lamp.self)).editingState
        check.expect(state.author == nil)
    }
}
