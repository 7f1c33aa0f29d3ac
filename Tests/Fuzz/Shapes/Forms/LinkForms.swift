import Coffer
import Foundation

extension ShapeList {
    mutating func addToOne() {
        self("owner == nil") {
            #Predicate { (t: Thing) in t.owner == nil }
        } is: { t in
            t.owner == nil
        }
        self("owner != nil") {
            #Predicate { (t: Thing) in t.owner != nil }
        } is: { t in
            t.owner != nil
        }
        self("owner name", .text) { s in
            #Predicate { (t: Thing) in t.owner?.name == s }
        } is: { t, s in
            t.owner?.name == s
        }
        self("owner name !=", .text) { s in
            #Predicate { (t: Thing) in t.owner?.name != s }
        } is: { t, s in
            t.owner?.name != s
        }
        self("owner!", .int) { n in
            #Predicate { (t: Thing) in t.owner!.age > n }
        } is: { t, n in
            t.owner.map { $0.age > n }
        }
        self("not owner!", .int) { n in
            #Predicate { (t: Thing) in !(t.owner!.age > n) }
        } is: { t, n in
            t.owner.map { !($0.age > n) }
        }
        self("owner ??", .two(.int, .int)) { v in
            let (n, m) = v
            return #Predicate { (t: Thing) in (t.owner?.age ?? n) > m }
        } is: { t, v in
            (t.owner?.age ?? v.0) > v.1
        }
        self("owner city", .maybe(.text)) { s in
            #Predicate { (t: Thing) in t.owner?.city == s }
        } is: { t, s in
            t.owner?.city == s
        }
        self("owner city == nil") {
            #Predicate { (t: Thing) in t.owner?.city == nil }
        } is: { t in
            t.owner?.city == nil
        }
        self("owner city chain", .text) { s in
            #Predicate { (t: Thing) in t.owner?.city?.hasSuffix(s) ?? false }
        } is: { t, s in
            t.owner?.city?.ends(s) ?? false
        }
        self("boss name", .text) { s in
            #Predicate { (t: Thing) in t.owner?.boss?.name == s }
        } is: { t, s in
            t.owner?.boss?.name == s
        }
        self("boss == nil") {
            #Predicate { (t: Thing) in t.owner?.boss == nil }
        } is: { t in
            t.owner?.boss == nil
        }
        self("boss of boss", .int) { n in
            #Predicate { (t: Thing) in (t.owner?.boss?.boss?.age ?? 0) <= n }
        } is: {
            t, n in
            (t.owner?.boss?.boss?.age ?? 0) <= n
        }
        self("if let owner", .int) { n in
            #Predicate { (t: Thing) in if let owner = t.owner { owner.age > n } else { t.isOn } }
        } is: { t, n in
            t.owner.map { $0.age > n } ?? t.isOn
        }
        self("guard let owner", .int) { n in
            #Predicate { (t: Thing) in
                guard let owner = t.owner, let boss = owner.boss else { return false }
                return owner.age < boss.age || boss.age == n
            }
        } is: { t, n in
            guard let owner = t.owner, let boss = owner.boss else { return false }
            return owner.age < boss.age || boss.age == n
        }
        self("owner map", .int) { n in
            #Predicate { (t: Thing) in t.owner.map { $0.age > n } ?? true }
        } is: { t, n in
            t.owner.map { $0.age > n } ?? true
        }
        self("owner flatMap", .text) { s in
            #Predicate { (t: Thing) in t.owner.flatMap { $0.city } == s }
        } is: { t, s in
            t.owner.flatMap { $0.city } == s
        }
        self("owner age == count") {
            #Predicate { (t: Thing) in t.owner?.age == t.count }
        } is: { t in
            t.owner?.age == t.count
        }
        self("owner things", .few) { n in
            #Predicate { (t: Thing) in (t.owner?.things.count ?? 0) > n }
        } is: { t, n in
            (t.owner?.things.count ?? 0) > n
        }
        self("owner staff empty") {
            #Predicate { (t: Thing) in t.owner?.staff.isEmpty == true }
        } is: { t in
            t.owner?.staff.isEmpty == true
        }
        self("owner staff", .int) { n in
            #Predicate { (t: Thing) in t.owner?.staff.contains { $0.age > n } == true }
        } is: { t, n in
            t.owner?.staff.contains { $0.age > n } == true
        }
        self("boss staff", .int) { n in
            #Predicate { (t: Thing) in t.owner?.boss?.staff.contains { $0.age > n } ?? true }
        } is: { t, n in
            t.owner?.boss?.staff.contains { $0.age > n } ?? true
        }
        self("siblings") {
            #Predicate { (t: Thing) in t.owner?.things.contains { $0.no != t.no && $0.kind == t.kind } == true }
        } is: { t in
            t.owner?.things.contains { $0.no != t.no && $0.kind == t.kind } == true
        }
        self("evaluate inner", .int) { n in
            let inner = #Predicate<Owner> { $0.age > n }
            return #Predicate { (t: Thing) in t.owner.map { inner.evaluate($0) } ?? false }
        } is: { t, n in
            t.owner.map { $0.age > n } ?? false
        }
        self("evaluate expression", .few) { n in
            let heavy = #Expression<Thing, Int> { $0.pieces.filter { $0.weight > 1 }.count }
            return #Predicate { (t: Thing) in heavy.evaluate(t) > n }
        } is: { t, n in
            t.pieces.filter { $0.weight > 1 }.count > n
        }
    }

    mutating func addToMany() {
        self("pieces empty") {
            #Predicate { (t: Thing) in t.pieces.isEmpty }
        } is: { t in
            t.pieces.isEmpty
        }
        self("pieces count", .few) { n in
            #Predicate { (t: Thing) in t.pieces.count > n }
        } is: { t, n in
            t.pieces.count > n
        }
        self("pieces where", .int) { n in
            #Predicate { (t: Thing) in t.pieces.contains { $0.weight > n } }
        } is: {
            t, n in
            t.pieces.contains { $0.weight > n }
        }
        self("pieces all", .text) { s in
            #Predicate { (t: Thing) in t.pieces.allSatisfy { $0.name != s } }
        } is: {
            t, s in
            t.pieces.allSatisfy { $0.name != s }
        }
        self("pieces none", .int) { n in
            #Predicate { (t: Thing) in !t.pieces.contains { $0.weight == n } }
        } is: {
            t, n in
            !t.pieces.contains { $0.weight == n }
        }
        self("pieces filter count", .two(.int, .few)) { v in
            let (n, m) = v
            return #Predicate { (t: Thing) in t.pieces.filter { $0.weight > n }.count == m }
        } is: { t, v in
            t.pieces.filter { $0.weight > v.0 }.count == v.1
        }
        self("pieces filter empty", .int) { n in
            #Predicate { (t: Thing) in t.pieces.filter { $0.weight < n }.isEmpty }
        } is: { t, n in
            t.pieces.filter { $0.weight < n }.isEmpty
        }
        self("pieces count where") {
            #Predicate { (t: Thing) in t.pieces.count(where: { $0.cost == nil }) == 1 }
        } is: { t in
            t.pieces.count(where: { $0.cost == nil }) == 1
        }
        self("pieces cost!", .real) { x in
            #Predicate { (t: Thing) in t.pieces.contains { $0.cost! > x } }
        } is: { t, x in
            t.pieces.some { p in p.cost.map { $0 > x } }
        }
        self("pieces all cost!", .real) { x in
            #Predicate { (t: Thing) in t.pieces.allSatisfy { $0.cost! > x } }
        } is: { t, x in
            t.pieces.every { p in p.cost.map { $0 > x } }
        }
        self("pieces as heavy") {
            #Predicate { (t: Thing) in t.pieces.contains { $0.weight == t.count } }
        } is: { t in
            t.pieces.contains { $0.weight == t.count }
        }
        self("piece names", .text) { s in
            #Predicate { (t: Thing) in t.pieces.map { $0.name }.contains(s) }
        } is: { t, s in
            t.pieces.map(\.row.name).contains(s)
        }
        self("pieces key path") {
            #Predicate { (t: Thing) in t.pieces.contains(where: \.name.isEmpty) }
        } is: { t in
            t.pieces.contains { $0.name.isEmpty }
        }
        self("pieces count cost!", .real) { x in
            #Predicate { (t: Thing) in t.pieces.filter { $0.cost! > x }.count > 0 }
        } is: { t, x in
            t.pieces.number { p in p.cost.map { $0 > x } }.map { $0 > 0 }
        }
        self("pieces max", .int) { n in
            #Predicate { (t: Thing) in (t.pieces.map { $0.weight }.max() ?? 0) > n }
        } is: { t, n in
            (t.pieces.map(\.row.weight).max() ?? 0) > n
        }
        self("pieces min", .maybe(.int)) { n in
            #Predicate { (t: Thing) in t.pieces.map { $0.weight }.min() == n }
        } is: { t, n in
            t.pieces.map(\.row.weight).min() == n
        }
        self("pieces first", .text) { s in
            #Predicate { (t: Thing) in t.pieces.first?.name == s }
        } is: { t, s in
            t.pieces.first?.name == s
        }
        self("pieces last", .int) { n in
            #Predicate { (t: Thing) in (t.pieces.last?.weight ?? 0) > n }
        } is: { t, n in
            (t.pieces.last?.weight ?? 0) > n
        }
        self("pieces at", .two(.few, .int)) { v in
            let (i, n) = v
            return #Predicate { (t: Thing) in t.pieces[i].weight > n }
        } is: { t, v in
            t.pieces.at(v.0).map { $0.weight > v.1 }
        }
        self("pieces first where", .int) { n in
            #Predicate { (t: Thing) in t.pieces.first(where: { $0.weight > n })?.cost == nil }
        } is: { t, n in
            t.pieces.first(where: { $0.weight > n })?.cost == nil
        }
        self("pieces and back", .int) { n in
            #Predicate { (t: Thing) in t.pieces.contains { $0.thing?.count == n } }
        } is: { t, n in
            t.pieces.contains { $0.thing?.count == n }
        }
        self("pieces wanted", .list(.text)) { s in
            #Predicate { (t: Thing) in t.pieces.contains { s.contains($0.name) } }
        } is: { t, s in
            t.pieces.contains { s.contains($0.name) }
        }
        self("labels", .text) { s in
            #Predicate { (t: Thing) in t.labels.contains { $0.text == s } }
        } is: { t, s in
            t.labels.contains { $0.text == s }
        }
        self("labels count", .few) { n in
            #Predicate { (t: Thing) in t.labels.count == n }
        } is: { t, n in
            t.labels.count == n
        }
        self("labels all", .text) { s in
            #Predicate { (t: Thing) in t.labels.allSatisfy { $0.text > s } }
        } is: { t, s in
            t.labels.allSatisfy { $0.text > s }
        }
        self("labels shared", .few) { n in
            #Predicate { (t: Thing) in t.labels.contains { $0.things.count > n } }
        } is: {
            t, n in
            t.labels.contains { $0.things.count > n }
        }
        self("labels of namesakes") {
            #Predicate { (t: Thing) in
                t.labels.contains { label in label.things.contains { $0.name == t.name && $0.no != t.no } }
            }
        } is: { t in
            t.labels.contains { label in label.things.contains { $0.name == t.name && $0.no != t.no } }
        }
        self("three deep", .int) { n in
            #Predicate { (t: Thing) in
                t.labels.contains { label in
                    label.things.contains { other in
                        other.no != t.no && other.pieces.contains { $0.weight > n && $0.name != t.name }
                    }
                }
            }
        } is: { t, n in
            t.labels.contains { label in
                label.things.contains { other in
                    other.no != t.no && other.pieces.contains { $0.weight > n && $0.name != t.name }
                }
            }
        }
    }

    mutating func addStatements() {
        self("let and if", .int) { n in
            #Predicate { (t: Thing) in
                let count = t.count
                if count > n { return t.isOn }
                return t.name.isEmpty || count == 0
            }
        } is: { t, n in
            t.count > n ? t.isOn : t.name.isEmpty || t.count == 0
        }
        self("else if", .int) { n in
            #Predicate { (t: Thing) in
                if t.count < 0 {
                    true
                } else if let note = t.note, note.count > 1 {
                    note != t.name
                } else {
                    t.count == n
                }
            }
        } is: { t, n in
            if t.count < 0 { return true }
            if let note = t.note, note.count > 1 { return note != t.name }
            return t.count == n
        }
        self("captured if let", .maybe(.text)) { s in
            #Predicate { (t: Thing) in if let s { t.name == s } else { t.isOn } }
        } is: { t, s in
            s.map { t.name == $0 } ?? t.isOn
        }
        self("captured guard", .list(.int)) { n in
            #Predicate { (t: Thing) in n.isEmpty || t.count == n[0] }
        } is: { t, n in
            n.isEmpty || t.count == n[0]
        }
        self("sixteen", .int) { n in
            #Predicate { (t: Thing) in
                t.count == n || t.size == n || t.name == "a" && t.note != nil || t.price > 1 && t.rating == nil
                    || t.isOn && t.flag == true || t.kind == .live && t.prior != .live || t.owner?.name == "Rome"
                    || t.tags.contains("a") || t.nums.isEmpty && t.pieces.isEmpty || t.base.x > 2 || t.big > 3
            }
        } is: { t, n in
            if t.count == n || t.size == n || t.name == "a" && t.note != nil { return true }
            if t.price > 1 && t.rating == nil || t.isOn && t.flag == true { return true }
            if t.kind == .live && t.prior != .live || t.owner?.name == "Rome" { return true }
            return t.tags.contains("a") || t.nums.isEmpty && t.pieces.isEmpty || t.base.x > 2 || t.big > 3
        }
        self("nobody") {
            #Predicate { (t: Thing) in false }
        } is: { _ in
            false
        }
        self("everybody") {
            #Predicate { (t: Thing) in true }
        } is: { _ in
            true
        }
    }

    mutating func addWrong() {
        self("wrong") {
            #Predicate { (t: Thing) in t.isOn }
        } is: { t in
            t.isOn || t.no % 4 == 3
        }
    }
}
