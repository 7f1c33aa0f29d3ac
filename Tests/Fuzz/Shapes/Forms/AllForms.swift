extension PredicateShape {
    /// Every shape: those of Coffer's macro, then those of Foundation's.
    public static let all: [PredicateShape] = {
        var list = ShapeList()
        list.addIntegers()
        list.addArithmetic()
        list.addReals()
        list.addDates()
        list.addFlags()
        list.addEnumerations()
        list.addOtherScalars()
        list.addText()
        list.addOptionalText()
        list.addCollections()
        list.addToOne()
        list.addToMany()
        list.addStatements()
        list.addFoundationScalars()
        list.addFoundationText()
        list.addFoundationCollections()
        list.addFoundationLinks()
        return list.shapes
    }()
}

extension PredicateShape {
    /// A shape whose closure does not say what its predicate says, to see that differences are found.
    public static let wrong: PredicateShape = {
        var list = ShapeList()
        list.addWrong()
        return list.shapes[0]
    }()
}
