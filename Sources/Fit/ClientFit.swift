/// Estimates the settings of a client (strategy `composed`) from recordings of its connections.
public struct ClientFit: Sendable {
    /// Settings of the preset by path: `backoff.base` is `1s`.
    let preset: [String: String]
    /// Numeric settings of the preset: durations in seconds, shares as fractions.
    let numbers: [String: Double]
    public let waits: [RetryWait]
    public let pings: Int
    let backoffFit: BackoffFit?
    /// `nil` if a growing backoff explains the waits equally well, or if no table does.
    let table: BackoffTableFit?
    let heartbeats: PingFit?
    public private(set) var findings: [FitReport.FittedSetting] = []
    public private(set) var undetermined: [(setting: String, why: String)] = []
    public private(set) var notes: [String] = []

    public init(_ recordings: [Recording], preset: [String: String], numbers: [String: Double]) {
        self.preset = preset
        self.numbers = numbers
        waits = RetryWait.all(of: recordings)
        let lines = recordings.flatMap(\.connections)
        pings = lines.reduce(0) { $0 + $1.heartbeats.count }
        let grown = BackoffFit(waits, preferring: BackoffModel(preset), Self.values(numbers))
        let listed = BackoffTableFit(waits)
        table = listed.flatMap { table in grown.map { $0.bits < table.bits } ?? true ? table : nil }
        backoffFit = table == nil ? grown : nil
        let losses = waits.filter { $0.after == .loss }.map(\.fromEnd)
        heartbeats = PingFit(
            recordings, waitingAfterLoss: losses.min().flatMap { least in losses.max().map { least...$0 } },
            preferring: (preset["keepalive.postponed-by"], preset["keepalive.verdict"]))
        notes = recordings.flatMap(\.notes)
        findWaits()
        findLoss()
        findHeartbeats()
        undetermined.append(
            ("backoff.reset, backoff.give-up, on-path-change, calls, life-cycle, resume", "packets do not show it"))
    }

    /// `true` if the fitted settings can be written on top of the preset's backoff settings.
    public var isPresetModel: Bool {
        guard let backoffFit else { return table == nil }
        return BackoffModel(preset).map { $0.isSame(as: backoffFit.model, for: waits) } ?? false
    }

    private static func values(_ numbers: [String: Double]) -> [BackoffModel.BackoffParameter: Double] {
        var values: [BackoffModel.BackoffParameter: Double] = [:]
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
        guard let backoffFit else {
            undetermined.append(
                (
                    "backoff",
                    hasFailures ? "no rule of `composed` explains these waits" : "no attempt followed a failed attempt"
                ))
            return
        }
        let model = backoffFit.model
        addParameter(.timeout, "connect.timeout", SettingText.span, "no attempt stayed unanswered")
        if model.hasFirst { addParameter(.first, "backoff.first", SettingText.span, "") }
        addParameter(.base, "backoff.base", SettingText.span, "")
        if model.growth == .step {
            addParameter(.growth, "backoff.step", SettingText.span, "no two consecutive waits")
        } else if model.jitter != .decorrelated {
            addParameter(.growth, "backoff.multiplier", SettingText.plain, "no two consecutive waits that grew")
        }
        addParameter(.cap, "backoff.cap", SettingText.span, "no wait reached the cap")
        findJitter(backoffFit)
        let anchors = Set(backoffFit.models.map(\.isFromAttempt))
        choose(
            "backoff.from", model.isFromAttempt ? "attempt" : "failure",
            among: anchors.sorted { !$0 && $1 }.map { $0 ? "attempt" : "failure" },
            why: "attempts failed immediately, so both values are equal")
    }

    private mutating func findTable(_ table: BackoffTableFit) {
        let all = table.waits.map { SettingText.shown($0, SettingText.shown) }
        add(
            "backoff.table", table.text, all.joined(separator: ", "), nil,
            isRefuted: !preset.isEmpty && preset["backoff.table"] != table.text)
        guard let timeout = table.timeout else {
            return undetermined.append(("connect.timeout", "no attempt stayed unanswered"))
        }
        let wish = numbers["connect.timeout"].flatMap { timeout.contains($0) ? $0 : nil }
        add(
            "connect.timeout", SettingText.span(wish ?? RoundNumber.number(in: timeout)),
            SettingText.shown(timeout, SettingText.shown), timeout,
            isRefuted: numbers["connect.timeout"] != nil && wish == nil)
    }

    private mutating func findJitter(_ backoffFit: BackoffFit) {
        let model = backoffFit.model
        let range = backoffFit.hull[.jitter]
        let value =
            switch model.jitter {
            case .none, .full, .equal, .decorrelated: model.jitter.rawValue
            case .spread: SettingText.share(backoffFit.point.middle(.jitter))
            case .plus: "{plus: [0s, \(SettingText.span(backoffFit.point.middle(.jitter)))]}"
            }
        var words = backoffFit.models.map(\.jitter).reduce(into: [BackoffModel.JitterForm]()) {
            if !$0.contains($1) { $0.append($1) }
        }
        words.removeAll { $0 == model.jitter }
        var allowed = model.jitter.rawValue
        if model.jitter == .spread { allowed = SettingText.shown(range, SettingText.share) }
        if model.jitter == .plus { allowed = "plus up to " + SettingText.shown(range, SettingText.shown) }
        if !words.isEmpty { allowed += "; also " + words.map(\.rawValue).joined(separator: ", ") }
        let own = BackoffModel(preset)?.jitter
        let isOff = own == model.jitter && numbers["backoff.jitter"].map { !range.contains($0) } ?? false
        add(
            "backoff.jitter", value, allowed, model.jitter == .spread || model.jitter == .plus ? range : nil,
            isRefuted: !preset.isEmpty && (isOff || own.map { $0 != model.jitter && !words.contains($0) } ?? true))
    }

