import Coffer
import Foundation

/// What a random program and the oracle know of an attribute, and how a model's is reached.
///
/// Programs and oracle hold a number in its place, the seed of the value.
struct AttributeShape: Sendable {
    let name: String
    let text: @Sendable (Int) -> String
    let get: @Sendable (any FuzzModel) -> String
    let set: @Sendable (any FuzzModel, Int) -> Void
}

/// A change to a to-many relationship from its own side.
enum ListEdit {
    case append(any FuzzModel)
    case insert(any FuzzModel, Int)
    case remove(any FuzzModel)
    case swap(Int, Int)
    case replace([any FuzzModel])
}

/// The same for a relationship.
struct RelationShape: Sendable {
    let name: String
    let destination: String
    var inverse: String?
    var rule = Schema.Relationship.DeleteRule.nullify
    var isToMany = false
    var isRequired = false
    var least = 0
    var most = 0
    /// The linked models; a required link without a target gives a model whose number is 0.
    let get: @Sendable (any FuzzModel) -> [any FuzzModel]
    /// Sets a to-one link.
    let set: @Sendable (any FuzzModel, (any FuzzModel)?) -> Void
    /// Changes a to-many relationship.
    let edit: @Sendable (any FuzzModel, ListEdit) -> Void
}

struct EntityShape: Sendable {
    let name: String
    let attributes: [AttributeShape]
    let relations: [RelationShape]
    /// The attributes that are unique together.
    var unique: [String] = []
    /// A new model; a part needs its hub.
    let make: @Sendable (Int, Int, (any FuzzModel)?) -> any FuzzModel
    /// The model of a number, by a fetch.
    let find: @Sendable (ModelContext, Int) throws -> (any FuzzModel)?

    func relation(_ name: String) -> RelationShape? { relations.first { $0.name == name } }
    func attribute(_ name: String) -> AttributeShape? { attributes.first { $0.name == name } }
}

// MARK: Building

private func attribute<M: FuzzModel, V: Equatable & SendableMetatype>(
    _ name: String, _ keyPath: ReferenceWritableKeyPath<M, V> & Sendable, _ value: @escaping @Sendable (Int) -> V
) -> AttributeShape {
    return AttributeShape(
        name: name, text: { String(reflecting: value($0)) },
        get: { ($0 as? M).map { String(reflecting: $0[keyPath: keyPath]) } ?? "a model of another class" },
        set: { ($0 as? M)?[keyPath: keyPath] = value($1) })
}

private func toOne<M: FuzzModel, D: FuzzModel>(
    _ name: String, _ keyPath: ReferenceWritableKeyPath<M, D?> & Sendable, inverse: String? = nil
) -> RelationShape {
    return RelationShape(
        name: name, destination: "\(D.self)", inverse: inverse,
        get: { ($0 as? M)?[keyPath: keyPath].map { [$0] } ?? [] },
        set: { ($0 as? M)?[keyPath: keyPath] = $1 as? D }, edit: { _, _ in })
}

private func required<M: FuzzModel, D: FuzzModel>(
    _ name: String, _ keyPath: ReferenceWritableKeyPath<M, D> & Sendable, inverse: String? = nil
) -> RelationShape {
    return RelationShape(
        name: name, destination: "\(D.self)", inverse: inverse, isRequired: true,
        get: { ($0 as? M).map { [$0[keyPath: keyPath]] } ?? [] },
        set: { if let new = $1 as? D { ($0 as? M)?[keyPath: keyPath] = new } }, edit: { _, _ in })
}

private func toMany<M: FuzzModel, D: FuzzModel>(
    _ name: String, _ keyPath: ReferenceWritableKeyPath<M, [D]> & Sendable, inverse: String? = nil,
    rule: Schema.Relationship.DeleteRule = .nullify, least: Int = 0, most: Int = 0
) -> RelationShape {
    return RelationShape(
        name: name, destination: "\(D.self)", inverse: inverse, rule: rule, isToMany: true, least: least, most: most,
        get: { ($0 as? M)?[keyPath: keyPath] ?? [] }, set: { _, _ in },
        edit: { model, edit in
            guard let model = model as? M else { return }
            switch edit {
            case .append(let other): if let other = other as? D { model[keyPath: keyPath].append(other) }
            case .insert(let other, let place):
                if let other = other as? D { model[keyPath: keyPath].insert(other, at: place) }
            case .remove(let other): model[keyPath: keyPath].removeAll { $0 === other }
            case .swap(let left, let right): model[keyPath: keyPath].swapAt(left, right)
            case .replace(let others): model[keyPath: keyPath] = others.compactMap { $0 as? D }
            }
        })
}

