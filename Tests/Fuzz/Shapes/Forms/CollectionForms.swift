import Coffer
import Foundation

extension ShapeList {
    mutating func addCollections() {
        self("tags contain", .text) { s in
            #Predicate { (t: Thing) in t.tags.contains(s) }
        } is: { t, s in
            t.tags.contains(s)
        }
        self("tags contain name") {
            #Predicate { (t: Thing) in t.tags.contains(t.name) }
        } is: { t in
            t.tags.contains(t.name)
        }
        self("tags empty") {
            #Predicate { (t: Thing) in t.tags.isEmpty }
        } is: { t in
            t.tags.isEmpty
        }
        self("tags count", .few) { n in
            #Predicate { (t: Thing) in t.tags.count > n }
        } is: { t, n in
            t.tags.count > n
        }
        self("tags contain where", .text) { s in
            #Predicate { (t: Thing) in t.tags.contains { $0.hasPrefix(s) } }
        } is: {
            t, s in
            t.tags.contains { $0.begins(s) }
        }
        self("tags all", .text) { s in
            #Predicate { (t: Thing) in t.tags.allSatisfy { $0 != s } }
        } is: { t, s in
            t.tags.allSatisfy { $0 != s }
        }
        self("tags filter count", .two(.text, .few)) { v in
            let (s, n) = v
            return #Predicate { (t: Thing) in t.tags.filter { $0.contains(s) }.count == n }
        } is: { t, v in
            t.tags.filter { $0.has(v.0) }.count == v.1
        }
        self("tags first", .text) { s in
            #Predicate { (t: Thing) in t.tags.first == s }
        } is: { t, s in
            t.tags.first == s
        }
        self("tags last", .maybe(.text)) { s in
            #Predicate { (t: Thing) in t.tags.last == s }
        } is: { t, s in
            t.tags.last == s
        }
        self("tags at", .two(.few, .text)) { v in
            let (n, s) = v
            return #Predicate { (t: Thing) in t.tags[n] == s }
        } is: { t, v in
            t.tags.at(v.0).map { $0 == v.1 }
        }
        self("not tags at", .two(.few, .text)) { v in
            let (n, s) = v
            return #Predicate { (t: Thing) in !(t.tags[n] == s) }
        } is: { t, v in
            t.tags.at(v.0).map { $0 != v.1 }
        }
        self("tags slice", .two(.few, .text)) { v in
            let (n, s) = (max(v.0, 0), v.1)
            return #Predicate { (t: Thing) in t.tags[0..<n].contains(s) }
        } is: { t, v in
            let n = max(v.0, 0)
            return n > t.tags.count ? nil : t.tags[0..<n].contains(v.1)
        }
        self("tags first where", .text) { s in
            #Predicate { (t: Thing) in t.tags.first(where: { $0 > s })?.isEmpty == false }
        } is: { t, s in
            t.tags.first(where: { $0 > s })?.isEmpty == false
        }
        self("tags contained", .list(.text)) { s in
            #Predicate { (t: Thing) in t.tags.contains { s.contains($0) } }
        } is: {
            t, s in
            t.tags.contains { s.contains($0) }
        }
        self("nums contain", .int) { n in
            #Predicate { (t: Thing) in t.nums.contains(n) }
        } is: { t, n in
            t.nums.contains(n)
        }
        self("nums contain count") {
            #Predicate { (t: Thing) in !t.nums.contains(t.count) }
        } is: { t in
            !t.nums.contains(t.count)
        }
        self("nums max", .int) { n in
            #Predicate { (t: Thing) in t.nums.max() == n }
        } is: { t, n in
            t.nums.max() == n
        }
        self("nums min", .maybe(.int)) { n in
            #Predicate { (t: Thing) in t.nums.min() != n }
        } is: { t, n in
            t.nums.min() != n
        }
        self("nums max ??", .int) { n in
            #Predicate { (t: Thing) in (t.nums.max() ?? 0) >= n }
        } is: { t, n in
            (t.nums.max() ?? 0) >= n
        }
        self("nums max!", .int) { n in
            #Predicate { (t: Thing) in t.nums.max()! < n }
        } is: { t, n in
            t.nums.max().map { $0 < n }
        }
        self("nums where", .int) { n in
            #Predicate { (t: Thing) in t.nums.contains { $0 > n } }
        } is: { t, n in
            t.nums.contains { $0 > n }
        }
        self("nums where plus", .int) { n in
            #Predicate { (t: Thing) in t.nums.contains { $0 + n > t.count } }
        } is: {
            t, n in
            t.nums.some { e in e.plus(n).map { $0 > t.count } }
        }
        self("nums all plus", .int) { n in
            #Predicate { (t: Thing) in t.nums.allSatisfy { $0 + n > 0 } }
        } is: { t, n in
            t.nums.every { e in e.plus(n).map { $0 > 0 } }
        }
        self("nums count where", .two(.int, .few)) { v in
            let (n, m) = v
            return #Predicate { (t: Thing) in t.nums.count(where: { $0 <= n }) >= m }
        } is: { t, v in
            t.nums.count(where: { $0 <= v.0 }) >= v.1
        }
        self("nums first of some", .int) { n in
            #Predicate { (t: Thing) in t.nums.filter { $0 > 0 }.first == n }
        } is: { t, n in
            t.nums.filter { $0 > 0 }.first == n
        }
        self("nums max of some", .int) { n in
            #Predicate { (t: Thing) in (t.nums.filter { $0 < n }.max() ?? 0) == 0 }
        } is: { t, n in
            (t.nums.filter { $0 < n }.max() ?? 0) == 0
        }
        self("marks contain", .real) { x in
            #Predicate { (t: Thing) in t.marks.contains(x) }
        } is: { t, x in
            t.marks.contains(x)
        }
        self("marks max", .real) { x in
            #Predicate { (t: Thing) in (t.marks.max() ?? 0) > x }
        } is: { t, x in
            (t.marks.max() ?? 0) > x
        }
        self("kinds contain kind", .kind) { k in
            #Predicate { (t: Thing) in t.kinds.contains(k) }
        } is: { t, k in
            t.kinds.contains(k)
        }
        self("kinds all") {
            #Predicate { (t: Thing) in t.kinds.allSatisfy { $0 == t.kind } }
        } is: { t in
            t.kinds.allSatisfy { $0 == t.kind }
        }
        self("tags ==", .list(.text)) { s in
            #Predicate { (t: Thing) in t.tags == s }
        } is: { t, s in
            t.tags == s
        }
        self("nums !=", .list(.int)) { n in
            #Predicate { (t: Thing) in t.nums != n }
        } is: { t, n in
            t.nums != n
        }
        self("extra at", .int) { n in
            #Predicate { (t: Thing) in t.extra["a"] == n }
        } is: { t, n in
            t.extra["a"] == n
        }
        self("extra at == nil", .text) { s in
            #Predicate { (t: Thing) in t.extra[s] == nil }
        } is: { t, s in
            t.extra[s] == nil
        }
        self("extra at name", .int) { n in
            #Predicate { (t: Thing) in (t.extra[t.name] ?? 0) > n }
        } is: { t, n in
            (t.extra[t.name] ?? 0) > n
        }
        self("extra default", .two(.text, .int)) { v in
            let (s, n) = v
            return #Predicate { (t: Thing) in t.extra[s, default: 1] > n }
        } is: { t, v in
            t.extra[v.0, default: 1] > v.1
        }
        self("extra count", .few) { n in
            #Predicate { (t: Thing) in t.extra.count == n }
        } is: { t, n in
            t.extra.count == n
        }
        self("extra empty") {
            #Predicate { (t: Thing) in t.extra.isEmpty }
        } is: { t in
            t.extra.isEmpty
        }
    }
}
