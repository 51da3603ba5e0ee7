import DeadzoneHost

/// Adds ANSI colour codes to terminal output, if colours are enabled. Colour never carries information alone.
struct ANSIColor: Sendable {
    let isOn: Bool

    init(_ invocation: Invocation?, _ terminal: Terminal) {
        switch invocation?.text(.color) {
        case "always": isOn = true
        case "never": isOn = false
        default: isOn = terminal.colors
        }
    }

    func bold(_ text: String) -> String { color(text, "1") }
    func red(_ text: String) -> String { color(text, "1;31") }

    private func color(_ text: String, _ code: String) -> String { isOn ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text }
}
