import Foundation

/// How the value of an attribute becomes one of another type without losing anything.
struct CellConversion {
    /// Puts the converted value into a row.
    ///
    /// Answers false where the value has no place in the new type.
    let convert: (_ cell: RowCell, _ source: RowBatch, _ target: RowBatch, _ row: Int, _ slot: Int) -> Bool
    /// Names the members of a value that its converted form does not have; nil where there are no members.
    var lostMembers: ((_ cell: RowCell, _ source: RowBatch, _ new: RowCell, _ target: RowBatch) -> [String])?
    /// Names the member that keeps a value from being one of the new type, as far as that is known.
    var misfitMember: ((_ cell: RowCell, _ source: RowBatch) -> String?)?

    /// The conversion between two types; nil where there is none.
    ///
    /// - Returns: for types that are kept alike a conversion that copies; it looks at each value where not all values of
    ///   the old type are ones of the new.
    static func between(_ old: Schema.Attribute, _ new: Schema.Attribute) -> CellConversion? {
        guard let conversion = unchecked(old, new) else { return nil }
        if new.takesEveryValue(of: old) { return conversion }
        if let coded = new.codedType {
            return .recoding(coded, members: (new as? Schema.CompositeAttribute)?.properties ?? [])
        }
        guard let check = new.valueCheck else { return conversion }
        return CellConversion { cell, source, target, row, slot in
            conversion.convert(cell, source, target, row, slot)
                && check(target.cell(row: row, slot: slot), _RowReader(target, row: row, home: nil))
        }
    }

    private static func unchecked(_ old: Schema.Attribute, _ new: Schema.Attribute) -> CellConversion? {
        let (from, to) = (old.encodedType, new.encodedType)
        if from.form == .transformable || to.form == .transformable {
            return from.form == to.form ? copy : nil
        }
        guard let oldType = from.scalarType, let newType = to.scalarType else {
            // Both are JSON text.
            return from.scalarType == nil && to.scalarType == nil ? copy : nil
        }
        if oldType == newType { return copy }
        return between(oldType, newType)
    }

    private static func between(
        _ old: any PersistentScalar.Type, _ new: any PersistentScalar.Type
    ) -> CellConversion? {
        let isNumber = [.boolean, .integer, .unsigned].contains(old._storage)
        if isNumber, let new = new as? any FixedWidthInteger.Type { return integer(new) }
        if isNumber, new._storage == .real { return real(single: new == Float.self) }
        if old._storage == .real, new._storage == .real { return new == Float.self ? single : copy }
        if isNumber, new._storage == .decimal { return decimal }
        if old._storage == .text || old._storage == .url, new == String.self { return copy }
        if old == UUID.self, new == String.self { return uuidText }
        guard old == String.self else { return nil }
        if new == Character.self { return copy }
        if new == URL.self { return url }
        return new == UUID.self ? uuid : nil
    }

    private static func text(_ cell: RowCell, _ source: RowBatch) -> String {
        String(decoding: source.bytes(of: cell), as: UTF8.self)
    }

    private static var url: CellConversion {
        CellConversion { cell, source, target, row, slot in
            let text = text(cell, source)
            // A URL that is another text once it is read was none; one with a space would have a base.
            let fits = URL(string: text)?.relativeString == text && !text.utf8.contains(UInt8(ascii: " "))
            if fits { target.set(cell, copying: source, row: row, slot: slot) }
            return fits
        }
    }

    private static var uuid: CellConversion {
        CellConversion { cell, source, target, row, slot in
            guard let uuid = UUID(uuidString: text(cell, source)) else { return false }
            target.set(uuid._stored, row: row, slot: slot)
            return true
        }
    }

    private static var uuidText: CellConversion {
        CellConversion { cell, source, target, row, slot in
            let bytes = source.bytes(of: cell)
            guard bytes.count == 16 else { return false }
            target.set(.text(UUID(uuid: bytes.loadUnaligned(as: uuid_t.self)).uuidString), row: row, slot: slot)
            return true
        }
    }

    private static var copy: CellConversion {
        CellConversion { cell, source, target, row, slot in
            target.set(cell, copying: source, row: row, slot: slot)
            return true
        }
    }

    private static func integer<I: FixedWidthInteger>(_ type: I.Type) -> CellConversion {
        CellConversion { cell, _, target, row, slot in
            let fits = cell.kind == .unsigned ? I(exactly: cell.bits) != nil : I(exactly: cell.integer) != nil
            if fits { target.set(cell, row: row, slot: slot) }
            return fits
        }
    }

    private static func real(single: Bool) -> CellConversion {
        CellConversion { cell, _, target, row, slot in
            let number = cell.kind == .unsigned ? Double(exactly: cell.bits) : Double(exactly: cell.integer)
            guard let number, !single || Float(exactly: number) != nil else { return false }
            target.set(.real(number), row: row, slot: slot)
            return true
        }
    }

    private static var single: CellConversion {
        CellConversion { cell, _, target, row, slot in
            let fits = cell.real.isNaN || Float(exactly: cell.real) != nil
            if fits { target.set(cell, row: row, slot: slot) }
            return fits
        }
    }

    private static var decimal: CellConversion {
        CellConversion { cell, _, target, row, slot in
            let number = cell.kind == .unsigned ? Decimal(cell.bits) : Decimal(cell.integer)
            target.set(.text(DecimalText.text(number)), row: row, slot: slot)
            return true
        }
    }
}
