import Foundation

/// Whether a cell holds what its property says.
struct CellCheck {
    private let property: any SchemaProperty
    private let storage: ScalarStorage
    private let integer: (any FixedWidthInteger.Type)?
    private let isJSON: Bool
    private let isOptional: Bool

    init(_ attribute: Schema.Attribute) {
        property = attribute
        storage = attribute._storage
        isOptional = attribute.isOptional
        let type = attribute.encodedType
        integer = type.scalarType as? any FixedWidthInteger.Type
        isJSON = attribute._isCoded
    }

    /// What is wrong with a cell of the row; nil where nothing is.
    func problem(_ cell: RowCell, _ batch: RowBatch) -> String? {
        switch cell.kind {
        case .null, .absent: return isOptional ? nil : "there is no value, and there must be one"
        case .integer: return integerProblem(cell)
        case .unsigned: return storage == .unsigned ? nil : mismatch
        case .real: return storage == .real || storage == .date ? nil : mismatch
        case .text: return textProblem(batch.bytes(of: cell))
        case .blob:
            if storage == .uuid { return cell.length == 16 ? nil : "an identifier has \(cell.length) bytes" }
            return storage == .blob ? nil : mismatch
        case .reference, .references, .identifier, .identifiers: return mismatch
        }
    }

    private var mismatch: String { "the value is none of the property’s type" }

    private func integerProblem(_ cell: RowCell) -> String? {
        switch storage {
        case .boolean: return cell.bits < 2 ? nil : mismatch
        case .integer, .unsigned:
            guard let integer else { return nil }
            func fits<I: FixedWidthInteger>(_ type: I.Type) -> Bool { I(exactly: cell.integer) != nil }
            return fits(integer) ? nil : "the number is out of the range of the property’s type"
        default: return mismatch
        }
    }

    private func textProblem(_ bytes: UnsafeRawBufferPointer) -> String? {
        guard storage == .text || storage == .url || storage == .decimal else { return mismatch }
        guard let text = String(validating: bytes, as: UTF8.self) else { return "the text is no UTF-8" }
        if storage == .decimal { return DecimalText.decimal(text) == nil ? "the text is no decimal number" : nil }
        guard TextNormalisation.normalised(text).utf8.elementsEqual(bytes) else {
            return "the text is not in normalisation form C"
        }
        if isJSON, (try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)) == nil {
            return "the value’s coded form is no JSON"
        }
        return nil
    }
}
