/// The models of one section of a fetch: a collection, with the value that they have in common.
public struct ResultsSection<Element: PersistentModel, SectionTitle: Hashable>: RandomAccessCollection, Identifiable,
    Equatable
{
    /// What the models of the section have in common.
    public let title: SectionTitle
    /// The places of the section's models among all results.
    public let range: Range<Int>
    private let all: [Element]

    init(title: SectionTitle, range: Range<Int>, all: [Element]) {
        self.title = title
        self.range = range
        self.all = all
    }

    /// The same as ``title``.
    public var id: SectionTitle { title }

    /// The models, as an array.
    public var elements: [Element] { Array(all[range]) }

    /// Zero.
    public var startIndex: Int { 0 }

    /// The number of models.
    public var endIndex: Int { range.count }

    /// The model at a position of the section.
    ///
    /// - Precondition: the position is in `indices`.
    public subscript(position: Int) -> Element { all[range.lowerBound + position] }

    public static func == (left: ResultsSection, right: ResultsSection) -> Bool {
        left.title == right.title && left.all[left.range] == right.all[right.range]
    }
}
