import Foundation

/// What SwiftData has, member by member, from `members.txt`: sections begin with `#`, and a member that cannot be here
/// says why behind a bar.
struct MemberList {
    struct Member {
        let name: String
        /// Why it is absent; nil of a member that an exercise has to show.
        let absence: String?
    }

    struct Section {
        let title: String
        var members: [Member] = []
    }

    var sections: [Section] = []

    var names: [String] { sections.flatMap { $0.members.map(\.name) } }

    static func read() throws -> MemberList {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("members.txt")
        var list = MemberList()
        for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
            if line.hasPrefix("# ") {
                list.sections.append(Section(title: String(line.dropFirst(2))))
                continue
            }
            let parts = line.components(separatedBy: " | ")
            let member = Member(name: parts[0], absence: parts.count == 3 && parts[1] == "absent" ? parts[2] : nil)
            list.sections[list.sections.count - 1].members.append(member)
        }
        return list
    }
}
