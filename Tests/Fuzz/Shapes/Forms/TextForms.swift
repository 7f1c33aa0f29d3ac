import Coffer
import Foundation

extension ShapeList {
    mutating func addText() {
        self("name ==", .text) { s in
            #Predicate { (t: Thing) in t.name == s }
        } is: { t, s in
            t.name == s
        }
        self("name !=", .text) { s in
            #Predicate { (t: Thing) in t.name != s }
        } is: { t, s in
            t.name != s
        }
        self("name <", .text) { s in
            #Predicate { (t: Thing) in t.name < s }
        } is: { t, s in
            t.name < s
        }
        self("name >=", .text) { s in
            #Predicate { (t: Thing) in t.name >= s }
        } is: { t, s in
            t.name >= s
        }
        self("name between", .two(.text, .text)) { v in
            let range = min(v.0, v.1)...max(v.0, v.1)
            return #Predicate { (t: Thing) in range.contains(t.name) }
        } is: { t, v in
            (min(v.0, v.1)...max(v.0, v.1)).contains(t.name)
        }
        self("contains", .text) { s in
            #Predicate { (t: Thing) in t.name.contains(s) }
        } is: { t, s in
            t.name.has(s)
        }
        self("not contains", .text) { s in
            #Predicate { (t: Thing) in !t.name.contains(s) }
        } is: { t, s in
            !t.name.has(s)
        }
        self("hasPrefix", .text) { s in
            #Predicate { (t: Thing) in t.name.hasPrefix(s) }
        } is: { t, s in
            t.name.begins(s)
        }
        self("starts", .text) { s in
            #Predicate { (t: Thing) in t.name.starts(with: s) }
        } is: { t, s in
            t.name.begins(s)
        }
        self("hasSuffix", .text) { s in
            #Predicate { (t: Thing) in t.name.hasSuffix(s) }
        } is: { t, s in
            t.name.ends(s)
        }
        self("is empty") {
            #Predicate { (t: Thing) in t.name.isEmpty }
        } is: { t in
            t.name.isEmpty
        }
        self("length", .few) { n in
            #Predicate { (t: Thing) in t.name.count == n }
        } is: { t, n in
            t.name.count == n
        }
        self("length >", .few) { n in
            #Predicate { (t: Thing) in t.name.count > n }
        } is: { t, n in
            t.name.count > n
        }
        self("lowercased", .text) { s in
            #Predicate { (t: Thing) in t.name.lowercased() == s }
        } is: { t, s in
            t.name.lowercased() == s
        }
        self("uppercased contains", .text) { s in
            #Predicate { (t: Thing) in t.name.uppercased().contains(s) }
        } is: {
            t, s in
            t.name.uppercased().has(s)
        }
        self("standard contains", .text) { s in
            #Predicate { (t: Thing) in t.name.localizedStandardContains(s) }
        } is: { t, s in
            t.name.composed.localizedStandardContains(s.composed)
        }
        self("caseless equal", .text) { s in
            #Predicate { (t: Thing) in t.name.caseInsensitiveCompare(s) == .orderedSame }
        } is: { t, s in
            t.name.composed.caseInsensitiveCompare(s.composed) == .orderedSame
        }
        self("localised order", .text) { s in
            #Predicate { (t: Thing) in t.name.localizedCompare(s) == .orderedAscending }
        } is: { t, s in
            t.name.composed.localizedCompare(s.composed) == .orderedAscending
        }
        self("standard order", .text) { s in
            #Predicate { (t: Thing) in t.name.localizedStandardCompare(s) != .orderedDescending }
        } is: { t, s in
            t.name.composed.localizedStandardCompare(s.composed) != .orderedDescending
        }
        self("joined", .two(.text, .text)) { v in
            let (s, u) = v
            return #Predicate { (t: Thing) in t.name + s == u }
        } is: { t, v in
            t.name + v.0 == v.1
        }
        self("joined contains", .text) { s in
            #Predicate { (t: Thing) in (t.name + t.name).contains(s) }
        } is: { t, s in
            (t.name + t.name).has(s)
        }
        self("number as text", .text) { s in
            #Predicate { (t: Thing) in String(t.count).contains(s) }
        } is: { t, s in
            String(t.count).has(s)
        }
        self("regex") {
            #Predicate { (t: Thing) in t.name.contains(/[a-c]+/) }
        } is: { t in
            t.name.contains { "abc".contains($0) }
        }
        self("captured contains", .text) { s in
            #Predicate { (t: Thing) in s.contains(t.name) }
        } is: { t, s in
            s.has(t.name)
        }
        self("captured hasPrefix", .text) { s in
            #Predicate { (t: Thing) in s.hasPrefix(t.name) }
        } is: { t, s in
            s.begins(t.name)
        }
        self("list contains", .list(.text)) { s in
            #Predicate { (t: Thing) in s.contains(t.name) }
        } is: { t, s in
            s.contains(t.name)
        }
        self("set contains", .list(.text)) { s in
            let set = Set(s)
            return #Predicate { (t: Thing) in !set.contains(t.name) }
        } is: { t, s in
            !s.contains(t.name)
        }
        self("some of a list", .list(.text)) { s in
            #Predicate { (t: Thing) in s.contains { t.name.contains($0) } }
        } is: {
            t, s in
            s.contains { t.name.has($0) }
        }
        self("all of a list", .list(.text)) { s in
            #Predicate { (t: Thing) in s.allSatisfy { $0 != t.name } }
        } is: {
            t, s in
            s.allSatisfy { $0 != t.name }
        }
        self("list of properties", .text) { s in
            #Predicate { (t: Thing) in [t.name, t.note ?? ""].contains(s) }
        } is: {
            t, s in
            [t.name, t.note ?? ""].contains(s)
        }
    }

