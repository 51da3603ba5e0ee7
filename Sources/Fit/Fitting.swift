/// From recordings to findings: the settings of `composed` that explain them.
public struct Fitting: Sendable {
    /// The settings of the preset, by their paths: `backoff.base` is `1s`.
    let preset: [String: String]
    /// The same where they are numbers: spans in seconds, shares as such.
    let numbers: [String: Double]
    public let waits: [Wait]
    public let pings: Int
    let fit: WaitFit?
    /// Nil: a law that grows explains the waits as well, or nothing does.
    let table: TableFit?
    let beats: PingFit?
    public private(set) var findings: [FitReport.Finding] = []
    public private(set) var untold: [(setting: String, why: String)] = []
    public private(set) var notes: [String] = []

    public init(_ recordings: [Recording], preset: [String: String], numbers: [String: Double]) {
        self.preset = preset
        self.numbers = numbers
        waits = Wait.all(of: recordings)
        let lines = recordings.flatMap(\.lines)
        pings = lines.reduce(0) { $0 + $1.beats.count }
        let grown = WaitFit(waits, preferring: WaitLaw(preset), Self.values(numbers))
        let listed = TableFit(waits)
        table = listed.flatMap { table in grown.map { $0.bits < table.bits } ?? true ? table : nil }
        fit = table == nil ? grown : nil
        let losses = waits.filter { $0.after == .loss }.map(\.fromEnd)
        beats = PingFit(
            recordings, waitingAfterLoss: losses.min().flatMap { least in losses.max().map { least...$0 } },
            preferring: (preset["keepalive.postponed-by"], preset["keepalive.verdict"]))
        notes = recordings.flatMap(\.notes)
        findWaits()
        findLoss()
        findBeats()
        untold.append(
            ("backoff.reset, backoff.give-up, on-path-change, calls, life-cycle, resume", "packets do not show why"))
    }

    /// The preset's settings can stay beneath those that were found.
    public var isPresetsOwn: Bool {
        guard let fit else { return table == nil }
        return WaitLaw(preset).map { $0.isSame(as: fit.law, for: waits) } ?? false
    }

    private static func values(_ numbers: [String: Double]) -> [WaitLaw.Number: Double] {
        var values: [WaitLaw.Number: Double] = [:]
        values[.base] = numbers["backoff.base"]
        values[.growth] = numbers["backoff.step"] ?? numbers["backoff.multiplier"]
        values[.cap] = numbers["backoff.cap"]
        values[.jitter] = numbers["backoff.jitter"]
        values[.timeout] = numbers["backoff.min-connect-timeout"] ?? numbers["connect.timeout"]
        values[.first] = numbers["backoff.first"]
        return values
    }

    // MARK: Waits

    private mutating func findWaits() {
        let hasFailures = waits.contains { $0.after != .loss }
        if let table { return findTable(table) }
        guard let fit else {
            untold.append(
                (
                    "backoff",
                    hasFailures ? "no law of `composed` explains these waits" : "no attempt followed one that failed"
                ))
            return
        }
        let law = fit.law
        note(.timeout, "connect.timeout", SettingText.span, "no attempt was left unanswered")
        if law.hasFirst { note(.first, "backoff.first", SettingText.span, "") }
        note(.base, "backoff.base", SettingText.span, "")
        if law.growth == .step {
            note(.growth, "backoff.step", SettingText.span, "no two waits of a row")
        } else if law.jitter != .decorrelated {
            note(.growth, "backoff.multiplier", SettingText.plain, "no two waits of a row that grew")
        }
        note(.cap, "backoff.cap", SettingText.span, "no wait was as long as that")
        findJitter(fit)
        let anchors = Set(fit.laws.map(\.isFromAttempt))
        choose(
            "backoff.from", law.isFromAttempt ? "attempt" : "failure",
            among: anchors.sorted { !$0 && $1 }.map { $0 ? "attempt" : "failure" },
            why: "attempts failed at once, so that both ends are one")
    }

