import DeadzonePrimitives

/// How often a client asks for signs of life, and when it takes silence for death.
public struct PingFit: Sendable {
    /// What makes the next beat wait a whole interval again, as `postponed-by` has it.
    enum Postponement: String, CaseIterable { case received, traffic, nothing }
    enum Verdict: String, CaseIterable {
        case timeout, silence
        case nextBeat = "next-beat"
    }

    /// What the recording allows, in seconds: those laws whose beats agree.
    let intervals: [(law: Postponement, range: ClosedRange<Double>, isCoarse: Bool)]
    let verdicts: [(law: Verdict, range: ClosedRange<Double>)]

    /// Nil: no ping was seen.
    init?(_ lines: [Recording.Line], preferring own: (postponement: String?, verdict: String?)) {
        let beaten = lines.filter { !$0.beats.isEmpty }
        guard !beaten.isEmpty else { return nil }
        let found = Postponement.allCases.compactMap { law in
            Self.interval(beaten, law).map { (law, $0.range, $0.isCoarse) }
        }
        let exact = found.filter { !$0.2 }
        // A timer that looks only now and then is late by chance: the law of the smallest chance is the likeliest.
        let coarse =
            found.min { $0.1.upperBound / $0.1.lowerBound < $1.1.upperBound / $1.1.lowerBound }.map { [$0] } ?? []
        intervals = (exact.isEmpty ? coarse : exact).sorted { one, _ in one.0.rawValue == own.postponement }
        let interval = intervals.first?.range
        verdicts = Verdict.allCases.compactMap { law in
            Self.verdict(beaten, law, interval).map { (law, $0) }
        }.sorted { one, _ in one.0.rawValue == own.verdict }
    }

    private static func interval(
        _ lines: [Recording.Line], _ law: Postponement
    ) -> (range: ClosedRange<Double>, isCoarse: Bool)? {
        var spans: [Double] = []
        for line in lines {
            var before = line.openedAt
            for beat in line.beats {
                let since =
                    switch law {
                    case .nothing: before
                    case .received: beat.heardAt
                    case .traffic: max(beat.heardAt, beat.saidAt)
                    }
                if let since { spans.append((beat.at - since).seconds) }
                before = beat.at
            }
        }
        guard let least = spans.min(), let most = spans.max() else { return nil }
        let low = most - Wait.late(most)
        let high = least + Wait.early
        return low <= high
            ? (max(0.001, low)...max(0.001, high), false)
            : (max(0.001, least - Wait.late(least))...max(0.001, high), true)
    }

    /// From what it waited for to the end that the client made, where a ping was never answered.
    private static func verdict(
        _ lines: [Recording.Line], _ law: Verdict, _ interval: ClosedRange<Double>?
    ) -> ClosedRange<Double>? {
        var range: ClosedRange<Double>?
        for line in lines where line.ending == .client {
            guard let ended = line.endedAt, let heard = line.heardAt ?? line.openedAt,
                let ping = line.beats.first(where: { heard < $0.at })
            else { continue }
            let span = (ended - (law == .silence ? heard : ping.at)).seconds
            let own = max(0.001, span - Wait.late(span))...span + Wait.early
            guard let before = range else {
                range = own
                continue
            }
            guard before.overlaps(own) else { return nil }
            range = before.clamped(to: own)
        }
        guard let range, law == .nextBeat else { return range }
        return interval.map { $0.overlaps(range) } == true ? range : nil
    }
}
