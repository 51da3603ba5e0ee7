/// What a document may look like, found by letting the readers describe themselves. JSON Schema and help are made of it.
public indirect enum Shape: Hashable, Sendable {
    /// A text that matches a pattern, such as a number with a unit.
    case quantity(noun: String, example: String, pattern: String)
    /// A plain number between two bounds.
    case integer(ClosedRange<Int64>)
    /// A plain number with a point in it.
    case decimal
    /// A share: a plain number or a percentage.
    case fraction
    case boolean
    case text
    /// One of these words, each with what it means.
    case word([Word])
    case list(Shape, counts: ClosedRange<Int>)
    case map(MapShape)
    /// A quantity, or a map that says by what law it varies.
    case varying(Shape, laws: [Shape])
    /// Any of these.
    case either([Shape])
    /// Anything: what it is replaced by is checked later.
    case anything

    public struct Word: Hashable, Sendable {
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
    /// What keys that the user names hold.
    public var free: Shape?
    /// Fields that depend on the word under one key.
    public var variants: Variants?

    public init(fields: [Field] = [], free: Shape? = nil, variants: Variants? = nil) {
        self.fields = fields
        self.free = free
        self.variants = variants
    }

    public struct Variants: Hashable, Sendable {
        public var key: String
        /// Other names of the same key.
        public var synonyms: [String]
        public var cases: [Case]

        public struct Case: Hashable, Sendable {
            public var name: String
            public var about: String
            /// Other words with the same fields.
            public var presets: [String] = []
            public var fields: [Field]
        }
    }
}

/// One setting of a map.
public struct Field: Hashable, Sendable {
    public var key: String
    public var help: String
    public var shape: Shape
    public var isRequired: Bool
    /// As it would be written.
    public var fallback: String?

    public init(key: String, help: String, shape: Shape, isRequired: Bool = false, fallback: String? = nil) {
        self.key = key
        self.help = help
        self.shape = shape
        self.isRequired = isRequired
        self.fallback = fallback
    }
}
