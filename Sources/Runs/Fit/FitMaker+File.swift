import DeadzoneFit

extension FitMaker {
    /// YAML of the estimated client. It extends the preset if the recordings follow the preset's model, otherwise
    /// `composed`.
    func yaml(_ fitting: ClientFit, _ report: FitReport) -> String {
        let base = fitting.isPresetModel ? preset?.name ?? "composed" : "composed"
        var text = "version: 1\nstrategy: \(base)\n"
        text += "about: Settings of a client, estimated from recordings by deadzone fit.\n"
        let written = report.findings.filter { base == "composed" || $0.isRefuted || $0.preset == nil }
        var lines = written.map { (setting: $0.setting, text: "\($0.value)  # \($0.allowed)") }
        if base == "composed" {
            lines += fitting.assumed.map { ($0.setting, "\($0.value)  # assumed: \($0.why)") }
        }
        var groups: [(name: String, lines: [String])] = []
        for line in lines {
            let parts = line.setting.split(separator: ".", maxSplits: 1).map(String.init)
            let own = "  \(parts[1]): \(line.text)\n"
            if let place = groups.firstIndex(where: { $0.name == parts[0] }) {
                groups[place].lines.append(own)
            } else {
                groups.append((parts[0], [own]))
            }
        }
        for group in groups { text += "\(group.name):\n" + group.lines.joined() }
        for one in report.undetermined { text += "# \(one.setting): \(one.why)\n" }
        return text
    }
}
