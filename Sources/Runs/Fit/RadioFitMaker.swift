import DeadzoneBase
import DeadzoneCaptures
import DeadzoneDevice
package import DeadzoneFit
package import DeadzoneScenarios

/// Estimates a radio profile from a power trace and the packets captured during it, or from round-trip times after
/// idle periods. The
/// estimates override numbers of a base profile.
package struct RadioFitMaker {
    /// Settings that are times, and the linked setting that changes with each by `by` times the change. The link keeps
    /// the later events of the radio at their times.
    private static let timers: [(setting: String, linked: String?, by: Double)] = [
        ("promotion-time", "nr-promotion-time", 1), ("nr-promotion-time", nil, 0),
        ("inactivity-time", "long-drx-time", -1), ("short-drx-time", "long-drx-time", -1), ("long-drx-time", nil, 0),
        ("tail-time", nil, 0), ("second-tail-until", nil, 0), ("inactive-time", nil, 0),
    ]

    /// Longest value of a timer, in seconds, and latest time of a packet. Estimates beyond are meaningless, and their
    /// nanoseconds would not fit.
    private static let longestTime = 86_400.0
    private static let latest = Instant(nanoseconds: .max / 2)

    private let base: String
    private let node: Node
    private let reading: ParsedProfile
    private let vocabulary: Vocabulary
    private var sources: [String] = []
    private var findings: [RadioFitReport.FittedRadioSetting] = []
    private var undetermined: [(setting: String, why: String)] = []
    private var notes: [String] = []

    package init(base: String, _ vocabulary: Vocabulary) throws {
        self.base = base
        self.vocabulary = vocabulary
        (node, reading) = try ReplayRadio.text(of: base, vocabulary)
        if case .umts = reading.profile.machine {
            throw ToolFault(
                .conflict, "\(quote(base)) is a UMTS radio, which changes state by buffer sizes",
                help: ["fit estimates numbers of LTE, NR and Wi-Fi"])
        }
    }

    // MARK: Power

    /// Fits powers, timers and costs to a power trace and the packets of a capture.
    package mutating func fit(_ trace: PowerTrace, named name: String, _ opened: OpenedCapture, _ capture: String) {
        let packets = Self.packets(opened)
        let aligned = aligned(trace, packets)
        notes += opened.reader.traceContents?.notes ?? []
        sources += [name, capture]
        let fit = RadioFit(aligned, packets, timers: baseTimers, make: profile)
        notes.append(
            "\(plural(fit.samples, "reading")) of power and \(plural(packets.count, "packet")); the unexplained part varies "
                + "by \(Self.whole(fit.residual)) mW of \(Self.whole(fit.powerDeviation))")
        if trace.rowsWithoutNumber > 0 {
            notes.append("\(plural(trace.rowsWithoutNumber, "row")) of the power trace without a number: left out")
        }
        notes.append(
            "all measured power counts as radio power: subtract the rest of the phone first, or use the power rail of the modem"
        )
        for number in fit.timers { add(number, least: 0.5) }
        for setting in fit.insensitive {
            undetermined.append((setting, "half or twice the value explains the trace equally well"))
        }
        for level in PowerLevel.allCases {
            guard let setting = setting(of: level) else { continue }
            guard var number = fit.powers[level] else {
                undetermined.append((setting, "the radio was never in this state"))
                continue
            }
            number.setting = setting
            add(number, least: 0.5)
        }
        for number in [fit.costUp, fit.costDown].compactMap({ $0 }) { add(number, least: 0.5) }
    }

    /// A number without its fraction. A fit without a solution has no residual.
    private static func whole(_ number: Double) -> String {
        number.isFinite && abs(number) < 1e15 ? "\(Int64(number.rounded()))" : "?"
    }

    /// Adds notes about the power trace.
    package mutating func add(notes more: [String]) { notes += more }

    private static func packets(_ opened: OpenedCapture) -> [RadioPacket] {
        var packets: [RadioPacket] = []
        while opened.reader.next({ batch in
            for index in batch.indices {
                let packet = batch[index]
                let at = Instant(nanoseconds: Int64(clamping: packet.stamp.nanoseconds))
                guard at <= latest else { continue }
                packets.append(RadioPacket(at: at, isUp: packet.direction == .up, bytes: packet.networkLength))
            }
        }) {}
        return packets
    }

    /// If trace and capture do not overlap in time, the meter is assumed to count from its own start. Both are then
    /// aligned at the first packet.
    mutating func aligned(_ trace: PowerTrace, _ packets: [RadioPacket]) -> PowerTrace {
        guard let first = packets.map(\.at).min(), let last = packets.map(\.at).max() else { return trace }
        let (begin, end) = (Double(first.nanoseconds) / 1e9, Double(last.nanoseconds) / 1e9)
        guard trace.until < begin || end < trace.from else { return trace }
        notes.append("the clocks of the meter and of the capture do not overlap: the same start time is assumed")
        return trace.shifted(by: begin - trace.from)
    }

    private var baseTimers: [RadioFit.FittedTimer] {
        Self.timers.compactMap { timer in
            guard let value = seconds(timer.setting) else { return nil }
            let linked = timer.linked.flatMap { seconds($0) == nil ? nil : (setting: $0, by: timer.by) }
            return RadioFit.FittedTimer(timer.setting, value, linked: linked)
        }
    }

    private func written(_ setting: String) -> String? {
        reading.sheet.numbers.first { $0.parameter == setting }?.value
    }

    private func seconds(_ setting: String) -> Double? {
        var faults = Faults()
        return written(setting).flatMap { ValueFormat<TimeSpan>.span().read(.text($0), &faults) }
            .map { Double($0.nanoseconds) / 1e9 }
    }

    /// The base profile with other timer values (in seconds).
    private func profile(_ values: [String: Double]) -> RadioProfile? {
        guard values.values.allSatisfy({ abs($0) <= Self.longestTime }) else { return nil }
        var entries = (node.entries ?? []).filter { values[$0.key] == nil }
        for (setting, value) in values.sorted(by: { $0.key < $1.key }) {
            entries.append(Node.MapEntry(key: setting, value: .text("\(Int64((value * 1e9).rounded()))ns")))
        }
        var settings = SettingsReader(.map(entries), of: "profile")
        return vocabulary.readProfile(&settings)?.profile
    }

    /// Name of the setting for the power of a level; `nil` if the level has no mean power of its own.
    func setting(of level: PowerLevel) -> String? {
        switch level {
        case .idle: "idle-power"
        case .promotion: "promotion-power"
        case .secondPromotion: "nr-promotion-power"
        case .activeDown: "active-power-down"
        case .activeUp: "active-power-up"
        case .activeHigh: "high-power"
        case .tail: written("tail-power") == nil ? "inactivity-power" : "tail-power"
        case .longDRX: "long-drx-power"
        case .secondTail: "second-tail-power"
        case .inactive: "inactive-power"
        case .powerSaving: "psm-power"
        default: nil
        }
    }

    // MARK: Silences

    package mutating func fit(_ silences: SilenceFit, named name: String) {
        sources.append(name)
        notes.append("\(plural(silences.probes.count, "round trip")) after silences")
        for number in silences.numbers {
            switch number.setting {
            case "release": addRelease(number, silences)
            case "signalling-time":
                addSignalling(number, behind: silences.numbers.first { $0.setting == "promotion-time" }?.value)
            default: if written(number.setting) != nil { add(number, least: 1) }
            }
        }
        if let memory = silences.connectedTimes {
            notes.append(
                "a radio that a packet woke is still connected after \(RadioFit.SettingEstimate.words(memory.woken, "s")) of silence, an already connected radio "
                    + "until \(RadioFit.SettingEstimate.words(memory.refreshed, "s")), because the tail begins with the signalling after the wake-up"
            )
        }
        undetermined += silences.undetermined
    }

    /// Adds the release time, measured from the last bit to the end of the connection. For profiles without
    /// `tail-time`, the remainder after the inactivity and short DRX times is `long-drx-time`.
    mutating func addRelease(_ release: RadioFit.SettingEstimate, _ silences: SilenceFit) {
        var number = release
        if written("tail-time") != nil {
            number.setting = "tail-time"
        } else {
            let found = silences.numbers.first { $0.setting == "inactivity-time" }?.value
            let before = (found ?? seconds("inactivity-time") ?? 0) + (seconds("short-drx-time") ?? 0)
            number.setting = "long-drx-time"
            number.value -= before
            number.range = (release.range.lowerBound - before)...(release.range.upperBound - before)
        }
        add(number, least: 1)
    }

    /// Adds the signalling time. On NSA the signalling adds the NR leg; the profile counts this time from the start
    /// of the promotion.
    mutating func addSignalling(_ signalling: RadioFit.SettingEstimate, behind promotion: Double?) {
        if written("signalling-time") != nil { return add(signalling, least: 1) }
        guard written("nr-promotion-time") != nil, let first = promotion ?? seconds("promotion-time") else { return }
        var number = signalling
        number.setting = "nr-promotion-time"
        number.value += first
        number.range = (number.range.lowerBound + first)...(number.range.upperBound + first)
        add(number, least: 1)
    }

    // MARK: Findings

    /// Adds a fitted number to the findings, or to the undetermined settings if its interval is too wide.
    /// - Parameter share: maximum half-width of the interval, as a fraction of the number.
    mutating func add(_ number: RadioFit.SettingEstimate, least share: Double) {
        guard written(number.setting) != nil || number.setting.hasPrefix("cost-") else { return }
        guard !findings.contains(where: { $0.setting == number.setting }) else { return }
        let width = (number.range.upperBound - number.range.lowerBound) / 2
        guard number.value > 0, width <= share * number.value else {
            undetermined.append((number.setting, "any value from \(number.allowed)"))
            return
        }
        findings.append(
            RadioFitReport.FittedRadioSetting(
                setting: number.setting, value: number.text, range: number.range, unit: number.unit,
                base: written(number.setting)))
    }

    package func report() -> RadioFitReport {
        RadioFitReport(
            tool: toolVersion, sources: sources, base: base, findings: findings, undetermined: undetermined,
            notes: notes,
            yaml: yaml)
    }

    private var yaml: String {
        let isShipped = vocabulary.profiles.contains { $0.name == base }
        var text = "version: 1\ntechnology: \(reading.profile.technology.name)\n"
        text += "about: Measured values of a phone, with other values from \(base).\n"
        if isShipped { text += "inherits: \(base)\n" }
        text += "sources:\n  fit: \"deadzone fit of \(sources.map(\.escapedForTerminal).joined(separator: ", "))\"\n"
        for finding in findings {
            let before = finding.base.map { "; the base has \($0)" } ?? ""
            text +=
                "\(finding.setting): {value: \(finding.value), source: fit, trust: C, note: \"\(finding.allowed)\(before)\"}\n"
        }
        guard !isShipped else { return text }
        // The sheet lists a number once for each time that it was read.
        var written = Set(findings.map(\.setting))
        for number in reading.sheet.numbers where written.insert(number.parameter).inserted {
            text += "\(number.parameter): {value: \(number.value)}\n"
        }
        return text
    }
}
