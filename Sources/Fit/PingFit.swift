import DeadzoneBase

/// Estimates a client's keepalive interval, and the rule by which the client declares a connection dead.
package struct PingFit: Sendable {
    /// The traffic that restarts a client's ping interval, as in the setting `postponed-by`.
    enum PostponementRule: String, CaseIterable { case received, traffic, nothing }
    enum VerdictRule: String, CaseIterable {
        case timeout, silence
        case nextBeat = "next-beat"
    }

    /// An interval that explains the pings.
    struct PingInterval {
        let model: PostponementRule
        /// Allowed values in seconds.
        let range: ClosedRange<Double>
        /// `true` if pings are sometimes late.
        let isCoarse: Bool
        /// `true` if pings may be hidden between all that were seen, so that a part of the range is possible, too: a
        /// half, a third and so on.
        let mayBeDivided: Bool
    }

    /// A rule that explains the ends of connections without an answer.
    struct SilenceVerdict {
        let model: VerdictRule
        /// Allowed values of its time in seconds.
        let range: ClosedRange<Double>
        /// Number of unanswered pings, for `nextBeat`.
        let beats: Int
        /// How much later than allowed the latest end is, in seconds; 0 if all ends agree.
        let lateness: Double
    }

    /// The models with consistent pings, and the one with the least variation. The most likely comes first, after the
    /// preset's own model.
    let intervals: [PingInterval]
    /// The rules with consistent ends, or the one with the least variation. The preset's own rule comes first.
    let verdicts: [SilenceVerdict]
    /// `true` if a connection ended although nothing but silence was wrong with it.
    let endedInSilence: Bool

    /// `nil` if the recordings contain no ping.
    /// - Parameters:
    ///   - loss: Range of the time from the end of a connection to the next attempt, if such ends were seen.
    ///   - known: The preset's interval. It is taken if hidden pings leave a choice.
    init?(
        _ recordings: [Recording], waitingAfterLoss loss: ClosedRange<Double>? = nil, interval known: Double? = nil,
        preferring own: (postponement: String?, verdict: String?)
    ) {
        guard recordings.contains(where: { $0.connections.contains { !$0.heartbeats.isEmpty } }) else { return nil }
        let lines = recordings.flatMap(\.connections)
        let found = PostponementRule.allCases.compactMap { Self.interval(lines, $0, known) }
        guard !(found.allSatisfy(\.isCoarse) && Self.measuresThePath(lines)) else { return nil }
        // A coarse timer or a busy machine delays pings at random, so the model with the least variation is the most
        // likely.
        //
        // That model may have slightly inconsistent pings. A short interval measured from frequent events is consistent
        // with any pings.
        func chance(_ one: PingInterval) -> Double { one.range.upperBound / one.range.lowerBound }
        let likely = found.sorted { chance($0) < chance($1) }
        let possible = likely.enumerated().filter { $0.offset == 0 || !$0.element.isCoarse }.map(\.element)
        intervals =
            possible.filter { $0.model.rawValue == own.postponement }
            + possible.filter { $0.model.rawValue != own.postponement }
        guard let first = intervals.first else {
            (verdicts, endedInSilence) = ([], false)
            return
        }
        let silences = recordings.flatMap { Self.silences(of: $0, first, loss) }
        endedInSilence = !silences.isEmpty
        let explaining = VerdictRule.allCases.compactMap { Self.verdict(silences, $0, first.range) }
        let least = explaining.map(\.lateness).min()
        let likeliest = explaining.filter { $0.lateness == least }
        verdicts =
            likeliest.filter { $0.model.rawValue == own.verdict }
            + likeliest.filter { $0.model.rawValue != own.verdict }
    }

    /// `true` if most pings follow received data at once. HTTP/2 libraries measure the bandwidth with such pings, which
    /// have no interval of their own.
    private static func measuresThePath(_ lines: [Recording.RecordedConnection]) -> Bool {
        let spans = lines.flatMap(\.heartbeats).map { $0.at - $0.lastReceivedAt }.sorted()
        return spans.count > 2 && spans[spans.count / 2] < .milliseconds(50)
    }

    private static func interval(
        _ lines: [Recording.RecordedConnection], _ model: PostponementRule, _ known: Double?
    ) -> PingInterval? {
        let spans = lines.filter { !$0.heartbeats.isEmpty }.flatMap { Self.spans(of: $0, model) }
        let fixed = range(of: spans)
        let parts = fixed == nil ? divided(spans, unpinged: lines) : []
        let ownPart = known.flatMap { known in parts.first { $0.low <= known && known <= $0.high } }
        guard let (low, high) = fixed ?? ownPart ?? parts.first else { return nil }
        func interval(_ low: Double, isCoarse: Bool) -> PingInterval {
            PingInterval(
                model: model, range: max(0.001, low)...max(0.001, high), isCoarse: isCoarse,
                mayBeDivided: parts.count > 1)
        }
        // A client that pings after this much silence never lets a longer silence pass.
        let quiet = lines.filter { !$0.heartbeats.isEmpty }.map {
            model == .received ? $0.longestReceiveGap : model == .traffic ? $0.longestIdleGap : .zero
        }
        if let longest = quiet.max()?.seconds, high + RetryWait.late(high) < longest { return nil }
        if low <= high { return interval(low, isCoarse: false) }
        let least = spans.filter { $0.hidden == 0 }.map(\.range.lowerBound).min() ?? high
        return interval(min(least, high), isCoarse: true)
    }

    /// The time from the start of an interval to a ping.
    private struct PingSpan {
        /// With the tolerance of recorded times.
        var range: ClosedRange<Double>
        /// `false` if only the upper bound is certain, because the protocol was ready at an unknown time.
        var isExact = true
        /// Number of pings in between that are known to be hidden; `nil` if there may be any number.
        var hidden: Int? = 0

        init(_ span: Double, most: Double? = nil) {
            range = max(0, span - RetryWait.late(span))...max(0, max(span, most ?? span) + RetryWait.early)
        }
    }

    /// The time of a ping that the kernel held back is unknown.
    private static func spans(of line: Recording.RecordedConnection, _ model: PostponementRule) -> [PingSpan] {
        var spans: [PingSpan] = []
        guard model == .nothing else {
            return line.heartbeats.filter { !$0.wasHeldBack }.map {
                PingSpan(
                    ($0.at - (model == .received ? $0.lastReceivedAt : max($0.lastReceivedAt, $0.lastActivityAt)))
                        .seconds)
            }
        }
        // Some clients start the first interval when they begin to connect, others when the protocol is ready.
        var (earliest, latest) = (line.beganAt, line.openedAt ?? line.beganAt)
        var (hidden, mayHide, isFirst) = (0, false, true)
        for beat in line.heartbeats {
            mayHide = mayHide || beat.followsRepeats
            guard !beat.wasHeldBack else {
                hidden += 1
                continue
            }
            var span = PingSpan((beat.at - latest).seconds, most: (beat.at - earliest).seconds)
            span.isExact = !isFirst || line.heartbeats.count == 1
            span.hidden = hidden > 0 ? hidden : mayHide ? nil : 0
            // Some clients also send a ping as soon as the protocol is ready. It belongs to no interval.
            let isOfSetUp =
                !span.isExact && span.hidden == 0 && beat.at - beat.lastReceivedAt < MeasurementTolerance.late
            if !isOfSetUp { spans.append(span) }
            (earliest, latest, hidden, mayHide, isFirst) = (beat.at, beat.at, 0, false, false)
        }
        return spans
    }

    /// Bounds of the interval by the spans without a hidden ping. The lower bound is above the upper one if the spans
    /// contradict each other. `nil` if no such span is exact. The first ping of several only gives an upper bound.
    private static func range(of spans: [PingSpan]) -> (low: Double, high: Double)? {
        let plain = spans.filter { $0.hidden == 0 }
        let exact = plain.filter(\.isExact)
        guard let low = exact.map(\.range.lowerBound).max(), let high = plain.map(\.range.upperBound).min() else {
            return nil
        }
        return (low, high)
    }

    /// Bounds of the interval if every span may contain hidden pings: the intervals that divide all spans and that are
    /// longer than the connections without a ping. The longest is the first.
    private static func divided(
        _ spans: [PingSpan], unpinged lines: [Recording.RecordedConnection]
    ) -> [(low: Double, high: Double)] {
        guard let first = spans.first else { return [] }
        let unpinged =
            lines.filter(\.heartbeats.isEmpty).compactMap { line in
                line.openedAt.flatMap { opened in line.lastReceivedAt.map { ($0 - opened).seconds } }
            }.max() ?? 0
        func part(_ span: PingSpan, _ count: Int) -> ClosedRange<Double> {
            span.range.lowerBound / Double(count)...span.range.upperBound / Double(count)
        }
        func counts(_ span: PingSpan) -> ClosedRange<Int> { (span.hidden ?? 0) + 1...(span.hidden ?? 0) + maxHidden }
        return counts(first).compactMap { count in
            var common = part(first, count)
            let isCommon = spans.dropFirst().allSatisfy { span in
                guard let own = counts(span).map({ part(span, $0) }).first(where: common.overlaps) else { return false }
                common = common.clamped(to: own)
                return true
            }
            return isCommon && common.upperBound >= unpinged ? (common.lowerBound, common.upperBound) : nil
        }
    }

    /// Largest number of pings in one outage that is considered.
    private static let maxHidden = 8
}

