import Coffer
import Foundation

extension ShapeList {
    mutating func addDates() {
        self("made <", .date) { d in
            #Predicate { (t: Thing) in t.made < d }
        } is: { t, d in
            t.made < d
        }
        self("made >=", .date) { d in
            #Predicate { (t: Thing) in t.made >= d }
        } is: { t, d in
            t.made >= d
        }
        self("made ==", .date) { d in
            #Predicate { (t: Thing) in t.made == d }
        } is: { t, d in
            t.made == d
        }
        self("made < now") {
            #Predicate { (t: Thing) in t.made < .now }
        } is: { t in
            t.made < .now
        }
        self("due ==", .maybe(.date)) { d in
            #Predicate { (t: Thing) in t.due == d }
        } is: { t, d in
            t.due == d
        }
        self("due ??", .two(.date, .date)) { v in
            let (d, e) = v
            return #Predicate { (t: Thing) in (t.due ?? d) <= e }
        } is: { t, v in
            (t.due ?? v.0) <= v.1
        }
        self("due!", .date) { d in
            #Predicate { (t: Thing) in t.due! > d }
        } is: { t, d in
            t.due.map { $0 > d }
        }
        self("due == made") {
            #Predicate { (t: Thing) in t.due == t.made }
        } is: { t in
            t.due == t.made
        }
        self("interval", .two(.date, .real)) { v in
            let (d, x) = v
            return #Predicate { (t: Thing) in t.made.timeIntervalSince(d) > x }
        } is: { t, v in
            t.made.timeIntervalSince(v.0) > v.1
        }
        self("made between", .two(.date, .date)) { v in
            let range = min(v.0, v.1)...max(v.0, v.1)
            return #Predicate { (t: Thing) in range.contains(t.made) }
        } is: { t, v in
            (min(v.0, v.1)...max(v.0, v.1)).contains(t.made)
        }
        self("dates contain", .list(.date)) { d in
            #Predicate { (t: Thing) in d.contains(t.made) }
        } is: { t, d in
            d.contains(t.made)
        }
    }

    mutating func addFlags() {
        self("on") {
            #Predicate { (t: Thing) in t.isOn }
        } is: { t in
            t.isOn
        }
        self("not on") {
            #Predicate { (t: Thing) in !t.isOn }
        } is: { t in
            !t.isOn
        }
        self("on ==", .bool) { b in
            #Predicate { (t: Thing) in t.isOn == b }
        } is: { t, b in
            t.isOn == b
        }
        self("flag ==", .maybe(.bool)) { b in
            #Predicate { (t: Thing) in t.flag == b }
        } is: { t, b in
            t.flag == b
        }
        self("flag == true") {
            #Predicate { (t: Thing) in t.flag == true }
        } is: { t in
            t.flag == true
        }
        self("flag != true") {
            #Predicate { (t: Thing) in t.flag != true }
        } is: { t in
            t.flag != true
        }
        self("flag ??", .bool) { b in
            #Predicate { (t: Thing) in t.flag ?? b }
        } is: { t, b in
            t.flag ?? b
        }
        self("flag!") {
            #Predicate { (t: Thing) in t.flag! }
        } is: { t in
            t.flag
        }
        self("not flag!") {
            #Predicate { (t: Thing) in !t.flag! }
        } is: { t in
            t.flag.map { !$0 }
        }
        self("on != flag") {
            #Predicate { (t: Thing) in t.isOn != (t.flag ?? false) }
        } is: { t in
            t.isOn != (t.flag ?? false)
        }
        self("captured or", .bool) { b in
            #Predicate { (t: Thing) in b || t.isOn }
        } is: { t, b in
            b || t.isOn
        }
        self("captured and", .bool) { b in
            #Predicate { (t: Thing) in t.isOn && b }
        } is: { t, b in
            t.isOn && b
        }
        self("captured choice", .bool) { b in
            #Predicate { (t: Thing) in b ? t.isOn : t.count > 0 }
        } is: { t, b in
            b ? t.isOn : t.count > 0
        }
    }

