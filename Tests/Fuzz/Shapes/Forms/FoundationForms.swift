import Foundation

// This file and the next import nothing of Coffer: `#Predicate` is Foundation's here, also for models.

extension ShapeList {
    mutating func addFoundationScalars() {
        prefix = "Foundation: "
        self("count ==", .int) { n in
            #Predicate { (t: Thing) in t.count == n }
        } is: { t, n in
            t.count == n
        }
        self("count !=", .int) { n in
            #Predicate { (t: Thing) in t.count != n }
        } is: { t, n in
            t.count != n
        }
        self("count <", .int) { n in
            #Predicate { (t: Thing) in t.count < n }
        } is: { t, n in
            t.count < n
        }
        self("count >=", .int) { n in
            #Predicate { (t: Thing) in t.count >= n }
        } is: { t, n in
            t.count >= n
        }
        self("not count >", .int) { n in
            #Predicate { (t: Thing) in !(t.count > n) }
        } is: { t, n in
            !(t.count > n)
        }
        self("count between", .range) { r in
            #Predicate { (t: Thing) in r.contains(t.count) }
        } is: { t, r in
            r.contains(t.count)
        }
        self("size ==", .maybe(.int)) { n in
            #Predicate { (t: Thing) in t.size == n }
        } is: { t, n in
            t.size == n
        }
        self("size == nil") {
            #Predicate { (t: Thing) in t.size == nil }
        } is: { t in
            t.size == nil
        }
        self("size ??", .int) { n in
            #Predicate { (t: Thing) in (t.size ?? 1) > n }
        } is: { t, n in
            (t.size ?? 1) > n
        }
        self("size!", .int) { n in
            #Predicate { (t: Thing) in t.size! > n }
        } is: { t, n in
            t.size.map { $0 > n }
        }
        self("if let size", .int) { n in
            #Predicate { (t: Thing) in if let size = t.size { size > n } else { t.isOn } }
        } is: { t, n in
            t.size.map { $0 > n } ?? t.isOn
        }
        self("size flatMap", .int) { n in
            #Predicate { (t: Thing) in t.size.flatMap { $0 > n } == true }
        } is: { t, n in
            t.size.map { $0 > n } == true
        }
        self("plus", .two(.int, .int)) { v in
            let (n, m) = v
            return #Predicate { (t: Thing) in t.count + n > m }
        } is: { t, v in
            t.count.plus(v.0).map { $0 > v.1 }
        }
        self("minus", .two(.int, .int)) { v in
            let (n, m) = v
            return #Predicate { (t: Thing) in t.count - n < m }
        } is: { t, v in
            t.count.minus(v.0).map { $0 < v.1 }
        }
        self("times", .two(.int, .int)) { v in
            let (n, m) = v
            return #Predicate { (t: Thing) in t.count * n == m }
        } is: { t, v in
            t.count.times(v.0).map { $0 == v.1 }
        }
        self("divided", .two(.int, .int)) { v in
            let (n, m) = v
            return #Predicate { (t: Thing) in t.count / n == m }
        } is: { t, v in
            t.count.over(v.0).map { $0 == v.1 }
        }
        self("remainder", .two(.int, .int)) { v in
            let (n, m) = v
            return #Predicate { (t: Thing) in t.count % n == m }
        } is: { t, v in
            t.count.modulo(v.0).map { $0 == v.1 }
        }
        self("negated", .int) { n in
            #Predicate { (t: Thing) in -t.count > n }
        } is: { t, n in
            0.minus(t.count).map { $0 > n }
        }
        self("conditional", .int) { n in
            #Predicate { (t: Thing) in (t.isOn ? t.count : n) > 1 }
        } is: { t, n in
            (t.isOn ? t.count : n) > 1
        }
        self("price <", .real) { x in
            #Predicate { (t: Thing) in t.price < x }
        } is: { t, x in
            t.price < x
        }
        self("price ==", .real) { x in
            #Predicate { (t: Thing) in t.price == x }
        } is: { t, x in
            t.price == x
        }
        self("price divided", .two(.real, .real)) { v in
            let (x, y) = v
            return #Predicate { (t: Thing) in t.price / x <= y }
        } is: { t, v in
            t.price / v.0 <= v.1
        }
        self("rating ??", .real) { x in
            #Predicate { (t: Thing) in (t.rating ?? 0) > x }
        } is: { t, x in
            (t.rating ?? 0) > x
        }
        self("mass <", .decimal) { x in
            #Predicate { (t: Thing) in t.mass < x }
        } is: { t, x in
            t.mass < x
        }
        self("made <", .date) { d in
            #Predicate { (t: Thing) in t.made < d }
        } is: { t, d in
            t.made < d
        }
        self("due ==", .maybe(.date)) { d in
            #Predicate { (t: Thing) in t.due == d }
        } is: { t, d in
            t.due == d
        }
        self("on or not", .int) { n in
            #Predicate { (t: Thing) in t.isOn && t.count > n || !t.isOn }
        } is: { t, n in
            t.isOn && t.count > n || !t.isOn
        }
        self("flag ==", .maybe(.bool)) { b in
            #Predicate { (t: Thing) in t.flag == b }
        } is: { t, b in
            t.flag == b
        }
        self("kind ==", .kind) { k in
            #Predicate { (t: Thing) in t.kind == k }
        } is: { t, k in
            t.kind == k
        }
        self("kinds contain", .list(.kind)) { k in
            #Predicate { (t: Thing) in k.contains(t.kind) }
        } is: { t, k in
            k.contains(t.kind)
        }
        self("raw kind", .text) { s in
            #Predicate { (t: Thing) in t.kind.rawValue > s }
        } is: { t, s in
            t.kind.rawValue > s
        }
        self("level <", .level) { l in
            #Predicate { (t: Thing) in t.level < l }
        } is: { t, l in
            t.level < l
        }
        self("mood ==", .mood) { m in
            #Predicate { (t: Thing) in t.mood == m }
        } is: { t, m in
            t.mood == m
        }
        self("code ==", .code) { u in
            #Predicate { (t: Thing) in t.code == u }
        } is: { t, u in
            t.code == u
        }
        self("data ==", .blob) { d in
            #Predicate { (t: Thing) in t.data == d }
        } is: { t, d in
            t.data == d
        }
        self("link ==", .maybe(.link)) { u in
            #Predicate { (t: Thing) in t.link == u }
        } is: { t, u in
            t.link == u
        }
        self("spot x", .int) { n in
            #Predicate { (t: Thing) in t.spot?.x == n }
        } is: { t, n in
            t.spot?.x == n
        }
        self("base label", .text) { s in
            #Predicate { (t: Thing) in t.base.label != s }
        } is: { t, s in
            t.base.label != s
        }
    }

