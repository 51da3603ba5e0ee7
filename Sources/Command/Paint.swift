import DeadzoneHost

/// Colour where it is wanted. Nothing is ever said by colour alone.
struct Paint: Sendable {
    let isOn: Bool

    init(_ invocation: Invocation?, _ terminal: Terminal) {
        switch invocation?.text(.color) {
        case "always": isOn = true
        case "never": isOn = false
        default: isOn = terminal.colors
        }
    }

    func bold(_ text: String) -> String { paint(text, "1") }
    func red(_ text: String) -> String { paint(text, "1;31") }
    func green(_ text: String) -> String { paint(text, "32") }
    func dim(_ text: String) -> String { paint(text, "2") }

    private func paint(_ text: String, _ code: String) -> String { isOn ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text }
}
