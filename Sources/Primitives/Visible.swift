/// Names come from users' files and meet terminals, where a control character is a command and a bidirectional mark turns the
/// line around (Boucher and Anderson, "Trojan Source", 2021), and logs of CI, where a line can be a command to the runner.
/// Nothing of that kind is ever printed as it is. This is the one place that says what is of that kind.
public enum Visible {
    /// Takes up space as what it is, and commands nothing.
    public static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        // Nearly all text: the tables of Unicode need not be asked.
        if scalar.isASCII { return 0x20..<0x7F ~= scalar.value }
        return switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
        default: !scalar.properties.isDefaultIgnorableCodePoint
        }
    }

    /// The text with everything that a terminal or a log would obey written out as `\u{…}`.
    public static func text(_ text: String) -> String {
        if text.utf8.allSatisfy({ 0x20..<0x7F ~= $0 && $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: "#") }) {
            return text
        }
        let scalars = text.unicodeScalars
        var out = ""
        var brackets = Brackets()
        var isStart = true
        for index in scalars.indices {
            let scalar = scalars[index]
            let next = scalars.index(after: index)
            // Prose is broken at blanks, so that any word may come to begin a line.
            let isCommand = isStart && scalar == ":" && next < scalars.endIndex && scalars[next] == ":"
            let isObeyed = brackets.isObeyed(scalar) || isCommand || !isPlain(scalar)
            isStart = scalar == " " || !scalar.isASCII && scalar.properties.isWhitespace
            if isObeyed { out += "\\u{\(String(scalar.value, radix: 16))}" } else { out.unicodeScalars.append(scalar) }
        }
        return out
    }

    /// Finds the bracket that makes a command for a runner anywhere in a line: `##[` of GitHub's and Azure's, `##vso[` of
    /// Azure's (actions/runner, ActionCommand.TryParse; microsoft/azure-pipelines-agent, Command.TryParse). The newer ones of
    /// GitHub's, `::name::`, begin a line (ActionCommand.TryParseV2).
    public struct Brackets {
        private var seen = 0

        public init() {}

        public mutating func isObeyed(_ scalar: Unicode.Scalar) -> Bool {
            switch (seen, scalar) {
            case (2, "["), (5, "["):
                seen = 0
                return true
            case (0, "#"), (1, "#"), (2, "v"), (3, "s"), (4, "o"): seen += 1
            case (2, "#"): break
            default: seen = scalar == "#" ? 1 : 0
            }
            return false
        }
    }
}

extension String {
    /// The text with everything that a terminal or a log would obey written out as `\u{…}`.
    public var visible: String { Visible.text(self) }
}
