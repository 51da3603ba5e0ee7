/// Escapes text for terminals and CI logs, so that names from users' files cannot act as commands. In a terminal a
/// control character is a command, and a bidirectional mark reverses the line (Boucher and Anderson, "Trojan Source",
/// 2021). In a CI log a line can be a command to the runner. Such characters are never printed unescaped. Only this
/// type decides which characters are escaped.
package enum TerminalEscaper {
    /// `true` if the character can be printed as it is: no control, format or invisible character.
    package static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        // Nearly all text is ASCII and needs no lookup in the Unicode tables.
        if scalar.isASCII { return 0x20..<0x7F ~= scalar.value }
        return switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
        default: !scalar.properties.isDefaultIgnorableCodePoint
        }
    }

    /// Returns the text; each character that a terminal or a log would interpret is written as `\u{…}`.
    package static func escape(_ text: String) -> String {
        if text.utf8.allSatisfy({ 0x20..<0x7F ~= $0 && $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: "#") }) {
            return text
        }
        let scalars = text.unicodeScalars
        var out = ""
        var brackets = RunnerCommandScanner()
        var isStart = true
        for index in scalars.indices {
            let scalar = scalars[index]
            let next = scalars.index(after: index)
            // Text is wrapped at spaces, so any word may start a line.
            let isCommand = isStart && scalar == ":" && next < scalars.endIndex && scalars[next] == ":"
            let isObeyed = brackets.completesCommand(scalar) || isCommand || !isPlain(scalar)
            isStart = scalar == " " || !scalar.isASCII && scalar.properties.isWhitespace
            if isObeyed { out += "\\u{\(String(scalar.value, radix: 16))}" } else { out.unicodeScalars.append(scalar) }
        }
        return out
    }

    /// Finds commands to a CI runner in a text, in order to escape the bracket that completes them. They can be
    /// anywhere in a line: `##[` of GitHub and Azure, `##vso[` of Azure (actions/runner, ActionCommand.TryParse;
    /// microsoft/azure-pipelines-agent, Command.TryParse). GitHub's newer commands, `::name::`, start a line
    /// (ActionCommand.TryParseV2).
    package struct RunnerCommandScanner {
        private var seen = 0

        package init() {}

        package mutating func completesCommand(_ scalar: Unicode.Scalar) -> Bool {
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
    /// The text; each character that a terminal or a log would interpret is written as `\u{…}`.
    package var escapedForTerminal: String { TerminalEscaper.escape(self) }
}