/// The rule by which a client with pings finds that a connection is dead.
extension PingFit {
    /// A connection that the client closed although nothing was wrong with it in its own view, except for silence.
    struct Silence {
        /// When the last data was received.
        let heard: Instant
        /// When the first unanswered ping was sent, or was due.
        let pinged: ClosedRange<Double>
        let ended: ClosedRange<Double>
    }

    private static func silences(
        of recording: Recording, _ interval: PingInterval, _ loss: ClosedRange<Double>?
    ) -> [Silence] {
        recording.connections.enumerated().compactMap { place, line in
            let next = place + 1 < recording.connections.count ? recording.connections[place + 1] : nil
            guard line.openedAt != nil, let heard = line.lastReceivedAt ?? line.openedAt,
                let ended = end(of: line, next, loss),
                let pinged = firstUnanswered(line, heard, interval)
            else { return nil }
            let end = (ended.lowerBound - .zero).seconds...(ended.upperBound - .zero).seconds
            return pinged.lowerBound <= end.upperBound ? Silence(heard: heard, pinged: pinged, ended: end) : nil
        }
    }

    /// A ping in an outage is not in the recording if the kernel holds it back, or has no route for it. Then its time
    /// follows from the interval.
    private static func firstUnanswered(
        _ line: Recording.RecordedConnection, _ heard: Instant, _ interval: PingInterval
    ) -> ClosedRange<Double>? {
        if let ping = line.heartbeats.first(where: { heard < $0.at && !$0.wasHeldBack }) {
            return (ping.at - .zero).seconds...(ping.at - .zero).seconds
        }
        let (low, high) = (interval.range.lowerBound, interval.range.upperBound)
        let last = (heard - .zero).seconds
        switch interval.model {
        case .received: return last + low...last + high
        // Messages that the client sends in the outage postpone its pings, and are not all in the recording.
        case .traffic: return nil
        case .nothing:
            let beat = line.heartbeats.last { !$0.wasHeldBack }.map { ($0.at - .zero).seconds }
            let earliest = beat ?? (line.beganAt - .zero).seconds
            let latest = beat ?? ((line.openedAt ?? line.beganAt) - .zero).seconds
            let count = max(1, ((last - latest) / ((low + high) / 2)).rounded(.down) + 1)
            return earliest + count * low...latest + count * high
        }
    }

