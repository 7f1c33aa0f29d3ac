import SwiftSyntax

/// What the spelling of a type tells about it; a macro sees no more than the spelling.
enum TypeShape {
    /// A type that is known to be a plain value: numbers, text, dates, identifiers.
    case scalar
    /// An array; the value says whether its elements may be models.
    case array(ofModels: Bool)
    /// A set or a dictionary.
    case collection
    /// Something that can never be stored: a function, a tuple, an existential.
    case unstorable(String)
    /// A named type that may be a model, a structure, an enumeration or an alias.
    case named

    /// The types whose names are taken to mean what the standard library and Foundation mean by them.
    private static let scalarNames: Set<String> = [
        "Bool", "Int", "Int8", "Int16", "Int32", "Int64", "Int128", "UInt", "UInt8", "UInt16", "UInt32", "UInt64",
        "UInt128", "Float", "Float16", "Double", "String", "Character", "Substring", "Date", "UUID", "URL", "Decimal",
        "Data", "TimeInterval", "CGFloat", "Locale", "TimeZone", "Duration",
    ]

    init(_ type: TypeSyntax) {
        if let optional = type.as(OptionalTypeSyntax.self) {
            self = TypeShape(optional.wrappedType)
        } else if let optional = type.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) {
            self = TypeShape(optional.wrappedType)
        } else if let array = type.as(ArrayTypeSyntax.self) {
            self = TypeShape.array(of: array.element)
        } else if type.is(DictionaryTypeSyntax.self) {
            self = .collection
        } else if let tuple = type.as(TupleTypeSyntax.self) {
            // `(Int)` only groups.
            if tuple.elements.count == 1, let only = tuple.elements.first, only.firstName == nil {
                self = TypeShape(only.type)
            } else {
                self = .unstorable("a tuple")
            }
        } else if type.is(FunctionTypeSyntax.self) {
            self = .unstorable("a function")
        } else if let attributed = type.as(AttributedTypeSyntax.self) {
            self = TypeShape(attributed.baseType)
        } else if type.is(SomeOrAnyTypeSyntax.self) {
            self = .unstorable("a value of any type")
        } else if type.is(MetatypeTypeSyntax.self) {
            self = .unstorable("a metatype")
        } else if let member = type.as(MemberTypeSyntax.self) {
            self = TypeShape.named(member.name.text, member.genericArgumentClause, isQualified: true)
        } else if let identifier = type.as(IdentifierTypeSyntax.self) {
            self = TypeShape.named(identifier.name.text, identifier.genericArgumentClause, isQualified: false)
        } else {
            self = .named
        }
    }

    private static func array(of element: TypeSyntax) -> TypeShape {
        switch TypeShape(element) {
        case .named: .array(ofModels: true)
        case .unstorable(let what): .unstorable(what)
        default: .array(ofModels: false)
        }
    }

    private static func named(
        _ name: String, _ arguments: GenericArgumentClauseSyntax?, isQualified: Bool
    ) -> TypeShape {
        var argument: TypeSyntax?
        if case .type(let type)? = arguments?.arguments.first?.argument { argument = type }
        switch (name, argument) {
        case ("Array", let element?), ("ContiguousArray", let element?): return array(of: element)
        case ("Optional", let wrapped?): return TypeShape(wrapped)
        case ("Set", _?), ("Dictionary", _?): return .collection
        case ("Any", nil), ("AnyObject", nil), ("AnyHashable", nil): return .unstorable("a value of any type")
        case ("Void", nil): return .unstorable("a tuple")
        case (_, nil) where scalarNames.contains(name) && !isQualified: return .scalar
        default: return isQualified && argument == nil && isFoundationScalar(name) ? .scalar : .named
        }
    }

    /// `Foundation.Date` is a scalar, `Diary.Data` may be a model: the qualifier is trusted only for names that nobody
    /// nests by accident.
    private static func isFoundationScalar(_ name: String) -> Bool {
        name == "UUID" || name == "Decimal" || name == "Bool" || name == "String" || name == "Int"
    }

    /// The shape of a property whose type is inferred from its initial value; `named` when the value does not tell.
    init(inferredFrom value: ExprSyntax) {
        if value.is(IntegerLiteralExprSyntax.self) || value.is(FloatLiteralExprSyntax.self)
            || value.is(BooleanLiteralExprSyntax.self) || value.is(StringLiteralExprSyntax.self)
        {
            self = .scalar
        } else if let prefix = value.as(PrefixOperatorExprSyntax.self) {
            self = TypeShape(inferredFrom: prefix.expression)
        } else if let sequence = value.as(SequenceExprSyntax.self) {
            self = TypeShape(inferredFrom: Array(sequence.elements))
        } else if let array = value.as(ArrayExprSyntax.self) {
            let first = array.elements.first.map { TypeShape(inferredFrom: $0.expression) }
            self = .array(ofModels: first?.mayBeRelationship ?? false)
        } else if value.is(DictionaryExprSyntax.self) {
            self = .collection
        } else if let call = value.as(FunctionCallExprSyntax.self) {
            self = TypeShape(calling: call.calledExpression)
        } else if let member = value.as(MemberAccessExprSyntax.self),
            let base = member.base?.as(DeclReferenceExprSyntax.self),
            TypeShape.scalarNames.contains(base.baseName.text)
        {
            // `Date.now`, `Int.max`: a member of a plain type is nearly always of that type.
            self = .scalar
        } else {
            self = .named
        }
    }

    /// The shape of `1 as Int64`, or of `60 * 60`: operands and operators as the parser leaves them.
    private init(inferredFrom elements: [ExprSyntax]) {
        if elements.count == 3, let cast = elements[1].as(UnresolvedAsExprSyntax.self),
            cast.questionOrExclamationMark == nil, let type = elements[2].as(TypeExprSyntax.self)
        {
            self = TypeShape(type.type)
            return
        }
        let isArithmetic = elements.allSatisfy { element in
            if let symbol = element.as(BinaryOperatorExprSyntax.self) {
                return ["+", "-", "*", "/", "%"].contains(symbol.operator.text)
            }
            if case .scalar = TypeShape(inferredFrom: element) { return true }
            return false
        }
        self = isArithmetic ? .scalar : .named
    }

    private init(calling callee: ExprSyntax) {
        if let name = callee.as(DeclReferenceExprSyntax.self), TypeShape.scalarNames.contains(name.baseName.text) {
            self = .scalar
        } else if let array = callee.as(ArrayExprSyntax.self), let only = array.elements.first,
            array.elements.count == 1
        {
            let isScalar = only.expression.as(DeclReferenceExprSyntax.self).map {
                TypeShape.scalarNames.contains($0.baseName.text)
            }
            self = .array(ofModels: isScalar != true)
        } else if callee.is(DictionaryExprSyntax.self) {
            self = .collection
        } else {
            self = .named
        }
    }

    /// Whether the spelling says that nil is a value of the type.
    static func isOptional(_ type: TypeSyntax) -> Bool {
        if type.is(OptionalTypeSyntax.self) || type.is(ImplicitlyUnwrappedOptionalTypeSyntax.self) { return true }
        guard let identifier = type.as(IdentifierTypeSyntax.self) else {
            return type.as(MemberTypeSyntax.self)?.name.text == "Optional"
        }
        return identifier.name.text == "Optional"
    }

    /// Whether a property of this shape may turn out to be a relationship.
    var mayBeRelationship: Bool {
        switch self {
        case .named, .array(ofModels: true): true
        default: false
        }
    }

    /// Whether changing a value in place saves a copy of its elements.
    var isCollection: Bool {
        switch self {
        case .array, .collection: true
        default: false
        }
    }
}
