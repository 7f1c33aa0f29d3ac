import Foundation
import SwiftData

// Predicates as search fields and filters make them.

enum PupilFilter: String, CaseIterable, Identifiable {
    case all, homeless, marked

    var id: Self { self }

    var predicate: Predicate<Pupil>? {
        switch self {
        case .all:
            return nil
        case .homeless:
            return #Predicate<Pupil> { $0.school == nil }
        case .marked:
            return #Predicate<Pupil> { !$0.marks.isEmpty }
        }
    }
}

extension FetchDescriptor where T == Pupil {
    static func descriptor(
        predicate: Predicate<T>? = nil, sortBy: [SortDescriptor<T>] = []
    ) -> Self {
        var descriptor = FetchDescriptor(predicate: predicate, sortBy: sortBy)
        descriptor.relationshipKeyPathsForPrefetching = [\.school, \.marks]
        descriptor.propertiesToFetch = [\.id, \.name]
        return descriptor
    }

    static var pupils: Self {
        descriptor(sortBy: [SortDescriptor(\.name, order: .reverse), SortDescriptor(\.id)])
    }

    static func pupil(id: String) -> Self {
        descriptor(predicate: #Predicate { pupil in pupil.id == id })
    }

    static func pupils(withMark subject: String) -> Self {
        descriptor(
            predicate: #Predicate { pupil in
                pupil.marks.contains(where: { mark in
                    mark.subject == subject
                })
            })
    }

    /// Every word must be found somewhere.
    static func search(_ words: [String]) -> Self {
        let each: [Predicate<Pupil>] = words.map { word in
            #Predicate<Pupil> { pupil in
                pupil.clubs.contains(where: { club in
                    club.title.localizedStandardContains(word)
                }) || pupil.name.localizedStandardContains(word)
                    || pupil.school?.name.localizedStandardContains(word) ?? false
            }
        }
        let all: Predicate<Pupil>? = each.reduce(nil) { known, next in
            if let known {
                #Predicate { pupil in
                    known.evaluate(pupil) && next.evaluate(pupil)
                } as Predicate<Pupil>
            } else {
                next
            }
        }
        return descriptor(predicate: all, sortBy: [SortDescriptor(\.name)])
    }

    init(predicate: Predicate<T>? = nil, sortBy: [SortDescriptor<T>] = [], fetchLimit: Int?) {
        self.init(predicate: predicate, sortBy: sortBy)
        self.fetchLimit = fetchLimit
    }
}

/// A sort that a picker chooses.
enum SchoolOrder: CaseIterable {
    case name, town

    var descriptors: [SortDescriptor<School>] {
        switch self {
        case .name: [SortDescriptor(\.name)]
        case .town: [SortDescriptor(\.town, order: .reverse), SortDescriptor(\.name)]
        }
    }
}

func expensive(_ limit: Decimal, _ since: Date) -> Predicate<Parcel> {
    #Predicate<Parcel> { parcel in
        parcel.price > limit && parcel.sent >= since && (parcel.isFragile || parcel.count * 2 > 10)
    }
}

func heavyMarks(_ least: Int) -> Expression<Pupil, Int> {
    #Expression<Pupil, Int> { pupil in
        pupil.marks.filter { $0.value >= least }.count
    }
}