    mutating func addOptionalText() {
        self("note ==", .text) { s in
            #Predicate { (t: Thing) in t.note == s }
        } is: { t, s in
            t.note == s
        }
        self("note !=", .text) { s in
            #Predicate { (t: Thing) in t.note != s }
        } is: { t, s in
            t.note != s
        }
        self("not note ==", .text) { s in
            #Predicate { (t: Thing) in !(t.note == s) }
        } is: { t, s in
            !(t.note == s)
        }
        self("note == optional", .maybe(.text)) { s in
            #Predicate { (t: Thing) in t.note == s }
        } is: { t, s in
            t.note == s
        }
        self("note == nil") {
            #Predicate { (t: Thing) in t.note == nil }
        } is: { t in
            t.note == nil
        }
        self("note == name") {
            #Predicate { (t: Thing) in t.note == t.name }
        } is: { t in
            t.note == t.name
        }
        self("note ??", .two(.text, .text)) { v in
            let (s, u) = v
            return #Predicate { (t: Thing) in (t.note ?? s) == u }
        } is: { t, v in
            (t.note ?? v.0) == v.1
        }
        self("note chain is empty") {
            #Predicate { (t: Thing) in t.note?.isEmpty == true }
        } is: { t in
            t.note?.isEmpty == true
        }
        self("note chain is not empty") {
            #Predicate { (t: Thing) in t.note?.isEmpty != true }
        } is: { t in
            t.note?.isEmpty != true
        }
        self("note chain count", .few) { n in
            #Predicate { (t: Thing) in (t.note?.count ?? 0) > n }
        } is: { t, n in
            (t.note?.count ?? 0) > n
        }
        self("note!", .text) { s in
            #Predicate { (t: Thing) in t.note!.hasPrefix(s) }
        } is: { t, s in
            t.note.map { $0.begins(s) }
        }
        self("note chain contains", .text) { s in
            #Predicate { (t: Thing) in t.note?.contains(s) == true }
        } is: {
            t, s in
            t.note?.has(s) == true
        }
        self("note chain contains ??", .text) { s in
            #Predicate { (t: Thing) in t.note?.contains(s) ?? true }
        } is: {
            t, s in
            t.note?.has(s) ?? true
        }
        self("note lowercased", .text) { s in
            #Predicate { (t: Thing) in t.note?.lowercased() == s }
        } is: { t, s in
            t.note?.lowercased() == s
        }
        self("note standard contains", .text) { s in
            #Predicate { (t: Thing) in t.note?.localizedStandardContains(s) == true }
        } is: { t, s in
            t.note?.composed.localizedStandardContains(s.composed) == true
        }
        self("note or city", .text) { s in
            #Predicate { (t: Thing) in (t.note ?? t.owner?.city) == s }
        } is: { t, s in
            (t.note ?? t.owner?.city) == s
        }
        self("if let note", .text) { s in
            #Predicate { (t: Thing) in if let note = t.note { note.contains(s) } else { t.name == s } }
        } is: { t, s in
            t.note.map { $0.has(s) } ?? (t.name == s)
        }
        self("list contains note", .list(.text)) { s in
            #Predicate { (t: Thing) in s.contains(t.note ?? "") }
        } is: {
            t, s in
            s.contains(t.note ?? "")
        }
        self("optionals contain note", .list(.maybe(.text))) { s in
            #Predicate { (t: Thing) in s.contains(t.note) }
        } is: { t, s in
            s.contains(t.note)
        }
    }
}
