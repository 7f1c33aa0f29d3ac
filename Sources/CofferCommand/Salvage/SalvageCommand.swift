import Coffer

/// `coffer salvage`: brings what can be read of a damaged store into a new one.
enum SalvageCommand: Command {
    static let declaration = CommandDeclaration(
        name: "salvage", summary: "bring what can be read of a damaged store into a new one",
        operands: [.init(name: "STORE"), .init(name: "NEW")],
        options: [
            NewStorePlace.option("kind", or: ", or of the same kind"),
            CommandOption("json", letter: "j", help: "print the result as JSON"),
        ],
        details: """
            The new store is whole: what was lost is listed. Values that cannot be read are nil, or the property's
            default value where it must have one; links to lost rows are removed; rows that cannot be without such a
            link are lost with it; of rows with the same unique values the first stays. STORE is not changed.
            """,
        examples: [.init("coffer salvage trips.sqlite saved.sqlite", "save what can be saved")],
        exitStatus: "0 when nothing was lost, 1 when something was or nothing can be read,\n2 for a wrong command line")

    static func run(_ arguments: CommandArguments, on console: Console) throws -> Int32 {
        let place = try StorePlace(arguments.operands[0])
        let new = try NewStorePlace(
            arguments.operands[1], kind: arguments["kind"], option: "kind",
            otherwise: place.kind == .dump ? nil : place.kind)
        var progress = Progress(on: console)
        defer { progress.end() }
        progress.begin("Open the store")
        let (source, losses) = try place.openDamaged()
        let target = try StoreOpening.make(new.configuration, schema: source.schema, identifier: source.identifier)
        let report: SalvageReport
        do {
            report = try StoreSalvage(from: source, to: target.store, known: losses).run {
                progress.update("Save \($0.shownSafely)", $1)
            }
            try target.finish()
        } catch {
            target.abandon()
            throw error
        }
        progress.end()
        console.write(arguments.has("json") ? json(report, new) : text(report, new))
        return report.losses.isEmpty ? 0 : 1
    }

    private static func text(_ report: SalvageReport, _ new: NewStorePlace) -> String {
        var table = TextTable(.init("Entity"), .init("Saved", .right), .init("Lost", .right))
        for entity in report.entities {
            table.add(entity.name.shownSafely, entity.rows.grouped, entity.lostRows.grouped)
        }
        var text = "\(new.path.shownSafely): \(new.kind.title)\n" + table.text()
        if report.losses.isEmpty { return text + "Nothing was lost.\n" }
        text += "Lost or changed:\n"
        for line in lines(report.losses) { text += "  " + line + "\n" }
        return text
    }

    /// A line for each loss, and one for rows of consecutive ids that are lost for one reason.
    private static func lines(_ losses: [StoreProblem]) -> [String] {
        var lines: [String] = []
        var index = losses.startIndex
        while index < losses.endIndex {
            let first = losses[index]
            var last = first
            index += 1
            while index < losses.endIndex, let key = last.key, losses[index].key == key + 1,
                losses[index].entity == first.entity, losses[index].property == first.property,
                losses[index].detail == first.detail
            {
                last = losses[index]
                index += 1
            }
            if let from = first.key, let to = last.key, from != to {
                let property = first.property.map { ", \($0)" } ?? ""
                lines.append("\(first.entity ?? "") \(from) to \(to)\(property): \(first.detail)".shownSafely)
            } else {
                lines.append("\(first)".shownSafely)
            }
        }
        return lines
    }

    private static func json(_ report: SalvageReport, _ new: NewStorePlace) -> String {
        let entities = report.entities.map {
            JSONText.object([
                ("name", JSONText.string($0.name)), ("rows", String($0.rows)), ("lostRows", String($0.lostRows)),
            ])
        }
        let losses = report.losses.map { loss in
            JSONText.object(
                [
                    loss.entity.map { ("entity", JSONText.string($0)) }, loss.key.map { ("id", String($0)) },
                    loss.property.map { ("property", JSONText.string($0)) },
                    ("detail", JSONText.string(loss.detail)),
                ].compactMap(\.self))
        }
        return JSONText.object([
            ("path", JSONText.string(new.path)), ("kind", JSONText.string(new.kind.rawValue)),
            ("entities", JSONText.array(entities)), ("losses", JSONText.array(losses)),
        ]) + "\n"
    }
}
