import DropInLedger
import Foundation

/// Compares what an exercise says it is of with the source: the name of each member has to stand in its code, or in that of
/// the programs which it runs. Comments do not count.
@MainActor
enum SourceCheck {
    private static var sources: [String: [String]] = [:]

    /// The members that an exercise names and does not use.
    static func missing(in exercise: ParityLedger.Exercise) -> [String] {
        guard exercise.file.contains("/Exercises/"), let lines = lines(of: exercise.file) else { return [] }
        // The body begins behind the list of members and ends where the indentation does.
        let start = exercise.line - 1
        let indentation = lines[start].prefix { $0 == " " }
        let end = lines[(start + 1)...].firstIndex { $0.hasPrefix(indentation + "}") }
        let whole = lines[start...(end ?? lines.count - 1)]
        guard let opening = whole.firstIndex(where: { $0.hasSuffix("check in") }) else {
            return ["\(exercise.title): the source is not laid out as others are"]
        }
        let body = whole[(opening + 1)...].joined(separator: "\n")
        let programs = programs(beside: exercise.file)
        return exercise.members.compactMap { member in
            let names = spellings(of: member)
            return names.isEmpty || names.contains(where: { body.contains($0) || programs.contains($0) })
                ? nil : "\(exercise.title): \(member) is not used in it"
        }
    }

    /// The code that exercises run, in the folder beside theirs.
    private static func programs(beside file: String) -> String {
        let folder = URL(fileURLWithPath: file).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Shapes")
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return files.sorted().flatMap { lines(of: folder.appendingPathComponent($0).path) ?? [] }
            .joined(separator: "\n")
    }

    /// The lines of a file, without comments.
    private static func lines(of file: String) -> [String]? {
        if let known = sources[file] { return known }
        guard let text = try? String(contentsOfFile: file, encoding: .utf8) else { return nil }
        let lines = text.components(separatedBy: "\n").map { line in
            line.drop { $0 == " " }.hasPrefix("//") ? "" : line
        }
        sources[file] = lines
        return lines
    }

    /// How a member may be spelled: its own name, for an initialiser that of its type; none for what has no name.
    private static func spellings(of member: String) -> [String] {
        // What is described in words has no name to look for.
        let first = member.components(separatedBy: " ")[0]
        if !first.contains(where: { ".(@#".contains($0) }) || first == "setValue(forKey:to:)", member.contains(" ") {
            return []
        }
        let path = first.prefix { $0 != "(" }
        let parts = path.split(separator: ".").map(String.init)
        guard let last = parts.last else { return [] }
        switch last {
        case "init":
            guard parts.count > 1 else { return ["backingData:"] }
            return [parts[parts.count - 2] + "(", parts[parts.count - 2] + "<", "init("]
        case "subscript": return ["["]
        case "==", "<", "~=": return [last]
        case "hash": return ["hashValue", "Set"]
        default: return [last]
        }
    }
}
