// Quantifiers, and single elements.

extension RowFilterCompiler {
    /// Goes through the elements that meet the sequence's conditions, until the body gives false.
    ///
    /// The body is told whether the element surely belongs to the sequence: with false a condition is unknown for it.
    /// The result is false where the sequence itself is unknown, whatever the body was called with.
    typealias RowElements = (_ frame: RowFrame, _ body: (_ belongs: Bool) throws -> Bool) throws -> Bool

    mutating func elements(of sequence: FilterSequence) -> RowElements {
        note(sequence.variable)
        let number = sequence.variable.number
        let conditions = sequence.conditions.map { condition($0) }
        /// Whether to go on after an element.
        func test(_ frame: RowFrame, _ belongs: Bool, _ body: (Bool) throws -> Bool) throws -> Bool {
            var belongs = belongs
            for condition in conditions {
                switch try condition(frame) {
                case .yes: continue
                case .no: return true
                case .unknown: belongs = false
                }
            }
            return try body(belongs)
        }
        switch sequence.source {
        case .rows(let path):
            note(path.variable)
            guard let last = path.steps.last else { return { _, _ in true } }
            return { frame, body in
                guard let owner = try frame.row(path.variable.number, along: path.links) else { return true }
                for member in try frame.source.members(of: owner, slot: last.slot) {
                    frame.rows[number] = member
                    if try !test(frame, true, body) { return true }
                }
                return true
            }
        case .stored(let expression, let coding):
            let collection = value(expression)
            return { frame, body in
                guard let stored = try collection(frame) else { return false }
                guard let elements = coding.elements(stored) else { return true }
                for element in elements {
                    frame.elements[number] = element
                    if try !test(frame, true, body) { return true }
                }
                return true
            }
        case .captured(let list):
            return { frame, body in
                for element in list.values {
                    frame.elements[number] = frame.rooted(element)
                    if try !test(frame, true, body) { return true }
                }
                return true
            }
        case .slice(let whole, let lower, let upper):
            let elements = elements(of: whole)
            let (lower, upper) = (value(lower), value(upper))
            return { frame, body in
                guard case .integer(let lower)? = try lower(frame), case .integer(let upper)? = try upper(frame),
                    lower >= 0, lower <= upper
                else { return false }
                var place: Int64 = 0
                var isDone = false
                var isCounted = true
                let isKnown = try elements(frame) { belongs in
                    isCounted = belongs
                    if !belongs || place >= upper { return false }
                    if place >= lower, !isDone { isDone = try !test(frame, true, body) }
                    place += 1
                    return place < upper
                }
                return isKnown && isCounted && place >= upper
            }
        }
    }

    mutating func includes(_ sequence: FilterSequence, _ element: FilterExpression) -> RowCondition {
        let value = value(element)
        if case .captured(let list) = sequence.source, sequence.conditions.isEmpty {
            return { frame in
                guard let value = try value(frame) else { return .unknown }
                return RowTruth(frame.contains(list, value))
            }
        }
        let elements = elements(of: sequence)
        let number = sequence.variable.number
        return { frame in
            guard let value = try value(frame) else { return .unknown }
            var truth = RowTruth.no
            let isKnown = try elements(frame) { belongs in
                if frame.elements[number] == value { truth = belongs ? .yes : .unknown }
                return truth != .yes
            }
            return isKnown ? truth : .unknown
        }
    }

    mutating func pick(_ sequence: FilterSequence, _ pick: FilterPick, _ body: FilterExpression) -> RowValue {
        let number = sequence.variable.number
        let elements = elements(of: sequence)
        let body = self.value(body)
        /// The value for the element at a place; the last one's where there is none.
        func found(_ frame: RowFrame, at wanted: Int64?, _ isRequired: Bool) throws -> StoredValue? {
            var place: Int64 = 0
            var isCounted = true
            var row: DefaultSnapshot?
            var element = StoredValue.null
            let isKnown = try elements(frame) { belongs in
                isCounted = belongs
                if !belongs { return false }
                row = frame.rows[number]
                element = frame.elements[number]
                place += 1
                return wanted.map { place <= $0 } ?? true
            }
            guard isKnown, isCounted else { return nil }
            if let wanted, wanted < 0 || place <= wanted { return isRequired ? nil : .null }
            if place == 0 { return isRequired ? nil : .null }
            frame.rows[number] = row
            frame.elements[number] = element
            return try body(frame)
        }
        switch pick {
        case .first(let isRequired): return { try found($0, at: 0, isRequired) }
        case .last(let isRequired): return { try found($0, at: nil, isRequired) }
        case .at(let index):
            let index = self.value(index)
            return { frame in
                guard case .integer(let wanted)? = try index(frame) else { return nil }
                return wanted < 0 || wanted == .max ? nil : try found(frame, at: wanted, true)
            }
        }
    }

    mutating func extremum(
        _ sequence: FilterSequence, _ extreme: FilterExtreme, _ value: FilterExpression, _ coding: FilterCoding?
    ) -> RowValue {
        let elements = elements(of: sequence)
        let value = self.value(value)
        return { frame in
            var best: StoredValue?
            var isCounted = true
            let isKnown = try elements(frame) { belongs in
                guard belongs, let value = try value(frame) else {
                    isCounted = false
                    return false
                }
                if let found = best {
                    if extreme.prefers(value, to: found, coding) { best = value }
                } else {
                    best = value
                }
                return true
            }
            return isKnown && isCounted ? best ?? .null : nil
        }
    }
}
