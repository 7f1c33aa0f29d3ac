import Foundation

extension PredicateExpressions {
    /// `matchesFullText` of a model.
    public struct ModelMatchesFullText<Model: PredicateExpression, Query: PredicateExpression>: PredicateExpression
    where Model.Output: PersistentModel, Query.Output == String {
        /// A truth value.
        public typealias Output = Bool
        /// The model whose texts are searched.
        public let model: Model
        /// What is looked for.
        public let query: Query
        /// The slots of the texts; nil for those that the class declares.
        let slots: [Int]?

        init(model: Model, query: Query, slots: [Int]? = nil) {
            self.model = model
            self.query = query
            self.slots = slots
        }

        /// Whether the model's texts are what is looked for.
        ///
        /// - Throws: whatever evaluating the parts throws.
        public func evaluate(_ bindings: PredicateBindings) throws -> Bool {
            let texts = try model.evaluate(bindings)._fullTexts(slots ?? Model.Output._$descriptor.fullTextSlots)
            return try FullTextQuery(query.evaluate(bindings)).matches(texts)
        }
    }

    /// `matchesFullText` of text.
    public struct StringMatchesFullText<Text: PredicateExpression, Query: PredicateExpression>: PredicateExpression
    where Text.Output == String, Query.Output == String {
        /// A truth value.
        public typealias Output = Bool
        /// The text that is searched.
        public let text: Text
        /// What is looked for.
        public let query: Query

        init(text: Text, query: Query) {
            self.text = text
            self.query = query
        }

        /// Whether the text is what is looked for.
        ///
        /// - Throws: whatever evaluating the parts throws.
        public func evaluate(_ bindings: PredicateBindings) throws -> Bool {
            try text.evaluate(bindings).matchesFullText(query.evaluate(bindings))
        }
    }
}

extension PredicateExpressions.ModelMatchesFullText: Sendable where Model: Sendable, Query: Sendable {}
extension PredicateExpressions.StringMatchesFullText: Sendable where Text: Sendable, Query: Sendable {}

extension PredicateExpressions.ModelMatchesFullText: CustomStringConvertible {
    /// The node with its parts.
    public var description: String { "ModelMatchesFullText(model: \(model), query: \(query), slots: \(slots ?? []))" }
}
extension PredicateExpressions.StringMatchesFullText: CustomStringConvertible {
    /// The node with its parts.
    public var description: String { "StringMatchesFullText(text: \(text), query: \(query))" }
}

extension _PredicateBuild {
    /// `model.matchesFullText(query)`
    public static func matchesFullText<M: PredicateExpression, Q: PredicateExpression<String>>(
        _ model: M, _ query: Q
    ) -> PredicateExpressions.ModelMatchesFullText<M, Q> where M.Output: PersistentModel {
        PredicateExpressions.ModelMatchesFullText(model: model, query: query)
    }

    /// `text.matchesFullText(query)`
    public static func matchesFullText<T: PredicateExpression<String>, Q: PredicateExpression<String>>(
        _ text: T, _ query: Q
    ) -> PredicateExpressions.StringMatchesFullText<T, Q> {
        PredicateExpressions.StringMatchesFullText(text: text, query: query)
    }
}

// MARK: Filters

extension PredicateExpressions.ModelMatchesFullText: LowerableExpression {
    func lower(in scope: LoweringScope) throws -> LoweredValue {
        let query = try scope.value(query)
        func condition(_ row: FilterPath) throws -> FilterExpression {
            let descriptor = Model.Output._$descriptor
            let texts = try (slots ?? descriptor.fullTextSlots).map { slot in
                let text = try scope.step(slot: slot, of: descriptor, from: row)
                guard case .value(let text) = text, text.type.storage == .text else {
                    throw scope.unsupported("matchesFullText of \(descriptor.properties[slot].name)")
                }
                return text
            }
            return .fullText(texts, query)
        }
        return try scope.lift(scope.lower(model)) { plain in
            guard case .row(let row) = plain else {
                throw scope.unsupported("matchesFullText of a model that is no row")
            }
            return .value(try condition(row))
        }
    }
}

extension PredicateExpressions.StringMatchesFullText: LowerableExpression {
    func lower(in scope: LoweringScope) throws -> LoweredValue {
        let (text, query) = try scope.texts(text, query, for: "matchesFullText")
        return .value(.fullText([text], query))
    }
}

extension FilterExpression {
    /// Of a condition like `text?.matchesFullText("…") == true`, or with `?? false`, the optional value and the condition
    /// on it: the row matches where the first is not nil and the second true. Nil for any other condition.
    public var chainedCondition: (optional: FilterExpression, condition: FilterExpression)? {
        switch self {
        case .compare(.equal, .ifPresent(let optional, let body), let truth) where truth.isBoolean(1),
            .compare(.equal, let truth, .ifPresent(let optional, let body)) where truth.isBoolean(1),
            .coalesce(.ifPresent(let optional, let body), let truth) where truth.isBoolean(0):
            body.type == .boolean ? (optional, body) : nil
        default: nil
        }
    }

    /// Whether this is a constant truth value, optional or not.
    private func isBoolean(_ bit: Int64) -> Bool {
        if case .constant(.integer(bit), let type) = self { type.storage == .boolean } else { false }
    }
}

// MARK: Rows

extension RowFilterCompiler {
    mutating func fullText(_ texts: [FilterExpression], _ query: FilterExpression) -> RowCondition {
        let texts = texts.map { searched($0) }
        func take(_ frame: RowFrame) throws -> Bool {
            frame.words.removeAll()
            for text in texts where try !text(frame) { return false }
            return true
        }
        if case .constant(.text(let text), _) = query {
            let query = FullTextQuery(text)
            return { try take($0) ? RowTruth(query.matches($0.words)) : .unknown }
        }
        let query = value(query)
        return { frame in
            guard let query = try query(frame), try take(frame) else { return .unknown }
            guard case .text(let text) = query else { return .no }
            return RowTruth(FullTextQuery(text).matches(frame.words))
        }
    }

    /// Adds the words of a text to the frame's; false where the text is unknown.
    private mutating func searched(_ text: FilterExpression) -> (RowFrame) throws -> Bool {
        if case .property(let path) = text, let step = path.ownStep {
            note(path.variable)
            let number = path.variable.number
            let slot = step.slot
            // The bytes of the cell, without making a string of them.
            return { frame in
                guard let row = frame.rows[number] else { return true }
                let cell = row.batch.cell(row: row.row, slot: slot)
                if cell.kind == .text { frame.words.add(row.batch.bytes(of: cell)) }
                return true
            }
        }
        let value = value(text)
        return { frame in
            guard let value = try value(frame) else { return false }
            if case .text(let text) = value { frame.words.add(text) }
            return true
        }
    }
}
