import Coffer
import CofferFuzz
import Foundation

/// One line of the table: a predicate or an order in words, as it is spelt, and who does it on a store.
struct QueryForm {
    enum Verdict: String {
        case engine
        case both = "engine, then memory"
        case memory
        case refused
    }

    let words: String
    /// The source line on which the form begins; what is spelt there stands in the table.
    let line: Int
    let verdict: (ModelContext) throws -> Verdict

    static func predicate<M: PersistentModel>(
        _ words: String, line: Int = #line, _ make: @escaping () -> Predicate<M>
    ) -> QueryForm {
        QueryForm(words: words, line: line) { context in
            try verdict(context, FetchDescriptor<M>(predicate: make()), \.filter)
        }
    }

    static func order(
        _ words: String, line: Int = #line, _ make: @escaping () -> SortDescriptor<Ship>
    ) -> QueryForm {
        QueryForm(words: words, line: line) { context in
            try verdict(context, FetchDescriptor<Ship>(sortBy: [make()]), \.sort)
        }
    }

    /// Explains the fetch, and runs it: what throws there is refused.
    private static func verdict<M: PersistentModel>(
        _ context: ModelContext, _ descriptor: FetchDescriptor<M>,
        _ part: (FetchExplanation) -> FetchExplanation.Place?
    ) throws -> Verdict {
        do {
            let explanation = try context.explain(descriptor)
            _ = try context.fetch(descriptor)
            return switch part(explanation) {
            case .store?: .engine
            case .storeAndMemory?: .both
            case .memory?: .memory
            case nil: .engine
            }
        } catch SwiftDataError.unsupportedPredicate {
            return .refused
        } catch SwiftDataError.unsupportedSortDescriptor {
            return .refused
        }
    }

    /// How the form is spelt: what stands behind `in` in a predicate's closure, or in the parentheses of a descriptor.
    func spelling(in lines: [Substring]) -> String {
        let text = lines[(line - 1)...].prefix(20).joined(separator: " ")
        for (start, open, close) in [
            ("(s: Ship) in ", "{", "}"), ("(c: Craft) in ", "{", "}"), ("SortDescriptor(", "(", ")"),
        ] {
            guard let range = text.range(of: start) else { continue }
            // A later form on the following lines is not this one's.
            if text[..<range.lowerBound].contains("}") || text[..<range.lowerBound].contains("QueryForm.") { continue }
            var depth = 1
            var spelling = ""
            for character in text[range.upperBound...] {
                if String(character) == open { depth += 1 }
                if String(character) == close { depth -= 1 }
                if depth == 0 { break }
                spelling.append(character)
            }
            return spelling.split(separator: " ").joined(separator: " ")
        }
        return ""
    }
}