    private mutating func findLoss() {
        let losses = waits.filter { $0.after == .loss }
        guard let most = losses.map(\.fromEnd).max(), let least = losses.map(\.fromEnd).min() else {
            undetermined.append(("backoff.after-open", "no connection was seen to end before the next attempt"))
            return
        }
        let counts = Set((backoffFit?.models ?? []).map(\.countsLoss))
        let presetCounts = preset["backoff.after-open"] == nil
        if backoffFit?.model.countsLoss == true {
            guard !presetCounts, !counts.contains(false) else { return }
            notes.append(
                "the wait after a lost connection is like that after a failed attempt: `backoff.after-open` is not set")
            return
        }
        let range =
            max(
                0, min(most - RetryWait.late(most), least))...(most < least + RetryWait.early
            ? least + RetryWait.early : most)
        let wish = numbers["backoff.after-open"].flatMap { range.contains($0) ? $0 : nil }
        add(
            "backoff.after-open", SettingText.span(wish ?? RoundNumber.number(in: range)),
            SettingText.shown(range, SettingText.shown), range,
            isRefuted: !preset.isEmpty && (presetCounts ? !counts.isEmpty && !counts.contains(true) : wish == nil))
    }

    // MARK: Pings

    private mutating func findHeartbeats() {
        guard let heartbeats, let interval = heartbeats.intervals.first else {
            undetermined.append(
                ("keepalive", "no ping was found: the client sends none, or it looks like other traffic"))
            return
        }
        // Several models may give the same interval; intervals of other models are added as alternatives.
        let others = heartbeats.intervals.filter { !$0.range.overlaps(interval.range) }
        let ranges = [interval.range] + others.map(\.range)
        let wish = numbers["keepalive.interval"].flatMap { own in ranges.contains { $0.contains(own) } ? own : nil }
        let lateness = interval.isCoarse ? ", and sometimes late" : ""
        let beside = others.map {
            "; or \(SettingText.shown($0.range, SettingText.shown)) postponed by \($0.model.rawValue)"
        }
        add(
            "keepalive.interval", SettingText.span(wish ?? RoundNumber.number(in: interval.range)),
            SettingText.shown(interval.range, SettingText.shown) + lateness + beside.joined(),
            others.reduce(interval.range) {
                min($0.lowerBound, $1.range.lowerBound)...max($0.upperBound, $1.range.upperBound)
            },
            isRefuted: numbers["keepalive.interval"] != nil && wish == nil)
        choose(
            "keepalive.postponed-by", interval.model.rawValue, among: heartbeats.intervals.map(\.model.rawValue),
            why: others.isEmpty
                ? "no message between pings could have postponed one"
                : "with these messages, both explain the pings")
        guard let verdict = heartbeats.verdicts.first else {
            undetermined.append(("keepalive.timeout", "no connection ended because of an unanswered ping"))
            return
        }
        choose(
            "keepalive.verdict", verdict.model.rawValue, among: heartbeats.verdicts.map(\.model.rawValue),
            why: "both explain the single silence")
        guard verdict.model != .nextBeat else { return }
        let setting = "keepalive." + verdict.model.rawValue
        let known = numbers[setting].flatMap { verdict.range.contains($0) ? $0 : nil }
        add(
            setting, SettingText.span(known ?? RoundNumber.number(in: verdict.range)),
            SettingText.shown(verdict.range, SettingText.shown), verdict.range,
            isRefuted: numbers[setting] != nil && known == nil)
    }

    // MARK: Findings

    private mutating func addParameter(
        _ number: BackoffModel.BackoffParameter, _ setting: String, _ text: (Double) -> String, _ why: String
    ) {
        guard let backoffFit else { return }
        guard backoffFit.isDetermined(number) else {
            undetermined.append((setting, why))
            return
        }
        let key =
            number == .timeout && preset["backoff.min-connect-timeout"] != nil ? "backoff.min-connect-timeout" : setting
        let range = backoffFit.hull[number]
        let isFactor = number == .growth && backoffFit.model.growth == .times
        let isOpen = backoffFit.isOpenAbove(number)
        add(
            key, text(backoffFit.point.middle(number)),
            SettingText.shown(range, isFactor ? SettingText.plain : SettingText.shown, isOpenAbove: isOpen), range,
            isRefuted: numbers[key].map { !(isOpen ? range.lowerBound <= $0 : range.contains($0)) } ?? false)
    }

    /// Adds a setting with named values. If the recordings allow several, it is undetermined.
    private mutating func choose(_ setting: String, _ value: String, among words: [String], why: String) {
        guard words.count == 1 else {
            undetermined.append((setting, "\(words.joined(separator: " or ")): \(why)"))
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
            FitReport.FittedSetting(
                setting: setting, value: value, allowed: allowed, range: range, preset: preset[setting],
                isRefuted: isRefuted))
    }
}

extension BackoffModel {
    /// Model of a preset's backoff; `nil` if there is no preset or its backoff has none of these forms.
    init?(_ preset: [String: String]) {
        guard let jitter = preset["backoff.jitter"] else { return nil }
        if let word = JitterForm(rawValue: jitter), word != .spread, word != .plus {
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
