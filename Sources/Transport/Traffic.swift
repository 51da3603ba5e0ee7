package import DeadzoneBase

/// The message traffic between app and server that a scenario defines for every phone.
package struct Traffic: Hashable, Sendable {
    package var down: TrafficStream?
    package var up: TrafficStream?
    /// Packets that the server sends to test the phone. The phone's network stack answers them at once. `nil` if there
    /// are none.
    package var probe: TrafficStream?
    /// Calls of the app: requests that the server answers. `size` of the stream is the size of the request.
    package var calls: TrafficStream?
    /// Size in bytes of the server's answer to a call.
    package var answer: Distribution
    /// Sizes in bytes of the answers in the streams that run parallel to `calls`, in the same order.
    package var parallelAnswers: [Distribution] = []
    /// Encoding of the app's and the server's messages, such as protobuf or JSON.
    package var envelope = Envelope.none

    package init(
        down: TrafficStream? = nil, up: TrafficStream? = nil, probe: TrafficStream? = nil, calls: TrafficStream? = nil,
        answer: Distribution = .constant(0)
    ) {
        self.calls = calls
        self.answer = answer
        self.down = down
        self.up = up
        self.probe = probe
    }

    /// `true` if a stream of messages to the app has push options of its own.
    package var hasPushOptions: Bool {
        guard let down else { return false }
        return down.push != nil || down.parallelStreams.contains { $0.push != nil }
    }
}

/// One stream of messages in a scenario: when they are sent and how large they are. The time before the n-th message
/// and its size depend only on the seed and n, not on the client's strategy.
package struct TrafficStream: Hashable, Sendable {
    /// Time between two messages, in nanoseconds; at least 1.
    package var gap: Distribution
    /// Size in bytes of a message without its envelope.
    package var size: Distribution
    /// Start of the stream. The first message is sent one gap after this time.
    package var from: Instant
    /// End of the stream. No message is sent at or after this time.
    package var until: Instant
    /// Times at which recorded messages were sent, strictly increasing. If there are any, they replace `gap`.
    package var recordedTimes: [Instant] = []
    /// Further periods of the stream, in order of time: for example office hours, or times with the app in the
    /// foreground.
    package var laterPeriods: [TrafficPeriod] = []
    /// Other streams that run at the same time as this one: in the same direction, or of calls. Each has its own sizes
    /// and random numbers. The messages of all streams are numbered together in order of time.
    package var parallelStreams: [TrafficStream] = []
    /// How the server passes messages of this stream to the push service; `nil` as all others. Only for messages to the
    /// app.
    package var push: PushOptions?

    /// A part of the simulated time during which a message stream has its own interval between messages.
    package struct TrafficPeriod: Hashable, Sendable {
        package var gap: Distribution
        /// Start of the period. Its first message is sent one gap after this time.
        package var from: Instant
        package var until: Instant

        package init(gap: Distribution, from: Instant, until: Instant) {
            self.gap = gap
            self.from = from
            self.until = until
        }
    }

    package init(gap: Distribution, size: Distribution, from: Instant = .zero, until: Instant = .never) {
        self.gap = gap
        self.size = size
        self.from = from
        self.until = until
    }
}

extension TrafficStream {
    /// Combines streams into one, in which they run in parallel: all of one direction, or all of calls.
    /// - Precondition: `streams` is not empty.
    package init(sideBySide streams: [TrafficStream]) {
        self = streams[0]
        parallelStreams = Array(streams.dropFirst())
    }

    package var periods: [TrafficPeriod] { [TrafficPeriod(gap: gap, from: from, until: until)] + laterPeriods }

    /// Creates a stream that has several periods and one size distribution. `nil` if there are no periods.
    package init?(_ stretches: [TrafficPeriod], size: Distribution) {
        guard let first = stretches.first else { return nil }
        self.init(gap: first.gap, size: size, from: first.from, until: first.until)
        laterPeriods = Array(stretches.dropFirst())
    }

    /// Returns the part of the stream within the time ranges `times`, which must be in order. `nil` if that part is
    /// empty.
    package func limited(_ times: [Range<Instant>]) -> TrafficStream? {
        guard recordedTimes.isEmpty else {
            var kept = self
            kept.recordedTimes = recordedTimes.filter { moment in times.contains { $0.contains(moment) } }
            return kept.recordedTimes.isEmpty ? nil : kept
        }
        let parts = periods.flatMap { stretch in
            times.map {
                TrafficPeriod(
                    gap: stretch.gap, from: max(stretch.from, $0.lowerBound), until: min(stretch.until, $0.upperBound))
            }
        }
        return TrafficStream(parts.filter { $0.from < $0.until }, size: size)
    }
}
