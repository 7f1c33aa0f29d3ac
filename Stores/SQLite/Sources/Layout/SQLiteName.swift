/// Names in SQL text.
enum SQLiteName {
    /// A name as an SQL identifier, whatever it holds.
    static func quoted(_ name: String) -> String {
        "\"" + name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }

    /// Text as an SQL literal.
    static func literal(_ text: String) -> String {
        "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''") + "'"
    }

    /// Gives out names that SQLite tells apart: it ignores the case of ASCII letters and keeps `sqlite_` for itself.
    ///
    /// The first to ask gets the name as it is; a name that is taken already gets a number behind it.
    struct Allocator {
        private var taken: Set<String>

        init(reserved: [String] = []) { taken = Set(reserved.map(Self.folded)) }

        mutating func allocate(_ name: String) -> String {
            var base = name.isEmpty ? "_" : name
            // A name with a NUL cannot stand in SQL text.
            base = base.split(separator: "\0", omittingEmptySubsequences: false).joined(separator: "_")
            if Self.folded(base).hasPrefix("sqlite_") { base = "_" + base }
            var candidate = base
            var number = 2
            while !taken.insert(Self.folded(candidate)).inserted {
                candidate = "\(base)_\(number)"
                number += 1
            }
            return candidate
        }

        /// Gives out a name of which some longer forms are free too.
        mutating func allocate(_ name: String, suffixes: [String]) -> String {
            var candidate = name
            var number = 2
            while suffixes.contains(where: { taken.contains(Self.folded(candidate + $0)) }) {
                candidate = "\(name)_\(number)"
                number += 1
            }
            for suffix in suffixes { taken.insert(Self.folded(candidate + suffix)) }
            return candidate
        }

        /// Only ASCII letters fold, as in SQLite; Swift's `lowercased()` would fold others too, which is harmless, but
        /// its canonical equivalence must not tell apart what SQLite does not: bytes decide.
        private static func folded(_ name: String) -> String {
            String(decoding: name.utf8.map { $0 >= 0x41 && $0 <= 0x5A ? $0 + 0x20 : $0 }, as: UTF8.self)
        }
    }
}
