public import DeadzonePrimitives

/// All recorded connection attempts and connections of one client to one server, in order of their beginning.
public struct Recording: Sendable {
    /// A recorded connection attempt, and the connection if the attempt succeeded.
    public struct RecordedConnection: Hashable, Sendable {
        public enum EndedBy: String, CaseIterable, Hashable, Sendable { case refused, client, server }

        public var beganAt: Instant
        /// Time at which the first packet was last retransmitted. The client had not given up by then.
        public var retransmittedAt: Instant?
        public var openedAt: Instant?
        public var endedAt: Instant?
        /// The side that ended it; `nil` if no end was seen.
        public var ending: EndedBy?
        /// Time at which data was last received from the server.
        public var lastReceivedAt: Instant?
        public var heartbeats: [RecordedHeartbeat] = []
        /// The longest time without received data, and without data in either direction. Each ends with the next data,
        /// without a ping in between.
        public var longestReceiveGap = TimeSpan.zero
        public var longestIdleGap = TimeSpan.zero

        public init(at beganAt: Instant) { self.beganAt = beganAt }
    }

    /// A ping that a client sent, as far as a recording distinguishes it from other data.
    public struct RecordedHeartbeat: Hashable, Sendable {
        public var at: Instant
        /// Time at which data was last received from the server before the ping; otherwise the time of the opening.
        public var lastReceivedAt: Instant
        /// Time at which data was last sent or received before the ping; otherwise the time of the opening.
        public var lastActivityAt: Instant

        public init(at: Instant, lastReceivedAt: Instant, lastActivityAt: Instant) {
            self.at = at
            self.lastReceivedAt = lastReceivedAt
            self.lastActivityAt = lastActivityAt
        }
    }

    /// Source of the recording.
    public var name: String
    public var connections: [RecordedConnection]
    /// Notes on ignored parts of the recording, with the reason.
    public var notes: [String] = []

    public init(_ name: String, _ lines: [RecordedConnection]) {
        self.name = name
        self.connections = lines.sorted { $0.beganAt < $1.beganAt }
    }
}

/// Reconstructs the connections of a recording from its TCP segments.
public struct ConnectionTracker<Name: Hashable & Sendable>: Sendable {
    /// A TCP segment as a recording at the client's end contains it.
    public struct Segment: Sendable {
        public var isUp: Bool
        public var isSYN = false
        public var isACK = false
        public var isFIN = false
        public var isRST = false
        public var carriesBytes = false
        public var isPing = false
        /// Sequence number of its first byte; identifies retransmitted pings.
        public var sequence: UInt32 = 0

        public init(isUp: Bool) { self.isUp = isUp }
    }

    public private(set) var connections: [(name: Name, line: Recording.RecordedConnection)] = []
    private var open: [Name: Int] = [:]
    /// For the connection at the same index: when either side last sent data, and the sequence number of its last ping.
    private var lastActivityAt: [Instant] = []
    private var pingedAt: [UInt32?] = []

    public init() {}

    public mutating func add(_ segment: Segment, of name: Name, at now: Instant) {
        if segment.isUp, segment.isSYN, !segment.isACK { begin(name, at: now) }
        guard let place = open[name], connections[place].line.endedAt == nil else { return }
        if segment.carriesBytes, !segment.isPing { recordQuietGap(place, isHeard: !segment.isUp, at: now) }
        if !segment.isUp { recordReceived(segment, place, at: now) }
        let line = connections[place].line
        if segment.isUp, segment.isPing, pingedAt[place] != segment.sequence, let opened = line.openedAt {
            pingedAt[place] = segment.sequence
            connections[place].line.heartbeats.append(
                Recording.RecordedHeartbeat(
                    at: now, lastReceivedAt: line.lastReceivedAt ?? opened,
                    lastActivityAt: max(lastActivityAt[place], opened)))
        }
        if segment.carriesBytes, !segment.isPing { lastActivityAt[place] = now }
        if segment.isFIN || segment.isRST { end(place, segment, at: now) }
    }

    private mutating func begin(_ name: Name, at now: Instant) {
        if let place = open[name], connections[place].line.endedAt == nil {
            if connections[place].line.openedAt == nil { connections[place].line.retransmittedAt = now }
            return
        }
        open[name] = connections.count
        connections.append((name, Recording.RecordedConnection(at: now)))
        lastActivityAt.append(now)
        pingedAt.append(nil)
    }

    private mutating func recordReceived(_ segment: Segment, _ place: Int, at now: Instant) {
        if segment.isSYN, segment.isACK, connections[place].line.openedAt == nil {
            connections[place].line.openedAt = now
        }
        // Pure acknowledgements are not visible to a client.
        if segment.carriesBytes { connections[place].line.lastReceivedAt = now }
    }

    /// Records the quiet time that ends with this segment.
    ///
    /// Quiet time since a ping, or since before the protocol was ready, gives no information on ping intervals.
    private mutating func recordQuietGap(_ place: Int, isHeard: Bool, at now: Instant) {
        let line = connections[place].line
        guard let lastReceivedAt = line.lastReceivedAt else { return }
        let pingedAt = line.heartbeats.last?.at ?? .zero
        if isHeard, pingedAt < lastReceivedAt {
            connections[place].line.longestReceiveGap = max(line.longestReceiveGap, now - lastReceivedAt)
        }
        let said = max(lastActivityAt[place], lastReceivedAt)
        if pingedAt < said { connections[place].line.longestIdleGap = max(line.longestIdleGap, now - said) }
    }

    private mutating func end(_ place: Int, _ segment: Segment, at now: Instant) {
        connections[place].line.endedAt = now
        let wasOpen = connections[place].line.openedAt != nil
        connections[place].line.ending = segment.isUp ? .client : wasOpen || !segment.isRST ? .server : .refused
    }
}
