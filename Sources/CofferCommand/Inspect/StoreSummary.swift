import Coffer

/// What `inspect` tells of a store.
struct StoreSummary {
    private let place: StorePlace
    private let store: any ImportingRowStore
    private let entities: [(entity: Schema.Entity, rows: Int)]
    private let size: Int64

    init(_ place: StorePlace, _ store: any ImportingRowStore, _ entities: [Schema.Entity]) throws {
        self.place = place
        self.store = store
        // Rows of exactly the entity: with those below it they would be counted twice.
        self.entities = try entities.map { ($0, try store.countRows(FetchPlan(entityName: $0.name))) }
        size = place.size
    }

    private var format: Int? { place.kind == .dump ? DumpFormat.version : store.formatVersion }
    private var hasHistory: Bool { store.capabilities.features.contains(.history) }
    /// A dump is read into memory, and what that can do says nothing of the dump.
    private var features: [String] { place.kind == .dump ? [] : SchemaText.features(of: store.capabilities) }

    // MARK: Text

    var text: String {
        let rows = entities.reduce(0) { $0 + $1.rows }
        var table = TextTable(.init(""), .init(""))
        table.add("kind", place.kind.title)
        if let format { table.add("format", String(format)) }
        table.add("size", counted(Int(size), "byte", "bytes"))
        table.add("identifier", store.identifier.shownSafely)
        table.add("schema version", "\(store.schema.version)")
        table.add("contents", "\(counted(entities.count, "entity", "entities")), \(counted(rows, "row", "rows"))")
        if place.kind != .dump { table.add("history", hasHistory ? "kept" : "none") }
        let text = place.path.shownSafely + "\n" + table.text(hasTitles: false)
        return text + featuresText + entitiesText
    }

    /// The features in lines of a width that fits a terminal.
    private var featuresText: String {
        var lines: [String] = []
        for feature in features {
            if let last = lines.last, last.count + feature.count < 96 {
                lines[lines.count - 1] += ", " + feature
            } else {
                if !lines.isEmpty { lines[lines.count - 1] += "," }
                lines.append((lines.isEmpty ? "  capabilities" : "").padding(to: 18) + feature)
            }
        }
        return lines.map { $0 + "\n" }.joined()
    }

    /// The entities alone.
    var entitiesText: String {
        entities.map { entity, rows in
            let parent = entity.superentityName.map { ": \($0.shownSafely)" } ?? ""
            var text = "\n\(entity.name.shownSafely)\(parent)  \(counted(rows, "row", "rows"))\n"
            var table = TextTable(.init("Property"), .init("Type"), .init("Notes"))
            for property in entity.properties {
                table.add(
                    property.name.shownSafely, SchemaText.type(of: property).shownSafely,
                    SchemaText.notes(on: property).shownSafely)
            }
            text += table.text(hasTitles: false)
            for (kind, properties) in SchemaText.constraints(of: entity) {
                text += "  \(kind) [\(properties.map(\.shownSafely).joined(separator: ", "))]\n"
            }
            return text
        }.joined()
    }

    // MARK: JSON

    var json: String {
        let list = entities.map { entity, rows in
            var members = [("name", JSONText.string(entity.name)), ("rows", String(rows))]
            if let parent = entity.superentityName { members.append(("superentity", JSONText.string(parent))) }
            members.append(("properties", JSONText.array(entity.properties.map(Self.json))))
            let constraints = SchemaText.constraints(of: entity).map { kind, properties in
                JSONText.object([
                    ("kind", JSONText.string(kind)), ("properties", JSONText.array(properties.map(JSONText.string))),
                ])
            }
            members.append(("indexes", JSONText.array(constraints)))
            return JSONText.object(members)
        }
        return JSONText.object([
            ("path", JSONText.string(place.path)), ("kind", JSONText.string(place.kind.rawValue)),
            ("format", format.map(String.init) ?? "null"), ("size", String(size)),
            ("identifier", JSONText.string(store.identifier)),
            ("schemaVersion", JSONText.string("\(store.schema.version)")), ("history", JSONText.bool(hasHistory)),
            ("capabilities", JSONText.array(features.map(JSONText.string))), ("entities", JSONText.array(list)),
        ]) + "\n"
    }

    private static func json(_ property: any SchemaProperty) -> String {
        var members = [
            ("name", JSONText.string(property.name)), ("type", JSONText.string(SchemaText.type(of: property))),
            ("storage", JSONText.string(SchemaText.storage(of: property))),
            ("isOptional", JSONText.bool(property.isOptional)), ("isUnique", JSONText.bool(property.isUnique)),
        ]
        if property.originalName != property.name {
            members.append(("originalName", JSONText.string(property.originalName)))
        }
        if let relationship = property as? Schema.Relationship {
            members.append(("destination", JSONText.string(relationship.destination)))
            members.append(("deleteRule", JSONText.string(relationship.deleteRule.rawValue)))
            if let inverse = relationship.inverseName { members.append(("inverse", JSONText.string(inverse))) }
        } else if let attribute = property as? Schema.Attribute {
            members.append(("options", JSONText.array(attribute.options.map { JSONText.string($0.debugDescription) })))
        }
        return JSONText.object(members)
    }
}
