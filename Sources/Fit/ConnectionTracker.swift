package import DeadzoneBase

/// Reconstructs the connections of a recording from its TCP segments.
package struct ConnectionTracker<Name: Hashable & Sendable>: Sendable {
    /// A TCP segment as a recording at the client's end contains it.
    package struct Segment: Sendable {
        package var isUp: Bool
        package var isSYN = false
        package var isACK = false
        package var isFIN = false
        package var isRST = false
        package var carriesBytes = false
        /// `true` if the segment is one ping and nothing else.
        package var isPing = false
        /// `true` if the segment contains a ping beside other data.
        package var containsPing = false
        package var handshake: WebSocketHandshake?
        /// Sequence number of its first byte; identifies retransmitted pings.
        package var sequence: UInt32 = 0
        /// Number of payload bytes; 0 if unknown.
        package var length: UInt32 = 0
        package var acknowledgement: UInt32 = 0

        package init(isUp: Bool) { self.isUp = isUp }
    }

    /// The state of a connection that only matters while segments arrive.
    private struct ConnectionProgress: Sendable {
        /// When either side last sent data other than a ping.
        var lastActivityAt: Instant
        /// Sequence number of the last ping.
        var pingSequence: UInt32?
        /// Sequence number after the last byte that the client has sent.
        var sentUpTo: UInt32?
        /// The kernel repeats data, and holds newer data back.
        var isRepeating = false
        /// Time since which everything sent is acknowledged, after a repetition.
        var drainedAt: Instant?
        var hasRepeatedSincePing = false
        var hasAsked = false
        /// `true` if the server has answered the client's first data, so the protocol is set up.
        var isReady = false
        /// `true` from the request for a WebSocket until the server accepts it.
        var awaitsUpgrade = false

        /// Newer data leaves in bursts, each after an acknowledgement.
        static var burstGap: TimeSpan { .milliseconds(100) }
        /// A ping within this time after the opening, before any other data, is part of the set-up.
        static var setUpTime: TimeSpan { .milliseconds(300) }

        /// Updates the repetition state with data of the client. Returns `false` if the kernel repeats this data.
        mutating func recordSent(_ segment: Segment, at now: Instant) -> Bool {
            guard segment.length > 0 else { return true }
            let next = segment.sequence &+ segment.length
            if let sentUpTo, Int32(bitPattern: next &- sentUpTo) <= 0 {
                (isRepeating, hasRepeatedSincePing, drainedAt) = (true, true, nil)
                return false
            }
            sentUpTo = next
            guard isRepeating, let drained = drainedAt else { return true }
            drainedAt = nil
            isRepeating = now - drained <= Self.burstGap
            return true
        }

        mutating func recordAcknowledgement(_ number: UInt32, at now: Instant) {
            guard isRepeating, let sentUpTo, Int32(bitPattern: number &- sentUpTo) >= 0 else { return }
            drainedAt = now
        }
    }

    package private(set) var connections: [(name: Name, line: Recording.RecordedConnection)] = []
    private var open: [Name: Int] = [:]
    /// For the connection at the same index.
    private var progress: [ConnectionProgress] = []

    package init() {}

    package mutating func add(_ segment: Segment, of name: Name, at now: Instant) {
        if segment.isUp, segment.isSYN, !segment.isACK { begin(name, at: now) }
        guard let place = open[name], connections[place].line.endedAt == nil else { return }
        var isNew = segment.carriesBytes
        if segment.isUp {
            if !progress[place].recordSent(segment, at: now) { isNew = false }
        } else if segment.isACK {
            progress[place].recordAcknowledgement(segment.acknowledgement, at: now)
        }
        if isNew, !segment.isPing { recordQuietGap(place, isHeard: !segment.isUp, at: now) }
        if !segment.isUp { recordReceived(segment, place, at: now) }
        if segment.isUp, isNew { recordSent(segment, place, at: now) }
        if isNew, !segment.isPing { progress[place].lastActivityAt = now }
        recordHandshake(segment, place, at: now)
        if segment.isFIN || segment.isRST { end(place, segment, at: now) }
    }

    /// Records that the client has closed its socket, as the kernel of the phone reports it.
    package mutating func endByClient(_ name: Name, at now: Instant) {
        guard let place = open[name], connections[place].line.endedAt == nil else { return }
        close(place, by: .client, at: now)
    }

    /// `false` if the connection is open, or if its end is not known although its FIN was seen.
    package func knowsEnd(of name: Name) -> Bool { open[name].map { connections[$0].line.endedAt != nil } ?? false }

    private mutating func begin(_ name: Name, at now: Instant) {
        if let place = open[name], connections[place].line.endedAt == nil {
            if connections[place].line.openedAt == nil { connections[place].line.retransmittedAt = now }
            return
        }
        open[name] = connections.count
        connections.append((name, Recording.RecordedConnection(at: now)))
        progress.append(ConnectionProgress(lastActivityAt: now))
    }

    private mutating func recordReceived(_ segment: Segment, _ place: Int, at now: Instant) {
        if segment.isSYN, segment.isACK, connections[place].line.openedAt == nil {
            connections[place].line.openedAt = now
        }
        // Pure acknowledgements are not visible to a client.
        guard segment.carriesBytes else { return }
        connections[place].line.lastReceivedAt = now
        connections[place].line.askedAt = nil
        if progress[place].hasAsked { progress[place].isReady = true }
    }

    /// Records new data of the client: a ping, other data, or both.
    private mutating func recordSent(_ segment: Segment, _ place: Int, at now: Instant) {
        if segment.isPing || segment.containsPing { recordPing(segment, place, at: now) }
        guard !segment.isPing else { return }
        progress[place].hasAsked = true
        if connections[place].line.askedAt == nil { connections[place].line.askedAt = now }
    }

    private mutating func recordPing(_ segment: Segment, _ place: Int, at now: Instant) {
        let (line, own) = (connections[place].line, progress[place])
        guard own.pingSequence != segment.sequence, let opened = line.openedAt else { return }
        let isSetUp = own.hasAsked ? !own.isReady : now - opened < ConnectionProgress.setUpTime
        guard !isSetUp else { return }
        connections[place].line.heartbeats.append(
            Recording.RecordedHeartbeat(
                at: now, lastReceivedAt: line.lastReceivedAt ?? opened,
                lastActivityAt: max(own.lastActivityAt, opened), wasHeldBack: own.isRepeating,
                followsRepeats: own.hasRepeatedSincePing))
        progress[place].pingSequence = segment.sequence
        progress[place].hasRepeatedSincePing = own.isRepeating
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
        let said = max(progress[place].lastActivityAt, lastReceivedAt)
        if pingedAt < said { connections[place].line.longestIdleGap = max(line.longestIdleGap, now - said) }
    }

    /// A kernel holds a FIN back behind data that it repeats. The client has then closed the connection at an unknown
    /// earlier time, so no end is recorded.
    private mutating func end(_ place: Int, _ segment: Segment, at now: Instant) {
        if segment.isUp, segment.isFIN, progress[place].isRepeating {
            return open[connections[place].name] = nil
        }
        let wasOpen = connections[place].line.openedAt != nil
        close(place, by: segment.isUp ? .client : wasOpen || !segment.isRST ? .server : .refused, at: now)
    }

    /// An attempt to open a WebSocket lasts until the server accepts. Until then, an end of the connection is the end of
    /// the attempt.
    private mutating func recordHandshake(_ segment: Segment, _ place: Int, at now: Instant) {
        switch (segment.handshake, segment.isUp) {
        case (.request, true): progress[place].awaitsUpgrade = true
        case (.accepted, false): progress[place].awaitsUpgrade = false
        case (.refused, false) where progress[place].awaitsUpgrade: close(place, by: .refused, at: now)
        default: break
        }
    }

    private mutating func close(_ place: Int, by side: Recording.RecordedConnection.EndedBy, at now: Instant) {
        connections[place].line.endedAt = now
        connections[place].line.ending = side
        guard progress[place].awaitsUpgrade else { return }
        connections[place].line.openedAt = nil
        if side == .server { connections[place].line.ending = .refused }
    }
}
