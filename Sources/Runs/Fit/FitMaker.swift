package import DeadzoneBase
package import DeadzoneClient
package import DeadzoneFit
package import DeadzoneScenarios

/// Estimates the network settings of a real client from recordings of its connections. With a reference preset, also
/// finds the preset's settings that the recordings contradict.
package struct FitMaker {
    /// The preset (settings of a known client library) that the recorded client is compared with.
    package struct ReferencePreset {
        let name: String
        let strategy: AnyStrategy
        let settings: [String: String]

        /// - Parameter settings: all settings, with defaults filled in.
        package init(name: String, _ strategy: AnyStrategy, settings: Node) {
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
    let preset: ReferencePreset?
    private let read: FileReader

    /// - Parameter read: reads the files that the preset extends.
    package init(
        _ recordings: [Recording], like preset: ReferencePreset?,
        read: @escaping FileReader = { _ in .failure(FileError("no file is read")) }
    ) {
        self.recordings = recordings
        self.preset = preset
        self.read = read
    }

    /// The estimated settings. They are compared with the recordings before anybody relies on them: settings that the
    /// recordings contradict are left out, and contradictions that remain are reported.
    package func report() -> FitReport {
        let fitting = ClientFit(recordings, preset: preset?.settings ?? [:], numbers: preset?.numbers ?? [:])
        var report = report(fitting)
        report.yaml = yaml(fitting, report)
        var refuted = contradictions(of: report)
        if !refuted.settings.isEmpty {
            for one in refuted.settings { report.leaveOut(one.setting, because: one.why) }
            report.yaml = yaml(fitting, report)
            refuted = contradictions(of: report)
        }
        report.unexplained = refuted.sentences
        return report
    }

    private func report(_ fitting: ClientFit) -> FitReport {
        let judgement = preset.map { judge(fitting.waits, $0) }
        return FitReport(
            tool: toolVersion, recordings: recordings.map(\.name), waits: fitting.waits.count, pings: fitting.pings,
            like: preset?.name, findings: fitting.findings, undetermined: fitting.undetermined,
            mismatches: judgement?.mismatches ?? [], judged: judgement?.judged, notes: fitting.notes, yaml: "")
    }

    // MARK: The check

    /// Returns the estimated settings to leave out, with reasons, and one sentence for each contradiction.
    private func contradictions(
        of report: FitReport
    ) -> (settings: [(setting: String, why: String)], sentences: [String]) {
        // Without a setting there is nothing to check.
        guard !report.findings.isEmpty else { return ([], []) }
        let (name, read, yaml) = ("estimated.yaml", read, report.yaml)
        let reading = ParsedStrategy(name, with: Node(.map([])), .standard) { path in
            path == name ? .success(Array(yaml.utf8)) : read(path)
        }
        guard let strategy = reading.strategy else {
            let faults = reading.faults.sorted
            return (
                faults.compactMap { fault in
                    Self.setting(at: fault.mark.line, of: yaml).map { ($0, "as a setting, \(fault.message)") }
                }, faults.map { "the estimated settings do not fit together: \($0.message)" }
            )
        }
        let own = ReferencePreset(name: name, strategy, settings: reading.settings)
        let fitting = ClientFit(recordings, preset: own.settings, numbers: own.numbers)
        let refuted = fitting.findings.filter(\.isRefuted)
        return (
            refuted.map { ($0.setting, "with the other settings, the recordings contradict it") },
            refuted.map { "\($0.setting): \($0.preset ?? "none") is not within \($0.allowed)" }
                + judge(fitting.waits, own).mismatches
        )
    }

    // MARK: The preset

    private func judge(_ waits: [RetryWait], _ preset: ReferencePreset) -> (
        mismatches: [String], judged: (inside: Int, of: Int)
    ) {
        let longest = waits.map { $0.at - Instant.zero }.max() ?? .zero
        let schedule = PresetSchedule(name: preset.name, preset.strategy, length: max(.minutes(10), longest * 2))
        var mismatches: [String] = []
        var judged = (inside: 0, of: 0)
        for wait in waits {
            let isLoss = wait.after == .loss
            let number = isLoss ? 0 : wait.failed + 1
            let start = PresetSchedule.SeriesStart(lostBy: wait.lostBy)
            let span = TimeSpan(wait.after == .silence ? wait.fromBegin : wait.fromEnd)
            let found =
                isLoss
                ? schedule.boundsAfterLoss(start)
                : schedule.bounds(of: number, in: start, wasRefused: wait.after == .refusal)
            guard let bounds = found else { continue }
            // Some clients count the wait from the start of the attempt, so a wait may begin before the refusal.
            // Accept both.
            // An unanswered attempt ends by a timer of its own, and the wait is another one.
            let isInside =
                MeasurementTolerance.holds(span, in: bounds, timers: wait.after == .silence ? 2 : 1)
                || wait.after == .refusal && MeasurementTolerance.holds(.init(wait.fromBegin), in: bounds)
            judged.of += 1
            judged.inside += isInside ? 1 : 0
            if !isInside { mismatches.append(Self.complaint(number, span, bounds, at: wait.at)) }
        }
        return (mismatches, judged)
    }

    /// Example: `attempt 4 came 12.1 s after 3, the preset allows 6.4 s to 9.6 s`.
    static func complaint(
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
        let since = number == 0 ? "the loss" : "\(number - 1)"
        return "at \(text(at - .zero)) attempt \(number) began \(text(span)) after \(since), "
            + "the preset allows\(most) \(text(bounds.lowerBound))\(end)"
    }
}

extension TimeSpan {
    fileprivate init(_ seconds: Double) { self.init(nanoseconds: Int64((seconds * 1e9).rounded())) }
}
