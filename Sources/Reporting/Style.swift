/// How a report may look. The caller has asked the terminal and the environment; nothing here does. Colour repeats what a
/// word or a sign says already, and never says anything alone.
public struct Style: Hashable, Sendable {
    public var hasColour: Bool
    /// Columns of the terminal; long lines of prose are broken there, tables are not.
    public var width: Int

    public init(hasColour: Bool, width: Int = 100) {
        self.hasColour = hasColour
        self.width = width
    }

    public static let plain = Style(hasColour: false)

    enum Ink: String {
        case bold = "1"
        case dim = "2"
        case red = "31"
        case green = "32"
    }

    /// SGR sequences of ECMA-48.
    func paint(_ text: String, _ ink: Ink) -> String {
        hasColour && !text.isEmpty ? "\u{1B}[\(ink.rawValue)m\(text)\u{1B}[0m" : text
    }

    /// Breaks prose between words; every line but the first begins with `indent` spaces.
    func wrapped(_ text: String, indent: Int) -> String {
        var lines = [""]
        var room = width
        for word in text.split(separator: " ").map(String.init) {
            let needed = word.columns + (lines[lines.count - 1].isEmpty ? 0 : 1)
            if needed > room && !lines[lines.count - 1].isEmpty {
                lines.append(word)
                room = width - indent - word.columns
            } else {
                lines[lines.count - 1] += (lines[lines.count - 1].isEmpty ? "" : " ") + word
                room -= needed
            }
        }
        return lines.joined(separator: "\n" + String(repeating: " ", count: indent))
    }
}
