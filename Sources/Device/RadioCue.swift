public import DeadzonePrimitives

/// What a radio was told at some moment. Packets show when bits flowed. A radio was asked before that, by bits that never flowed,
/// too; and no packet shows coverage, handovers, or for how long bits kept the air busy.
public struct RadioCue: Hashable, Sendable, BitwiseCopyable {
    public enum Verb: Hashable, Sendable, BitwiseCopyable {
        case begin(RadioPhases)
        case carry(Direction, bytes: UInt32, airtime: TimeSpan)
        case coverage(Bool)
        case association(Bool)
        case handover(lasting: TimeSpan)
        case end
    }

    public let at: Instant
    public let verb: Verb

    public init(at: Instant, _ verb: Verb) {
        self.at = at
        self.verb = verb
    }
}

extension Radio {
    /// Tells it, advanced to the moment. The cause says who pays, and changes nothing of what the radio does.
    public mutating func obey(_ cue: RadioCue, for cause: Cause, _ profile: RadioProfile) -> Carried {
        var carried = Carried(flowsAt: cue.at, airtime: .zero)
        switch cue.verb {
        case .carry(let direction, let bytes, let airtime):
            let burst = Burst(direction: direction, bytes: bytes, airtime: airtime, cause: cause)
            return carry(burst, at: cue.at, profile)
        case .coverage(let isThere): carried.spent = setCoverage(isThere, at: cue.at, profile)
        case .association(let isThere):
            // A cellular radio that is told of Wi-Fi has no such notion.
            if profile.technology == .wifi { carried.spent = setAssociated(isThere, at: cue.at) }
        case .handover(let span): carried.spent = handover(at: cue.at, lasting: span, profile)
        case .begin, .end: carried.spent = settle(at: cue.at)
        }
        return carried
    }
}

/// All that a radio was told between two moments, in order: whoever tells a radio of its profile the same gets the same time in
/// each state, to the nanosecond.
public struct RadioScript: Hashable, Sendable {
    /// More are not kept.
    public static let most = 1 << 19
    /// Within these what a file says cannot overflow: thirty years, and a quarter of an hour on the air.
    private static let latest: Int64 = 1_000_000_000_000_000_000
    private static let longest: Int64 = 1_000_000_000_000

    public let cues: [RadioCue]

    public var phases: RadioPhases {
        guard case .begin(let phases) = cues[0].verb else { preconditionFailure("a script begins") }
        return phases
    }
    public var beginsAt: Instant { cues[0].at }
    public var endsAt: Instant { cues[cues.count - 1].at }

    /// Nil: it does not begin once, end once and go forward between.
    public init?(_ cues: [RadioCue]) {
        guard cues.count >= 2, cues.count <= Self.most, case .begin = cues[0].verb,
            case .end = cues[cues.count - 1].verb
        else { return nil }
        for (before, cue) in zip(cues, cues.dropFirst()) {
            guard before.at <= cue.at, before.verb != .end else { return nil }
            if case .begin = cue.verb { return nil }
        }
        self.cues = cues
    }

    // MARK: As text

    /// Pieces of so many bytes at most, as comments have room for: `0 begin 12 34 56; 30000000000 up 100 80000; …`, times and
    /// lengths in nanoseconds.
    public func texts(ofBytes most: Int) -> [String] {
        var texts: [String] = []
        var text = ""
        for cue in cues {
            let word = "\(cue.at.nanoseconds) \(cue.verb.text)"
            if !text.isEmpty, text.utf8.count + word.utf8.count + 2 > most {
                texts.append(text)
                text = ""
            }
            text += (text.isEmpty ? "" : "; ") + word
        }
        return texts + [text]
    }

    /// Nil: somebody has changed it, or a piece is missing.
    public init?(_ texts: [String]) {
        var cues: [RadioCue] = []
        for text in texts {
            for part in text.split(separator: ";") {
                let words = part.split(separator: " ")
                guard words.count >= 2, cues.count < Self.most, let at = Int64(words[0]),
                    (0...Self.latest).contains(at),
                    let verb = RadioCue.Verb(words.dropFirst(), longest: Self.longest)
                else { return nil }
                cues.append(RadioCue(at: Instant(nanoseconds: at), verb))
            }
        }
        self.init(cues)
    }
}

extension RadioCue.Verb {
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
