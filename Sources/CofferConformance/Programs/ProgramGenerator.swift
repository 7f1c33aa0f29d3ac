/// Makes random programs; one seed, one program.
struct ProgramGenerator {
    private var random: SeededNumbers
    private var ships: [Int] = []
    private var sailors: [Int] = []
    private var last = 0

    init(seed: UInt64) { random = SeededNumbers(seed: seed) }

    mutating func program(steps: Int) -> Program {
        var program = Program()
        for _ in 0..<steps {
            switch pick(10) {
            case 0..<5: program.steps.append(.save(changes()))
            case 5:
                // What a save that fails would have made is not there afterwards.
                let (ships, sailors) = (ships, sailors)
                program.steps.append(.fail(changes()))
                (self.ships, self.sailors) = (ships, sailors)
            case 6: program.steps.append(.reopen)
            default:
                program.steps.append(
                    .query(
                        Program.Query(
                            above: pick(12) - 2, isDescending: pick(2) == 0, offset: pick(3) == 0 ? pick(6) : 0,
                            limit: pick(2) == 0 ? pick(6) : -1)))
            }
        }
        return program
    }

    private mutating func changes() -> [Program.Change] { (0..<1 + pick(6)).map { _ in change() } }

    private mutating func change() -> Program.Change {
        switch pick(9) {
        case 0, 1:
            last += 1
            ships.append(last)
            return .newShip(last, tonnage: pick(10), nickname: pick(Program.nicknames.count))
        case 2, 3:
            last += 1
            sailors.append(last)
            return .newSailor(last, age: pick(90), ship: one(of: ships))
        case 4: return .setShip(one(of: ships), tonnage: pick(10), nickname: pick(Program.nicknames.count))
        case 5, 6: return .setSailor(one(of: sailors), age: pick(90), ship: pick(4) == 0 ? 0 : one(of: ships))
        case 7: return .deleteShip(one(of: ships))
        default: return .deleteSailor(one(of: sailors))
        }
    }

    private mutating func pick(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

    private mutating func one(of list: [Int]) -> Int { list.randomElement(using: &random) ?? 0 }
}

/// A small generator that gives the same numbers for a seed, everywhere.
struct SeededNumbers: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