    /// Many clients look at their clocks once a second, so an end may be this much late, in seconds.
    private static let coarseness = 1.0

    /// Bounds the time from the start of the wait (last data or first unanswered ping) to the end by the client.
    private static func verdict(
        _ silences: [Silence], _ model: VerdictRule, _ interval: ClosedRange<Double>
    ) -> SilenceVerdict? {
        let spans = silences.map { silence in
            let heard = (silence.heard - .zero).seconds
            let since = model == .silence ? heard...heard : silence.pinged
            let least = silence.ended.lowerBound - since.upperBound
            let most = silence.ended.upperBound - since.lowerBound
            return max(0.001, least - RetryWait.late(least))...max(0.001, most + RetryWait.early)
        }
        guard let low = spans.map(\.lowerBound).max(), let high = spans.map(\.upperBound).min() else { return nil }
        let lateness = max(0, low - high)
        guard lateness <= coarseness else { return nil }
        // A timer may be late but not early, so the earliest end is near the true time.
        let least = lateness > 0 ? spans.map(\.lowerBound).min() ?? low : low
        let range = min(least, high)...high
        func isLasting(_ count: Int) -> Bool {
            (interval.lowerBound * Double(count)...interval.upperBound * Double(count)).overlaps(range)
        }
        guard let beats = model == .nextBeat ? (1...maxHidden).first(where: isLasting) : 1 else { return nil }
        return SilenceVerdict(model: model, range: range, beats: beats, lateness: lateness)
    }

    /// Returns when the client ended the connection.
    ///
    /// A kernel holds a FIN back behind unacknowledged bytes. Then the end is computed from the next attempt.
    private static func end(
        of line: Recording.RecordedConnection, _ next: Recording.RecordedConnection?, _ loss: ClosedRange<Double>?
    ) -> ClosedRange<Instant>? {
        if let ended = line.endedAt, next.map({ ended <= $0.beganAt }) ?? true {
            return line.ending == .client ? ended...ended : nil
        }
        guard let next, let loss else { return nil }
        return next.beganAt - .seconds(loss.upperBound)...next.beganAt - .seconds(loss.lowerBound)
    }
}

extension TimeSpan {
    fileprivate static func seconds(_ count: Double) -> TimeSpan { .init(nanoseconds: Int64((count * 1e9).rounded())) }
}
