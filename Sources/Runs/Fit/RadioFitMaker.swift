import DeadzoneCaptures
import DeadzoneDevice
public import DeadzoneFit
import DeadzonePrimitives
public import DeadzoneScenarios
import DeadzoneSettings

/// From a power trace and the packets beside it, and from round trips after silences, to a profile over another.
public struct RadioFitMaker {
    /// Settings that are lengths of time, and what comes later with each.
    private static let timers: [(setting: String, drags: String?, by: Double)] = [
        ("promotion-time", "nr-promotion-time", 1), ("nr-promotion-time", nil, 0),
        ("inactivity-time", "long-drx-time", -1), ("short-drx-time", "long-drx-time", -1), ("long-drx-time", nil, 0),
        ("tail-time", nil, 0), ("second-tail-until", nil, 0), ("inactive-time", nil, 0),
    ]

    private let base: String
    private let node: Node
    private let reading: ProfileReading
    private let vocabulary: Vocabulary
    private var sources: [String] = []
    private var findings: [RadioFitReport.Finding] = []
    private var untold: [(setting: String, why: String)] = []
    private var notes: [String] = []

    public init(base: String, _ vocabulary: Vocabulary) throws {
        self.base = base
        self.vocabulary = vocabulary
        (node, reading) = try ReplayRadio.text(of: base, vocabulary)
        if case .umts = reading.profile.machine {
            throw ToolFault(
                .conflict, "\(quote(base)) is a UMTS radio, whose buffers decide on its levels",
                help: ["fit finds numbers of LTE, NR and Wi-Fi"])
        }
    }

    // MARK: Power

    /// - Parameter packets: on the clock of the capture.
    public mutating func fit(_ trace: PowerTrace, named name: String, _ opened: OpenedCapture, _ capture: String) {
        let packets = Self.packets(opened)
        let aligned = aligned(trace, packets)
        sources += [name, capture]
        let fit = RadioFit(aligned, packets, timers: ownTimers, make: profile)
        notes.append(
            "\(plural(fit.samples, "reading")) of power and \(plural(packets.count, "packet")); what is left unexplained varies "
                + "by \(Int(fit.rest.rounded())) mW of \(Int(fit.spread.rounded()))")
        notes.append(
            "everything the meter saw is charged to the radio: take the rest of the phone off before, or use its rail")
        for number in fit.timers { add(number, least: 0.5) }
        for setting in fit.flat { untold.append((setting, "the trace is as likely with half or twice as much")) }
        for level in PowerLevel.allCases {
            guard let setting = setting(of: level) else { continue }
            guard var number = fit.powers[level] else {
                untold.append((setting, "the radio was never there"))
                continue
            }
            number.setting = setting
            add(number, least: 0.5)
        }
        for number in [fit.costUp, fit.costDown].compactMap({ $0 }) { add(number, least: 0.5) }
    }

    private static func packets(_ opened: OpenedCapture) -> [RadioPacket] {
        var packets: [RadioPacket] = []
        while opened.reader.next({ batch in
            for index in batch.indices {
                let packet = batch[index]
                let at = Instant(nanoseconds: Int64(clamping: packet.stamp.nanoseconds))
                packets.append(RadioPacket(at: at, isUp: packet.direction == .up, bytes: packet.networkLength))
            }
        }) {}
        return packets
    }

    /// A meter that counts from its own beginning is taken to have begun with the first packet.
    private mutating func aligned(_ trace: PowerTrace, _ packets: [RadioPacket]) -> PowerTrace {
        guard let first = packets.map(\.at).min(), let last = packets.map(\.at).max() else { return trace }
        let (begin, end) = (Double(first.nanoseconds) / 1e9, Double(last.nanoseconds) / 1e9)
        guard trace.until < begin || end < trace.from else { return trace }
        notes.append("the clocks of the meter and of the capture share no moment: both are taken to begin together")
        return trace.shifted(by: begin - trace.from)
    }

    private var ownTimers: [RadioFit.Timer] {
        Self.timers.compactMap { timer in
            guard let value = seconds(timer.setting) else { return nil }
            let drags = timer.drags.flatMap { seconds($0) == nil ? nil : (setting: $0, by: timer.by) }
            return RadioFit.Timer(timer.setting, value, drags: drags)
        }
    }

