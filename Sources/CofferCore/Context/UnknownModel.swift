import Observation

/// What an identifier of an entity that the container does not have stands for: a model without properties.
final class UnknownModel: PersistentModel {
    static let _$descriptor = _ModelDescriptor(UnknownModel.self, superclass: nil)
    static var schemaMetadata: [Schema.PropertyMetadata] { [] }
    var _$flags: UInt64 = _Flag.detached
    var _$key: Int64 = 0
    var _$home: _ModelHome?
    var _$extras: _ModelExtras?

    init(_$blank: Void) {}
    func _$load(_ row: _RowReader) throws {}
    func _$store(_ row: inout _RowWriter) throws {}
    func _$visit(_ visitor: inout _RelatedVisitor) {}
    func _$forget(_ slot: Int) {}
    func _$edit(_ slot: Int, _ edit: _RelationshipEdit) {}
}
