public import DeadzonePrimitives

/// What the app and the server want to say to each other, on every phone.
public struct Traffic: Hashable, Sendable {
    public var down: TrafficStream?
    public var up: TrafficStream?
    /// Packets of the server that the phone's network stack answers at once.
    public var probe: TrafficStream?
    /// Questions of the app; `size` is the question's.
    public var calls: TrafficStream?
    /// Bytes of the answer to a call.
    public var answer: Distribution
    /// To one of the streams beside that of the calls, in the order of these.
    public var answersBeside: [Distribution] = []
    /// How messages of either direction are written down.
    public var envelope = Envelope.none

    public init(
        down: TrafficStream? = nil, up: TrafficStream? = nil, probe: TrafficStream? = nil, calls: TrafficStream? = nil,
        answer: Distribution = .constant(0)
    ) {
        self.calls = calls
        self.answer = answer
        self.down = down
        self.up = up
        self.probe = probe
    }
}

/// Weather: the n-th gap and the n-th size are functions of the seed and n.
public struct TrafficStream: Hashable, Sendable {
    /// From one message to the next, in nanoseconds; at least 1.
    public var gap: Distribution
    /// Bytes of the message itself.
    public var size: Distribution
    /// The first message comes one gap after this.
    public var from: Instant
    /// No message at or after this.
    public var until: Instant
    /// Messages that were recorded: they come at these moments, each later than the one before, whatever the gap.
    public var moments: [Instant] = []
    /// The stream goes on in these, each later than what is before it: office hours, times in which the app is in front.
    public var later: [Stretch] = []
    /// Other streams of the same direction, or of calls, at the same time, each with sizes and dice of its own. Messages of all of
    /// them are numbered in order of time.
    public var beside: [TrafficStream] = []

    /// A part of a stream that has times of its own.
    public struct Stretch: Hashable, Sendable {
        public var gap: Distribution
        /// The first message of it comes one gap after this.
        public var from: Instant
        public var until: Instant

        public init(gap: Distribution, from: Instant, until: Instant) {
            self.gap = gap
            self.from = from
            self.until = until
        }
    }

    public init(gap: Distribution, size: Distribution, from: Instant = .zero, until: Instant = .never) {
        self.gap = gap
        self.size = size
        self.from = from
        self.until = until
    }
}

extension TrafficStream {
    /// Streams that run side by side: messages of one direction, or calls.
    /// - Precondition: One at least.
    public init(sideBySide streams: [TrafficStream]) {
        self = streams[0]
        beside = Array(streams.dropFirst())
    }

    public var stretches: [Stretch] { [Stretch(gap: gap, from: from, until: until)] + later }

    /// The same size of message in other stretches; nil where there are none.
    public init?(_ stretches: [Stretch], size: Distribution) {
        guard let first = stretches.first else { return nil }
        self.init(gap: first.gap, size: size, from: first.from, until: first.until)
        later = Array(stretches.dropFirst())
    }

    /// What of it comes in these times, which follow each other; nil: nothing.
    public func within(_ times: [Range<Instant>]) -> TrafficStream? {
        guard moments.isEmpty else {
            var kept = self
            kept.moments = moments.filter { moment in times.contains { $0.contains(moment) } }
            return kept.moments.isEmpty ? nil : kept
        }
        let parts = stretches.flatMap { stretch in
            times.map {
                Stretch(
                    gap: stretch.gap, from: max(stretch.from, $0.lowerBound), until: min(stretch.until, $0.upperBound))
            }
        }
        return TrafficStream(parts.filter { $0.from < $0.until }, size: size)
    }
}
