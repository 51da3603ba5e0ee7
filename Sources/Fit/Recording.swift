public import DeadzonePrimitives

/// What a recording shows of one client and one server: its attempts and connections, in the order in which they began.
public struct Recording: Sendable {
    /// An attempt to connect, and the connection if one came of it.
    public struct Line: Hashable, Sendable {
        public enum Ending: String, CaseIterable, Hashable, Sendable { case refused, client, server }

        public var beganAt: Instant
        /// Its first packet, sent once more: the client had not given it up by then.
        public var repeatedAt: Instant?
        public var openedAt: Instant?
        public var endedAt: Instant?
        /// Nil: nobody was seen to end it.
        public var ending: Ending?
        /// When the server was heard last.
        public var heardAt: Instant?
        public var beats: [Beat] = []
        /// The longest that the client heard nothing, and that nobody said anything, before the next word and without a ping.
        public var longestUnheard = TimeSpan.zero
        public var longestUnsaid = TimeSpan.zero

        public init(at beganAt: Instant) { self.beganAt = beganAt }
    }

    /// A ping of the client's that could be told from other bytes.
    public struct Beat: Hashable, Sendable {
        public var at: Instant
        /// When the server was heard last before it, or the connection opened.
        public var heardAt: Instant
        /// The same of either side.
        public var saidAt: Instant

        public init(at: Instant, heardAt: Instant, saidAt: Instant) {
            self.at = at
            self.heardAt = heardAt
            self.saidAt = saidAt
        }
    }

    /// Where it comes from.
    public var name: String
    public var lines: [Line]
    /// What was left aside, and why.
    public var notes: [String] = []

    public init(_ name: String, _ lines: [Line]) {
        self.name = name
        self.lines = lines.sorted { $0.beganAt < $1.beganAt }
    }
}

/// From segments to lines.
public struct LineBook<Name: Hashable & Sendable>: Sendable {
    /// A TCP segment, as the client's end sees it.
    public struct Segment: Sendable {
        public var isUp: Bool
        public var begins = false
        public var acknowledges = false
        public var ends = false
        public var resets = false
        public var carriesBytes = false
        public var isPing = false
        /// Of its first byte: a ping that is sent again is no other.
        public var sequence: UInt32 = 0

        public init(isUp: Bool) { self.isUp = isUp }
    }

    public private(set) var lines: [(name: Name, line: Recording.Line)] = []
    private var open: [Name: Int] = [:]
    /// Of the line of the same place: when either side last said something.
    private var saidAt: [Instant] = []
    private var pingedAt: [UInt32?] = []

    public init() {}

    public mutating func take(_ segment: Segment, of name: Name, at now: Instant) {
        if segment.isUp, segment.begins, !segment.acknowledges { begin(name, at: now) }
        guard let place = open[name], lines[place].line.endedAt == nil else { return }
        if segment.carriesBytes, !segment.isPing { endQuiet(place, isHeard: !segment.isUp, at: now) }
        if !segment.isUp { hear(segment, place, at: now) }
        let line = lines[place].line
        if segment.isUp, segment.isPing, pingedAt[place] != segment.sequence, let opened = line.openedAt {
            pingedAt[place] = segment.sequence
            lines[place].line.beats.append(
                Recording.Beat(at: now, heardAt: line.heardAt ?? opened, saidAt: max(saidAt[place], opened)))
        }
        if segment.carriesBytes, !segment.isPing { saidAt[place] = now }
        if segment.ends || segment.resets { end(place, segment, at: now) }
    }

    private mutating func begin(_ name: Name, at now: Instant) {
        if let place = open[name], lines[place].line.endedAt == nil {
            if lines[place].line.openedAt == nil { lines[place].line.repeatedAt = now }
            return
        }
        open[name] = lines.count
        lines.append((name, Recording.Line(at: now)))
        saidAt.append(now)
        pingedAt.append(nil)
    }

    private mutating func hear(_ segment: Segment, _ place: Int, at now: Instant) {
        if segment.begins, segment.acknowledges, lines[place].line.openedAt == nil { lines[place].line.openedAt = now }
        // Of bare acknowledgements a client hears nothing.
        if segment.carriesBytes { lines[place].line.heardAt = now }
    }

    /// What was quiet since a ping, or since before the protocol was there, says nothing of when pings are due.
    private mutating func endQuiet(_ place: Int, isHeard: Bool, at now: Instant) {
        let line = lines[place].line
        guard let heardAt = line.heardAt else { return }
        let pingedAt = line.beats.last?.at ?? .zero
        if isHeard, pingedAt < heardAt { lines[place].line.longestUnheard = max(line.longestUnheard, now - heardAt) }
        let said = max(saidAt[place], heardAt)
        if pingedAt < said { lines[place].line.longestUnsaid = max(line.longestUnsaid, now - said) }
    }

    private mutating func end(_ place: Int, _ segment: Segment, at now: Instant) {
        lines[place].line.endedAt = now
        let wasOpen = lines[place].line.openedAt != nil
        lines[place].line.ending = segment.isUp ? .client : wasOpen || !segment.resets ? .server : .refused
    }
}
