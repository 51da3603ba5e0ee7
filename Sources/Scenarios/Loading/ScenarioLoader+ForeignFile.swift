import DeadzoneBase

extension ScenarioLoader {
    /// The fault of a file that is no scenario: a baseline or another result, a radio profile, a preset. `nil` for any
    /// other file.
    static func foreignFault(_ document: Node) -> Fault? {
        let entries = document.entries ?? []
        func fault(_ key: String, _ what: String, _ label: String, _ help: String) -> Fault? {
            entries.first { $0.key == key }.map { entry in
                Fault(
                    .unknownKey, at: entry.keyMark, width: entry.key.utf8.count, "this is \(what), not a scenario",
                    label: label, help: help)
            }
        }
        if let schema = document["schema"]?.scalar, schema.hasPrefix("deadzone/") {
            let isBaseline = schema.hasPrefix("deadzone/baseline/")
            return fault(
                "schema", isBaseline ? "a baseline" : "a result", "the kind of the file",
                isBaseline
                    ? "name it after a flag: deadzone compare SCENARIO… --baseline FILE"
                    : "`deadzone report FILE` shows a saved run again")
        }
        return fault(
            "technology", "a radio profile", "a profile begins with this key",
            "name it in a scenario, under phone: radios:")
            ?? fault(
                "strategy", "a preset", "a preset begins with this key",
                "name it in a scenario, as the strategy: {strategy: ./FILE}")
    }
}