    mutating func addFoundationText() {
        prefix = "Foundation: "
        self("name ==", .text) { s in
            #Predicate { (t: Thing) in t.name == s }
        } is: { t, s in
            t.name == s
        }
        self("name <", .text) { s in
            #Predicate { (t: Thing) in t.name < s }
        } is: { t, s in
            t.name < s
        }
        self("contains", .text) { s in
            #Predicate { (t: Thing) in t.name.contains(s) }
        } is: { t, s in
            t.name.has(s)
        }
        self("starts", .text) { s in
            #Predicate { (t: Thing) in t.name.starts(with: s) }
        } is: { t, s in
            t.name.begins(s)
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
        self("note ==", .maybe(.text)) { s in
            #Predicate { (t: Thing) in t.note == s }
        } is: { t, s in
            t.note == s
        }
        self("note chain", .text) { s in
            #Predicate { (t: Thing) in t.note?.contains(s) == true }
        } is: { t, s in
            t.note?.has(s) == true
        }
        self("note ?? name", .text) { s in
            #Predicate { (t: Thing) in (t.note ?? t.name) == s }
        } is: { t, s in
            (t.note ?? t.name) == s
        }
        self("list contains", .list(.text)) { s in
            #Predicate { (t: Thing) in !s.contains(t.name) }
        } is: { t, s in
            !s.contains(t.name)
        }
        self("some of a list", .list(.text)) { s in
            #Predicate { (t: Thing) in s.contains { t.name.contains($0) } }
        } is: { t, s in
            s.contains { t.name.has($0) }
        }
    }
}
