import Foundation
import SwiftData

// Models that hold values of every kind people put into them.

struct Spot: Codable, Hashable, Sendable {
    let x: Double
    let y: Double
    init(_ point: CGPoint) {
        x = point.x
        y = point.y
    }
}

struct Postal: Codable, Equatable, Sendable {
    var street: String
    var town: String?
    var spot: Spot?
}

nonisolated enum Weather: String, Codable, CaseIterable, Sendable {
    case sunny, rainy
    case windyAndCold = "windy"
}

enum Payment: Codable, Equatable, Sendable {
    case cash
    case card(number: String, until: Date)
}

@Model
final class Parcel {
    @Attribute(.unique) var id: String
    var weight: Double
    var width: Float
    var count: Int
    var small: Int8
    var large: UInt64
    var price: Decimal
    var sent: Date
    var label: Data
    var token: UUID
    var link: URL
    var isFragile: Bool
    var mark: Character

    init(id: String, sent: Date = Date()) {
        self.id = id
        self.weight = 1.5
        self.width = 2
        self.count = 3
        self.small = -4
        self.large = .max
        self.price = Decimal(string: "12.34") ?? 0
        self.sent = sent
        self.label = Data([1, 2, 3])
        self.token = UUID()
        self.link = URL(string: "https://example.org/parcels")!
        self.isFragile = true
        self.mark = "é"
    }
}

@Model
final class Slip {
    var text: String?
    var number: Int?
    var real: Double?
    var price: Decimal?
    var flag: Bool?
    var day: Date?
    var bytes: Data?
    var token: UUID?
    var link: URL?
    var words: [String]?
    var numbers: [Int]?
    var gaps: [String?]
    var counts: [Int?]

    init(
        text: String? = nil, number: Int? = nil, price: Decimal? = nil, words: [String]? = nil, gaps: [String?],
        counts: [Int?]
    ) {
        self.text = text
        self.number = number
        self.price = price
        self.words = words
        self.gaps = gaps
        self.counts = counts
    }
}

@Model
public final class Station {
    public private(set) var code: String
    @Attribute(.unique) public private(set) var link: URL
    public internal(set) var visits = 0
    private var secret: String = "hidden"
    public var tags: [String] = []
    public var names: [String: String] = [:]
    public var levels: [String: [Int]] = ["low": [1, 2]]
    public var lines: Set<String> = []
    var address: Postal
    var former: [Postal] = []
    var weather = Weather.sunny
    var forecast: Weather?
    var weathers: [Weather] = []
    var payment: Payment = Payment.cash
    var opened: Date = Date.now
    var elevation: Measurement<UnitLength>?
    @Transient var isSelected: Bool = false
    @Transient var visitors: [String]? = nil

    init(code: String, link: URL, address: Postal) {
        self.code = code
        self.link = link
        self.address = address
    }

    var snapshot: Snapshot { .init(station: self) }
    func reveal() -> String { secret }
    func visit() { visits += 1 }
}

public extension Station {
    nonisolated struct Snapshot: Hashable, Codable, Sendable {
        public var persistentModelID: PersistentIdentifier?
        public var code: String

        init(station: Station) {
            persistentModelID = station.persistentModelID
            code = station.code
        }
    }
}

nonisolated final class TintTransformer: ValueTransformer {
    override class func transformedValueClass() -> AnyClass { NSData.self }
    override class func allowsReverseTransformation() -> Bool { true }
    override func transformedValue(_ value: Any?) -> Any? { (value as? Tint).map { Data([$0.red, $0.green]) } }
    override func reverseTransformedValue(_ value: Any?) -> Any? {
        (value as? Data).flatMap { $0.count == 2 ? Tint(red: $0[$0.startIndex], green: $0[$0.startIndex + 1]) : nil }
    }
}

/// Not `Codable`: only a transformer knows how to keep it.
nonisolated final class Tint: Equatable {
    let red: UInt8
    let green: UInt8
    init(red: UInt8, green: UInt8) {
        self.red = red
        self.green = green
    }
    static func == (left: Tint, right: Tint) -> Bool { left.red == right.red && left.green == right.green }
}

/// Every option an attribute can have.
@Model
final class Poster {
    @Attribute(.unique, .spotlight) var title: String
    @Attribute(.externalStorage) var image: Data?
    @Attribute(.externalStorage, .allowsCloudEncryption) var thumbnail: Data = Data()
    @Attribute(.preserveValueOnDeletion) var number: Int
    @Attribute(.ephemeral) var isOpen: Bool = false
    @Attribute(.allowsCloudEncryption) var owner: String = ""
    @Attribute(.codable) var size: Postal?
    @Attribute(.codable) var motto: String = ""
    @Attribute(originalName: "colour", hashModifier: "v2") var color: String = "red"
    @Attribute(.transformable(by: TintTransformer.self)) var tint: Tint?
    @Attribute(.transformable(by: "TintTransformer")) var shade: Tint?

    init(title: String, number: Int) {
        self.title = title
        self.number = number
    }
}
