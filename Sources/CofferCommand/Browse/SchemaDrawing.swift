import Coffer
import Foundation

/// A drawing of a schema: a box for each entity, a line for each relationship and each superentity.
struct SchemaDrawing {
    private let entities: [Schema.Entity]
    private let boxes: [String: Box]
    private let size: (width: Int, height: Int)

    private struct Box {
        let x: Int
        let y: Int
        let height: Int

        var middle: (x: Int, y: Int) { (x + SchemaDrawing.width / 2, y + height / 2) }
    }

    private static let width = 210
    private static let gap = 70
    private static let line = 18
    private static let head = 30
    /// More properties of an entity are only counted.
    private static let mostLines = 24

    init(_ schema: Schema) {
        entities = schema.entities.sorted { $0.name < $1.name }
        let across = max(1, Int(Double(entities.count).squareRoot().rounded(.up)))
        var boxes: [String: Box] = [:]
        var top = 10
        for start in stride(from: 0, to: entities.count, by: across) {
            var tallest = 0
            for (column, entity) in entities[start..<min(start + across, entities.count)].enumerated() {
                let lines = min(entity.storedProperties.count, Self.mostLines + 1)
                let box = Box(
                    x: 10 + column * (Self.width + Self.gap), y: top, height: Self.head + lines * Self.line + 8)
                boxes[entity.name] = box
                tallest = max(tallest, box.height)
            }
            top += tallest + Self.gap
        }
        self.boxes = boxes
        size = (10 + min(across, max(entities.count, 1)) * (Self.width + Self.gap), max(top - Self.gap + 10, 40))
    }

    var svg: String {
        let label = "The entities and what leads from one to another"
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(size.width) \(size.height)" \
            width="\(size.width)" height="\(size.height)" role="img" aria-label="\(label)">
            <defs><marker id="one" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="8" markerHeight="8" \
            orient="auto-start-reverse"><path d="M0 0L10 5L0 10" class="arrow"/></marker>\
            <marker id="many" viewBox="0 0 20 10" refX="19" refY="5" markerWidth="16" markerHeight="8" \
            orient="auto-start-reverse"><path d="M0 0L10 5L0 10M9 0L19 5L9 10" class="arrow"/></marker></defs>
            \(lines.joined(separator: "\n"))
            \(entities.compactMap(box).joined(separator: "\n"))
            </svg>

            """
    }

    // MARK: Boxes

    private func box(_ entity: Schema.Entity) -> String? {
        guard let box = boxes[entity.name] else { return nil }
        let name = BrowsePage.escaped(entity.name.shownSafely.cut(to: 26))
        let target = BrowsePage.escaped(
            entity.name.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? entity.name)
        var text = "<a href=\"#\(target)\"><g><rect x=\"\(box.x)\" y=\"\(box.y)\" width=\"\(Self.width)\" "
        text += "height=\"\(box.height)\" rx=\"6\"/>"
        text += "<text class=\"name\" x=\"\(box.x + 10)\" y=\"\(box.y + 20)\">\(name)</text>"
        for (index, property) in entity.storedProperties.prefix(Self.mostLines).enumerated() {
            let y = box.y + Self.head + index * Self.line + 12
            let type = SchemaText.type(of: property)
            let line = "\(property.name): \(type)".shownSafely.cut(to: 31)
            let kind = property is Schema.Relationship ? "link" : "value"
            text += "<text class=\"\(kind)\" x=\"\(box.x + 10)\" y=\"\(y)\">\(BrowsePage.escaped(line))</text>"
        }
        let more = entity.storedProperties.count - Self.mostLines
        if more > 0 {
            let y = box.y + Self.head + Self.mostLines * Self.line + 12
            text += "<text class=\"value\" x=\"\(box.x + 10)\" y=\"\(y)\">… and \(more) more</text>"
        }
        return text + "</g></a>"
    }

    // MARK: Lines

    private var lines: [String] {
        var lines: [String] = []
        var drawn: Set<[String]> = []
        for entity in entities {
            if let parent = entity.superentityName {
                lines.append(line(from: entity.name, to: parent, class: "parent", start: nil, end: "one"))
            }
            for case let relationship as Schema.Relationship in entity.storedProperties {
                guard drawn.insert([entity.name, relationship.name]).inserted else { continue }
                var start: String?
                if let inverse = relationship.inverseName,
                    let other = entities.first(where: { $0.name == relationship.destination })?
                        .relationshipsByName[inverse]
                {
                    drawn.insert([relationship.destination, inverse])
                    start = other.isToOneRelationship ? "one" : "many"
                }
                lines.append(
                    line(
                        from: entity.name, to: relationship.destination, class: "relationship", start: start,
                        end: relationship.isToOneRelationship ? "one" : "many"))
            }
        }
        return lines.filter { !$0.isEmpty }
    }

    private func line(from: String, to: String, class kind: String, start: String?, end: String) -> String {
        guard let a = boxes[from], let b = boxes[to] else { return "" }
        let marks = (start.map { " marker-start=\"url(#\($0))\"" } ?? "") + " marker-end=\"url(#\(end))\""
        if from == to {
            let (x, y) = (a.x + Self.width, a.y + 20)
            return "<path class=\"\(kind)\" d=\"M\(x) \(y)c45 -20 45 45 0 25\"\(marks)/>"
        }
        let (p, q) = (edge(of: a, towards: b), edge(of: b, towards: a))
        return "<path class=\"\(kind)\" d=\"M\(p.x) \(p.y)L\(q.x) \(q.y)\"\(marks)/>"
    }

    /// Where the line between the middles of two boxes leaves the first.
    private func edge(of box: Box, towards other: Box) -> (x: Int, y: Int) {
        let (a, b) = (box.middle, other.middle)
        let (dx, dy) = (Double(b.x - a.x), Double(b.y - a.y))
        let across = dx == 0 ? Double.infinity : Double(Self.width / 2) / abs(dx)
        let down = dy == 0 ? Double.infinity : Double(box.height / 2) / abs(dy)
        let part = min(across, down)
        return (a.x + Int((dx * part).rounded()), a.y + Int((dy * part).rounded()))
    }
}
