import Testing

@testable import CofferCore

@Suite struct CellKindTests {
    @Test func errorsSpeakOfKindsWithTheirArticle() {
        #expect(CellKind.integer.words == "an integer value")
        #expect(CellKind.unsigned.words == "an unsigned value")
        #expect(CellKind.text.words == "a text value")
    }
}
