import Coffer
import Foundation

/// How a query is run.
struct QueryOptions {
    var limit = 0
    var offset = 0
    var isReversed = false
    /// Without an order there are neither limit nor offset.
    var isSorted = true
    var includesPending = true
    /// Relationships come along with the models.
    var prefetches = false

    init(_ numbers: [Int]) {
        guard numbers.count == 3 else { return }
        let bits = numbers[2]
        isReversed = bits & 1 != 0
        isSorted = bits & 6 != 6
        includesPending = bits & 24 != 24
        prefetches = bits & 96 == 96
        if isSorted { (limit, offset) = (numbers[0], numbers[1]) }
    }
}

/// A predicate, and what it says of plain values.
struct Query: Sendable {
    let name: String
    let entity: String
    let fetch: @Sendable (ModelContext, Int, QueryOptions) throws -> [any FuzzModel]
    let count: @Sendable (ModelContext, Int, QueryOptions) throws -> Int
    let delete: @Sendable (ModelContext, Int) throws -> Void
    let enumerate: @Sendable (ModelContext, Int, QueryOptions, (any FuzzModel) -> Void) throws -> Void
    let matches: @Sendable (World, Int, Int) -> Bool

    /// The numbers of what the query finds.
    func expected(_ world: World, _ number: Int, _ options: QueryOptions) -> [Int] {
        var found = world.living(entity).filter { matches(world, $0, number) }
        if options.isReversed { found.reverse() }
        found.removeFirst(min(options.offset, found.count))
        return options.limit > 0 ? Array(found.prefix(options.limit)) : found
    }

    static func named(_ name: String) -> Query? { all.first { $0.name == name } }

    private init<M: FuzzModel>(
        _ name: String, _ type: M.Type, no: KeyPath<M, Int> & Sendable,
        prefetching: sending [PartialKeyPath<M>] = [],
        _ predicate: @escaping @Sendable (Int) -> Predicate<M>,
        _ matches: @escaping @Sendable (World, Int, Int) -> Bool
    ) {
        nonisolated(unsafe) let prefetching = prefetching
        @Sendable func descriptor(_ number: Int, _ options: QueryOptions) -> FetchDescriptor<M> {
            var descriptor = FetchDescriptor<M>(predicate: predicate(number))
            if options.isSorted {
                descriptor.sortBy = [SortDescriptor(no, order: options.isReversed ? .reverse : .forward)]
            }
            if options.limit > 0 { descriptor.fetchLimit = options.limit }
            if options.offset > 0 { descriptor.fetchOffset = options.offset }
            if options.prefetches { descriptor.relationshipKeyPathsForPrefetching = prefetching }
            descriptor.includePendingChanges = options.includesPending
            return descriptor
        }
        self.name = name
        entity = "\(M.self)"
        fetch = { try $0.fetch(descriptor($1, $2)) }
        count = { try $0.fetchCount(descriptor($1, $2)) }
        delete = { try $0.delete(model: M.self, where: predicate($1)) }
        enumerate = { context, number, options, body in
            try context.enumerate(
                descriptor(number, options), batchSize: 1 + number % 7, allowEscapingMutations: true
            ) { body($0) }
        }
        self.matches = matches
    }
}

extension World {
    fileprivate func text(_ number: Int, _ attribute: String, _ value: (Int) -> String) -> String {
        things[number].map { value($0.attributes[attribute] ?? 0) } ?? ""
    }

    fileprivate func seed(_ number: Int, _ attribute: String) -> Int { things[number]?.attributes[attribute] ?? 0 }
}

extension World.Thing {
    fileprivate var size: Int? { Values.size(attributes["count"] ?? 0) }
    fileprivate var count: Int { Values.count(attributes["count"] ?? 0) }
    fileprivate var title: String { Values.title(attributes["title"] ?? 0) }
}

extension Query {
    static let all: [Query] = hubs + items + others

