import Coffer

/// Turns a package list into models of a context.
struct PackageImport {
    private let context: ModelContext
    private var sections: [String: Section] = [:]
    private var maintainers: [DebianMaintainer: Maintainer] = [:]
    private var virtualPackages: [String: VirtualPackage] = [:]
    private var packages: [String: Package] = [:]
    private(set) var dependencyCount = 0
    private(set) var provisionCount = 0

    var sectionCount: Int { sections.count }
    var maintainerCount: Int { maintainers.count }
    var virtualPackageCount: Int { virtualPackages.count }

    init(into context: ModelContext) {
        self.context = context
    }

    /// Inserts what `list` says; nothing is saved.
    ///
    /// - Parameter progress: told how many packages are done.
    mutating func insert(_ list: [DebianPackage], progress: (Int) -> Void = { _ in }) {
        let names = PackageImport.names(of: list)
        var models: [Package] = []
        for (item, name) in zip(list, names) {
            let model = package(item, name: name)
            models.append(model)
            packages[name] = model
            for provision in item.provisions { add(provision, of: model) }
        }
        // What a package asks for may come later in the list.
        for (index, item) in list.enumerated() {
            addDependencies(of: item, to: models[index])
            progress(index + 1)
        }
    }

    /// The names under which dpkg shows the packages: `libc6`, and `libc6:i386` beside it.
    static func names(of list: [DebianPackage]) -> [String] {
        var counts: [String: Int] = [:]
        for item in list { counts[item.architecture ?? "all", default: 0] += 1 }
        counts["all"] = nil
        // The machine's own architecture is that of most packages.
        let own = counts.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
        return list.map { item in
            guard let architecture = item.architecture, architecture != "all", architecture != own else {
                return item.name
            }
            return "\(item.name):\(architecture)"
        }
    }

    private mutating func package(_ item: DebianPackage, name: String) -> Package {
        let model = Package(
            name: name, version: item.version ?? "", architecture: item.architecture, priority: item.priority,
            summary: item.summary ?? "", installedSize: item.installedSize ?? 0,
            section: item.section.map { section($0) }, maintainer: item.maintainer.map { maintainer($0) })
        context.insert(model)
        return model
    }

    private mutating func section(_ name: String) -> Section {
        if let section = sections[name] { return section }
        let section = Section(name: name)
        context.insert(section)
        sections[name] = section
        return section
    }

    private mutating func maintainer(_ item: DebianMaintainer) -> Maintainer {
        if let maintainer = maintainers[item] { return maintainer }
        let contact = item.address.map { "\(item.name) <\($0)>" } ?? item.name
        let maintainer = Maintainer(contact: contact, name: item.name, address: item.address)
        context.insert(maintainer)
        maintainers[item] = maintainer
        return maintainer
    }

    private mutating func add(_ provision: DebianProvision, of package: Package) {
        let virtual: VirtualPackage
        if let known = virtualPackages[provision.name] {
            virtual = known
        } else {
            virtual = VirtualPackage(name: provision.name)
            context.insert(virtual)
            virtualPackages[provision.name] = virtual
        }
        context.insert(Provision(provider: package, virtualPackage: virtual, version: provision.version))
        provisionCount += 1
    }

    private mutating func addDependencies(of item: DebianPackage, to package: Package) {
        var places: [DebianRelation.Kind: Int] = [:]
        for relation in item.relations {
            let place = places[relation.kind, default: 0]
            places[relation.kind] = place + 1
            for (choice, wanted) in relation.alternatives.enumerated() {
                context.insert(
                    Dependency(
                        package: package, kind: relation.kind.rawValue, place: place, choice: choice,
                        wanted: wanted.name, constraint: wanted.constraint?.description,
                        target: target(of: wanted, for: item), virtualPackage: virtualPackages[wanted.name]))
                dependencyCount += 1
            }
        }
    }

    /// The package of that name; one of the asking package's own architecture before the machine's.
    private func target(of wanted: DebianAlternative, for item: DebianPackage) -> Package? {
        if let architecture = wanted.architecture ?? item.architecture,
            let package = packages["\(wanted.name):\(architecture)"]
        {
            return package
        }
        return packages[wanted.name]
    }
}
