import Coffer
import Foundation
import Testing

/// Refuses everything but a certain text.
struct Plate: Codable, Equatable {
    let code: String
    let number: Int
    let parts: [Piece]
    struct Piece: Codable, Equatable { let part: String }

    init(code: String) {
        self.code = code
        number = 7
        parts = []
    }

    init(from decoder: any Decoder) throws {
        self.init(code: try decoder.singleValueContainer().decode(String.self))
        guard code.hasPrefix("HH-") else {
            throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "no plate"))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(code)
    }
}

/// Neither `Codable` nor anything else, with a superclass, a link to itself and every kind of member.
class Paint {
    let name: String
    let mixtures: [Paint]
    init(_ name: String) {
        self.name = name
        mixtures = []
    }
}
final class Lacquer: Paint {
    let gloss: Double
    let tones: [String: Int]
    let base: Paint?
    let finish: Finish
    let pair: (Int, Bool)
    let anything: Any
    init(_ name: String, gloss: Double) {
        self.gloss = gloss
        tones = [:]
        base = nil
        finish = .matt
        pair = (1, true)
        anything = 1
        super.init(name)
    }
}

enum Finish {
    case coats(Int, of: String)
    case matt
}

/// Each case carries something, and none is read back.
indirect enum Layer: Codable {
    case over(Layer, Int)
    case base(name: String, thickness: Double)

    init(from decoder: any Decoder) throws {
        throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "never"))
    }
    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode("layer")
    }
}

final class LacquerTransformer: ValueTransformer {
    override class func allowsReverseTransformation() -> Bool { true }
    override func transformedValue(_ value: Any?) -> Any? {
        (value as? Lacquer).map { Data($0.name.utf8) }
    }
    override func reverseTransformedValue(_ value: Any?) -> Any? {
        (value as? Data).flatMap { $0.isEmpty ? nil : Lacquer(String(decoding: $0, as: UTF8.self), gloss: 1) }
    }
}

@Model final class Coach {
    var plate: Plate
    @Attribute(.transformable(by: LacquerTransformer.self)) var lacquer: Lacquer
    var layer: Layer
    init() {
        plate = Plate(code: "HH-1")
        lacquer = Lacquer("red", gloss: 2)
        layer = .base(name: "b", thickness: 1)
    }
}

/// Holds what nobody can make up.
struct Callback: Codable {
    var call: () -> Int
    init() { call = { 1 } }
    init(from decoder: any Decoder) throws {
        throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "never"))
    }
    func encode(to encoder: any Encoder) throws {}
}

@Model final class Bell {
    var number = 1
    var callback: Callback
    init() { callback = Callback() }
}

@Model final class QuietBell {
    var callback: Callback?
    var other = Callback()
    init() {}
}

@Suite("A value that no initialiser gives")
struct MadeUpValueTests {
    @Test("is put together for a model without a row", arguments: TestStore.all)
    func madeUp(_ store: TestStore) throws {
        let place = try TestPlace(store, Coach.self)
        for _ in 0..<3 {
            let coach = try #require(place.context().model(for: Coach().persistentModelID) as? Coach)
            #expect(coach.plate.code == "" && coach.plate.number == 0 && coach.plate.parts.isEmpty)
            let lacquer = coach.lacquer
            #expect(lacquer.name == "" && lacquer.gloss == 0 && lacquer.tones.isEmpty && lacquer.base == nil)
            #expect(lacquer.mixtures.isEmpty && lacquer.pair == (0, false) && lacquer.anything is ())
            if case .matt = lacquer.finish {} else { Issue.record("the case that carries nothing") }
            if case .base(let name, let thickness) = coach.layer {
                #expect(name == "" && thickness == 0)
            } else {
                Issue.record("the case that ends")
            }
        }
    }

    @Test("is none where there is a row", arguments: TestStore.rowStores)
    func stored(_ store: TestStore) throws {
        let place = try TestPlace(store, Coach.self)
        let context = place.context()
        let coach = Coach()
        context.insert(coach)
        #expect(coach.plate.code == "HH-1" && coach.lacquer.name == "red")
    }

    @Test("and cannot be made up is refused when the container opens, by name", arguments: TestStore.all)
    func refused(_ store: TestStore) throws {
        let error = try #require(#expect(throws: SwiftDataError.self) { _ = try TestPlace(store, Bell.self) })
        #expect(error.code == .unsupportedValueType && error.entity == "Bell" && error.property == "callback")
        _ = try TestPlace(store, QuietBell.self)
    }
}
