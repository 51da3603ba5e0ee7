import DeadzoneFit

extension FitMaker {
    /// YAML of the estimated client. It extends the preset if the recordings follow the preset's model, otherwise
    /// `composed`. Empty if no setting was estimated.
    func yaml(_ fitting: ClientFit, _ report: FitReport) -> String {
        guard !report.findings.isEmpty else { return "" }
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

    /// Path of the setting on a line of such a file, counted from 1; `nil` if the line has none.
    static func setting(at line: Int, of yaml: String) -> String? {
        let lines = yaml.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.indices.contains(line - 1), lines[line - 1].hasPrefix("  "),
            let group = lines[..<(line - 1)].last(where: { !$0.hasPrefix(" ") })
        else { return nil }
        func key(_ line: Substring) -> String {
            String(line.drop { $0 == " " }.prefix { $0 != ":" })
        }
        return key(group) + "." + key(lines[line - 1])
    }
}
