import Foundation

/// A mark of prose that must be read twice. It cannot prove that a sentence is plain; it finds the usual ways in which sentences here were not.
struct LanguageMark: Sendable {
    let name: String
    let pattern: String
    let broken: String
    let innocent: String

    static let all = [
        Self(
            name: "a component is a person (who, whose)", pattern: #"\b([Ww]ho|[Ww]hoever|[Ww]hom|[Ww]hose)\b"#,
            broken: "The timer of whoever waits.", innocent: "The timer of the waiting connection, as a whole."),
        Self(
            name: "a component is a person (nobody, somebody)",
            pattern: #"\b([Nn]obody|[Ss]omebody|[Ee]verybody|[Nn]o one|[Ss]omeone)\b"#,
            broken: "Nobody listens on this port.", innocent: "No socket listens on this port."),
        Self(
            name: "a number without its noun (so many, so long)",
            pattern: #"\b[Ss]o (many|long|much|often|far)\b(?! as)"#, broken: "It waits so long.",
            innocent: "It waits for as many seconds, so long as the radio is awake."),
        Self(
            name: "a fragment that begins with Of",
            pattern: #"(^|\. )Of (a|an|the|all|each|every|those|what|which|it|its|one|[A-Z]\w+|messages)\b"#,
            broken: "Of the key that is kept.", innocent: "Index of the key that is kept."),
        Self(
            name: "a fragment that begins with What", pattern: #"(^|\. )What [^?]*$"#,
            broken: "What a phone spends.", innocent: "Energy that a phone spends. What does it pay for?"),
        Self(
            name: "comes to", pattern: #"\b(come|comes|came|coming) to\b"#, broken: "The bill comes to 3 J.",
            innocent: "The bill is 3 J. Come in today."),
        Self(
            name: "a fragment that begins with a value", pattern: #"(^|\. )(Nil|nil|Empty|False|True)[:;]"#,
            broken: "Nil: it never opened.", innocent: "`nil` if it never opened."),
        Self(
            name: "that there is", pattern: #"\bthat there (is|are|was|were)\b"#,
            broken: "The first gap that there is.", innocent: "The first gap. There is one."),
    ]

    func count(_ lines: [String]) -> Int {
        guard let expression = try? NSRegularExpression(pattern: pattern) else { return .max }
        return lines.reduce(0) { $0 + expression.numberOfMatches(in: $1, range: NSRange($1.startIndex..., in: $1)) }
    }
}

extension SourceFile {
    /// Lines of comments of a Swift file, or lines of a page outside its code blocks, without their leading signs.
    var prose: [String] {
        var isCode = false
        return text.split(separator: "\n", omittingEmptySubsequences: false).compactMap { line in
            let words = line.trimmingCharacters(in: .whitespaces)
            if isSwift {
                guard words.hasPrefix("//") else { return nil }
                return words.drop { $0 == "/" }.trimmingCharacters(in: .whitespaces)
            }
            if words.hasPrefix("```") { isCode.toggle() }
            guard !isCode, !words.hasPrefix("```") else { return nil }
            return words.drop { "#|*->".contains($0) }.trimmingCharacters(in: .whitespaces)
        }
    }
}
