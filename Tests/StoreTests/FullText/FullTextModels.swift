import Coffer

@Model final class Essay {
    #FullText<Essay>([\.title, \.body])
    #Index<Essay>([\.year])
    #Unique<Essay>([\.code])
    var code: Int
    var title: String
    var body: String?
    var note: String = ""
    var year: Int = 0
    var writer: Essayist?

    init(_ code: Int, _ title: String, _ body: String? = nil, note: String = "", year: Int = 0) {
        self.code = code
        self.title = title
        self.body = body
        self.note = note
        self.year = year
    }
}

@Model final class Essayist {
    var name: String
    @Relationship(deleteRule: .cascade, inverse: \Essay.writer) var essays: [Essay] = []
    init(_ name: String) { self.name = name }
}

/// Nothing is declared: all of its text counts.
@Model final class Snippet {
    var text: String
    var extra: String?
    var number: Int = 0
    init(_ text: String, _ extra: String? = nil) {
        self.text = text
        self.extra = extra
    }
}

/// A hierarchy in which both classes declare texts.
enum Library {
    @Model class Document {
        #FullText<Document>([\.title])
        var title: String
        var shelf: String
        init(_ title: String, shelf: String = "") {
            self.title = title
            self.shelf = shelf
        }
    }

    @Model final class Letter: Document {
        #FullText<Letter>([\.text, \.shelf])
        var text: String
        init(_ title: String, text: String, shelf: String = "") {
            self.text = text
            super.init(title, shelf: shelf)
        }
    }

    @Model final class Map: Document {
        var text: String
        init(_ title: String, text: String) {
            self.text = text
            super.init(title)
        }
    }
}
