import DropInLedger
import Foundation
import SwiftData

/// All exercises, in the language mode that this module is compiled in.
@MainActor
public func runExercises(_ ledger: ParityLedger) async {
    ValueTransformer.setValueTransformer(TintTransformer(), forName: NSValueTransformerName("TintTransformer"))
    await exerciseMacros(ledger)
    await exerciseModels(ledger)
    await exerciseBackingData(ledger)
    await exerciseIdentifiers(ledger)
    await exerciseSchemas(ledger)
    await exerciseEntities(ledger)
    await exerciseAttributes(ledger)
    await exerciseRelationships(ledger)
    await exerciseConstraints(ledger)
    await exerciseVersions(ledger)
    await exerciseConfigurations(ledger)
    await exerciseContainers(ledger)
    await exerciseContexts(ledger)
    await exerciseChanges(ledger)
    await exerciseFetching(ledger)
    await exerciseStores(ledger)
    await exerciseDefaultStore(ledger)
    await exerciseHistory(ledger)
    await exerciseErrors(ledger)
    await exerciseActors(ledger)
    await exerciseObservers(ledger)
    await exerciseFoundation(ledger)
    await exerciseBehaviour(ledger)
    await exerciseShapes(ledger)
}

extension ModelContext {
    /// Every model of a type.
    func all<M: PersistentModel>(_ type: M.Type) throws -> [M] { try fetch(FetchDescriptor<M>()) }
}

func makePoster(_ title: String = "a", _ number: Int = 1) -> Poster { Poster(title: title, number: number) }
