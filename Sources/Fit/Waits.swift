public import DeadzonePrimitives

/// What a recording may be off by: a timer of a real program may be early by a rounding, and late by what a loaded machine takes.
public enum Slack {
    public static let early = TimeSpan.milliseconds(30)
    public static let late = TimeSpan.milliseconds(150)

    /// Whether a span that was measured can be one of these.
    public static func holds(_ span: TimeSpan, in bounds: ClosedRange<TimeSpan>) -> Bool {
        bounds.lowerBound - early <= span && span <= bounds.upperBound + max(late, bounds.upperBound / 100)
    }
}

/// What lies between an attempt, or a connection, that came to nothing and the attempt after it. In seconds.
public struct Wait: Sendable {
    public enum After: Sendable { case refusal, silence, loss }

    public let after: After
    /// When it was over.
    public let at: Instant
    /// Attempts that had failed in a row before, since a connection or the beginning.
    public let failed: Int
    /// The row began with the loss of a connection that was seen to end.
    public let followsLoss: Bool
    /// From the beginning of one to the beginning of the other.
    public let fromBegin: Double
    /// From its end, where that was seen.
    public let fromEnd: Double
    /// The attempt was still repeated so long after its beginning.
    let stillTrying: Double
    /// Of the wait before it in the same row.
    let before: Int?

    static let early = Slack.early.seconds
    static func late(_ span: Double) -> Double { max(Slack.late.seconds, span / 100) }
}

extension TimeSpan {
    var seconds: Double { Double(nanoseconds) / 1e9 }
}

extension Wait {
    /// Attempts that overlap an older one that still lives are no retries: they are left out.
    public static func all(of recordings: [Recording]) -> [Wait] {
        var waits: [Wait] = []
        for recording in recordings {
            var failed = 0
            var followsLoss = false
            var before: Int?
            for (line, next) in zip(recording.lines, recording.lines.dropFirst()) {
                guard let wait = Wait(line, next, failed, followsLoss, before) else {
                    (failed, followsLoss, before) = (0, false, nil)
                    continue
                }
                before = waits.count
                waits.append(wait)
                (failed, followsLoss) = wait.after == .loss ? (0, true) : (failed + 1, followsLoss)
            }
        }
        return waits
    }

    private init?(_ line: Recording.Line, _ next: Recording.Line, _ failed: Int, _ followsLoss: Bool, _ before: Int?) {
        let span = (next.beganAt - line.beganAt).seconds
        let end = line.endedAt.map { ($0 - line.beganAt).seconds }
        if line.openedAt != nil {
            // Whom nobody was seen to end may still be there, and who dies without a word is found dead at no known moment.
            guard let end, end <= span else { return nil }
            after = .loss
            fromEnd = span - end
        } else {
            after = line.ending == .refused && end.map { $0 <= span } ?? false ? .refusal : .silence
            fromEnd = after == .refusal ? span - (end ?? 0) : span
        }
        at = next.beganAt
        self.failed = after == .loss ? 0 : failed
        self.followsLoss = after == .loss || followsLoss
        fromBegin = span
        stillTrying = after == .silence ? line.repeatedAt.map { ($0 - line.beganAt).seconds } ?? 0 : 0
        self.before = after == .loss ? nil : before
    }
}