    private mutating func findTable(_ table: TableFit) {
        let all = table.waits.map { SettingText.shown($0, SettingText.shown) }
        add(
            "backoff.table", table.text, all.joined(separator: ", "), nil,
            isRefuted: !preset.isEmpty && preset["backoff.table"] != table.text)
        guard let timeout = table.timeout else {
            return untold.append(("connect.timeout", "no attempt was left unanswered"))
        }
        let wish = numbers["connect.timeout"].flatMap { timeout.contains($0) ? $0 : nil }
        add(
            "connect.timeout", SettingText.span(wish ?? Round.number(in: timeout)),
            SettingText.shown(timeout, SettingText.shown), timeout,
            isRefuted: numbers["connect.timeout"] != nil && wish == nil)
    }

    private mutating func findJitter(_ fit: WaitFit) {
        let law = fit.law
        let range = fit.hull[.jitter]
        let value =
            switch law.jitter {
            case .none, .full, .equal, .decorrelated: law.jitter.rawValue
            case .spread: SettingText.share(fit.point.middle(.jitter))
            case .plus: "{plus: [0s, \(SettingText.span(fit.point.middle(.jitter)))]}"
            }
        var words = fit.laws.map(\.jitter).reduce(into: [WaitLaw.Jitter]()) { if !$0.contains($1) { $0.append($1) } }
        words.removeAll { $0 == law.jitter }
        var allowed = law.jitter.rawValue
        if law.jitter == .spread { allowed = SettingText.shown(range, SettingText.share) }
        if law.jitter == .plus { allowed = "plus up to " + SettingText.shown(range, SettingText.shown) }
        if !words.isEmpty { allowed += "; also " + words.map(\.rawValue).joined(separator: ", ") }
        let own = WaitLaw(preset)?.jitter
        let isOff = own == law.jitter && numbers["backoff.jitter"].map { !range.contains($0) } ?? false
        add(
            "backoff.jitter", value, allowed, law.jitter == .spread || law.jitter == .plus ? range : nil,
            isRefuted: !preset.isEmpty && (isOff || own.map { $0 != law.jitter && !words.contains($0) } ?? true))
    }

    private mutating func findLoss() {
        let losses = waits.filter { $0.after == .loss }
        guard let most = losses.map(\.fromEnd).max(), let least = losses.map(\.fromEnd).min() else {
            untold.append(("backoff.after-open", "no connection was seen to end before the next attempt"))
            return
        }
        let counts = Set((fit?.laws ?? []).map(\.countsLoss))
        let presetCounts = preset["backoff.after-open"] == nil
        if fit?.law.countsLoss == true {
            guard !presetCounts, !counts.contains(false) else { return }
            notes.append(
                "a lost connection is followed by a wait like a failed attempt: `backoff.after-open` is not set")
            return
        }
        let range = max(0, min(most - Wait.late(most), least))...(most < least + Wait.early ? least + Wait.early : most)
        let wish = numbers["backoff.after-open"].flatMap { range.contains($0) ? $0 : nil }
        add(
            "backoff.after-open", SettingText.span(wish ?? Round.number(in: range)),
            SettingText.shown(range, SettingText.shown), range,
            isRefuted: !preset.isEmpty && (presetCounts ? !counts.isEmpty && !counts.contains(true) : wish == nil))
    }

    // MARK: Pings

