import CofferCore

/// Writes filters as SQL with exactly the meaning that ``FilterExpression`` defines.
///
/// - SQL's NULL stands for nil in values, and for *unknown* in conditions. A condition compiled as `.exact` is never
///   NULL for any other reason, so that `NOT`, `AND` and `OR` mean what they mean in the filter; one compiled as
///   `.matching` may be NULL for false, which lets a plain comparison use an index.
/// - A value that is known to be there, but is not because a force unwrap failed or arithmetic overflowed, is NULL too.
///   Where NULL could mean both, `guards` say when the value is known.
final class SQLCompiler {
    enum Mode {
        /// NULL counts as false.
        case matching
        /// NULL only where the condition is unknown.
        case exact
    }

    /// A value in SQL.
    struct Value {
        var sql: String
        var type: FilterType
        /// Conditions without which the value is unknown.
        var guards: [String] = []
        /// Whether NULL may mean unknown.
        var mayBeUnknown = false
        var constant: StoredValue?

        /// Whether NULL could mean nil as well as unknown, with no guard to tell them apart.
        var isAmbiguous: Bool { type.isOptional && mayBeUnknown }
        /// The value for a condition that is never NULL for its nil.
        var asked: Value {
            var copy = self
            if type.isOptional {
                copy.type.isOptional = false
                copy.mayBeUnknown = false
            }
            return copy
        }
        /// Whether the value can be not-a-number, which a column holds as a blob.
        var mayBeNotANumber: Bool {
            guard type.storage == .real || type.storage == .date else { return false }
            if case .real(let number)? = constant { return number.isNaN }
            return true
        }
    }

    /// A condition in SQL.
    struct Condition {
        var sql: String
        var mayBeUnknown = false
    }

    let layout: any SQLLayout
    let storeIdentifier: String
    private(set) var bindings: [SQLBinding] = []
    /// Whether filters that differ in constants only have the same SQL, with those constants bound as they are.
    var isReusable = true
    /// The rows that variables stand for.
    var frames: [Int: SQLFrame] = [:]
    /// The SQL of value elements that variables stand for.
    var elements: [Int: String] = [:]
    private var aliasCount = 0
    private var depth = 0

    /// What SQLite's own limits allow, with room to spare: parameters, joined tables, nested parentheses, bytes of
    /// text.
    private static let limits = (bindings: 30_000, aliases: 48, depth: 24, text: 900_000)

    init(_ layout: any SQLLayout, storeIdentifier: String) {
        self.layout = layout
        self.storeIdentifier = storeIdentifier
    }

    /// Goes one level deeper into the filter.
    ///
    /// - Throws: ``DataStoreError/preferInMemoryFilter`` for a filter that is too large for a statement.
    func enter() throws {
        depth += 1
        if depth > Self.limits.depth || bindings.count > Self.limits.bindings || aliasCount > Self.limits.aliases {
            throw DataStoreError.preferInMemoryFilter
        }
    }

    func leave() { depth -= 1 }

    func newAlias() -> String {
        aliasCount += 1
        return "t\(aliasCount)"
    }

    func bind(_ binding: SQLBinding) -> String {
        bindings.append(binding)
        return "?\(bindings.count)"
    }

    func bind(_ value: StoredValue) -> String { bind(.value(value)) }

    /// A whole filter, as it stands behind `WHERE`.
    func filter(_ expression: FilterExpression) throws -> String {
        let sql = try condition(expression, .matching).sql
        if sql.utf8.count > Self.limits.text { throw DataStoreError.preferInMemoryFilter }
        return sql
    }

    func page(limit: Int?, offset: Int) -> String {
        if limit == nil, offset <= 0 { return "" }
        var text = " LIMIT \(bind(.limit(limit ?? -1)))"
        if offset > 0 { text += " OFFSET \(bind(.offset(offset)))" }
        return text
    }

    /// Whether a key is one of many. The keys go in as one parameter, so that their number has no limit.
    func keys(_ keys: [Int64], contain column: String) -> String {
        if keys.count == 1 { return "\(column) = \(bind(.integer(keys[0])))" }
        let list = "[" + keys.map(String.init).joined(separator: ",") + "]"
        return "\(column) IN (SELECT value FROM json_each(\(bind(.text(list)))))"
    }

    func sortKey(_ key: SortKey, entityName: String, root: SQLFrame) throws -> String {
        guard let last = key.path.last else { throw DataStoreError.preferInMemorySort }
        let frame: SQLFrame
        do {
            frame = try root.frame(along: key.path.dropLast().map { .link($0) }, layout, newAlias: newAlias)
        } catch DataStoreError.preferInMemoryFilter {
            throw DataStoreError.preferInMemorySort
        }
        guard case .column(let name)? = frame.table.places[checked: last] else {
            throw DataStoreError.preferInMemorySort
        }
        let collation =
            switch key.comparison {
            case .standard: ""
            case .localizedStandard: " COLLATE \(SQLFunctions.localizedStandardCollation)"
            case .localized: " COLLATE \(SQLFunctions.localizedCollation)"
            }
        // NULL is the smallest in SQLite's order, as nil is in Foundation's.
        return frame.column(name) + collation + (key.isDescending ? " DESC" : "")
    }
}
