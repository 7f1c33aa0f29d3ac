import CofferCore
import Foundation
import Testing

@Suite struct ErrorTests {
    let error = SwiftDataError(
        .modelValidationFailure, operation: .save, store: "default", entity: "Thing", property: "owner",
        file: "/tmp/a.store", detail: "no owner", underlying: DataStoreError.unsupportedFeature)

    @Test func aPatternMatchesByCode() {
        do {
            throw error
        } catch SwiftDataError.unknownSchema {
            Issue.record("another code")
        } catch SwiftDataError.modelValidationFailure {
            // as it should be
        } catch {
            Issue.record(error)
        }
        #expect(error == .modelValidationFailure)
        #expect(error.hashValue == SwiftDataError.modelValidationFailure.hashValue)
        #expect(!(SwiftDataError.modelValidationFailure ~= CocoaError(.fileNoSuchFile)))
    }

    @Test func theTextSaysWhere() {
        let text = error.localizedDescription
        for part in ["modelValidationFailure", "saving", "Thing.owner", "default", "/tmp/a.store", "no owner"] {
            #expect(text.contains(part))
        }
        #expect(SwiftDataError.unsupportedPredicate.description.hasPrefix("unsupportedPredicate: "))
    }

    @Test func valuesStayOutOfTheText() {
        let secret = "secret"
        let decoding = #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([String: Int].self, from: JSONEncoder().encode(["k": secret]))
        }
        let error = SwiftDataError(.valueDecoding, underlying: decoding)
        #expect(!error.description.contains(secret))
        #expect(error.description.contains("at k"))
    }

    @Test func layersAddWhatTheyKnow() {
        let error = SwiftDataError(.ioFailure, operation: .open).adding(operation: .save, store: "main")
        #expect(error.operation == .open && error.store == "main" && error.code == .ioFailure)
    }

    @Test func descriptorsCompare() {
        let days = 3
        func make(_ limit: Int) -> FetchDescriptor<Trip> {
            FetchDescriptor(predicate: #Predicate { $0.days > limit }, sortBy: [SortDescriptor(\.name)])
        }
        #expect(make(days) == make(3))
        #expect(make(days) != make(4))
        var other = make(3)
        other.fetchLimit = 1
        #expect(other != make(3))
        #expect(FetchDescriptor<Trip>() == FetchDescriptor<Trip>())
    }
}
