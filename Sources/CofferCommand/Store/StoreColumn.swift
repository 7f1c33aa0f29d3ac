import Coffer
import Foundation

/// A property of an entity, as a column of what the command shows.
struct StoreColumn {
    /// What values it has.
    enum Kind {
        case scalar(ScalarStorage)
        /// The coded form of a value, which is JSON.
        case json
        /// What a value transformer makes.
        case opaque
        case link(String)
        case list(String)
    }

    let slot: Int
    let name: String
    let kind: Kind
    let isOptional: Bool
    /// Whether a whole row may be shown without it: its values are many or large.
    let isAside: Bool

    /// All columns of an entity, by slot; nothing of properties that no store keeps.
    static func all(of entity: Schema.Entity) -> [StoreColumn] {
        entity.properties.enumerated().compactMap { slot, property in
            if property.isTransient { return nil }
            if let relationship = property as? Schema.Relationship {
                let isList = !relationship.isToOneRelationship
                return StoreColumn(
                    slot: slot, name: property.name,
                    kind: isList ? .list(relationship.destination) : .link(relationship.destination),
                    isOptional: relationship.isOptional || isList, isAside: isList)
            }
            guard let attribute = property as? Schema.Attribute else { return nil }
            let kind: Kind =
                attribute.isTransformable ? .opaque : attribute._isCoded ? .json : .scalar(attribute._storage)
            return StoreColumn(
                slot: slot, name: property.name, kind: kind, isOptional: attribute.isOptional,
                isAside: attribute._isExternal)
        }
    }

    /// Whether numbers stand in it, which are shown at the right.
    var isNumeric: Bool {
        switch kind {
        case .scalar(.integer), .scalar(.unsigned), .scalar(.real), .scalar(.decimal), .link: true
        default: false
        }
    }

    // MARK: Values

    /// A value for a person to read, on one line.
    func text(_ cell: RowCell, _ batch: RowBatch) -> String {
        switch cell.kind {
        case .absent, .null:
            if case .list = kind { return "[]" }
            return "null"
        case .integer:
            if case .scalar(.boolean) = kind { return cell.bits == 1 ? "true" : "false" }
            return String(cell.integer)
        case .unsigned: return String(cell.bits)
        case .real: return isDate ? StoreDate.text(cell.real) ?? "\(cell.real) s" : cell.real.description
        case .text:
            let text = String(decoding: batch.bytes(of: cell), as: UTF8.self)
            return isDecimal ? DecimalText.decimal(text)?.description ?? text.shownSafely : text.shownSafely
        case .blob:
            return uuid(cell, batch)?.uuidString ?? (cell.length == 1 ? "1 byte" : "\(cell.length.grouped) bytes")
        case .reference: return String(cell.integer)
        case .references: return "[" + batch.keys(of: cell).map(String.init).joined(separator: ", ") + "]"
        case .identifier, .identifiers: return "?"
        }
    }

    /// A value for a program to read: dates and numbers JSON does not have as text, bytes in base 64.
    func json(_ cell: RowCell, _ batch: RowBatch) -> String {
        switch cell.kind {
        case .absent, .null:
            if case .list = kind { return "[]" }
            return "null"
        case .integer:
            if case .scalar(.boolean) = kind, cell.bits < 2 { return JSONText.bool(cell.bits == 1) }
            return String(cell.integer)
        case .unsigned: return String(cell.bits)
        case .real:
            if isDate, let text = StoreDate.text(cell.real) { return JSONText.string(text) }
            return JSONText.real(cell.real)
        case .text:
            let bytes = batch.bytes(of: cell)
            // What is JSON stays JSON; what is damaged is shown as the text that it is.
            if case .json = kind, (try? JSONValue(bytes)) != nil { return String(decoding: bytes, as: UTF8.self) }
            let text = String(decoding: bytes, as: UTF8.self)
            return JSONText.string(isDecimal ? DecimalText.decimal(text)?.description ?? text : text)
        case .blob:
            if let uuid = uuid(cell, batch) { return JSONText.string(uuid.uuidString) }
            return JSONText.string(Data(batch.bytes(of: cell)).base64EncodedString())
        case .reference: return String(cell.integer)
        case .references: return JSONText.array(batch.keys(of: cell).map(String.init))
        case .identifier, .identifiers: return "null"
        }
    }

    private var isDate: Bool {
        if case .scalar(.date) = kind { true } else { false }
    }

    private var isDecimal: Bool {
        if case .scalar(.decimal) = kind { true } else { false }
    }

    private func uuid(_ cell: RowCell, _ batch: RowBatch) -> UUID? {
        guard case .scalar(.uuid) = kind, cell.length == 16 else { return nil }
        return UUID(uuid: batch.bytes(of: cell).loadUnaligned(as: uuid_t.self))
    }
}

/// Dates as ISO 8601 has them, in UTC.
enum StoreDate {
    /// The text of seconds since 2001; nil where that is no day of the years 1 to 9999.
    static func text(_ seconds: Double) -> String? {
        guard seconds >= -63_114_076_800, seconds < 252_455_616_000 else { return nil }
        let date = Date(timeIntervalSinceReferenceDate: seconds)
        let isWhole = seconds.rounded(.down) == seconds
        return date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: !isWhole))
    }

    /// The seconds since 2001 of a day, or a time of one, in UTC unless it says otherwise; nil where it is none.
    static func seconds(_ text: String) -> Double? {
        for style in [
            Date.ISO8601FormatStyle(includingFractionalSeconds: false),
            Date.ISO8601FormatStyle(includingFractionalSeconds: true),
        ] {
            for candidate in [text, text + "Z", text + "T00:00:00Z", text + ":00Z"] {
                if let date = try? style.parse(candidate) { return date.timeIntervalSinceReferenceDate }
            }
        }
        return nil
    }
}

extension StoreColumn {
    /// Whether the column holds a list of rows.
    var isList: Bool {
        if case .list = kind { true } else { false }
    }
}
