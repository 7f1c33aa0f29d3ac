/// What is wrong with a row that comes from outside: which row, and what about it.
///
/// Whoever reads the rows knows where they stand, and makes an error of it that says so.
package struct RecordFault: Error, Hashable {
    package let entity: String
    /// The row's key; nil where it is not known yet.
    package let key: Int64?
    /// The property concerned; several, separated by commas, of a uniqueness constraint.
    package let property: String?
    /// What is wrong, in words and without values.
    package let detail: String

    package init(entity: String, key: Int64?, property: String?, detail: String) {
        self.entity = entity
        self.key = key
        self.property = property
        self.detail = detail
    }
}
