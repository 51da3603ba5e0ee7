/// Describes the values that are valid at one place in a user's file, for JSON Schema and help. It is derived by
/// running the readers without a document.
public indirect enum Shape: Hashable, Sendable {
    /// A text that matches a pattern, such as a number with a unit.
    case quantity(noun: String, example: String, pattern: String)
    /// A whole number within bounds.
    case integer(ClosedRange<Int64>)
    /// A number that may have decimals.
    case decimal
    /// A share: a plain number or a percentage.
    case fraction
    case boolean
    case text
    /// One of these words, each with its meaning.
    case word([Keyword])
    case list(Shape, counts: ClosedRange<Int>)
    case map(MapShape)
    /// A quantity, or a map that names the distribution law.
    case varying(Shape, laws: [Shape])
    /// Any of these.
    case either([Shape])
    /// Any value. Used where the value is replaced and checked later.
    case anything

    public struct Keyword: Hashable, Sendable {
        public var name: String
        public var about: String

        public init(name: String, about: String) {
            self.name = name
            self.about = about
        }
    }
}

public struct MapShape: Hashable, Sendable {
    public var fields: [Field]
    /// Shape of the values under keys that the user names.
    public var userKeyShape: Shape?
    /// Fields that depend on the word under one key.
    public var variants: Variants?

    public init(fields: [Field] = [], userKeyShape: Shape? = nil, variants: Variants? = nil) {
        self.fields = fields
        self.userKeyShape = userKeyShape
        self.variants = variants
    }

    public struct Variants: Hashable, Sendable {
        public var key: String
        /// Other names of the same key.
        public var synonyms: [String]
        public var cases: [VariantShape]

        public struct VariantShape: Hashable, Sendable {
            public var name: String
            public var about: String
            /// Other words that select the same fields.
            public var presets: [String] = []
            public var fields: [Field]
        }
    }
}

/// One key of a YAML map, with the shape of its value, its default and its help text.
public struct Field: Hashable, Sendable {
    public var key: String
    public var help: String
    public var shape: Shape
    public var isRequired: Bool
    /// The default, as written in a file.
    public var fallback: String?

    public init(key: String, help: String, shape: Shape, isRequired: Bool = false, fallback: String? = nil) {
        self.key = key
        self.help = help
        self.shape = shape
        self.isRequired = isRequired
        self.fallback = fallback
    }
}
