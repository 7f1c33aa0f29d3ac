import Coffer
import Foundation

/// A condition as a predicate and as an ordinary closure.
struct PredicateForm {
    let name: String
    let predicate: Predicate<Sailing>
    let closure: (Sailing) -> Bool

    init(_ name: String, _ predicate: Predicate<Sailing>, _ closure: @escaping (Sailing) -> Bool) {
        self.name = name
        self.predicate = predicate
        self.closure = closure
    }
}

/// What a screen may hold that makes a predicate.
final class SailingFilter {
    struct Limits { var days = 3 }
    var name = "Rome"
    var limits: Limits? = Limits()
    var prefix: String?

    var forms: [PredicateForm] {
        [
            PredicateForm("self", #Predicate { $0.name == name }) { $0.name == "Rome" },
            PredicateForm("self.member", #Predicate { $0.days > self.limits!.days }) { $0.days > 3 },
            PredicateForm("member ??", #Predicate { $0.days >= limits?.days ?? 0 }) { $0.days >= 3 },
            PredicateForm(
                "captured if let",
                #Predicate { if let prefix { $0.name.hasPrefix(prefix) } else { $0.isOpen } }
            ) { $0.isOpen },
        ]
    }
}

extension PredicateForm {
    /// Forms that Foundation's macro refuses, and people write.
    static var ours: [PredicateForm] { text + numbers + optionals + sequences + statements + SailingFilter().forms }

    private static var text: [PredicateForm] {
        [
            PredicateForm("hasPrefix", #Predicate { $0.name.hasPrefix("C") }) { $0.name.hasPrefix("C") },
            PredicateForm("hasPrefix of nothing", #Predicate { $0.name.hasPrefix("") }) { _ in true },
            PredicateForm("hasSuffix", #Predicate { $0.name.hasSuffix("me") }) { $0.name.hasSuffix("me") },
            PredicateForm("lowercased", #Predicate { $0.name.lowercased() == "rome" }) {
                $0.name.lowercased() == "rome"
            },
            PredicateForm("uppercased", #Predicate { $0.note?.uppercased() == "CADIZ" }) {
                $0.note?.uppercased() == "CADIZ"
            },
            PredicateForm("localizedStandardContains", #Predicate { $0.name.localizedStandardContains("eire") }) {
                $0.name == "Éire"
            },
            PredicateForm(
                "localizedCaseInsensitiveContains", #Predicate { $0.name.localizedCaseInsensitiveContains("OM") }
            ) { $0.name.lowercased().contains("om") },
            PredicateForm(
                "caseInsensitiveCompare",
                #Predicate { (v: Sailing) in v.name.caseInsensitiveCompare("ROME") == .orderedSame }
            ) { $0.name.lowercased() == "rome" },
            PredicateForm("joined", #Predicate { (v: Sailing) in v.name + "!" == "Rome!" }) { $0.name == "Rome" },
            PredicateForm("number in text", #Predicate { (v: Sailing) in String(v.days).contains("1") }) {
                String($0.days).contains("1")
            },
            PredicateForm("case", #Predicate { $0.swell == .foul }) { $0.swell == .foul },
            PredicateForm("Type.case", #Predicate { $0.swell != Swell.foul }) { $0.swell == .fair },
            PredicateForm("cases", #Predicate { [.foul].contains($0.swell) }) { $0.swell == .foul },
        ]
    }

    private static var numbers: [PredicateForm] {
        let optional: Int? = 3
        let none: Int? = nil
        let middle = Date(timeIntervalSinceReferenceDate: 4000)
        return [
            PredicateForm("isMultiple", #Predicate { $0.days.isMultiple(of: 3) }) { $0.days.isMultiple(of: 3) },
            PredicateForm("isMultiple of another", #Predicate { (v: Sailing) in v.days.isMultiple(of: v.code - 3) }) {
                $0.days.isMultiple(of: $0.code - 3)
            },
            PredicateForm("abs", #Predicate { (v: Sailing) in abs(v.days) > 3 && abs(v.miles) < 8 }) {
                abs($0.days) > 3 && abs($0.miles) < 8
            },
            PredicateForm("Double()", #Predicate { (v: Sailing) in Double(v.days) == v.miles }) {
                Double($0.days) == $0.miles
            },
            PredicateForm("Int()", #Predicate { (v: Sailing) in Int(v.miles) == -1 }) { Int($0.miles) == -1 },
            PredicateForm("min and max", #Predicate { (v: Sailing) in max(v.days, min(v.code, 4)) == 4 }) {
                max($0.days, min($0.code, 4)) == 4
            },
            PredicateForm("range without end", #Predicate { (5...).contains($0.days) }) { $0.days >= 5 },
            PredicateForm("range without start", #Predicate { (..<1.0).contains($0.miles) }) { $0.miles < 1 },
            PredicateForm("range of properties", #Predicate { (v: Sailing) in (v.days...).contains(3) }) {
                $0.days <= 3
            },
            PredicateForm("~=", #Predicate { (v: Sailing) in 0...3 ~= v.days }) { 0...3 ~= $0.days },
            PredicateForm("optional value", #Predicate { $0.days == optional }) { $0.days == 3 },
            PredicateForm("absent value", #Predicate { $0.days != none }) { _ in true },
            PredicateForm("date", #Predicate { (v: Sailing) in v.start < .now && v.start > middle }) { $0.code > 4 },
            PredicateForm("interval", #Predicate { (v: Sailing) in v.start.timeIntervalSince(middle) > 1500 }) {
                $0.code > 5
            },
            PredicateForm("Date()", #Predicate { $0.start < Date() }) { _ in true },
        ]
    }

    private static var optionals: [PredicateForm] {
        let inner = #Predicate<Helmsman> { $0.name.hasPrefix("A") }
        return [
            PredicateForm("optional and value", #Predicate { (v: Sailing) in v.note == v.name }) { $0.note == $0.name },
            PredicateForm("?? optional", #Predicate { (v: Sailing) in (v.note ?? v.helmsman?.city) == "Rome" }) {
                ($0.note ?? $0.helmsman?.city) == "Rome"
            },
            PredicateForm("map", #Predicate { (v: Sailing) in v.helmsman.map { $0.city == nil } ?? false }) {
                $0.helmsman.map { $0.city == nil } ?? false
            },
            PredicateForm("? : nil", #Predicate { (v: Sailing) in (v.isOpen ? v.name : nil) == v.note }) {
                ($0.isOpen ? $0.name : nil) == $0.note
            },
            PredicateForm("chain of calls", #Predicate { (v: Sailing) in v.helmsman?.city?.hasSuffix("e") ?? false }) {
                $0.helmsman?.city?.hasSuffix("e") ?? false
            },
            PredicateForm("chain to a case", #Predicate { (v: Sailing) in v.havens.first?.sailing?.swell == .foul }) {
                $0.havens.first?.sailing?.swell == .foul
            },
            PredicateForm("evaluate", #Predicate { (v: Sailing) in v.helmsman.map { inner.evaluate($0) } ?? false }) {
                $0.helmsman?.name == "Ada"
            },
            PredicateForm("composite", #Predicate { (v: Sailing) in v.freight?.kind.lowercased() == "tin" }) {
                $0.freight?.kind.lowercased() == "tin"
            },
            PredicateForm("unwrapped", #Predicate { (v: Sailing) in v.helmsman!.name.uppercased() == "BO" }) {
                $0.helmsman?.name == "bo"
            },
        ]
    }

    private static var sequences: [PredicateForm] {
        let wanted = ["Elba", "Faro"]
        return [
            PredicateForm("key path", #Predicate { $0.havens.contains(where: \.name.isEmpty) }) { _ in false },
            PredicateForm("map contains", #Predicate { (v: Sailing) in v.havens.map { $0.name }.contains("Elba") }) {
                $0.havens.map(\.name).contains("Elba")
            },
            PredicateForm(
                "three deep",
                #Predicate { (v: Sailing) in
                    v.havens.contains { haven in
                        v.helmsman?.sailings.contains { other in
                            other.code != v.code && other.havens.contains { $0.name == haven.name }
                        } == true
                    }
                }
            ) { v in
                v.havens.contains { haven in
                    v.helmsman?.sailings.contains { other in
                        other.code != v.code && other.havens.contains { $0.name == haven.name }
                    } == true
                }
            },
            PredicateForm(
                "captured contains", #Predicate { (v: Sailing) in v.havens.contains { wanted.contains($0.name) } }
            ) { $0.havens.contains { wanted.contains($0.name) } },
            PredicateForm("count(where:)", #Predicate { (v: Sailing) in v.havens.count(where: { $0.nights > 1 }) == 2 })
            {
                $0.havens.filter { $0.nights > 1 }.count == 2
            },
            PredicateForm("list of properties", #Predicate { (v: Sailing) in [v.name, v.note ?? ""].contains("Oslo") })
            {
                [$0.name, $0.note ?? ""].contains("Oslo")
            },
            PredicateForm("tags", #Predicate { (v: Sailing) in v.tags.contains(v.name) && v.tags.count > 1 }) {
                $0.tags.contains($0.name) && $0.tags.count > 1
            },
        ]
    }

    private static var statements: [PredicateForm] {
        let flag = false
        let list: [Int] = []
        return [
            PredicateForm(
                "guard and if",
                #Predicate {
                    guard let helmsman = $0.helmsman, $0.days > 0 else { return false }
                    let first = helmsman.name.lowercased()
                    if first == "ada" { return $0.isOpen }
                    return $0.havens.count > 1
                }
            ) {
                guard let helmsman = $0.helmsman, $0.days > 0 else { return false }
                return helmsman.name == "Ada" ? $0.isOpen : $0.havens.count > 1
            },
            PredicateForm(
                "else if",
                #Predicate {
                    if $0.days < 0 {
                        true
                    } else if let note = $0.note, note.count > 3 {
                        note == $0.name
                    } else {
                        $0.days.isMultiple(of: 2)
                    }
                }
            ) {
                if $0.days < 0 { return true }
                if let note = $0.note, note.count > 3 { return note == $0.name }
                return $0.days.isMultiple(of: 2)
            },
            PredicateForm("captured condition", #Predicate { flag || $0.isOpen }) { $0.isOpen },
            PredicateForm("captured guard", #Predicate { (v: Sailing) in list.isEmpty || v.days == list[0] }) { _ in
                true
            },
        ]
    }
}
