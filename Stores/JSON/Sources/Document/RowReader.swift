import CJansson
import CofferCore
import CofferRecords
import Foundation

/// Reads JSON objects as rows of a space.
///
/// Members may come in any order, and integers stand for reals. What does not belong there is a `RecordFault`.
struct RowReader {
    private let space: RecordSpace
    /// What may stand in a row, by the place of its entity in the hierarchy.
    private let members: [[(name: [UInt8], meaning: Meaning)]]
    /// The values that an entity demands and the space, which others share, cannot.
    private let required: [[(slot: Int, property: String)]]
    /// The place in the hierarchy of the row that is being read.
    private var kind = 0
    /// The row that was read last, the only one.
    let batch: RowBatch
    /// The lists of that row, by their places among those of the space.
    private(set) var lists: [(number: Int, members: [Int64])] = []

    /// What a member says.
    private enum Meaning {
        case key
        case entity
        case value(slot: Int, ScalarStorage, ValueRule)
        case link(slot: Int)
        case list(Int)
    }

    init(_ space: RecordSpace) {
        self.space = space
        batch = RowBatch(entityName: space.entityName, width: space.width, storeIdentifier: nil, capacity: 1)
        let kinds = space.hierarchy?.entities.indices ?? 0..<1
        members = kinds.map { Self.members(of: space, $0) }
        required = kinds.map { Self.required(of: space, $0) }
    }

    private static func members(of space: RecordSpace, _ kind: Int) -> [(name: [UInt8], meaning: Meaning)] {
        let slots = space.hierarchy.map { Set($0.slots(of: space.entityName(ofKind: kind))) }
        var members: [(name: [UInt8], meaning: Meaning)] = [(Array("$id".utf8), .key)]
        if slots != nil { members.append((Array("$entity".utf8), .entity)) }
        for field in space.fields where slots?.contains(field.slot) ?? true {
            let meaning =
                field.storage.map { Meaning.value(slot: field.slot, $0, ValueRule(field)) } ?? .link(slot: field.slot)
            members.append((Array(field.property.utf8), meaning))
        }
        for (number, list) in space.lists.enumerated() where slots?.contains(list.slot) ?? true {
            members.append((Array(list.property.utf8), .list(number)))
        }
        return members
    }

    private static func required(of space: RecordSpace, _ kind: Int) -> [(slot: Int, property: String)] {
        guard let hierarchy = space.hierarchy else { return [] }
        return hierarchy.slots(of: space.entityName(ofKind: kind)).compactMap { slot in
            let place = hierarchy.properties[slot]
            guard !place.isOfAll, !place.property.isOptional, space.field(ofSlot: slot) != nil else { return nil }
            return (slot, place.property.name)
        }
    }

    /// Reads a row.
    mutating func read(_ node: JSONNode) throws {
        batch.removeAll()
        lists.removeAll(keepingCapacity: true)
        guard node.kind == JSON_OBJECT else { throw fault(nil, "a row is an object in braces") }
        batch.appendRow(key: 0)
        try setEntity(node.member("$entity"))
        let members = members[kind]
        var key: Int64?
        // Members mostly have the order in which they were written.
        var next = 0
        try node.forEachMember { name, value in
            guard let place = Self.place(of: name, in: members, from: next) else {
                throw fault(String(decoding: name, as: UTF8.self), "the entity has no such property")
            }
            next = place + 1
            if value.kind == JSON_NULL { return }
            let problem: String?
            switch members[place].meaning {
            case .key:
                key = value.integer.flatMap { $0 > 0 && $0 < .max ? $0 : nil }
                problem = key == nil ? "a key is a number from 1 to \(Int64.max - 1)" : nil
            case .entity: problem = nil
            case .value(let slot, let storage, let rule):
                problem = set(slot, storage, rule, value) ?? rule.problem(batch, slot)
            case .link(let slot): problem = setLink(slot, value)
            case .list(let number):
                let keys = value.integers
                if let keys { lists.append((number, keys)) }
                problem = keys == nil ? "a list of keys is expected" : nil
            }
            if let problem { throw fault(String(decoding: name, as: UTF8.self), problem) }
        }
        guard let key else { throw fault(nil, "the row has no $id") }
        batch.setKey(key, row: 0)
        for (slot, property) in required[kind] where batch.cell(row: 0, slot: slot).kind == .absent {
            throw fault(property, "a required value is missing")
        }
    }

