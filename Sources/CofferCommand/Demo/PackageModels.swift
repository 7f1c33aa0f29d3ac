import Coffer

/// An installed package.
@Model final class Package {
    /// As dpkg shows it: with the architecture behind a colon where the package is not of the machine's own.
    @Attribute(.unique) var name: String
    var version: String
    var architecture: String?
    var priority: String?
    var summary: String
    /// In KiB.
    var installedSize: Int
    var section: Section?
    var maintainer: Maintainer?
    /// What this package asks for.
    @Relationship(deleteRule: .cascade, inverse: \Dependency.package) var dependencies: [Dependency] = []
    /// Where other packages ask for this one.
    @Relationship(deleteRule: .nullify, inverse: \Dependency.target) var dependents: [Dependency] = []
    @Relationship(deleteRule: .cascade, inverse: \Provision.provider) var provisions: [Provision] = []

    init(
        name: String, version: String, architecture: String?, priority: String?, summary: String, installedSize: Int,
        section: Section?, maintainer: Maintainer?
    ) {
        self.name = name
        self.version = version
        self.architecture = architecture
        self.priority = priority
        self.summary = summary
        self.installedSize = installedSize
        self.section = section
        self.maintainer = maintainer
    }
}

@Model final class Section {
    @Attribute(.unique) var name: String
    @Relationship(deleteRule: .nullify, inverse: \Package.section) var packages: [Package] = []

    init(name: String) {
        self.name = name
    }
}

@Model final class Maintainer {
    #Index<Maintainer>([\.name])

    /// Name and address: people of one name are not one person.
    @Attribute(.unique) var contact: String
    var name: String
    var address: String?
    @Relationship(deleteRule: .nullify, inverse: \Package.maintainer) var packages: [Package] = []

    init(contact: String, name: String, address: String?) {
        self.contact = contact
        self.name = name
        self.address = address
    }
}

/// One alternative that a package asks for.
///
/// `a | b, c` makes three: two choices in one place, and one in the next.
@Model final class Dependency {
    #Index<Dependency>([\.kind], [\.wanted])

    var package: Package?
    /// Pre-Depends, Depends or Recommends.
    var kind: String
    /// Which of the package's wishes of this kind, counted from 0.
    var place: Int
    /// Which of the alternatives, counted from 0.
    var choice: Int
    /// The name that is asked for.
    var wanted: String
    /// The versions that will do, such as `>= 2.34`.
    var constraint: String?
    /// The installed package of that name, if there is one.
    var target: Package?
    /// The name as one that other packages provide, if any does.
    var virtualPackage: VirtualPackage?

    init(
        package: Package, kind: String, place: Int, choice: Int, wanted: String, constraint: String?, target: Package?,
        virtualPackage: VirtualPackage?
    ) {
        self.kind = kind
        self.place = place
        self.choice = choice
        self.wanted = wanted
        self.constraint = constraint
        self.package = package
        self.target = target
        self.virtualPackage = virtualPackage
    }
}

/// A name that packages provide beside their own.
@Model final class VirtualPackage {
    @Attribute(.unique) var name: String
    @Relationship(deleteRule: .cascade, inverse: \Provision.virtualPackage) var provisions: [Provision] = []
    @Relationship(deleteRule: .nullify, inverse: \Dependency.virtualPackage) var dependents: [Dependency] = []

    init(name: String) {
        self.name = name
    }
}

/// That one package provides one virtual package.
@Model final class Provision {
    var provider: Package?
    var virtualPackage: VirtualPackage?
    var version: String?

    init(provider: Package, virtualPackage: VirtualPackage, version: String?) {
        self.version = version
        self.provider = provider
        self.virtualPackage = virtualPackage
    }
}
