/// Lets no two models have the same values in a group of properties.
///
/// ```swift
/// @Model final class Seat {
///     #Unique<Seat>([\.row, \.number])
///     var row: Int
///     var number: Int
///     …
/// }
/// ```
///
/// Inserting a model whose group equals that of a stored one updates the stored one.
///
/// - Parameter constraints: One group of properties each.
@freestanding(declaration)
public macro Unique<T: PersistentModel>(_ constraints: [PartialKeyPath<T>]...) =
    #externalMacro(module: "CofferMacros", type: "UniqueMacro")

/// Asks the store to find and sort models quickly by a group of properties.
///
/// ```swift
/// #Index<Trip>([\.name], [\.country, \.start])
/// ```
///
/// - Parameter indices: One group of properties each, in the order in which the index sorts.
@freestanding(declaration)
public macro Index<T: PersistentModel>(_ indices: [PartialKeyPath<T>]...) =
    #externalMacro(module: "CofferMacros", type: "IndexMacro")

/// Asks the store for indexes of the given kinds.
///
/// ```swift
/// #Index<Place>(.binary([\.name]), .rtree([\.latitude, \.longitude]))
/// ```
///
/// - Parameter indices: One index each.
@freestanding(declaration)
public macro Index<T: PersistentModel>(_ indices: Schema.Index<T>.Types<T>...) =
    #externalMacro(module: "CofferMacros", type: "IndexMacro")

/// Asks the store to find models quickly by the words of some texts.
///
/// ```swift
/// @Model final class Article {
///     #FullText<Article>([\.title, \.body])
///     var title: String
///     var body: String
///     …
/// }
/// let found = #Predicate<Article> { $0.matchesFullText("swift persist*") && !$0.isDraft }
/// ```
///
/// The properties are of the type `String` or `String?`. `matchesFullText(_:)` of the model looks into all of them, and
/// that of one of them uses the index too. What is found does not depend on the declaration; how fast it is found does.
/// Several declarations of a class, and those of its superclasses, count as one.
///
/// - Parameter properties: the properties with text.
@freestanding(declaration)
public macro FullText<T: PersistentModel>(_ properties: [PartialKeyPath<T>]) =
    #externalMacro(module: "CofferMacros", type: "FullTextMacro")
