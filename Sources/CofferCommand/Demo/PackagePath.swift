import Coffer
import Foundation

/// The packages as a graph: from each to those that its Pre-Depends and Depends name, or that provide such a name.
/// Versions are not compared.
struct PackageGraph {
    /// One step of a path.
    struct Step: Equatable {
        var package: String
        /// The name that the package asks for.
        var wanted: String
        var metBy: String
    }

    private struct Edge {
        var target: Int
        var wanted: String
    }

    private var names: [String] = []
    private var places: [String: Int] = [:]
    private var edges: [[Edge]] = []
    private var reversed: [[Int]] = []

    /// Reads the graph from a store: packages in order of name, and what they ask for in the order of their lists.
    init(_ context: ModelContext) throws {
        let packages = try context.fetch(FetchDescriptor<Package>(sortBy: [SortDescriptor(\.name)]))
        names = packages.map(\.name)
        for (index, name) in names.enumerated() { places[name] = index }
        edges = Array(repeating: [], count: names.count)
        reversed = Array(repeating: [], count: names.count)
        let recommends = DebianRelation.Kind.recommends.rawValue
        let dependencies = try context.fetch(
            FetchDescriptor<Dependency>(
                predicate: #Predicate { $0.kind != recommends },
                sortBy: [SortDescriptor(\.kind, order: .reverse), SortDescriptor(\.place), SortDescriptor(\.choice)]))
        for dependency in dependencies {
            guard let source = dependency.package.flatMap({ places[$0.name] }) else { continue }
            var targets = dependency.target.map { [$0.name] } ?? []
            targets += (dependency.virtualPackage?.provisions ?? []).compactMap { $0.provider?.name }.sorted()
            for target in targets.compactMap({ places[$0] }) {
                edges[source].append(Edge(target: target, wanted: dependency.wanted))
                reversed[target].append(source)
            }
        }
    }

    /// The shortest path, empty when both ends are one package; `nil` when there is none or a name is unknown.
    func shortestPath(from start: String, to end: String) -> [Step]? {
        guard let start = places[start], let end = places[end] else { return nil }
        var cameFrom: [(source: Int, wanted: String)?] = Array(repeating: nil, count: names.count)
        var seen = Array(repeating: false, count: names.count)
        seen[start] = true
        var queue = [start]
        var head = 0
        while head < queue.count, !seen[end] {
            let source = queue[head]
            head += 1
            for edge in edges[source] where !seen[edge.target] {
                seen[edge.target] = true
                cameFrom[edge.target] = (source, edge.wanted)
                queue.append(edge.target)
            }
        }
        guard seen[end] else { return nil }
        var path: [Step] = []
        var place = end
        while let (source, wanted) = cameFrom[place] {
            path.append(Step(package: names[source], wanted: wanted, metBy: names[place]))
            place = source
        }
        return path.reversed()
    }

    /// Two packages with a long way between them: the end is the one that most packages ask for, the start the one that
    /// is farthest from it. What the caller gives is kept. `nil` when there are no packages or the name is unknown.
    func distantPair(from start: String? = nil, to end: String? = nil) -> (from: String, to: String)? {
        if let start {
            if let end { return (start, end) }
            guard let place = places[start] else { return nil }
            return (start, names[farthest(from: place) { edges[$0].map(\.target) }])
        }
        let popular = names.indices.max { (Set(reversed[$0]).count, $1) < (Set(reversed[$1]).count, $0) }
        guard let place = end.map({ places[$0] }) ?? popular else { return nil }
        return (names[farthest(from: place) { reversed[$0] }], names[place])
    }

    /// The first in order of name among those that most steps are needed for.
    private func farthest(from start: Int, along next: (Int) -> [Int]) -> Int {
        var seen = Array(repeating: false, count: names.count)
        seen[start] = true
        var last = [start]
        while true {
            var reached: [Int] = []
            for place in last {
                for target in next(place) where !seen[target] {
                    seen[target] = true
                    reached.append(target)
                }
            }
            guard !reached.isEmpty else { return last.min() ?? start }
            last = reached
        }
    }
}
