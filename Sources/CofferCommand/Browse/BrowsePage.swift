import Coffer
import Foundation

/// The page of `browse`: style, drawing, data and the script that shows them.
struct BrowsePage {
    private let place: StorePlace
    private let store: any ImportingRowStore
    private let limit: Int

    /// The most that the page has of a text.
    private static let longestText = 2000

    /// - Parameter limit: the most rows of an entity.
    init(_ place: StorePlace, _ store: any ImportingRowStore, limit: Int) {
        self.place = place
        self.store = store
        self.limit = limit
    }

    /// The whole page.
    func text(progress: (_ entityName: String, _ rows: Int) -> Void) throws -> String {
        let entities = store.schema.entities.sorted { $0.name < $1.name }
        let title = Self.escaped(URL(fileURLWithPath: place.path).lastPathComponent.shownSafely)
        let lists = try entities.map { try self.json($0, progress) }
        let about = [place.kind.title, "schema \(store.schema.version)", counted(Int(place.size), "byte", "bytes")]
        // Inside a script element only the end of one could be mistaken.
        let data = JSONText.array(lists).replacingOccurrences(of: "<", with: "\\u003c")
        return """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; \
            script-src 'unsafe-inline'">
            <meta name="color-scheme" content="light dark">
            <title>\(title)</title>
            <style>
            \(BrowseParts.style)</style>
            </head>
            <body>
            <header><h1><a href="#">\(title)</a></h1><p>\(Self.escaped(about.joined(separator: " · ")))</p></header>
            <nav id="entities" aria-label="Entities"></nav>
            <main id="content" tabindex="-1"></main>
            <template id="drawing">
            \(SchemaDrawing(store.schema).svg)</template>
            <noscript><p>This page shows rows with JavaScript, which is off.</p></noscript>
            <script id="data" type="application/json">\(data)</script>
            <script>
            \(BrowseParts.script)</script>
            </body>
            </html>

            """
    }

    static func escaped(_ text: String) -> String {
        text.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
            .replacingOccurrences(of: ">", with: "&gt;").replacingOccurrences(of: "\"", with: "&quot;")
    }

    // MARK: Data

    private func json(
        _ entity: Schema.Entity, _ progress: (_ entityName: String, _ rows: Int) -> Void
    ) throws -> String {
        let rows = StoreRows(store, entity, includesSubentities: false)
        let columns = StoreColumn.all(of: entity)
        let properties = columns.map { column in
            let property = entity.properties[column.slot]
            var members = [
                ("name", JSONText.string(column.name)), ("type", JSONText.string(SchemaText.type(of: property))),
                ("notes", JSONText.string(SchemaText.notes(on: property))),
            ]
            switch column.kind {
            case .link(let destination), .list(let destination):
                members.append(("to", JSONText.array(targets(destination))))
            default: break
            }
            if column.isNumeric { members.append(("numeric", "true")) }
            return JSONText.object(members)
        }
        // What may lie in files is not read, only named.
        var plan = rows.plan(columns.filter { $0.isList || !$0.isAside }.map(\.slot))
        if limit < .max { plan.limit = limit }
        var lines: [String] = []
        try rows.read(plan) { batch in
            for row in 0..<batch.count {
                let values = columns.map { column in
                    column.isAside && !column.isList
                        ? JSONText.string("…") : value(batch.cell(row: row, slot: column.slot), column, batch)
                }
                lines.append(JSONText.array([String(batch.key(ofRow: row))] + values))
            }
            progress(entity.name, lines.count)
        }
        let indexes = SchemaText.constraints(of: entity).map { kind, properties in
            JSONText.string("\(kind) [\(properties.joined(separator: ", "))]")
        }
        return JSONText.object([
            ("name", JSONText.string(entity.name)),
            ("parent", entity.superentityName.map { JSONText.string($0) } ?? "null"),
            ("count", String(try store.countRows(FetchPlan(entityName: entity.name)))),
            ("properties", JSONText.array(properties)), ("indexes", JSONText.array(indexes)),
            ("rows", JSONText.array(lines)),
        ])
    }

    /// The entities that a link to one may lead to.
    private func targets(_ destination: String) -> [String] {
        (store.schema.entitiesByName[destination]?.subtree.map(\.name) ?? [destination]).map(JSONText.string)
    }

    private func value(_ cell: RowCell, _ column: StoreColumn, _ batch: RowBatch) -> String {
        switch cell.kind {
        case .absent, .null: return column.isList ? "[]" : "null"
        case .reference: return String(cell.integer)
        case .references: return JSONText.array(batch.keys(of: cell).map(String.init))
        case .text:
            let text = String(decoding: batch.bytes(of: cell), as: UTF8.self)
            if case .scalar(.decimal) = column.kind { return JSONText.string(column.text(cell, batch)) }
            return JSONText.string(text.cut(to: Self.longestText))
        default: return JSONText.string(column.text(cell, batch))
        }
    }
}
