import Coffer
import Foundation

/// What a person would ask of the packages, answered from a store.
struct PackageQuestions {
    let context: ModelContext
    /// How many rows an answer has.
    var limit = 10

    struct SectionAnswer: Equatable {
        var name: String
        var packages: Int
        /// In KiB.
        var installedSize: Int
    }

    struct PackageAnswer: Equatable {
        var name: String
        var summary: String
        /// How many packages depend on it; 0 where that was not the question.
        var dependents = 0
    }

    struct MaintainerAnswer: Equatable {
        var contact: String
        var packages: Int
    }

    struct SearchAnswer: Equatable {
        var count: Int
        var first: [PackageAnswer]
    }

    /// The sections with the largest installed size.
    func largestSections() throws -> [SectionAnswer] {
        let answers = try context.fetch(FetchDescriptor<Section>()).map { section in
            let packages = section.packages
            return SectionAnswer(
                name: section.name, packages: packages.count,
                installedSize: packages.reduce(0) { $0 + $1.installedSize })
        }
        return first(answers) { ($1.installedSize, $0.name) < ($0.installedSize, $1.name) }
    }

    /// The packages that most other packages name in Pre-Depends or Depends.
    func mostDependedOn() throws -> [PackageAnswer] {
        let recommends = DebianRelation.Kind.recommends.rawValue
        let dependencies = try context.fetch(
            FetchDescriptor<Dependency>(predicate: #Predicate { $0.kind != recommends && $0.target != nil }))
        var dependents: [PersistentIdentifier: Set<PersistentIdentifier>] = [:]
        var packages: [PersistentIdentifier: Package] = [:]
        for dependency in dependencies {
            guard let target = dependency.target, let package = dependency.package else { continue }
            packages[target.persistentModelID] = target
            dependents[target.persistentModelID, default: []].insert(package.persistentModelID)
        }
        let answers = packages.map { identifier, package in
            PackageAnswer(
                name: package.name, summary: package.summary, dependents: dependents[identifier]?.count ?? 0)
        }
        return first(answers) { ($1.dependents, $0.name) < ($0.dependents, $1.name) }
    }

    /// The maintainers with the most packages.
    func busiestMaintainers() throws -> [MaintainerAnswer] {
        let answers = try context.fetch(FetchDescriptor<Maintainer>()).map {
            MaintainerAnswer(contact: $0.contact, packages: $0.packages.count)
        }
        return first(answers) { ($1.packages, $0.contact) < ($0.packages, $1.contact) }
    }

    /// The packages with `word` in name or summary.
    func search(_ word: String) throws -> SearchAnswer {
        var descriptor = FetchDescriptor<Package>(
            predicate: #Predicate { $0.name.contains(word) || $0.summary.contains(word) },
            sortBy: [SortDescriptor(\.name)])
        let count = try context.fetchCount(descriptor)
        descriptor.fetchLimit = limit
        let first = try context.fetch(descriptor).map { PackageAnswer(name: $0.name, summary: $0.summary) }
        return SearchAnswer(count: count, first: first)
    }

    private func first<T>(_ answers: [T], by precedes: (T, T) -> Bool) -> [T] {
        Array(answers.sorted(by: precedes).prefix(limit))
    }
}
