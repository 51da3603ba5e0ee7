/// The settings that concern open connections: the wait after a loss, pings, and limits of silence.
extension ClientFit {
    mutating func findLoss() {
        let losses = waits.filter { $0.after == .loss }
        guard !losses.isEmpty else {
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
        let isRefutable = presetCounts ? !counts.isEmpty && !counts.contains(true) : nil
        let own = Self.range(losses.filter { $0.lostBy == .client })
        let reported = Self.range(losses.filter { $0.lostBy != .client })
        if let own, backoffFit?.model.countsSilence == true {
            if let reported { addWait("backoff.after-open", reported, isRefuted: isRefutable) }
            return addCountedSilence(own)
        }
        guard let own, let reported, !own.overlaps(reported) else {
            return addWait("backoff.after-open", Self.range(losses), isRefuted: isRefutable)
        }
        addWait("backoff.after-open", reported, isRefuted: isRefutable)
        addWait("backoff.after-silence", own, isRefuted: preset["backoff.after-silence"] == nil ? false : nil)
    }

    /// Adds the wait after an end that counts as a failure because the client itself found the connection dead.
    private mutating func addCountedSilence(_ range: ClosedRange<Double>) {
        let key = "backoff.after-silence"
        let wish = numbers[key + ".wait"].flatMap { range.contains($0) ? $0 : nil }
        let text = "{wait: \(SettingText.span(wish ?? RoundNumber.number(in: range))), counts: true}"
        add(
            key, text, SettingText.shown(range, SettingText.shown) + ", and counts as a failure", range,
            isRefuted: numbers[key + ".wait"] != nil && wish == nil)
    }

    /// Range of the wait after these losses. A program may notice a loss late, but its timer is hardly ever early, so the
    /// shortest wait decides.
    private static func range(_ losses: [RetryWait]) -> ClosedRange<Double>? {
        guard let least = losses.map(\.fromEnd).min() else { return nil }
        return max(0, least - RetryWait.late(least))...least + RetryWait.early
    }

    /// - Parameter isRefuted: `nil` if the value of the preset decides.
    private mutating func addWait(_ setting: String, _ range: ClosedRange<Double>?, isRefuted: Bool?) {
        guard let range else { return }
        let wish = numbers[setting].flatMap { range.contains($0) ? $0 : nil }
        add(
            setting, SettingText.span(wish ?? RoundNumber.number(in: range)),
            SettingText.shown(range, SettingText.shown), range,
            isRefuted: !preset.isEmpty && (isRefuted ?? (wish == nil)))
    }

    mutating func findHeartbeats() {
        guard let heartbeats, let interval = heartbeats.intervals.first else {
            return findAnswers()
        }
        // Several models may give the same interval; intervals of other models are added as alternatives.
        let others = heartbeats.intervals.filter { !$0.range.overlaps(interval.range) }
        let ranges = [interval.range] + others.map(\.range)
        let wish = numbers["keepalive.interval"].flatMap { own in ranges.contains { $0.contains(own) } ? own : nil }
        let lateness = interval.isCoarse ? ", and sometimes late" : ""
        let beside = others.map {
            "; or \(SettingText.shown($0.range, SettingText.shown)) postponed by \($0.model.rawValue)"
        }
        let parts = interval.mayBeDivided ? ["; or a part of it, because pings may be hidden"] : []
        add(
            "keepalive.interval", SettingText.span(wish ?? RoundNumber.number(in: interval.range)),
            SettingText.shown(interval.range, SettingText.shown) + lateness + (parts + beside).joined(),
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
            undetermined.append(
                (
                    "keepalive.timeout",
                    heartbeats.endedInSilence
                        ? "connections ended after silences of different lengths"
                        : "no connection ended because of an unanswered ping"
                ))
            return
        }
        choose(
            "keepalive.verdict", verdict.model.rawValue, among: heartbeats.verdicts.map(\.model.rawValue),
            why: "both explain the single silence")
        guard verdict.model != .nextBeat else {
            return add(
                "keepalive.unanswered", "\(verdict.beats)", "\(verdict.beats)", nil,
                isRefuted: numbers["keepalive.unanswered"].map { $0 != Double(verdict.beats) } ?? false)
        }
        let setting = "keepalive." + verdict.model.rawValue
        let known = numbers[setting].flatMap { verdict.range.contains($0) ? $0 : nil }
        add(
            setting, SettingText.span(known ?? RoundNumber.number(in: verdict.range)),
            SettingText.shown(verdict.range, SettingText.shown) + (verdict.lateness > 0 ? ", and sometimes late" : ""),
            verdict.range, isRefuted: numbers[setting] != nil && known == nil)
    }

    /// The limit of silence of a client without pings.
    private mutating func findAnswers() {
        guard let answers else {
            return undetermined.append(
                (
                    "keepalive, calls.deadline",
                    "no ping was found, and the client closed no connection because of silence"
                ))
        }
        guard let found = answers.rules.first(where: isInPreset) ?? answers.rules.first else {
            return undetermined.append(
                (
                    "keepalive, calls.deadline",
                    "the client closed connections after silences of different lengths: \(answers.closes) closes"
                ))
        }
        let others = answers.rules.filter { $0.rule != found.rule }.map {
            "; or \(SettingText.shown($0.range, SettingText.shown)) after the last \($0.rule == .silence ? "data from the server" : "request")"
        }
        let allowed = SettingText.shown(found.range, SettingText.shown) + others.joined()
        let setting = found.rule == .deadline ? "calls.deadline" : "keepalive.silence"
        let wish = numbers[setting].flatMap { found.range.contains($0) ? $0 : nil }
        if found.rule == .silence {
            addOnly("keepalive.pings", "false", excuse: "pings of an encrypted connection cannot be seen")
            addOnly("keepalive.verdict", "silence", excuse: excuse(for: answers))
        } else {
            addOnly("calls.reconnect-after", "1", excuse: "packets do not show how many calls failed")
            // Packets do not show whether a request is a call. A client with messages alone has no deadline of calls.
            let why = "a client without calls closes after such a silence"
            let silence = RoundNumber.number(in: answers.silences.lowerBound...answers.silences.upperBound + 0.01)
            assumed += [
                ("keepalive.pings", "false", why), ("keepalive.verdict", "silence", why),
                ("keepalive.silence", SettingText.span(silence), why),
            ]
        }
        add(
            setting, SettingText.span(wish ?? RoundNumber.number(in: found.range)), allowed, found.range,
            isRefuted: numbers[setting] != nil && wish == nil)
    }

    /// Why closes after silences do not contradict a preset that finds dead connections in another way; `nil` if they do.
    private func excuse(for answers: AnswerFit) -> String? {
        guard answers.closes > 1 else {
            return "the client closed one connection after a silence, which may have another reason"
        }
        let interval = numbers["keepalive.interval"] ?? 0
        let limits =
            preset["keepalive.verdict"] == "next-beat"
            ? [interval * (numbers["keepalive.unanswered"] ?? 1)]
            : ["keepalive.timeout", "keepalive.own-timeout"].compactMap { numbers[$0] }
        let canExplain = answers.rules.contains { rule, range in
            limits.contains { limit in
                // The first unanswered ping is a request. It follows the last data within one interval.
                rule == .deadline ? range.contains(limit) : range.overlaps(limit...limit + interval)
            }
        }
        return preset["keepalive.pings"] != "false" && canExplain
            ? "pings that cannot be seen, with the preset's timeout, explain the closes as well" : nil
    }

    private func isInPreset(_ found: (rule: AnswerFit.AnswerRule, range: ClosedRange<Double>)) -> Bool {
        let setting = found.rule == .deadline ? "calls.deadline" : "keepalive.silence"
        return numbers[setting].map(found.range.contains) ?? false
    }
}