    /// Finds out of which entity of a hierarchy a row is: of the topmost where it does not say.
    private mutating func setEntity(_ node: JSONNode?) throws {
        guard let hierarchy = space.hierarchy else { return }
        kind = 0
        if let node {
            guard let number = node.string.flatMap({ hierarchy.number(of: $0) }) else {
                throw fault("$entity", "the name of an entity below \(space.entityName) is expected")
            }
            kind = number
        }
        batch.set(.integer(Int64(kind)), row: 0, slot: hierarchy.kindSlot)
    }

    private static func place(
        of name: UnsafeRawBufferPointer, in members: [(name: [UInt8], meaning: Meaning)], from start: Int
    ) -> Int? {
        for offset in members.indices {
            var place = start + offset
            if place >= members.count { place -= members.count }
            let known = members[place].name
            if known.count == name.count, known.elementsEqual(name) { return place }
        }
        return nil
    }

    // MARK: Values

    /// Sets a cell.
    ///
    /// - Returns: what is wrong; nil where nothing is.
    private func set(_ slot: Int, _ storage: ScalarStorage, _ rule: ValueRule, _ node: JSONNode) -> String? {
        switch storage {
        case .boolean:
            guard node.kind == JSON_TRUE || node.kind == JSON_FALSE else { return "true or false is expected" }
            batch.set(RowCell(.integer, bits: node.kind == JSON_TRUE ? 1 : 0), row: 0, slot: slot)
        case .integer:
            guard let number = node.integer else { return "an integer is expected" }
            batch.set(RowCell(.integer, bits: UInt64(bitPattern: number)), row: 0, slot: slot)
        case .unsigned:
            guard let cell = unsigned(node) else { return "an integer that is not negative is expected" }
            batch.set(cell, row: 0, slot: slot)
        case .real, .date:
            guard var number = real(node) else { return "a number is expected that a Double holds without loss" }
            if rule == .single {
                guard let single = ValueRule.rounded(number) else { return "a number is expected that a Float can be" }
                number = single
            }
            batch.set(RowCell(.real, bits: number.bitPattern), row: 0, slot: slot)
        case .text, .url:
            guard let text = node.text else { return "a text in quotation marks is expected" }
            setText(slot, text)
        case .decimal:
            guard let stored = (node.string ?? node.integer.map { "\($0)" }).flatMap(DecimalNotation.stored) else {
                return "a decimal number in quotation marks is expected"
            }
            batch.set(.text(stored), row: 0, slot: slot)
        case .uuid:
            guard let uuid = node.string.flatMap(UUID.init) else { return "a UUID is expected" }
            withUnsafeBytes(of: uuid.uuid) { batch.setBlob($0, row: 0, slot: slot) }
        case .blob:
            guard let text = node.text, let data = Data(base64Encoded: Data(text)) else {
                return "data in base64 is expected"
            }
            data.withUnsafeBytes { batch.setBlob($0, row: 0, slot: slot) }
        }
        return nil
    }

    private func setLink(_ slot: Int, _ node: JSONNode) -> String? {
        guard let key = node.integer, key > 0 else { return "the key of a row is expected" }
        batch.set(RowCell(.reference, bits: UInt64(bitPattern: key)), row: 0, slot: slot)
        return nil
    }

    private func unsigned(_ node: JSONNode) -> RowCell? {
        if let number = node.integer, number >= 0 { return RowCell(.integer, bits: UInt64(bitPattern: number)) }
        return node.string.flatMap { UInt64($0) }.map { RowCell($0 > Int64.max ? .unsigned : .integer, bits: $0) }
    }

    private func real(_ node: JSONNode) -> Double? {
        switch node.kind {
        case JSON_REAL: json_real_value(node)
        case JSON_INTEGER: Double(exactly: json_integer_value(node))
        default: node.string.flatMap(RealWord.number)
        }
    }

    private func setText(_ slot: Int, _ text: UnsafeRawBufferPointer) {
        if text.allSatisfy({ $0 < 0x80 }) {
            batch.setText(text, row: 0, slot: slot)
        } else {
            // An editor may have left it in another normalisation form.
            batch.set(String(decoding: text, as: UTF8.self)._stored, row: 0, slot: slot)
        }
    }

    private func fault(_ property: String?, _ detail: String) -> RecordFault {
        RecordFault(entity: space.entityName(ofKind: kind), key: nil, property: property, detail: detail)
    }
}
