import Testing

@Suite("Expansion of a model actor")
struct ModelActorTests {
    @Test func members() {
        let expansion = expand("@ModelActor public actor Importer {}")
        #expect(expansion.findings.isEmpty)
        #expect(
            expansion.text == """
                public actor Importer {

                    public nonisolated let modelExecutor: any CofferCore.ModelExecutor

                    public nonisolated let modelContainer: CofferCore.ModelContainer

                    public init(modelContainer: CofferCore.ModelContainer) {
                        let modelContext = CofferCore.ModelContext(modelContainer)
                        self.modelExecutor = CofferCore.DefaultSerialModelExecutor(modelContext: modelContext)
                        self.modelContainer = modelContainer
                    }
                }

                extension Importer: CofferCore.ModelActor {}
                """)
    }

    @Test func ownInitialiserStays() {
        let source = "@ModelActor actor Importer { init(modelContainer: ModelContainer) {} }"
        #expect(!expand(source).text.contains("DefaultSerialModelExecutor"))
        let other = "@ModelActor actor Importer { init(name: String) {} }"
        #expect(expand(other).text.contains("DefaultSerialModelExecutor"))
    }

    @Test func onlyActors() {
        #expect(
            expand("@ModelActor final class Importer {}").findings == [
                "1:19: error: '@ModelActor' can only be attached to an actor"
            ])
    }
}
