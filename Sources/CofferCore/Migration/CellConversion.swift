import Foundation

/// How the value of an attribute becomes one of another type without losing anything.
struct CellConversion {
    /// Puts the converted value into a row.
    ///
    /// Answers false where the value has no place in the new type.
    let convert: (_ cell: RowCell, _ source: RowBatch, _ target: RowBatch, _ row: Int, _ slot: Int) -> Bool

    /// The conversion between two types; nil where there is none.
    ///
    /// - Returns: for types that are kept alike a conversion that copies.
    static func between(_ old: Schema.Attribute, _ new: Schema.Attribute) -> CellConversion? {
        let (from, to) = (old.encodedType, new.encodedType)
        if from.form == .transformable || to.form == .transformable {
            return from.form == to.form ? copy : nil
        }
        guard let oldType = from.scalarType, let newType = to.scalarType else {
            // Both are JSON text; what a value lacks shows when it is read.
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
        return nil
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
