import CofferConformance
import XCTest

final class SmallStoreXCTests: XCTestCase {
    func testConformance() throws {
        try Conformance.check(SmallStoreSubject()) { XCTFail("\($0)") }
    }
}
