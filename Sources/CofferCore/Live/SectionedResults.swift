/// The results of a fetch in sections: a collection of ``ResultsSection``, in order.
///
/// ```swift
/// let trips = try context.fetch(FetchDescriptor<Trip>(), sectionBy: \.country)
/// for section in trips {
///     print(section.title)
///     for trip in section { print("  ", trip.name) }
/// }
/// ```
///
/// Isolation: the models belong to the context that fetched them, and the sections with them.
public struct SectionedResults<Element: PersistentModel, SectionTitle: Hashable>: RandomAccessCollection, Equatable {
    /// All models, section after section.
    public let elements: [Element]
    /// The titles, in order.
    public let sectionTitles: [SectionTitle]
    /// Where each section begins in the elements, and their end.
    private let bounds: [Int]
    private let positions: [SectionTitle: Int]

    init(_ models: [Element], by title: (Element) -> SectionTitle) {
        var titles: [SectionTitle] = []
        var groups: [[Element]] = []
        var positions: [SectionTitle: Int] = [:]
        for model in models {
            let title = title(model)
            if let last = titles.last, last == title {
                groups[groups.count - 1].append(model)
            } else if let position = positions[title] {
                groups[position].append(model)
            } else {
                positions[title] = groups.count
                titles.append(title)
                groups.append([model])
            }
        }
        self.positions = positions
        sectionTitles = titles
        bounds = groups.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.count) }
        elements = Array(groups.joined())
    }

    /// Zero.
    public var startIndex: Int { 0 }

    /// The number of sections.
    public var endIndex: Int { sectionTitles.count }

    /// The section at a position.
    ///
    /// - Precondition: the position is in `indices`.
    public subscript(position: Int) -> ResultsSection<Element, SectionTitle> {
        ResultsSection(
            title: sectionTitles[position], range: bounds[position]..<bounds[position + 1], all: elements)
    }

    /// The section with a title; nil where there is none.
    ///
    /// Complexity: O(1).
    public subscript(sectionTitle title: SectionTitle) -> ResultsSection<Element, SectionTitle>? {
        positions[title].map { self[$0] }
    }

    /// Whether there is a section with a title.
    public func contains(sectionTitle title: SectionTitle) -> Bool { positions[title] != nil }

    /// The position of the section with a title; nil where there is none.
    public func index(ofSectionTitled title: SectionTitle) -> Int? { positions[title] }

    /// The section of a model, and its position there; nil where it is not among the results.
    ///
    /// Complexity: O(*n*).
    func position(of model: Element) -> (section: Int, item: Int)? {
        guard let index = elements.firstIndex(where: { $0 === model }) else { return nil }
        let section = bounds.partitioningIndex { $0 > index } - 1
        return (section, index - bounds[section])
    }

    public static func == (left: SectionedResults, right: SectionedResults) -> Bool {
        left.bounds == right.bounds && left.sectionTitles == right.sectionTitles && left.elements == right.elements
    }
}

extension [Int] {
    /// The first position whose element meets a condition that holds from there on.
    fileprivate func partitioningIndex(where isAfter: (Int) -> Bool) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if isAfter(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
