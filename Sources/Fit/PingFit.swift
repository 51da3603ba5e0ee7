import DeadzonePrimitives

/// How often a client asks for signs of life, and when it takes silence for death.
public struct PingFit: Sendable {
    /// What makes the next beat wait a whole interval again, as `postponed-by` has it.
    enum Postponement: String, CaseIterable { case received, traffic, nothing }
    enum Verdict: String, CaseIterable {
        case timeout, silence
        case nextBeat = "next-beat"
    }

    /// What the recording allows, in seconds: those laws whose beats agree, and the one that leaves the least to chance; the likeliest
    /// first, but for the preset's own.
    let intervals: [(law: Postponement, range: ClosedRange<Double>, isCoarse: Bool)]
    let verdicts: [(law: Verdict, range: ClosedRange<Double>)]

    /// Nil: no ping was seen.
    /// - Parameter loss: from the end of a connection to the next attempt, where ends were seen.
    init?(
        _ recordings: [Recording], waitingAfterLoss loss: ClosedRange<Double>? = nil,
        preferring own: (postponement: String?, verdict: String?)
    ) {
        let beaten = recordings.flatMap(\.lines).filter { !$0.beats.isEmpty }
        guard !beaten.isEmpty else { return nil }
        let found = Postponement.allCases.compactMap { law in
            Self.interval(beaten, law).map { (law, $0.range, $0.isCoarse) }
        }
        // A timer that looks only now and then, or a machine that does other things, is late by chance: the law of the smallest chance
        // is the likeliest. That may be one whose beats do not quite agree: a short interval since something that comes all the time
        // agrees with any beats.
        func chance(_ one: (Postponement, ClosedRange<Double>, Bool)) -> Double { one.1.upperBound / one.1.lowerBound }
        let likely = found.sorted { chance($0) < chance($1) }
        let possible = likely.enumerated().filter { $0.offset == 0 || !$0.element.2 }.map(\.element)
        intervals =
            possible.filter { $0.0.rawValue == own.postponement }
            + possible.filter { $0.0.rawValue != own.postponement }
        let interval = intervals.first?.range
        verdicts = Verdict.allCases.compactMap { law in
            Self.verdict(recordings, law, interval, loss).map { (law, $0) }
        }.sorted { one, _ in one.0.rawValue == own.verdict }
    }

    private static func interval(
        _ lines: [Recording.Line], _ law: Postponement
    ) -> (range: ClosedRange<Double>, isCoarse: Bool)? {
        var (spans, firsts): ([Double], [Double]) = ([], [])
        for line in lines {
            var before = line.openedAt
            for beat in line.beats {
                let since =
                    switch law {
                    case .nothing: before
                    case .received: beat.heardAt
                    case .traffic: max(beat.heardAt, beat.saidAt)
                    }
                let span = since.map { (beat.at - $0).seconds }
                // The connection was there before its protocol was: the first of several beats tells how far they are apart at most.
                if law == .nothing, beat == line.beats.first, line.beats.count > 1 {
                    firsts += [span].compactMap { $0 }
                } else {
                    spans += [span].compactMap { $0 }
                }
                before = beat.at
            }
        }
        guard let least = (spans + firsts).min(), let most = spans.max() else { return nil }
        let low = most - Wait.late(most)
        let high = least + Wait.early
        // Who pings after so much quiet does not let more of it pass.
        let quiet = lines.map { law == .received ? $0.longestUnheard : law == .traffic ? $0.longestUnsaid : .zero }
        if let longest = quiet.max()?.seconds, high + Wait.late(high) < longest { return nil }
        return low <= high
            ? (max(0.001, low)...max(0.001, high), false)
            : (max(0.001, least - Wait.late(least))...max(0.001, high), true)
    }

    /// From what it waited for to the end that the client made, where a ping was never answered.
    private static func verdict(
        _ recordings: [Recording], _ law: Verdict, _ interval: ClosedRange<Double>?, _ loss: ClosedRange<Double>?
    ) -> ClosedRange<Double>? {
        var range: ClosedRange<Double>?
        for recording in recordings {
            for (place, line) in recording.lines.enumerated() {
                let next = place + 1 < recording.lines.count ? recording.lines[place + 1] : nil
                guard let heard = line.heardAt ?? line.openedAt, let ping = line.beats.first(where: { heard < $0.at }),
                    let ended = end(of: line, next, loss)
                else { continue }
                let since = law == .silence ? heard : ping.at
                let (least, most) = ((ended.lowerBound - since).seconds, (ended.upperBound - since).seconds)
                let own = max(0.001, least - Wait.late(least))...max(0.001, most + Wait.early)
                guard let before = range else {
                    range = own
                    continue
                }
                guard before.overlaps(own) else { return nil }
                range = before.clamped(to: own)
            }
        }
        guard let range, law == .nextBeat else { return range }
        return interval.map { $0.overlaps(range) } == true ? range : nil
    }

    /// When the client left it. A kernel keeps a goodbye back behind bytes that nobody acknowledges: then the next attempt tells.
    private static func end(
        of line: Recording.Line, _ next: Recording.Line?, _ loss: ClosedRange<Double>?
    ) -> ClosedRange<Instant>? {
        if let ended = line.endedAt { return line.ending == .client ? ended...ended : nil }
        guard let next, let loss else { return nil }
        return next.beganAt - .seconds(loss.upperBound)...next.beganAt - .seconds(loss.lowerBound)
    }
}

extension TimeSpan {
    fileprivate static func seconds(_ count: Double) -> TimeSpan { .init(nanoseconds: Int64((count * 1e9).rounded())) }
}
