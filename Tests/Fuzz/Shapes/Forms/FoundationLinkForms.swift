import Foundation

extension ShapeList {
    mutating func addFoundationCollections() {
        prefix = "Foundation: "
        self("tags contain", .text) { s in
            #Predicate { (t: Thing) in t.tags.contains(s) }
        } is: { t, s in
            t.tags.contains(s)
        }
        self("tags where", .text) { s in
            #Predicate { (t: Thing) in t.tags.contains { $0 < s } }
        } is: { t, s in
            t.tags.contains { $0 < s }
        }
        self("tags filter", .text) { s in
            #Predicate { (t: Thing) in t.tags.filter { $0 == s }.count > 1 }
        } is: { t, s in
            t.tags.filter { $0 == s }.count > 1
        }
        self("tags first", .text) { s in
            #Predicate { (t: Thing) in t.tags.first == s }
        } is: { t, s in
            t.tags.first == s
        }
        self("tags at", .text) { s in
            #Predicate { (t: Thing) in t.tags[1] == s }
        } is: { t, s in
            t.tags.at(1).map { $0 == s }
        }
        self("tags slice", .text) { s in
            #Predicate { (t: Thing) in t.tags[0..<2].contains(s) }
        } is: { t, s in
            t.tags.count < 2 ? nil : t.tags[0..<2].contains(s)
        }
        self("nums all", .int) { n in
            #Predicate { (t: Thing) in t.nums.allSatisfy { $0 != n } }
        } is: { t, n in
            t.nums.allSatisfy { $0 != n }
        }
        self("nums max", .int) { n in
            #Predicate { (t: Thing) in t.nums.max() == n }
        } is: { t, n in
            t.nums.max() == n
        }
        self("nums min", .int) { n in
            #Predicate { (t: Thing) in (t.nums.min() ?? 0) < n }
        } is: { t, n in
            (t.nums.min() ?? 0) < n
        }
        self("extra at", .int) { n in
            #Predicate { (t: Thing) in t.extra["a"] == n }
        } is: { t, n in
            t.extra["a"] == n
        }
        self("extra default", .int) { n in
            #Predicate { (t: Thing) in t.extra["a", default: 1] > n }
        } is: { t, n in
            t.extra["a", default: 1] > n
        }
        self("kinds contain kind", .kind) { k in
            #Predicate { (t: Thing) in t.kinds.contains(k) }
        } is: { t, k in
            t.kinds.contains(k)
        }
    }

    mutating func addFoundationLinks() {
        prefix = "Foundation: "
        self("owner == nil") {
            #Predicate { (t: Thing) in t.owner == nil }
        } is: { t in
            t.owner == nil
        }
        self("owner name", .text) { s in
            #Predicate { (t: Thing) in t.owner?.name == s }
        } is: { t, s in
            t.owner?.name == s
        }
        self("owner!", .int) { n in
            #Predicate { (t: Thing) in t.owner!.age > n }
        } is: { t, n in
            t.owner.map { $0.age > n }
        }
        self("boss city", .maybe(.text)) { s in
            #Predicate { (t: Thing) in t.owner?.boss?.city == s }
        } is: { t, s in
            t.owner?.boss?.city == s
        }
        self("if let owner", .int) { n in
            #Predicate { (t: Thing) in if let owner = t.owner { owner.age > n } else { t.isOn } }
        } is: { t, n in
            t.owner.map { $0.age > n } ?? t.isOn
        }
        self("owner staff", .int) { n in
            #Predicate { (t: Thing) in t.owner?.staff.contains { $0.age > n } == true }
        } is: { t, n in
            t.owner?.staff.contains { $0.age > n } == true
        }
        self("pieces empty") {
            #Predicate { (t: Thing) in t.pieces.isEmpty }
        } is: { t in
            t.pieces.isEmpty
        }
        self("pieces where", .int) { n in
            #Predicate { (t: Thing) in t.pieces.contains { $0.weight > n } }
        } is: {
            t, n in
            t.pieces.contains { $0.weight > n }
        }
        self("pieces all", .text) { s in
            #Predicate { (t: Thing) in t.pieces.allSatisfy { $0.name != s } }
        } is: { t, s in
            t.pieces.allSatisfy { $0.name != s }
        }
        self("pieces filter", .few) { n in
            #Predicate { (t: Thing) in t.pieces.filter { $0.weight > 1 }.count == n }
        } is: { t, n in
            t.pieces.filter { $0.weight > 1 }.count == n
        }
        self("pieces first", .text) { s in
            #Predicate { (t: Thing) in t.pieces.first?.name == s }
        } is: { t, s in
            t.pieces.first?.name == s
        }
        self("pieces at", .int) { n in
            #Predicate { (t: Thing) in t.pieces[0].weight > n }
        } is: { t, n in
            t.pieces.at(0).map { $0.weight > n }
        }
        self("labels of others", .text) { s in
            #Predicate { (t: Thing) in t.labels.contains { l in l.things.contains { $0.name == s } } }
        } is: { t, s in
            t.labels.contains { l in l.things.contains { $0.name == s } }
        }
        prefix = ""
    }
}