    private func written(_ setting: String) -> String? {
        reading.sheet.numbers.first { $0.parameter == setting }?.value
    }

    private func seconds(_ setting: String) -> Double? {
        var faults = Faults()
        return written(setting).flatMap { Form<TimeSpan>.span().read(.text($0), &faults) }
            .map { Double($0.nanoseconds) / 1e9 }
    }

    /// The base with other timers.
    private func profile(_ values: [String: Double]) -> RadioProfile? {
        var entries = (node.entries ?? []).filter { values[$0.key] == nil }
        for (setting, value) in values.sorted(by: { $0.key < $1.key }) {
            entries.append(Node.Entry(key: setting, value: .text("\(Int64((value * 1e9).rounded()))ns")))
        }
        var settings = SettingsReader(.map(entries), of: "profile")
        return vocabulary.readProfile(&settings)?.profile
    }

    /// What the power of a level is called; nil: it has no mean power of its own.
    private func setting(of level: PowerLevel) -> String? {
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
        default: nil
        }
    }

    // MARK: Silences

    public mutating func fit(_ silences: SilenceFit, named name: String) {
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
        if let memory = silences.memory {
            notes.append(
                "who was woken is still connected after \(RadioFit.Number.words(memory.woken, "s")) of silence, who was met connected "
                    + "until \(RadioFit.Number.words(memory.refreshed, "s")): a tail begins with the signalling that follows a wake"
            )
        }
        untold += silences.untold
    }

    /// The connection ends so long after the last bit: what DRX takes of it is the rest.
    private mutating func addRelease(_ release: RadioFit.Number, _ silences: SilenceFit) {
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

    /// On NSA the signalling adds the NR leg, which the profile counts from the promotion.
    private mutating func addSignalling(_ signalling: RadioFit.Number, behind promotion: Double?) {
        if written("signalling-time") != nil { return add(signalling, least: 1) }
        guard written("nr-promotion-time") != nil, let first = promotion ?? seconds("promotion-time") else { return }
        var number = signalling
        number.setting = "nr-promotion-time"
        number.value += first
        number.range = (number.range.lowerBound + first)...(number.range.upperBound + first)
        add(number, least: 1)
    }

    // MARK: Findings

    /// - Parameter least: the share of a number that its interval may be wide to each side.
    private mutating func add(_ number: RadioFit.Number, least share: Double) {
        guard written(number.setting) != nil || number.setting.hasPrefix("cost-") else { return }
        guard !findings.contains(where: { $0.setting == number.setting }) else { return }
        let width = (number.range.upperBound - number.range.lowerBound) / 2
        guard number.value > 0, width <= share * number.value else {
            untold.append((number.setting, "anything from \(number.allowed)"))
            return
        }
        findings.append(
            RadioFitReport.Finding(
                setting: number.setting, value: number.text, range: number.range, unit: number.unit,
                base: written(number.setting)))
    }

    public func report() -> RadioFitReport {
        RadioFitReport(
            tool: toolVersion, sources: sources, base: base, findings: findings, untold: untold, notes: notes,
            yaml: yaml)
    }

    private var yaml: String {
        let isShipped = vocabulary.profiles.contains { $0.name == base }
        var text = "version: 1\ntechnology: \(reading.profile.technology.name)\n"
        text += "about: What was measured of a phone, over \(base).\n"
        if isShipped { text += "inherits: \(base)\n" }
        text += "sources:\n  fit: \"deadzone fit of \(sources.map(\.visible).joined(separator: ", "))\"\n"
        for finding in findings {
            let before = finding.base.map { "; the base has \($0)" } ?? ""
            text +=
                "\(finding.setting): {value: \(finding.value), source: fit, trust: C, note: \"\(finding.allowed)\(before)\"}\n"
        }
        guard !isShipped else { return text }
        let found = Set(findings.map(\.setting))
        for number in reading.sheet.numbers where !found.contains(number.parameter) {
            text += "\(number.parameter): \(number.value)\n"
        }
        return text
    }
}
