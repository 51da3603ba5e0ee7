import Foundation
import Testing

/// A pattern that must not occur, where it must not, and why. It carries a line that breaks it and one that only looks so:
/// a rule that cannot fail is no rule.
struct Rule: Sendable, CustomTestStringConvertible {
    enum Look: Sendable { case code, text }

    let name: String
    let pattern: String
    var look = Look.code
    /// The folder names it holds for; nil: every folder under Sources.
    var targets: [String]?
    /// Paths it does not hold for, each with its reason beside it in the table.
    var except: [String] = []
    /// A match is allowed if a comment stands on its line or on the line above.
    var allowedWithReason = false
    let broken: [String]
    let innocent: [String]

    var testDescription: String { name }

    func holds(for file: SourceFile) -> Bool {
        guard !except.contains(where: file.path.hasPrefix) else { return false }
        if look == .text { return targets == nil || targets?.contains(file.target) == true }
        guard file.isSwift else { return false }
        return targets.map { $0.contains(file.target) } ?? !file.isTest
    }

    /// "path:line: name: the line", for every match.
    func violations(in file: SourceFile) -> [String] {
        guard let expression = try? NSRegularExpression(pattern: pattern, options: .anchorsMatchLines) else {
            return ["\(name): the pattern is no regular expression"]
        }
        let searched = look == .code ? file.code : file.text
        let lines = file.text.split(separator: "\n", omittingEmptySubsequences: false)
        let matches = expression.matches(in: searched, range: NSRange(searched.startIndex..., in: searched))
        return matches.compactMap { match in
            guard let range = Range(match.range, in: searched) else { return nil }
            // The end: a pattern that steps over blanks may begin on an earlier line.
            let number = searched[..<range.upperBound].utf8.count { $0 == UInt8(ascii: "\n") }
            if allowedWithReason && hasReason(lines, number) { return nil }
            return "\(file.path):\(number + 1): \(name): \(lines[number].trimmingCharacters(in: .whitespaces))"
        }
    }

    private func hasReason(_ lines: [Substring], _ number: Int) -> Bool {
        lines[number].contains("//")
            || (number > 0 && lines[number - 1].trimmingCharacters(in: .whitespaces).hasPrefix("//"))
    }
}
