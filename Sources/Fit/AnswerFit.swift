import DeadzoneBase

/// Estimates after how long without an answer a client without pings closes a connection: a read timeout, or the
/// deadline of a request.
struct AnswerFit: Sendable {
    enum AnswerRule: Sendable {
        /// Counted from the first unanswered request.
        case deadline
        /// Counted from the last received data.
        case silence
    }

    /// The rules that explain every close, each with its allowed values in seconds; the most likely comes first.
    let rules: [(rule: AnswerRule, range: ClosedRange<Double>)]
    /// Number of connections that the client closed because of silence.
    let closes: Int
    /// The silences before these closes, in seconds.
    let silences: ClosedRange<Double>

    /// Shorter silences before a close are no timeouts: the client was done.
    private static let shortest = 0.3

    /// `nil` if the client closed no connection because of silence.
    init?(_ recordings: [Recording]) {
        let lines = recordings.flatMap { recording in
            zip(recording.connections, recording.connections.dropFirst().map(\.beganAt) + [.never])
        }.filter { $0.0.openedAt != nil }
        let closed = lines.compactMap { line, next -> (silence: Double, asked: Double?)? in
            guard line.ending == .client, let ended = line.endedAt, ended <= next,
                let heard = line.lastReceivedAt ?? line.openedAt
            else { return nil }
            let silence = (ended - heard).seconds
            guard silence >= Self.shortest else { return nil }
            // The last data of a client before its close may say goodbye, as TLS does. Such data is no request.
            let asked = line.askedAt.map { (ended - $0).seconds }.flatMap { $0 < Self.shortest ? nil : $0 }
            return (silence, asked)
        }
        guard !closed.isEmpty else { return nil }
        closes = closed.count
        silences = (closed.map(\.silence).min() ?? 0)...(closed.map(\.silence).max() ?? 0)
        var rules: [(rule: AnswerRule, range: ClosedRange<Double>)] = []
        // A request may be missing, because the kernel had no route for it.
        let asked = closed.compactMap(\.asked)
        let deadline = asked.isEmpty ? nil : Self.common(asked)
        // A silence that a connection survived is shorter than the limit.
        let survived = lines.map(\.0.longestReceiveGap.seconds).max() ?? 0
        if let range = Self.common(closed.map(\.silence)), survived <= range.upperBound {
            rules.append((.silence, range))
        }
        // The rule that explains more closes comes first.
        if let deadline { rules.insert((.deadline, deadline), at: asked.count < closed.count ? rules.count : 0) }
        self.rules = rules
    }

    private static func common(_ spans: [Double]) -> ClosedRange<Double>? {
        guard let least = spans.min(), let most = spans.max() else { return nil }
        let (low, high) = (max(0.001, most - RetryWait.late(most)), least + RetryWait.early)
        return low <= high ? low...high : nil
    }
}