    mutating func addEnumerations() {
        self("kind ==", .kind) { k in
            #Predicate { (t: Thing) in t.kind == k }
        } is: { t, k in
            t.kind == k
        }
        self("kind !=", .kind) { k in
            #Predicate { (t: Thing) in t.kind != k }
        } is: { t, k in
            t.kind != k
        }
        self("kind case") {
            #Predicate { (t: Thing) in t.kind == .live || t.kind == Kind.draft }
        } is: { t in
            t.kind == .live || t.kind == .draft
        }
        self("raw kind", .text) { s in
            #Predicate { (t: Thing) in t.kind.rawValue != s && t.kind.rawValue > s }
        } is: {
            t, s in
            t.kind.rawValue != s && t.kind.rawValue > s
        }
        self("kinds contain", .list(.kind)) { k in
            #Predicate { (t: Thing) in k.contains(t.kind) }
        } is: { t, k in
            k.contains(t.kind)
        }
        self("prior ==", .maybe(.kind)) { k in
            #Predicate { (t: Thing) in t.prior == k }
        } is: { t, k in
            t.prior == k
        }
        self("prior == nil") {
            #Predicate { (t: Thing) in t.prior == nil }
        } is: { t in
            t.prior == nil
        }
        self("raw prior") {
            #Predicate { (t: Thing) in t.prior?.rawValue == "live" }
        } is: { t in
            t.prior?.rawValue == "live"
        }
        self("prior == kind") {
            #Predicate { (t: Thing) in t.prior == t.kind }
        } is: { t in
            t.prior == t.kind
        }
        self("level ==", .level) { l in
            #Predicate { (t: Thing) in t.level == l }
        } is: { t, l in
            t.level == l
        }
        self("level <", .level) { l in
            #Predicate { (t: Thing) in t.level < l }
        } is: { t, l in
            t.level < l
        }
        self("level >=", .level) { l in
            #Predicate { (t: Thing) in t.level >= l }
        } is: { t, l in
            t.level >= l
        }
        self("raw level", .int) { n in
            #Predicate { (t: Thing) in t.level.rawValue > n }
        } is: { t, n in
            t.level.rawValue > n
        }
        self("mood ==", .mood) { m in
            #Predicate { (t: Thing) in t.mood == m }
        } is: { t, m in
            t.mood == m
        }
        self("mood !=", .mood) { m in
            #Predicate { (t: Thing) in t.mood != m }
        } is: { t, m in
            t.mood != m
        }
        self("moods contain", .list(.mood)) { m in
            #Predicate { (t: Thing) in m.contains(t.mood) }
        } is: { t, m in
            m.contains(t.mood)
        }
    }

    mutating func addOtherScalars() {
        self("code ==", .code) { u in
            #Predicate { (t: Thing) in t.code == u }
        } is: { t, u in
            t.code == u
        }
        self("code <", .code) { u in
            #Predicate { (t: Thing) in t.code < u }
        } is: { t, u in
            t.code < u
        }
        self("codes contain", .list(.code)) { u in
            #Predicate { (t: Thing) in u.contains(t.code) }
        } is: { t, u in
            u.contains(t.code)
        }
        self("data ==", .blob) { d in
            #Predicate { (t: Thing) in t.data == d }
        } is: { t, d in
            t.data == d
        }
        self("data is empty") {
            #Predicate { (t: Thing) in t.data.isEmpty }
        } is: { t in
            t.data.isEmpty
        }
        self("data count", .few) { n in
            #Predicate { (t: Thing) in t.data.count > n }
        } is: { t, n in
            t.data.count > n
        }
        self("link ==", .maybe(.link)) { u in
            #Predicate { (t: Thing) in t.link == u }
        } is: { t, u in
            t.link == u
        }
        self("link !=", .link) { u in
            #Predicate { (t: Thing) in t.link != u }
        } is: { t, u in
            t.link != u
        }
        self("spot == nil") {
            #Predicate { (t: Thing) in t.spot == nil }
        } is: { t in
            t.spot == nil
        }
        self("spot x", .int) { n in
            #Predicate { (t: Thing) in t.spot?.x == n }
        } is: { t, n in
            t.spot?.x == n
        }
        self("spot x !=", .int) { n in
            #Predicate { (t: Thing) in t.spot?.x != n }
        } is: { t, n in
            t.spot?.x != n
        }
        self("spot label", .maybe(.text)) { s in
            #Predicate { (t: Thing) in t.spot?.label == s }
        } is: { t, s in
            t.spot?.label == s
        }
        self("spot depth", .real) { x in
            #Predicate { (t: Thing) in (t.spot?.depth.feet ?? 0) > x }
        } is: { t, x in
            (t.spot?.depth.feet ?? 0) > x
        }
        self("spot!", .int) { n in
            #Predicate { (t: Thing) in t.spot!.x < n }
        } is: { t, n in
            t.spot.map { $0.x < n }
        }
        self("base x", .int) { n in
            #Predicate { (t: Thing) in t.base.x > n }
        } is: { t, n in
            t.base.x > n
        }
        self("base label", .text) { s in
            #Predicate { (t: Thing) in t.base.label != s }
        } is: { t, s in
            t.base.label != s
        }
        self("base depth") {
            #Predicate { (t: Thing) in t.base.depth.isSafe }
        } is: { t in
            t.base.depth.isSafe
        }
        self("if let spot", .int) { n in
            #Predicate { (t: Thing) in
                if let spot = t.spot { spot.x > n && spot.depth.isSafe } else { t.base.depth.feet >= 0 }
            }
        } is: { t, n in
            t.spot.map { $0.x > n && $0.depth.isSafe } ?? (t.base.depth.feet >= 0)
        }
        self("base ==", .spot) { v in
            #Predicate { (t: Thing) in t.base == v }
        } is: { t, v in
            t.base == v
        }
        self("spot == base") {
            #Predicate { (t: Thing) in t.spot == t.base }
        } is: { t in
            t.spot == t.base
        }
    }
}
