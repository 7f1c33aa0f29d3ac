import CofferCore

// What follows once a save cannot fail any more: links are threaded anew, lists put in order, gaps closed.

extension MemoryCommit {
    /// Puts links and lists in step with the rows.
    func finish() {
        let appended = log.appended
        reserve(appended)
        var deadBytes = [Int](repeating: 0, count: tables.count)
        for change in log.cells {
            let table = tables[change.table]
            if change.old.kind == .text || change.old.kind == .blob { deadBytes[change.table] += change.old.length }
            if let link = table.link(ofSlot: change.slot), table.isLive(change.position) {
                relink(link, change.position)
            }
        }
        for (index, first) in appended {
            let table = tables[index]
            let hasRedirects = !new[index].redirects.isEmpty
            for link in table.links {
                for position in first..<table.rows.count where !hasRedirects || table.isLive(position) {
                    relink(link, position)
                }
            }
        }
        var deadRows = [Int](repeating: 0, count: tables.count)
        for (index, _, position) in log.deleted {
            let table = tables[index]
            for link in table.links { link.relink(position, to: nil) }
            for set in data.pairs {
                if set.layout.owner == index { set.removeAll(of: position, at: .owner) }
                if set.layout.member == index { set.removeAll(of: position, at: .member) }
            }
            // The bytes of a new row that was written onto another are that row's now.
            let isMerged = position >= log.firstNew(in: index) ?? .max
            for column in table.layout.columns where !isMerged {
                let cell = table.rows.cell(row: position, slot: column.slot)
                if cell.kind == .text || cell.kind == .blob { deadBytes[index] += cell.length }
            }
            deadRows[index] += 1
        }
        applyLists()
        log.reindex(tables)
        for table in tables where deadRows[table.layout.index] > 0 || deadBytes[table.layout.index] > 0 {
            table.noteGarbage(rows: deadRows[table.layout.index], bytes: deadBytes[table.layout.index])
            if table.isWorthCompacting { data.compact(table) }
        }
    }

    /// Makes room in everything that is threaded through new rows.
    private func reserve(_ appended: [(table: Int, first: Int)]) {
        if appended.isEmpty { return }
        for link in tables.lazy.flatMap(\.links) {
            link.reserve(rows: tables[link.table].rows.count, owners: tables[link.destination].rows.count)
        }
        for set in data.pairs {
            set.reserve(
                owners: tables[set.layout.owner].rows.count, members: tables[set.layout.member].rows.count)
        }
    }

    /// Threads a row under the row its link leads to.
    @inline(__always)
    private func relink(_ link: LinkColumn, _ position: Int) {
        let cell = tables[link.table].rows.cell(row: position, slot: link.slot)
        link.relink(
            position,
            to: cell.kind == .reference ? tables[link.destination].directory.position(of: cell.integer) : nil)
    }
}
