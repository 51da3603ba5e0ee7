/// Estimates the settings of a client (strategy `composed`) from recordings of its connections.
package struct ClientFit: Sendable {
    /// Settings of the preset by path: `backoff.base` is `1s`.
    let preset: [String: String]
    /// Numeric settings of the preset: durations in seconds, shares as fractions.
    let numbers: [String: Double]
    package let waits: [RetryWait]
    package let pings: Int
    let backoffFit: BackoffFit?
    /// `nil` if a growing backoff explains the waits equally well, or if no table does.
    let table: BackoffTableFit?
    let heartbeats: PingFit?
    /// `nil` if the client pings, or closed no connection because of silence.
    let answers: AnswerFit?
    package internal(set) var findings: [FitReport.FittedSetting] = []
    package internal(set) var undetermined: [(setting: String, why: String)] = []
    /// Values of settings that the recordings leave open, so that a file describes a complete client.
    package internal(set) var assumed: [(setting: String, value: String, why: String)] = []
    package internal(set) var notes: [String] = []

    package init(_ recordings: [Recording], preset: [String: String], numbers: [String: Double]) {
        self.preset = preset
        self.numbers = numbers
        waits = RetryWait.all(of: recordings)
        let lines = recordings.flatMap(\.connections)
        pings = lines.reduce(0) { $0 + $1.heartbeats.count }
        let grown = BackoffFit(waits, preferring: BackoffModel(preset), Self.values(numbers))
        let listed = BackoffTableFit(waits)
        table = listed.flatMap { table in grown.map { $0.bits < table.bits } ?? true ? table : nil }
        backoffFit = table == nil ? grown : nil
        heartbeats = PingFit(
            recordings, waitingAfterLoss: Self.waitAfterUnseenEnd(waits), interval: numbers["keepalive.interval"],
            preferring: (preset["keepalive.postponed-by"], preset["keepalive.verdict"]))
        answers = heartbeats == nil ? AnswerFit(recordings) : nil
        notes = recordings.flatMap(\.notes)
        findWaits()
        findLoss()
        findHeartbeats()
        undetermined.append(
            ("backoff.reset, backoff.give-up, on-path-change, life-cycle, resume", "packets do not show it"))
    }

    /// The range of the wait between an unseen end of a connection and the next attempt; `nil` if no end was seen.
    ///
    /// Waits are random in most clients, and differ by the side that ended the connection. So waits after ends by the
    /// server are only a hint: the wait may be up to twice as long, or of no length.
    private static func waitAfterUnseenEnd(_ waits: [RetryWait]) -> ClosedRange<Double>? {
        let losses = waits.filter { $0.after == .loss }
        guard let least = losses.map(\.fromEnd).min(), let most = losses.map(\.fromEnd).max() else { return nil }
        return losses.contains { $0.lostBy == .client } ? least...most : 0...2 * most
    }

    /// `true` if the fitted settings can be written on top of the preset's backoff settings.
    package var isPresetModel: Bool {
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
        let few = "the waits are too few for their jitter"
        if model.hasFirst { addParameter(.first, "backoff.first", SettingText.span, few) }
        addParameter(.base, "backoff.base", SettingText.span, few)
        if model.growth == .step {
            addParameter(.growth, "backoff.step", SettingText.span, "no two consecutive waits")
        } else if model.jitter != .decorrelated {
            addParameter(
                .growth, "backoff.multiplier", SettingText.plain,
                "no two consecutive waits that grew" + (model.jitter == .none ? "" : " by more than the jitter"))
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

    // MARK: Findings

    private mutating func addParameter(
        _ number: BackoffModel.BackoffParameter, _ setting: String, _ text: (Double) -> String, _ why: String
    ) {
        guard let backoffFit else { return }
        guard backoffFit.isDetermined(number) else {
            undetermined.append((setting, why))
            // The default of `composed` need not go with the other values.
            if number != .timeout { assumed.append((setting, text(backoffFit.point.middle(number)), why)) }
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
            isRefuted: numbers[key].map { own in
                if number == .first, let drawn = firstWaits(own) { return !drawn.overlaps(range) }
                return !(isOpen ? range.lowerBound <= own : range.contains(own))
            } ?? false)
    }

    /// The first waits that a preset with a jitter of its own for them can draw; `nil` if it has none.
    private func firstWaits(_ own: Double) -> ClosedRange<Double>? {
        switch preset["backoff.first-jitter"] {
        case nil, "none": nil
        case "full": 0...own
        case "equal": own / 2...own
        // A share, or a map: anything may be drawn, as far as this comparison goes.
        default: 0...max(own * 2, numbers["backoff.cap"] ?? own)
        }
    }

    /// Adds a setting with named values. If the recordings allow several, it is undetermined, and a file has `value`.
    mutating func choose(_ setting: String, _ value: String, among words: [String], why: String) {
        guard words.count == 1 else {
            undetermined.append((setting, "\(words.joined(separator: " or ")): \(why)"))
            assumed.append((setting, value, words.joined(separator: " or ")))
            return
        }
        add(
            setting, value, value, nil,
            isRefuted: preset[setting].map { !words.contains($0) } ?? false)
    }

    /// Adds a setting with one possible value.
    /// - Parameter excuse: why another value of the preset is not compared; `nil` if the recordings contradict it.
    mutating func addOnly(_ setting: String, _ value: String, excuse: String?) {
        let differs = preset[setting].map { $0 != value } ?? false
        add(setting, value, value, nil, isRefuted: differs && excuse == nil, notJudged: differs ? excuse : nil)
    }

    mutating func add(
        _ setting: String, _ value: String, _ allowed: String, _ range: ClosedRange<Double>?, isRefuted: Bool,
        notJudged: String? = nil
    ) {
        findings.append(
            FitReport.FittedSetting(
                setting: setting, value: value, allowed: allowed, range: range, preset: preset[setting],
                isRefuted: isRefuted, notJudged: notJudged))
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
        let afterOpen = ["", ".wait"].contains { preset["backoff.after-open" + $0] != nil }
        countsLoss = !afterOpen
        countsSilence = afterOpen && preset["backoff.after-silence.counts"] == "true"
        hasFirst = preset["backoff.first"] != nil
    }
}
