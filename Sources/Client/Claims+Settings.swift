public import DeadzoneSettings

extension SettingsReader {
    /// `claims: {up: exactly-once, down: at-least-once, ordered: true}`
    public mutating func claims(_ key: String, _ help: String = "") -> Claims {
        group(key, help) { settings in
            let words: [(String, Claims.Promise)] = [
                ("nothing", .nothing), ("at-most-once", .atMostOnce), ("at-least-once", .atLeastOnce),
                ("exactly-once", .exactlyOnce),
            ]
            return Claims(
                up: settings.word("up", of: words, default: .nothing, "of messages of the app"),
                down: settings.word("down", of: words, default: .nothing, "of messages of the server"),
                isOrdered: settings.flag("ordered", default: false, "what comes, comes in the order it was sent"))
        }
    }
}
