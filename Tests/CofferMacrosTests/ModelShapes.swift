import CofferCore
import Foundation

// Declarations that must compile. What an expansion gets wrong shows here first; some are used by the tests beside.

struct Point: Codable, Hashable { var x = 0, y = 0 }
enum Mood: String, Codable { case calm, wild }
final class PointTransformer: ValueTransformer {}

@Model final class Leaf {
    var number: Int
    init(number: Int) { self.number = number }
}

@Model public final class Everything {
    public var name: String
    public private(set) var count = 0
    private(set) var hidden: String = ""
    fileprivate var secret: Double?
    private var inner = [1, 2]
    var mood: Mood = .calm
    var point = Point(x: 1)
    var date = Date.now
    var identity = UUID()
    var optional: Int?
    var none: String? = nil
    var leaf: Leaf!
    var text: String!
    var made: Int = {
        let a = 1
        return a + 2
    }()
    var madeToo = { () -> Int in
        let a = 1
        return a + 2
    }()
    var long = """
        hello
          "quoted" \(1 + 1) {
        """
    var braces = "{ \("}") "
    var map: [String: Int] = [:]
    var set: Set<String> = []
    var leaves: [Leaf] = []
    var optionalLeaves: [Leaf]?
    var spelled: Optional<Int> = 3
    var `default` = 1
    var `class`: String = "c"
    var description: String = "d"
    var newValue = 1
    var value = 2
    var before = ""
    var row: [Int] = []
    var slot = 0
    var first = 0
    var model: Leaf?
    @Attribute(originalName: "old", hashModifier: "v2") var renamed: String = ""
    @Attribute(.externalStorage) var data: Data = Data()
    @Attribute(.unique, .spotlight) var two: String = "x"
    @Attribute(.transformable(by: "Point")) var shape: Point?
    @Attribute(.transformable(by: PointTransformer.self)) var shapes: [Point] = []
    @Relationship var plain: Leaf?
    @Relationship(.unique, deleteRule: .deny, minimumModelCount: 1, maximumModelCount: 2) var many: [Leaf] = []
    @Transient var cache: Int = 0
    @Transient lazy var late = 3
    @Transient weak var delegate: AnyObject?
    let fixed = 4
    static let shared = 1
    var computed: Int { optional ?? 0 }

    #Unique<Everything>([\.name, \.two])
    #Index<Everything>(.binary([\.name]), .binary([\.count, \.two]))

    public init(name: String) { self.name = name }
    convenience init() { self.init(name: "x") }
    init?(maybe: String) {
        if maybe.isEmpty { return nil }
        name = maybe
    }
    init(counting: Int) throws {
        name = ""
        for step in 0..<counting { count += step }
        optional = count
    }
    subscript(index: Int) -> Int { inner[index] }
    func change() {
        inner.append(1)
        point.x += 1
        map["a"] = 1
        self.default += 1
        secret = 1
    }
}

enum V1: VersionedSchema {
    static var models: [any PersistentModel.Type] { [Trip.self, Other.self] }
    static var versionIdentifier: Schema.Version { .init(1, 0, 0) }

    @Model final class Trip {
        var name: String
        var other: Other?
        init(name: String) { self.name = name }
    }
    @Model class Other {
        @Relationship(inverse: \Trip.other) var trips: [Trip] = []
        init() {}
    }
}
extension V1 {
    @Model final class Late { var trip: V1.Trip?; init() {} }
}

@Model final class Box<Value: Codable> {
    var value: Value
    var list: [Value] = []
    init(value: Value) { self.value = value }
}

@Model class Animal {
    var legs: Int = 0
    var name: String
    init(name: String) { self.name = name }
}
@Model class Dog: Animal {
    var breed: String
    var toys: [Leaf] = []
    #Index<Dog>([\.breed])
    init(breed: String) { self.breed = breed; super.init(name: breed) }
}
@Model final class Puppy: Dog {
    var weeks: [Double] = []
    override init(breed: String) { super.init(breed: breed) }
}
@Model final class Stray: Animal {
    override init(name: String) { super.init(name: name) }
}

class Plain { var note = 0 }
@Model final class OnPlain: Plain { var number: Int = 0; override init() { super.init() } }

protocol Named { var name: String { get set } }
@Model final class Coded: Named, Codable, CustomStringConvertible {
    var name: String
    var description: String { name }
    init(name: String) { self.name = name }

    enum CodingKeys: CodingKey { case name }
    required init(from decoder: any Decoder) throws {
        name = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .name)
    }
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name, forKey: .name)
    }
}
@Model final class Hashed: Hashable {
    var name: String = ""
    init() {}
    static func == (left: Hashed, right: Hashed) -> Bool { left.name == right.name }
    func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
@Model final class Identified: Identifiable {
    @Attribute(.unique) var id: UUID = UUID()
    init() {}
}
@Model final class WithoutInitialiser { var number = 1; var text: String?; let fixed = 3 }

@Model private final class Private { var number: Int = 0; init() {} }
@Model package final class Packaged { package var number: Int = 0; package init() {} }
@Model open class Open { open var number: Int = 0; public init() {} }
@MainActor @Model final class Bound {
    var id = 1
    var points: [Point] = []
    init() {}
}
@Model final class PartlyBound { @MainActor var number: Int = 1; init() {} }

@Model final class Conditional {
    var first = 1
    #if compiler(>=99)
    var unknown: Nothing
    #else
    var second: [Int] = []
    #endif
    init() {}
}

/// Has a case of the name that an optional's own has.
enum Extra: Codable {
    case none, some(Int)
}

@Model final class CaseNamedNone {
    var extra = Extra.none
    var other: Extra?
    init() {}
}
