import Coffer
import Foundation

extension ShapeList {
    mutating func addIntegers() {
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
        self("count <=", .int) { n in
            #Predicate { (t: Thing) in t.count <= n }
        } is: { t, n in
            t.count <= n
        }
        self("count >", .int) { n in
            #Predicate { (t: Thing) in n < t.count }
        } is: { t, n in
            n < t.count
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
        self("count in half-open range", .range) { r in
            let (low, high) = (r.lowerBound, r.upperBound)
            return #Predicate { (t: Thing) in (low..<high).contains(t.count) }
        } is: { t, r in
            (r.lowerBound..<r.upperBound).contains(t.count)
        }
        self("count from", .int) { n in
            #Predicate { (t: Thing) in (n...).contains(t.count) }
        } is: { t, n in
            t.count >= n
        }
        self("count up to", .int) { n in
            #Predicate { (t: Thing) in (..<n).contains(t.count) }
        } is: { t, n in
            t.count < n
        }
        self("count through", .int) { n in
            #Predicate { (t: Thing) in (...n).contains(t.count) }
        } is: { t, n in
            t.count <= n
        }
        self("count pattern", .range) { r in
            let (low, high) = (r.lowerBound, r.upperBound)
            return #Predicate { (t: Thing) in low...high ~= t.count }
        } is: { t, r in
            r.contains(t.count)
        }
        self("range of properties", .int) { n in
            #Predicate { (t: Thing) in (t.count...).contains(n) }
        } is: { t, n in
            t.count <= n
        }
        self("size == value", .int) { n in
            #Predicate { (t: Thing) in t.size == n }
        } is: { t, n in
            t.size == n
        }
        self("size != value", .int) { n in
            #Predicate { (t: Thing) in t.size != n }
        } is: { t, n in
            t.size != n
        }
        self("size == optional", .maybe(.int)) { n in
            #Predicate { (t: Thing) in t.size == n }
        } is: { t, n in
            t.size == n
        }
        self("size != optional", .maybe(.int)) { n in
            #Predicate { (t: Thing) in t.size != n }
        } is: { t, n in
            t.size != n
        }
        self("size == nil") {
            #Predicate { (t: Thing) in t.size == nil }
        } is: { t in
            t.size == nil
        }
        self("size != nil") {
            #Predicate { (t: Thing) in t.size != nil }
        } is: { t in
            t.size != nil
        }
        self("size == count") {
            #Predicate { (t: Thing) in t.size == t.count }
        } is: { t in
            t.size == t.count
        }
        self("size ??", .two(.int, .int)) { v in
            let (n, m) = v
            return #Predicate { (t: Thing) in (t.size ?? n) > m }
        } is: { t, v in
            (t.size ?? v.0) > v.1
        }
        self("size!", .int) { n in
            #Predicate { (t: Thing) in t.size! > n }
        } is: { t, n in
            t.size.map { $0 > n }
        }
        self("not size!", .int) { n in
            #Predicate { (t: Thing) in !(t.size! > n) }
        } is: { t, n in
            t.size.map { !($0 > n) }
        }
        self("on and size!", .int) { n in
            #Predicate { (t: Thing) in t.isOn && t.size! > n }
        } is: { t, n in
            both(t.isOn, t.size.map { $0 > n })
        }
        self("on or size!", .int) { n in
            #Predicate { (t: Thing) in t.isOn || t.size! > n }
        } is: { t, n in
            either(t.isOn, t.size.map { $0 > n })
        }
        self("if let size", .int) { n in
            #Predicate { (t: Thing) in if let size = t.size { size > n } else { t.isOn } }
        } is: { t, n in
            t.size.map { $0 > n } ?? t.isOn
        }
        self("size map", .int) { n in
            #Predicate { (t: Thing) in t.size.map { $0 > n } ?? true }
        } is: { t, n in
            t.size.map { $0 > n } ?? true
        }
        self("size flatMap") {
            #Predicate { (t: Thing) in t.size.flatMap { $0 > 0 ? $0 : nil } == t.count }
        } is: { t in
            t.size.flatMap { $0 > 0 ? $0 : nil } == t.count
        }
    }

    mutating func addArithmetic() {
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
        self("divided by property", .int) { n in
            #Predicate { (t: Thing) in n / t.count != 1 }
        } is: { t, n in
            n.over(t.count).map { $0 != 1 }
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
        self("not plus", .two(.int, .int)) { v in
            let (n, m) = v
            return #Predicate { (t: Thing) in !(t.count + n > m) }
        } is: { t, v in
            t.count.plus(v.0).map { !($0 > v.1) }
        }
        self("plus inside map", .two(.int, .int)) { v in
            let (n, m) = v
            return #Predicate { (t: Thing) in t.size.map { $0 + n > m } ?? true }
        } is: { t, v in
            guard let size = t.size else { return true }
            return size.plus(v.0).map { $0 > v.1 }
        }
        self("plus of both", .int) { n in
            #Predicate { (t: Thing) in t.count + (t.size ?? 1) == n }
        } is: { t, n in
            t.count.plus(t.size ?? 1).map { $0 == n }
        }
        self("abs", .int) { n in
            #Predicate { (t: Thing) in abs(t.count) > n }
        } is: { t, n in
            t.count.size.map { $0 > n }
        }
        self("min", .two(.int, .int)) { v in
            let (n, m) = v
            return #Predicate { (t: Thing) in min(t.count, n) == m }
        } is: { t, v in
            min(t.count, v.0) == v.1
        }
        self("max", .two(.int, .int)) { v in
            let (n, m) = v
            return #Predicate { (t: Thing) in max(t.count, n) <= m }
        } is: { t, v in
            max(t.count, v.0) <= v.1
        }
        self("multiple", .int) { n in
            #Predicate { (t: Thing) in t.count.isMultiple(of: n) }
        } is: { t, n in
            t.count.isMultiple(of: n)
        }
        self("conditional", .two(.int, .int)) { v in
            let (n, m) = v
            return #Predicate { (t: Thing) in (t.isOn ? t.count : n) > m }
        } is: { t, v in
            (t.isOn ? t.count : v.0) > v.1
        }
        self("conditional with size!", .int) { n in
            #Predicate { (t: Thing) in (t.isOn ? t.size! : t.count) != n }
        } is: {
            t, n in
            t.isOn ? t.size.map { $0 != n } : t.count != n
        }
        self("small ==", .small) { n in
            #Predicate { (t: Thing) in t.small == n }
        } is: { t, n in
            t.small == n
        }
        self("small >=", .small) { n in
            #Predicate { (t: Thing) in t.small >= n }
        } is: { t, n in
            t.small >= n
        }
        self("small plus", .two(.small, .small)) { v in
            let (n, m) = v
            return #Predicate { (t: Thing) in t.small + n > m }
        } is: { t, v in
            t.small.plus(v.0).map { $0 > v.1 }
        }
        self("Int(small)", .int) { n in
            #Predicate { (t: Thing) in Int(t.small) > n }
        } is: { t, n in
            Int(t.small) > n
        }
        self("big ==", .big) { n in
            #Predicate { (t: Thing) in t.big == n }
        } is: { t, n in
            t.big == n
        }
        self("big <", .big) { n in
            #Predicate { (t: Thing) in t.big < n }
        } is: { t, n in
            t.big < n
        }
        self("big minus", .two(.big, .big)) { v in
            let (n, m) = v
            return #Predicate { (t: Thing) in t.big - n >= m }
        } is: { t, v in
            t.big.minus(v.0).map { $0 >= v.1 }
        }
    }

    mutating func addReals() {
        self("price ==", .real) { x in
            #Predicate { (t: Thing) in t.price == x }
        } is: { t, x in
            t.price == x
        }
        self("price !=", .real) { x in
            #Predicate { (t: Thing) in t.price != x }
        } is: { t, x in
            t.price != x
        }
        self("price <", .real) { x in
            #Predicate { (t: Thing) in t.price < x }
        } is: { t, x in
            t.price < x
        }
        self("price <=", .real) { x in
            #Predicate { (t: Thing) in t.price <= x }
        } is: { t, x in
            t.price <= x
        }
        self("price >", .real) { x in
            #Predicate { (t: Thing) in t.price > x }
        } is: { t, x in
            t.price > x
        }
        self("not price >=", .real) { x in
            #Predicate { (t: Thing) in !(t.price >= x) }
        } is: { t, x in
            !(t.price >= x)
        }
        self("price != price") {
            #Predicate { (t: Thing) in t.price != t.price }
        } is: { t in
            t.price.isNaN
        }
        self("price plus", .two(.real, .real)) { v in
            let (x, y) = v
            return #Predicate { (t: Thing) in t.price + x > y }
        } is: { t, v in
            t.price + v.0 > v.1
        }
        self("price divided", .two(.real, .real)) { v in
            let (x, y) = v
            return #Predicate { (t: Thing) in t.price / x <= y }
        } is: { t, v in
            t.price / v.0 <= v.1
        }
        self("price times", .two(.real, .real)) { v in
            let (x, y) = v
            return #Predicate { (t: Thing) in !(t.price * x == y) }
        } is: { t, v in
            !(t.price * v.0 == v.1)
        }
        self("one over price", .real) { x in
            #Predicate { (t: Thing) in 1 / t.price < x }
        } is: { t, x in
            1 / t.price < x
        }
        self("negative price", .real) { x in
            #Predicate { (t: Thing) in -t.price >= x }
        } is: { t, x in
            -t.price >= x
        }
        self("abs price", .real) { x in
            #Predicate { (t: Thing) in abs(t.price) < x }
        } is: { t, x in
            abs(t.price) < x
        }
        self("rating ==", .maybe(.real)) { x in
            #Predicate { (t: Thing) in t.rating == x }
        } is: { t, x in
            t.rating == x
        }
        self("rating == nil") {
            #Predicate { (t: Thing) in t.rating == nil }
        } is: { t in
            t.rating == nil
        }
        self("rating ??", .two(.real, .real)) { v in
            let (x, y) = v
            return #Predicate { (t: Thing) in (t.rating ?? x) > y }
        } is: { t, v in
            (t.rating ?? v.0) > v.1
        }
        self("rating!", .real) { x in
            #Predicate { (t: Thing) in t.rating! < x }
        } is: { t, x in
            t.rating.map { $0 < x }
        }
        self("rating == price") {
            #Predicate { (t: Thing) in t.rating == t.price }
        } is: { t in
            t.rating == t.price
        }
        self("ratio >", .ratio) { x in
            #Predicate { (t: Thing) in t.ratio > x }
        } is: { t, x in
            t.ratio > x
        }
        self("ratio ==", .ratio) { x in
            #Predicate { (t: Thing) in t.ratio == x }
        } is: { t, x in
            t.ratio == x
        }
        self("Int(price)", .int) { n in
            #Predicate { (t: Thing) in Int(t.price) == n }
        } is: { t, n in
            t.price.whole.map { $0 == n }
        }
        self("Double(count)", .real) { x in
            #Predicate { (t: Thing) in Double(t.count) > x }
        } is: { t, x in
            Double(t.count) > x
        }
        self("Double(count) == price") {
            #Predicate { (t: Thing) in Double(t.count) == t.price }
        } is: { t in
            Double(t.count) == t.price
        }
        self("prices contain", .list(.real)) { x in
            #Predicate { (t: Thing) in x.contains(t.price) }
        } is: { t, x in
            x.contains(t.price)
        }
        self("mass ==", .decimal) { x in
            #Predicate { (t: Thing) in t.mass == x }
        } is: { t, x in
            t.mass == x
        }
        self("mass <", .decimal) { x in
            #Predicate { (t: Thing) in t.mass < x }
        } is: { t, x in
            t.mass < x
        }
        self("mass >=", .decimal) { x in
            #Predicate { (t: Thing) in t.mass >= x }
        } is: { t, x in
            t.mass >= x
        }
        self("masses contain", .list(.decimal)) { x in
            #Predicate { (t: Thing) in !x.contains(t.mass) }
        } is: { t, x in
            !x.contains(t.mass)
        }
    }
}
