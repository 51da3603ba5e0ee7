public import DeadzoneClient
public import DeadzoneFit
import DeadzonePrimitives
public import DeadzoneSettings

/// Estimates the network settings of a real client from recordings of its connections. With a reference preset, also
/// finds the preset's settings that the recordings contradict.
public struct FitMaker {
    /// The preset (settings of a known client library) that the recorded client is compared with.
    public struct ReferencePreset {
        let name: String
        let strategy: AnyStrategy
        let settings: [String: String]

        /// - Parameter settings: all settings, with defaults filled in.
        public init(name: String, _ strategy: AnyStrategy, settings: Node) {
            self.name = name
            self.strategy = strategy
            var all: [String: String] = [:]
            for entry in settings.entries ?? [] { Self.collect(entry.key, entry.value, &all) }
            self.settings = all
        }

        private static func collect(_ path: String, _ value: Node, _ all: inout [String: String]) {
            guard let entries = value.entries, !entries.isEmpty, path != "backoff.jitter" else {
                return all[path] = flowText(value)
            }
            for entry in entries { collect(path + "." + entry.key, entry.value, &all) }
        }

        /// Numeric settings: times in seconds, percentages as fractions.
        var numbers: [String: Double] {
            settings.compactMapValues { text in
                if let number = Double(text) { return number }
                if text.hasSuffix("%") { return Double(text.dropLast()).map { $0 / 100 } }
                // For added jitter such as `{plus: [0s, 3s]}`, take the maximum.
                let span = text.hasPrefix("{plus: [0s, ") ? String(text.dropFirst(12).dropLast(2)) : text
                var faults = Faults()
                return ValueFormat<TimeSpan>.span().read(.text(span), &faults).map { Double($0.nanoseconds) / 1e9 }
            }
        }
    }

    private let recordings: [Recording]
    private let preset: ReferencePreset?

    public init(_ recordings: [Recording], like preset: ReferencePreset?) {
        self.recordings = recordings
        self.preset = preset
    }

    public func report() -> FitReport {
        let fitting = ClientFit(recordings, preset: preset?.settings ?? [:], numbers: preset?.numbers ?? [:])
        let judgement = preset.map { judge(fitting.waits, $0) }
        return FitReport(
            tool: toolVersion, recordings: recordings.map(\.name), waits: fitting.waits.count, pings: fitting.pings,
            like: preset?.name, findings: fitting.findings, undetermined: fitting.undetermined,
            mismatches: judgement?.mismatches ?? [], judged: judgement?.judged, notes: fitting.notes,
            yaml: yaml(fitting))
    }

    // MARK: The preset

    private func judge(_ waits: [RetryWait], _ preset: ReferencePreset) -> (
        mismatches: [String], judged: (inside: Int, of: Int)
    ) {
        let longest = waits.map { $0.at - Instant.zero }.max() ?? .zero
        let schedule = PresetSchedule(name: preset.name, preset.strategy, length: max(.minutes(10), longest * 2))
        var mismatches: [String] = []
        var judged = (inside: 0, of: 0)
        var waited = 0
        for wait in waits {
            if wait.after == .loss {
                waited = schedule.firstWait(.init(wait.fromEnd)) == nil ? 0 : 1
                continue
            }
            if !wait.followsLoss, wait.failed == 0 { waited = 0 }
            let number = wait.failed + 1
            let span = TimeSpan(wait.after == .refusal ? wait.fromEnd : wait.fromBegin)
            guard let bounds = schedule.bounds(of: number + waited, wasRefused: wait.after == .refusal) else {
                continue
            }
            // Some clients count the wait from the start of the attempt, so a wait may begin before the refusal.
            // Accept both.
            let isInside =
                MeasurementTolerance.holds(span, in: bounds)
                || wait.after == .refusal && MeasurementTolerance.holds(.init(wait.fromBegin), in: bounds)
            judged.of += 1
            judged.inside += isInside ? 1 : 0
            if !isInside { mismatches.append(Self.complaint(number, span, bounds, at: wait.at)) }
        }
        return (mismatches, judged)
    }

    /// Example: `attempt 4 came 12.1 s after 3, the preset allows 6.4 s to 9.6 s`.
    private static func complaint(
        _ number: Int, _ span: TimeSpan, _ bounds: ClosedRange<TimeSpan>, at: Instant
    ) -> String {
        func text(_ span: TimeSpan) -> String {
            let tenths = (span.nanoseconds + 50_000_000) / 100_000_000
            return "\(tenths / 10).\(tenths % 10) s"
        }
        let most = bounds.upperBound == .longest ? " at least" : ""
        let end =
            bounds.upperBound == .longest || bounds.upperBound == bounds.lowerBound
            ? "" : " to " + text(bounds.upperBound)
        return "at \(text(at - .zero)) attempt \(number) began \(text(span)) after \(number - 1), "
            + "the preset allows\(most) \(text(bounds.lowerBound))\(end)"
    }

    // MARK: The file

    /// YAML of the fitted client. It extends the preset if the recordings follow the preset's model, otherwise
    /// `composed`.
    private func yaml(_ fitting: ClientFit) -> String {
        let base = fitting.isPresetModel ? preset?.name ?? "composed" : "composed"
        var text = "version: 1\nstrategy: \(base)\n"
        text += "about: Settings of a client, estimated from recordings by deadzone fit.\n"
        let written = fitting.findings.filter { base == "composed" || $0.isRefuted || $0.preset == nil }
        var groups: [(name: String, lines: [String])] = []
        for finding in written {
            let parts = finding.setting.split(separator: ".", maxSplits: 1).map(String.init)
            let line = "  \(parts[1]): \(finding.value)  # \(finding.allowed)\n"
            if let place = groups.firstIndex(where: { $0.name == parts[0] }) {
                groups[place].lines.append(line)
            } else {
                groups.append((parts[0], [line]))
            }
        }
        for group in groups { text += "\(group.name):\n" + group.lines.joined() }
        for one in fitting.undetermined { text += "# \(one.setting): \(one.why)\n" }
        return text
    }
}

extension TimeSpan {
    fileprivate init(_ seconds: Double) { self.init(nanoseconds: Int64((seconds * 1e9).rounded())) }
}