private func entity<M: FuzzModel>(
    _ type: M.Type, unique: [String] = [],
    _ attributes: [AttributeShape], _ relations: [RelationShape],
    make: @escaping @Sendable (Int, Int, (any FuzzModel)?) -> M,
    find: @escaping @Sendable (Int) -> Predicate<M>
) -> EntityShape {
    EntityShape(
        name: "\(M.self)", attributes: attributes, relations: relations, unique: unique,
        make: { make($0, $1, $2) },
        find: { try $0.fetch(FetchDescriptor<M>(predicate: find($1))).first })
}

/// What all classes of the random programs look like.
enum Shape {
    static let types: [any PersistentModel.Type] = [
        Hub.self, Item.self, Part.self, Tag.self, Badge.self, Crew.self,
    ]

    static let entities: [String: EntityShape] = Dictionary(uniqueKeysWithValues: list.map { ($0.name, $0) })

    static func entity(_ name: String) -> EntityShape? { entities[name] }

    /// The models of a class with one number or another.
    private static let list: [EntityShape] = [
        CofferFuzz.entity(
            Hub.self,
            [
                attribute("title", \Hub.title, Values.title), attribute("count", \Hub.count, Values.count),
                attribute("note", \Hub.note, Values.note), attribute("list", \Hub.list, Values.list),
                attribute("ratio", \Hub.ratio, Values.ratio),
            ],
            [
                toMany("items", \Hub.items, inverse: "hub"),
                toMany("parts", \Hub.parts, inverse: "hub", rule: .cascade),
                toMany("guards", \Hub.guards, inverse: "guarded", rule: .deny),
                toMany("visitors", \Hub.visitors, inverse: "visited", rule: .noAction),
                toMany("tags", \Hub.tags, inverse: "hubs"), toOne("badge", \Hub.badge, inverse: "hub"),
                toOne("mark", \Hub.mark), toMany("marks", \Hub.marks),
            ],
            make: { no, seed, _ in Hub(no, seed) }, find: { no in #Predicate { $0.no == no } }),
        CofferFuzz.entity(
            Item.self,
            [attribute("title", \Item.title, Values.title), attribute("count", \Item.count, Values.size)],
            [
                toOne("hub", \Item.hub, inverse: "items"), toOne("guarded", \Item.guarded, inverse: "guards"),
                toOne("visited", \Item.visited, inverse: "visitors"), toOne("crew", \Item.crew, inverse: "members"),
                toOne("parent", \Item.parent, inverse: "children"),
                toMany("children", \Item.children, inverse: "parent", rule: .cascade),
                toMany("likes", \Item.likes, inverse: "likedBy"), toMany("likedBy", \Item.likedBy, inverse: "likes"),
                toOne("mate", \Item.mate, inverse: "mateOf"), toOne("mateOf", \Item.mateOf, inverse: "mate"),
            ],
            make: { no, seed, _ in Item(no, seed) }, find: { no in #Predicate { $0.no == no } }),
        CofferFuzz.entity(
            Part.self, [attribute("title", \Part.title, Values.title)],
            [required("hub", \Part.hub, inverse: "parts")],
            make: { no, seed, hub in Part(no, seed, hub as? Hub ?? Hub(-1, 0)) },
            find: { no in #Predicate { $0.no == no } }),
        CofferFuzz.entity(
            Tag.self, unique: ["name"],
            [attribute("name", \Tag.name, Values.name), attribute("count", \Tag.count, Values.count)],
            [toMany("hubs", \Tag.hubs, inverse: "tags")],
            make: { no, seed, _ in Tag(no, seed) }, find: { no in #Predicate { $0.no == no } }),
        CofferFuzz.entity(
            Badge.self, unique: ["series", "number"],
            [
                attribute("series", \Badge.series, Values.series), attribute("number", \Badge.number, Values.number),
                attribute("title", \Badge.title, Values.title),
            ],
            [toOne("hub", \Badge.hub, inverse: "badge")],
            make: { no, seed, _ in Badge(no, seed) }, find: { no in #Predicate { $0.no == no } }),
        CofferFuzz.entity(
            Crew.self, [attribute("title", \Crew.title, Values.title)],
            [toMany("members", \Crew.members, inverse: "crew", least: 1, most: 3)],
            make: { no, seed, _ in Crew(no, seed) }, find: { no in #Predicate { $0.no == no } }),
    ]
}
