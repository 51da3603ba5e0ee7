import DeadzoneRuns

/// An output format that the user selects by name with `--format`.
protocol NamedFormat: Sendable {
    static var all: [Self] { get }
    var name: String { get }
}

extension NamedFormat {
    static var names: [String] { all.map(\.name) }

    /// Parses a list of format names.
    /// - Parameter list: Comma-separated names. Duplicates count once.
    static func named(in list: String) throws(ToolFault) -> [Self] {
        var formats: [Self] = []
        for word in list.split(separator: ",").map(String.init) {
            guard let format = all.first(where: { $0.name == word }) else {
                throw .badFlagValue("--format", word, oneOf: names)
            }
            if !formats.contains(where: { $0.name == word }) { formats.append(format) }
        }
        guard !formats.isEmpty else { throw .badFlagValue("--format", list, oneOf: names) }
        return formats
    }
}
