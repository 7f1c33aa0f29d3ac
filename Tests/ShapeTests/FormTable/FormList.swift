import Coffer
import Foundation

/// The forms in the table, by group.
struct FormList {
    let groups: [(name: String, forms: [QueryForm])]

    /// The captured values are of no importance.
    init(captain: Captain, id: PersistentIdentifier) {
        let (n, x, text, yes) = (2, 2.5, "a", false)
        let (day, amount, code, data) = (Date.distantPast, Decimal(1), UUID(), Data([1]))
        let link: URL? = URL(string: "https://example.org")
        let (list, set): ([String], Set<Int>) = (["a", "b"], [1, 2])
        let (cargo, berth) = (Cargo.tons(3), Berth(harbour: "a", pier: Berth.Pier(number: 2)))
        let inner = #Predicate<Ship> { $0.days > 3 }
        let ofCaptain = #Predicate<Captain> { $0.name.isEmpty }
        let expression = #Expression<Ship, Int> { $0.stops.filter { $0.nights > 2 }.count }
        var groups: [(name: String, forms: [QueryForm])] = []
        var forms: [QueryForm] = []
        func end(_ name: String) {
            groups.append((name, forms))
            forms = []
        }
        forms.append(.predicate("equal to a value") { #Predicate { (s: Ship) in s.days == n } })
        forms.append(.predicate("unequal") { #Predicate { (s: Ship) in s.name != text } })
        forms.append(.predicate("ordered") { #Predicate { (s: Ship) in s.speed < x } })
        forms.append(.predicate("with the value in front") { #Predicate { (s: Ship) in n >= s.days } })
        forms.append(.predicate("between two properties") { #Predicate { (s: Ship) in s.note == s.name } })
        forms.append(.predicate("an optional and a value") { #Predicate { (s: Ship) in s.crewSize == n } })
        forms.append(.predicate("an optional and nil") { #Predicate { (s: Ship) in s.note == nil } })
        forms.append(.predicate("a date and now") { #Predicate { (s: Ship) in s.built < .now } })
        forms.append(.predicate("a decimal number") { #Predicate { (s: Ship) in s.price >= amount } })
        forms.append(.predicate("a UUID") { #Predicate { (s: Ship) in s.code == code } })
        forms.append(.predicate("a URL") { #Predicate { (s: Ship) in s.link == link } })
        forms.append(.predicate("data") { #Predicate { (s: Ship) in s.data == data } })
        forms.append(.predicate("a flag") { #Predicate { (s: Ship) in s.isOpen } })
        forms.append(.predicate("text in order") { #Predicate { (s: Ship) in s.name < text } })
        end("Comparisons")
        forms.append(
            .predicate("and, or, not") { #Predicate { (s: Ship) in s.days > n && s.isOpen || !(s.name == text) } })
        forms.append(.predicate("conditional") { #Predicate { (s: Ship) in (s.isOpen ? s.days : n) > 3 } })
        forms.append(.predicate("captured condition") { #Predicate { (s: Ship) in yes || s.isOpen } })
        end("Connectives")
        forms.append(.predicate("sum, difference") { #Predicate { (s: Ship) in s.days + n - 1 > 3 } })
        forms.append(.predicate("product") { #Predicate { (s: Ship) in s.days * n > 3 } })
        forms.append(.predicate("division") { #Predicate { (s: Ship) in s.days / n > 3 } })
        forms.append(.predicate("division of reals") { #Predicate { (s: Ship) in s.speed / x > 3 } })
        forms.append(.predicate("remainder") { #Predicate { (s: Ship) in s.days % n == 1 } })
        forms.append(.predicate("sign") { #Predicate { (s: Ship) in -s.days < n } })
        forms.append(.predicate("absolute value") { #Predicate { (s: Ship) in abs(s.days) > n } })
        forms.append(.predicate("smaller, larger") { #Predicate { (s: Ship) in min(s.days, max(n, 2)) == 2 } })
        forms.append(.predicate("multiple") { #Predicate { (s: Ship) in s.days.isMultiple(of: n) } })
        forms.append(.predicate("to a real") { #Predicate { (s: Ship) in Double(s.days) > x } })
        forms.append(.predicate("to an integer") { #Predicate { (s: Ship) in Int(s.speed) == n } })
        forms.append(.predicate("interval") { #Predicate { (s: Ship) in s.built.timeIntervalSince(day) > x } })
        end("Arithmetic")
        forms.append(.predicate("default") { #Predicate { (s: Ship) in (s.crewSize ?? n) > 3 } })
        forms.append(.predicate("unwrapped") { #Predicate { (s: Ship) in s.crewSize! > n } })
        forms.append(
            .predicate("bound by if") {
                #Predicate { (s: Ship) in if let size = s.crewSize { size > n } else { s.isOpen } }
            })
        forms.append(.predicate("mapped") { #Predicate { (s: Ship) in s.crewSize.map { $0 > n } ?? false } })
        forms.append(
            .predicate("flat-mapped") { #Predicate { (s: Ship) in s.crewSize.flatMap { $0 > n ? $0 : nil } == 5 } })
        forms.append(.predicate("chain") { #Predicate { (s: Ship) in s.note?.isEmpty == true } })
        end("Optionals")
        forms.append(.predicate("contains") { #Predicate { (s: Ship) in s.name.contains(text) } })
        forms.append(.predicate("prefix") { #Predicate { (s: Ship) in s.name.hasPrefix(text) } })
        forms.append(.predicate("prefix, as a sequence") { #Predicate { (s: Ship) in s.name.starts(with: text) } })
        forms.append(.predicate("suffix") { #Predicate { (s: Ship) in s.name.hasSuffix(text) } })
        forms.append(.predicate("empty") { #Predicate { (s: Ship) in s.name.isEmpty } })
        forms.append(.predicate("length") { #Predicate { (s: Ship) in s.name.count > n } })
        forms.append(.predicate("lower case") { #Predicate { (s: Ship) in s.name.lowercased() == text } })
        forms.append(.predicate("upper case") { #Predicate { (s: Ship) in s.name.uppercased() == text } })
        forms.append(
            .predicate("as people search") { #Predicate { (s: Ship) in s.name.localizedStandardContains(text) } })
        forms.append(
            .predicate("without case") { #Predicate { (s: Ship) in s.name.localizedCaseInsensitiveContains(text) } })
        forms.append(
            .predicate("equal without case") {
                #Predicate { (s: Ship) in s.name.caseInsensitiveCompare(text) == .orderedSame }
            })
        forms.append(
            .predicate("order of a locale") {
                #Predicate { (s: Ship) in s.name.localizedCompare(text) == .orderedAscending }
            })
        forms.append(
            .predicate("order of a file manager") {
                #Predicate { (s: Ship) in s.name.localizedStandardCompare(text) == .orderedAscending }
            })
        forms.append(.predicate("joined") { #Predicate { (s: Ship) in s.name + text == "ab" } })
        forms.append(.predicate("a number as text") { #Predicate { (s: Ship) in String(s.days).contains(text) } })
        forms.append(.predicate("regular expression") { #Predicate { (s: Ship) in s.name.contains(/[a-c]+/) } })
        forms.append(.predicate("part of a captured text") { #Predicate { (s: Ship) in text.contains(s.name) } })
        end("Text")
        forms.append(.predicate("range") { #Predicate { (s: Ship) in (1...n).contains(s.days) } })
        forms.append(.predicate("half-open range") { #Predicate { (s: Ship) in (0..<n).contains(s.days) } })
        forms.append(.predicate("range without an end") { #Predicate { (s: Ship) in (n...).contains(s.days) } })
        forms.append(.predicate("pattern") { #Predicate { (s: Ship) in 1...5 ~= s.days } })
        forms.append(.predicate("range of properties") { #Predicate { (s: Ship) in (s.days...).contains(n) } })
        forms.append(.predicate("captured array") { #Predicate { (s: Ship) in list.contains(s.name) } })
        forms.append(.predicate("captured set") { #Predicate { (s: Ship) in !set.contains(s.days) } })
        forms.append(
            .predicate("some of a captured array") {
                #Predicate { (s: Ship) in list.contains { s.name.hasPrefix($0) } }
            })
        forms.append(
            .predicate("list of properties") { #Predicate { (s: Ship) in [s.name, s.note ?? ""].contains(text) } })
        end("Ranges and lists")
        forms.append(.predicate("case") { #Predicate { (s: Ship) in s.flag == .green } })
        forms.append(.predicate("raw value") { #Predicate { (s: Ship) in s.flag.rawValue == text } })
        forms.append(.predicate("own order") { #Predicate { (s: Ship) in s.rank < Rank.second } })
        forms.append(.predicate("with a payload") { #Predicate { (s: Ship) in s.cargo == cargo } })
        forms.append(.predicate("member") { #Predicate { (s: Ship) in s.berth.harbour == text } })
        forms.append(.predicate("member of a member") { #Predicate { (s: Ship) in s.berth.pier.number > n } })
        forms.append(.predicate("member of an optional") { #Predicate { (s: Ship) in s.oldBerth?.harbour == text } })
        forms.append(.predicate("whole structure") { #Predicate { (s: Ship) in s.berth == berth } })
        end("Enumerations and structures")
        forms.append(.predicate("contains") { #Predicate { (s: Ship) in s.tags.contains(text) } })
        forms.append(.predicate("empty") { #Predicate { (s: Ship) in s.tags.isEmpty } })
        forms.append(.predicate("count") { #Predicate { (s: Ship) in s.tags.count > n } })
        forms.append(
            .predicate("contains where") { #Predicate { (s: Ship) in s.tags.contains { $0.hasPrefix(text) } } })
        forms.append(.predicate("all") { #Predicate { (s: Ship) in s.depths.allSatisfy { $0 > n } } })
        forms.append(
            .predicate("filtered and counted") { #Predicate { (s: Ship) in s.depths.filter { $0 > n }.count == 1 } })
        forms.append(
            .predicate("first, last") { #Predicate { (s: Ship) in s.tags.first == text || s.tags.last == text } })
        forms.append(.predicate("first where") { #Predicate { (s: Ship) in s.depths.first(where: { $0 > n }) == 5 } })
        forms.append(
            .predicate("smallest, largest") { #Predicate { (s: Ship) in s.depths.min() == n || s.depths.max() == n } })
        forms.append(.predicate("subscript") { #Predicate { (s: Ship) in s.tags[0] == text } })
        forms.append(.predicate("range subscript") { #Predicate { (s: Ship) in s.tags[0..<2].contains(text) } })
        forms.append(
            .predicate("the same beside another condition") {
                #Predicate { (s: Ship) in s.isOpen && s.tags[0..<2].contains(text) }
            })
        forms.append(.predicate("dictionary") { #Predicate { (s: Ship) in s.ratings["a"] == n } })
        forms.append(
            .predicate("dictionary with a default") { #Predicate { (s: Ship) in s.ratings[text, default: 0] > n } })
        forms.append(.predicate("dictionary's count") { #Predicate { (s: Ship) in s.ratings.count == n } })
        forms.append(.predicate("whole collection") { #Predicate { (s: Ship) in s.tags == list } })
        end("Collections of values")
        forms.append(.predicate("nil") { #Predicate { (s: Ship) in s.captain == nil } })
        forms.append(.predicate("chain") { #Predicate { (s: Ship) in s.captain?.name == text } })
        forms.append(
            .predicate("chain of optionals") { #Predicate { (s: Ship) in s.captain?.city?.hasPrefix(text) ?? false } })
        forms.append(.predicate("unwrapped") { #Predicate { (s: Ship) in s.captain!.name == text } })
        forms.append(
            .predicate("bound by if") {
                #Predicate { (s: Ship) in if let captain = s.captain { captain.name == text } else { s.isOpen } }
            })
        forms.append(.predicate("captured model") { #Predicate { (s: Ship) in s.captain == captain } })
        forms.append(.predicate("own identifier") { #Predicate { (s: Ship) in s.persistentModelID == id } })
        forms.append(
            .predicate("list behind a link") {
                #Predicate { (s: Ship) in s.captain?.ships.contains { $0.days > n } == true }
            })
        end("Links to one")
        forms.append(.predicate("empty") { #Predicate { (s: Ship) in s.stops.isEmpty } })
        forms.append(.predicate("count") { #Predicate { (s: Ship) in s.stops.count > n } })
        forms.append(.predicate("contains where") { #Predicate { (s: Ship) in s.stops.contains { $0.nights > n } } })
        forms.append(.predicate("all") { #Predicate { (s: Ship) in s.stops.allSatisfy { $0.name != text } } })
        forms.append(
            .predicate("filtered and counted") {
                #Predicate { (s: Ship) in s.stops.filter { $0.nights > n }.count == 1 }
            })
        forms.append(
            .predicate("counted where") { #Predicate { (s: Ship) in s.stops.count(where: { $0.nights > n }) == 1 } })
        forms.append(.predicate("mapped") { #Predicate { (s: Ship) in s.stops.map { $0.name }.contains(text) } })
        forms.append(
            .predicate("first, last") {
                #Predicate { (s: Ship) in s.stops.first?.name == text || s.stops.last?.name == text }
            })
        forms.append(
            .predicate("first where") {
                #Predicate { (s: Ship) in s.stops.first(where: { $0.nights > n })?.name == text }
            })
        forms.append(.predicate("subscript") { #Predicate { (s: Ship) in s.stops[0].nights > n } })
        forms.append(
            .predicate("two deep") {
                #Predicate { (s: Ship) in
                    s.stops.contains { stop in s.captain?.ships.contains { $0.name == stop.name } == true }
                }
            })
        end("Links to many")
        forms.append(.predicate("class") { #Predicate { (c: Craft) in c is Ferry } })
        forms.append(.predicate("cast") { #Predicate { (c: Craft) in (c as? Ferry)?.cars == n } })
        end("Types")
        forms.append(.predicate("evaluated") { #Predicate { (s: Ship) in inner.evaluate(s) } })
        forms.append(
            .predicate("evaluated of a link") {
                #Predicate { (s: Ship) in s.captain.map { ofCaptain.evaluate($0) } ?? false }
            })
        forms.append(.predicate("expression") { #Predicate { (s: Ship) in expression.evaluate(s) > n } })
        end("Other predicates")
        forms.append(.order("number") { SortDescriptor(\.days) })
        forms.append(.order("descending") { SortDescriptor(\.days, order: .reverse) })
        forms.append(.order("text") { SortDescriptor(\.name) })
        forms.append(.order("optional") { SortDescriptor(\.note) })
        forms.append(.order("as a file manager lists") { SortDescriptor(\.name, comparator: .localizedStandard) })
        forms.append(.order("in the order of a locale") { SortDescriptor(\.note, comparator: .localized) })
        forms.append(.order("own order of an enumeration") { SortDescriptor(\.rank) })
        forms.append(.order("member of a structure") { SortDescriptor(\.berth.harbour) })
        forms.append(.order("behind a link") { SortDescriptor(\.captain?.name) })
        forms.append(.order("derived value") { SortDescriptor(\.name.count) })
        end("Orders")
        self.groups = groups
    }
}
