package import DeadzoneBase

/// A recorded call to a radio's state machine, to replay the radio exactly. Packets show when bits flowed. But a radio
/// is also called earlier than that, and for bits that never flowed. No packet shows coverage, handovers, or how long
/// bits kept the air busy.
package struct RadioCall: Hashable, Sendable, BitwiseCopyable {
    package enum Operation: Hashable, Sendable, BitwiseCopyable {
        case begin(RadioPhases)
        case carry(Direction, bytes: UInt32, airtime: TimeSpan)
        case coverage(Bool)
        case association(Bool)
        case handover(lasting: TimeSpan)
        case end
    }

    package let at: Instant
    package let operation: Operation

    package init(at: Instant, _ operation: Operation) {
        self.at = at
        self.operation = operation
    }
}

extension Radio {
    /// Repeats a recorded call on this radio, which must be advanced to that time. The cause only decides what is
    /// charged and does not change the behaviour of the radio.
    package mutating func apply(_ call: RadioCall, for cause: Cause, _ profile: RadioProfile) -> BurstOutcome {
        var outcome = BurstOutcome(flowsAt: call.at, airtime: .zero)
        switch call.operation {
        case .carry(let direction, let bytes, let airtime):
            let burst = Burst(direction: direction, bytes: bytes, airtime: airtime, cause: cause)
            return carry(burst, at: call.at, profile)
        case .coverage(let isThere): outcome.spent = setCoverage(isThere, at: call.at, profile)
        case .association(let isThere):
            // A cellular radio has no association.
            if profile.technology.isLocal { outcome.spent = setAssociated(isThere, at: call.at) }
        case .handover(let span): outcome.spent = handover(at: call.at, lasting: span, profile)
        case .begin, .end: outcome.spent = closePeriod(at: call.at)
        }
        return outcome
    }
}

/// All calls to a radio between two instants, in order. A radio with the same profile that receives the same calls
/// spends the same time in each state, to the nanosecond.
package struct RadioCallLog: Hashable, Sendable {
    /// Maximum number of calls in a log.
    package static let maxCalls = 1 << 19
    /// Latest time in a log, in nanoseconds: about thirty years. The limit keeps times from a file from overflowing.
    private static let latest: Int64 = 1_000_000_000_000_000_000
    /// Longest airtime in a log, in nanoseconds: about a quarter of an hour. The limit keeps values from a file from
    /// overflowing.
    private static let longest: Int64 = 1_000_000_000_000

    package let calls: [RadioCall]

    package var phases: RadioPhases {
        guard case .begin(let phases) = calls[0].operation else { preconditionFailure("a script starts with `begin`") }
        return phases
    }
    package var beginsAt: Instant { calls[0].at }
    package var endsAt: Instant { calls[calls.count - 1].at }

    /// Creates a log of the calls. `nil` unless they have one `begin` at the start, one `end` at the end, and times
    /// that never decrease.
    package init?(_ calls: [RadioCall]) {
        guard calls.count >= 2, calls.count <= Self.maxCalls, case .begin = calls[0].operation,
            case .end = calls[calls.count - 1].operation
        else { return nil }
        for (before, call) in zip(calls, calls.dropFirst()) {
            guard before.at <= call.at, before.operation != .end else { return nil }
            if case .begin = call.operation { return nil }
        }
        self.calls = calls
    }

    // MARK: As text

    /// Returns the calls as texts of at most this many bytes each, to fit into comments of a capture. Times and lengths
    /// are in nanoseconds:
    ///
    ///     0 begin 12 34 56; 30000000000 up 100 80000; …
    package func texts(ofBytes most: Int) -> [String] {
        var texts: [String] = []
        var text = ""
        for call in calls {
            let word = "\(call.at.nanoseconds) \(call.operation.text)"
            if !text.isEmpty, text.utf8.count + word.utf8.count + 2 > most {
                texts.append(text)
                text = ""
            }
            text += (text.isEmpty ? "" : "; ") + word
        }
        return texts + [text]
    }

    /// Reads a log from its texts. `nil` if a text was changed or is missing.
    package init?(_ texts: [String]) {
        var calls: [RadioCall] = []
        for text in texts {
            for part in text.split(separator: ";") {
                let words = part.split(separator: " ")
                guard words.count >= 2, calls.count < Self.maxCalls, let at = Int64(words[0]),
                    (0...Self.latest).contains(at),
                    let operation = RadioCall.Operation(words.dropFirst(), longest: Self.longest)
                else { return nil }
                calls.append(RadioCall(at: Instant(nanoseconds: at), operation))
            }
        }
        self.init(calls)
    }
}

extension RadioCall.Operation {
    fileprivate var text: String {
        switch self {
        case .begin(let phases): "begin \(phases.paging) \(phases.drx) \(phases.luck)"
        case .carry(.up, let bytes, let airtime): "up \(bytes) \(airtime.nanoseconds)"
        case .carry(.down, let bytes, let airtime): "down \(bytes) \(airtime.nanoseconds)"
        case .coverage(let isThere): isThere ? "light" : "dark"
        case .association(let isThere): isThere ? "join" : "leave"
        case .handover(let span): "handover \(span.nanoseconds)"
        case .end: "end"
        }
    }

    fileprivate init?(_ words: ArraySlice<Substring>, longest: Int64) {
        guard let word = words.first else { return nil }
        let numbers = words.dropFirst().compactMap { UInt64($0) }
        guard numbers.count == words.count - 1 else { return nil }
        func span(_ number: UInt64) -> TimeSpan? {
            number <= UInt64(longest) ? .nanoseconds(Int64(number)) : nil
        }
        switch (word, numbers.count) {
        case ("begin", 3):
            guard let paging = span(numbers[0]), let drx = span(numbers[1]) else { return nil }
            self = .begin(RadioPhases(paging: paging.nanoseconds, drx: drx.nanoseconds, luck: numbers[2]))
        case ("up", 2), ("down", 2):
            guard let bytes = UInt32(exactly: numbers[0]), let airtime = span(numbers[1]) else { return nil }
            self = .carry(word == "up" ? .up : .down, bytes: bytes, airtime: airtime)
        case ("handover", 1):
            guard let span = span(numbers[0]) else { return nil }
            self = .handover(lasting: span)
        case ("light", 0): self = .coverage(true)
        case ("dark", 0): self = .coverage(false)
        case ("join", 0): self = .association(true)
        case ("leave", 0): self = .association(false)
        case ("end", 0): self = .end
        default: return nil
        }
    }
}
