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
        package var name: String
        package var about: String

        package init(name: String, about: String) {
            self.name = name
            self.about = about
        }
    }
}

public struct MapShape: Hashable, Sendable {
    package var fields: [Field]
    /// Shape of the values under keys that the user names.
    package var userKeyShape: Shape?
    /// Fields that depend on the word under one key.
    package var variants: Variants?

    package init(fields: [Field] = [], userKeyShape: Shape? = nil, variants: Variants? = nil) {
        self.fields = fields
        self.userKeyShape = userKeyShape
        self.variants = variants
    }

    package struct Variants: Hashable, Sendable {
        package var key: String
        /// Other names of the same key.
        package var synonyms: [String]
        package var cases: [VariantShape]

        package struct VariantShape: Hashable, Sendable {
            package var name: String
            package var about: String
            /// Other words that select the same fields.
            package var presets: [String] = []
            package var fields: [Field]
        }
    }
}

/// One key of a YAML map, with the shape of its value, its default and its help text.
package struct Field: Hashable, Sendable {
    package var key: String
    package var help: String
    package var shape: Shape
    package var isRequired: Bool
    /// The default, as written in a file.
    package var fallback: String?

    package init(key: String, help: String, shape: Shape, isRequired: Bool = false, fallback: String? = nil) {
        self.key = key
        self.help = help
        self.shape = shape
        self.isRequired = isRequired
        self.fallback = fallback
    }
}