    private static let hubs: [Query] = [
        Query("hubs", Hub.self, no: \.no, prefetching: [\.items, \.badge, \.tags]) { _ in
            #Predicate { $0.no > 0 }
        } _: { _, _, _ in
            true
        },
        Query("hubsAbove", Hub.self, no: \.no, prefetching: [\.parts, \.mark]) { n in
            #Predicate { $0.count > n }
        } _: {
            Values.count($0.seed($1, "count")) > $2
        },
        Query("hubsWithoutNote", Hub.self, no: \.no) { _ in
            #Predicate { $0.note == nil }
        } _: { world, hub, _ in
            Values.note(world.seed(hub, "note")) == nil
        },
        Query("hubsNoted", Hub.self, no: \.no) { n in
            let note = "n\(n)"
            return #Predicate { $0.note != note }
        } _: {
            Values.note($0.seed($1, "note")) != "n\($2)"
        },
        Query("hubsTitled", Hub.self, no: \.no) { n in
            let title = Values.title(n)
            return #Predicate { $0.title >= title }
        } _: {
            $0.text($1, "title", Values.title) >= Values.title($2)
        },
        Query("hubsListing", Hub.self, no: \.no) { n in
            #Predicate { $0.list.contains(n) }
        } _: {
            Values.list($0.seed($1, "list")).contains($2)
        },
        Query("hubsWithoutItems", Hub.self, no: \.no, prefetching: [\.items]) { _ in
            #Predicate { $0.items.isEmpty }
        } _: { world, hub, _ in
            world.links(hub, "items").isEmpty
        },
        Query("hubsWithItem", Hub.self, no: \.no) { n in
            #Predicate { $0.items.contains { $0.count == n } }
        } _: { world, hub, n in
            world.linked(hub, "items").contains { $0.size == n }
        },
        Query("hubsOfParts", Hub.self, no: \.no, prefetching: [\.parts]) { n in
            #Predicate { $0.parts.count > n }
        } _: {
            $0.links($1, "parts").count > $2
        },
        Query("hubsWithoutBadge", Hub.self, no: \.no, prefetching: [\.badge]) { _ in
            #Predicate { $0.badge == nil }
        } _: { world, hub, _ in
            world.links(hub, "badge").isEmpty
        },
        Query("hubsBadge", Hub.self, no: \.no) { n in
            #Predicate { $0.badge?.number == n }
        } _: { world, hub, n in
            world.link(hub, "badge").map { Values.number($0.attributes["number"] ?? 0) } == n
        },
        Query("hubsMarked", Hub.self, no: \.no) { n in
            let name = Values.name(n)
            return #Predicate { $0.mark != nil || $0.tags.contains { $0.name == name } }
        } _: { world, hub, n in
            !world.links(hub, "mark").isEmpty
                || world.linked(hub, "tags").contains {
                    Values.name($0.attributes["name"] ?? 0) == Values.name(n)
                }
        },
    ]

    private static let items: [Query] = [
        Query("items", Item.self, no: \.no, prefetching: [\.hub, \.children, \.likes]) { _ in
            #Predicate { $0.no > 0 }
        } _: { _, _, _ in
            true
        },
        Query("itemsWithoutCount", Item.self, no: \.no) { _ in
            #Predicate { $0.count == nil }
        } _: { world, item, _ in
            world.things[item]?.size == nil
        },
        Query("itemsAbove", Item.self, no: \.no, prefetching: [\.parent]) { n in
            #Predicate { ($0.count ?? -1) > n }
        } _: {
            ($0.things[$1]?.size ?? -1) > $2
        },
        Query("itemsWithoutHub", Item.self, no: \.no) { _ in
            #Predicate { $0.hub == nil && $0.guarded == nil }
        } _: { world, item, _ in
            world.links(item, "hub").isEmpty && world.links(item, "guarded").isEmpty
        },
        Query("itemsOfHubs", Item.self, no: \.no, prefetching: [\.hub]) { n in
            #Predicate { $0.hub?.count == n }
        } _: { world, item, n in
            world.link(item, "hub")?.count == n
        },
        Query("itemsBelow", Item.self, no: \.no) { n in
            #Predicate { $0.parent?.hub?.count == n }
        } _: { world, item, n in
            world.links(item, "parent").first.flatMap { world.link($0, "hub")?.count } == n
        },
        Query("itemsUnliked", Item.self, no: \.no, prefetching: [\.likedBy]) { _ in
            #Predicate { $0.likedBy.isEmpty && $0.mate == nil }
        } _: { world, item, _ in
            world.links(item, "likedBy").isEmpty && world.links(item, "mate").isEmpty
        },
        Query("itemsOfCounted", Item.self, no: \.no) { _ in
            #Predicate { $0.children.allSatisfy { $0.count != nil } }
        } _: { world, item, _ in
            world.linked(item, "children").allSatisfy { $0.size != nil }
        },
    ]

    private static let others: [Query] = [
        Query("parts", Part.self, no: \.no, prefetching: [\.hub]) { _ in
            #Predicate { $0.no > 0 }
        } _: { _, _, _ in
            true
        },
        Query("partsOfHubs", Part.self, no: \.no) { n in
            #Predicate { $0.hub.count >= n }
        } _: { world, part, n in
            (world.link(part, "hub")?.count ?? 0) >= n
        },
        Query("tags", Tag.self, no: \.no, prefetching: [\.hubs]) { _ in
            #Predicate { $0.no > 0 }
        } _: { _, _, _ in
            true
        },
        Query("tagsOf", Tag.self, no: \.no) { n in
            #Predicate { $0.hubs.count == n }
        } _: {
            $0.links($1, "hubs").count == $2
        },
        Query("badges", Badge.self, no: \.no, prefetching: [\.hub]) { _ in
            #Predicate { $0.no > 0 }
        } _: { _, _, _ in
            true
        },
        Query("badgesFrom", Badge.self, no: \.no) { n in
            #Predicate { $0.number > n && $0.hub != nil }
        } _: {
            Values.number($0.seed($1, "number")) > $2 && !$0.links($1, "hub").isEmpty
        },
        Query("crews", Crew.self, no: \.no, prefetching: [\.members]) { _ in
            #Predicate { $0.no > 0 }
        } _: { _, _, _ in
            true
        },
        Query("crewsWithout", Crew.self, no: \.no) { _ in
            #Predicate { $0.members.contains { $0.hub == nil } }
        } _: { world, crew, _ in
            world.links(crew, "members").contains { world.links($0, "hub").isEmpty }
        },
    ]
}
