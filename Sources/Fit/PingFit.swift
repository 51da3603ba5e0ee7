import DeadzonePrimitives

/// Estimates a client's keepalive interval, and the rule by which the client declares a connection dead.
public struct PingFit: Sendable {
    /// The traffic that restarts a client's ping interval, as in the setting `postponed-by`.
    enum PostponementRule: String, CaseIterable { case received, traffic, nothing }
    enum VerdictRule: String, CaseIterable {
        case timeout, silence
        case nextBeat = "next-beat"
    }

    /// Allowed values in seconds: the models with consistent pings, and the one with the least variation.
    ///
    /// The most likely comes first, after the preset's own model. `isCoarse` means that pings are sometimes late.
    let intervals: [(model: PostponementRule, range: ClosedRange<Double>, isCoarse: Bool)]
    let verdicts: [(model: VerdictRule, range: ClosedRange<Double>)]

    /// `nil` if the recordings contain no ping.
    /// - Parameter loss: Range of the time from the end of a connection to the next attempt, if such ends were seen.
    init?(
        _ recordings: [Recording], waitingAfterLoss loss: ClosedRange<Double>? = nil,
        preferring own: (postponement: String?, verdict: String?)
    ) {
        let beaten = recordings.flatMap(\.connections).filter { !$0.heartbeats.isEmpty }
        guard !beaten.isEmpty else { return nil }
        let found = PostponementRule.allCases.compactMap { model in
            Self.interval(beaten, model).map { (model, $0.range, $0.isCoarse) }
        }
        // A coarse timer or a busy machine delays pings at random, so the model with the least variation is the most
        // likely.
        //
        // That model may have slightly inconsistent pings. A short interval measured from frequent events is consistent
        // with any pings.
        func chance(_ one: (PostponementRule, ClosedRange<Double>, Bool)) -> Double {
            one.1.upperBound / one.1.lowerBound
        }
        let likely = found.sorted { chance($0) < chance($1) }
        let possible = likely.enumerated().filter { $0.offset == 0 || !$0.element.2 }.map(\.element)
        intervals =
            possible.filter { $0.0.rawValue == own.postponement }
            + possible.filter { $0.0.rawValue != own.postponement }
        let interval = intervals.first?.range
        verdicts = VerdictRule.allCases.compactMap { model in
            Self.verdict(recordings, model, interval, loss).map { (model, $0) }
        }.sorted { one, _ in one.0.rawValue == own.verdict }
    }

    private static func interval(
        _ lines: [Recording.RecordedConnection], _ model: PostponementRule
    ) -> (range: ClosedRange<Double>, isCoarse: Bool)? {
        var (spans, firsts): ([Double], [Double]) = ([], [])
        for line in lines {
            var before = line.openedAt
            for beat in line.heartbeats {
                let since =
                    switch model {
                    case .nothing: before
                    case .received: beat.lastReceivedAt
                    case .traffic: max(beat.lastReceivedAt, beat.lastActivityAt)
                    }
                let span = since.map { (beat.at - $0).seconds }
                // The connection is open before its protocol is ready. So the first of several pings only gives an
                // upper bound of the interval.
                if model == .nothing, beat == line.heartbeats.first, line.heartbeats.count > 1 {
                    firsts += [span].compactMap { $0 }
                } else {
                    spans += [span].compactMap { $0 }
                }
                before = beat.at
            }
        }
        guard let least = (spans + firsts).min(), let most = spans.max() else { return nil }
        let low = most - RetryWait.late(most)
        let high = least + RetryWait.early
        // A client that pings after this much silence never lets a longer silence pass.
        let quiet = lines.map {
            model == .received ? $0.longestReceiveGap : model == .traffic ? $0.longestIdleGap : .zero
        }
        if let longest = quiet.max()?.seconds, high + RetryWait.late(high) < longest { return nil }
        return low <= high
            ? (max(0.001, low)...max(0.001, high), false)
            : (max(0.001, least - RetryWait.late(least))...max(0.001, high), true)
    }

    /// Returns the range of the time from the start of the wait (last data or first unanswered ping) to the end by the
    /// client.
    private static func verdict(
        _ recordings: [Recording], _ model: VerdictRule, _ interval: ClosedRange<Double>?, _ loss: ClosedRange<Double>?
    ) -> ClosedRange<Double>? {
        var range: ClosedRange<Double>?
        for recording in recordings {
            for (place, line) in recording.connections.enumerated() {
                let next = place + 1 < recording.connections.count ? recording.connections[place + 1] : nil
                guard let heard = line.lastReceivedAt ?? line.openedAt,
                    let ping = line.heartbeats.first(where: { heard < $0.at }),
                    let ended = end(of: line, next, loss)
                else { continue }
                let since = model == .silence ? heard : ping.at
                let (least, most) = ((ended.lowerBound - since).seconds, (ended.upperBound - since).seconds)
                let own = max(0.001, least - RetryWait.late(least))...max(0.001, most + RetryWait.early)
                guard let before = range else {
                    range = own
                    continue
                }
                guard before.overlaps(own) else { return nil }
                range = before.clamped(to: own)
            }
        }
        guard let range, model == .nextBeat else { return range }
        return interval.map { $0.overlaps(range) } == true ? range : nil
    }

    /// Returns when the client ended the connection.
    ///
    /// A kernel holds a FIN back behind unacknowledged bytes. Then the end is computed from the next attempt.
    private static func end(
        of line: Recording.RecordedConnection, _ next: Recording.RecordedConnection?, _ loss: ClosedRange<Double>?
    ) -> ClosedRange<Instant>? {
        if let ended = line.endedAt { return line.ending == .client ? ended...ended : nil }
        guard let next, let loss else { return nil }
        return next.beganAt - .seconds(loss.upperBound)...next.beganAt - .seconds(loss.lowerBound)
    }
}

extension TimeSpan {
    fileprivate static func seconds(_ count: Double) -> TimeSpan { .init(nanoseconds: Int64((count * 1e9).rounded())) }
}