    private mutating func findBeats() {
        guard let beats, let interval = beats.intervals.first else {
            untold.append(("keepalive", "no ping was seen: there is none, or none could be told from other bytes"))
            return
        }
        // Several laws may tell one number; those that tell another are said beside it.
        let others = beats.intervals.filter { !$0.range.overlaps(interval.range) }
        let ranges = [interval.range] + others.map(\.range)
        let wish = numbers["keepalive.interval"].flatMap { own in ranges.contains { $0.contains(own) } ? own : nil }
        let lateness = interval.isCoarse ? ", and sometimes late" : ""
        let beside = others.map {
            "; or \(SettingText.shown($0.range, SettingText.shown)) postponed by \($0.law.rawValue)"
        }
        add(
            "keepalive.interval", SettingText.span(wish ?? Round.number(in: interval.range)),
            SettingText.shown(interval.range, SettingText.shown) + lateness + beside.joined(),
            others.reduce(interval.range) {
                min($0.lowerBound, $1.range.lowerBound)...max($0.upperBound, $1.range.upperBound)
            },
            isRefuted: numbers["keepalive.interval"] != nil && wish == nil)
        choose(
            "keepalive.postponed-by", interval.law.rawValue, among: beats.intervals.map(\.law.rawValue),
            why: others.isEmpty
                ? "nothing was said between pings that could have put one off"
                : "what was said came so that either explains the pings")
        guard let verdict = beats.verdicts.first else {
            untold.append(("keepalive.timeout", "no connection ended by a ping without an answer"))
            return
        }
        choose(
            "keepalive.verdict", verdict.law.rawValue, among: beats.verdicts.map(\.law.rawValue),
            why: "one silence is explained by each")
        guard verdict.law != .nextBeat else { return }
        let setting = "keepalive." + verdict.law.rawValue
        let known = numbers[setting].flatMap { verdict.range.contains($0) ? $0 : nil }
        add(
            setting, SettingText.span(known ?? Round.number(in: verdict.range)),
            SettingText.shown(verdict.range, SettingText.shown), verdict.range,
            isRefuted: numbers[setting] != nil && known == nil)
    }

    // MARK: Findings

    private mutating func note(
        _ number: WaitLaw.Number, _ setting: String, _ text: (Double) -> String, _ why: String
    ) {
        guard let fit else { return }
        guard fit.isTold(number) else {
            untold.append((setting, why))
            return
        }
        let key =
            number == .timeout && preset["backoff.min-connect-timeout"] != nil ? "backoff.min-connect-timeout" : setting
        let range = fit.hull[number]
        let isFactor = number == .growth && fit.law.growth == .times
        let isOpen = fit.isOpenAbove(number)
        add(
            key, text(fit.point.middle(number)),
            SettingText.shown(range, isFactor ? SettingText.plain : SettingText.shown, isOpenAbove: isOpen), range,
            isRefuted: numbers[key].map { !(isOpen ? range.lowerBound <= $0 : range.contains($0)) } ?? false)
    }

    /// One of several words; where the recording allows them all, it tells nothing.
    private mutating func choose(_ setting: String, _ value: String, among words: [String], why: String) {
        guard words.count == 1 else {
            untold.append((setting, "\(words.joined(separator: " or ")): \(why)"))
            return
        }
        add(
            setting, value, value, nil,
            isRefuted: preset[setting].map { !words.contains($0) } ?? false)
    }

    private mutating func add(
        _ setting: String, _ value: String, _ allowed: String, _ range: ClosedRange<Double>?, isRefuted: Bool
    ) {
        findings.append(
            FitReport.Finding(
                setting: setting, value: value, allowed: allowed, range: range, preset: preset[setting],
                isRefuted: isRefuted))
    }
}

extension WaitLaw {
    /// Of a preset; nil: there is none, or its law is none of these.
    init?(_ preset: [String: String]) {
        guard let jitter = preset["backoff.jitter"] else { return nil }
        if let word = Jitter(rawValue: jitter), word != .spread, word != .plus {
            self.jitter = word
        } else if jitter.hasSuffix("%") {
            self.jitter = .spread
        } else if jitter.hasPrefix("{plus: [0s") {
            self.jitter = .plus
        } else {
            return nil
        }
        if preset["backoff.step"] != nil { growth = .step }
        isFromAttempt = preset["backoff.from"] == "attempt"
        countsLoss = preset["backoff.after-open"] == nil
        hasFirst = preset["backoff.first"] != nil
    }
}
