import Foundation
import Testing

/// A forbidden pattern, the files that it applies to, and a name that says why. Each rule carries lines that violate it
/// and lines that only look similar, so that a test can show that the rule can fail.
struct Rule: Sendable, CustomTestStringConvertible {
    enum Look: Sendable { case code, text }

    let name: String
    let pattern: String
    var look = Look.code
    /// The parts that the rule applies to; `nil` means everything under Sources.
    var targets: [String]?
    /// Paths that are exempt, each with its reason beside it in the table.
    var except: [String] = []
    /// `true` if a match is allowed with a comment on its line or on the line above.
    var allowedWithReason = false
    let broken: [String]
    let innocent: [String]

    var testDescription: String { name }

    func holds(for file: SourceFile) -> Bool {
        guard !except.contains(where: file.path.hasPrefix) else { return false }
        if look == .text { return targets == nil || targets?.contains(file.part) == true }
        guard file.isSwift else { return false }
        return targets.map { $0.contains(file.part) } ?? !file.isTest
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
            // The end of the match, because a pattern that skips blanks may begin on an earlier line.
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
