import DeadzoneBase
package import DeadzoneClient
import DeadzoneTransport

/// The server program's timers for one connection: heartbeats, keepalive pings, and limits of idle time and age.
struct KeepaliveSupervisor: BitwiseCopyable {
    private var keepaliveState = Heartbeat.State()
    private var heartbeatState = Heartbeat.State()
    private var limits = ConnectionLimits.State()
    private var heartbeatCount: UInt32 = 0

    var deadline: Instant { min(keepaliveState.deadline, heartbeatState.deadline, limits.deadline) }

    /// Starts the timers when the program has accepted the session.
    /// - Parameter word: Random number that spreads the age limit.
    mutating func begin(_ rules: KeepaliveRules, hasStreams: Bool, word: UInt64, at now: Instant) {
        rules.keepalive?.opened(&keepaliveState, at: now)
        rules.heartbeat?.opened(&heartbeatState, at: now)
        var kept = rules.limits
        // Only HTTP/2 has an idle limit for connections without calls; elsewhere `idle-limit` applies.
        if !rules.isHTTP2 { kept.idle = nil }
        // A connection without a session's stream has none that could end.
        if !rules.keepsStreamOpen { kept.session = nil }
        kept.opened(&limits, hasStreams: hasStreams, word: word, at: now)
    }

    /// Restarts the timers when data of this kind arrives from the client.
    mutating func received(_ track: FrameKind, _ rules: KeepaliveRules, at now: Instant) {
        rules.keepalive?.received(isAnswer: track == .pong, &keepaliveState, at: now)
        guard let beats = rules.heartbeat else { return }
        beats.received(isAnswer: track == (beats.mode == .expects ? .ping : .pong), &heartbeatState, at: now)
    }

    /// Updates the idle limit: stops it if streams are open, starts it if none is.
    mutating func streamsChanged(_ areOpen: Bool, _ rules: KeepaliveRules, at now: Instant) {
        rules.limits.streamsChanged(areOpen, &limits, at: now)
    }

    /// Returns the limit of idle time or age that the connection has reached; `nil` if none.
    mutating func expireLimits(_ rules: KeepaliveRules, at now: Instant) -> ConnectionLimits.LimitReason? {
        limits.deadline <= now ? rules.limits.expire(&limits, at: now) : nil
    }

    mutating func expireKeepalive(_ rules: KeepaliveRules, at now: Instant) -> Heartbeat.DueAction {
        guard let keepalive = rules.keepalive, keepaliveState.deadline <= now else { return .nothing }
        return keepalive.expire(&keepaliveState, at: now)
    }

    mutating func expireHeartbeat(_ rules: KeepaliveRules, at now: Instant) -> Heartbeat.DueAction {
        guard let heartbeat = rules.heartbeat, heartbeatState.deadline <= now else { return .nothing }
        return heartbeat.expire(&heartbeatState, at: now)
    }

    /// Returns the number of the next heartbeat, from 1. The ping of a graceful GOAWAY has number 0.
    mutating func nextHeartbeatNumber() -> UInt32 {
        heartbeatCount &+= 1
        return heartbeatCount
    }
}

/// The server's keepalive, heartbeat and limit settings that apply to one connection.
struct KeepaliveRules {
    let isHTTP2: Bool
    /// `true` if the session has a stream of its own, as long as the connection.
    let keepsStreamOpen: Bool
    let limits: ConnectionLimits
    /// Rules of the server's HTTP/2 pings, which the client's library answers. `nil` if it sends none.
    let keepalive: Heartbeat?
    /// Rules of the program's heartbeats while the session is on this connection. `nil` if it sends none.
    let heartbeat: Heartbeat?

    init(_ profile: UnsafePointer<ServerProfile>, _ terms: UnsafePointer<ConnectionConfig>, isPassedOn: Bool) {
        isHTTP2 = terms.pointee.isHTTP2
        keepsStreamOpen = terms.pointee.transport.keepsStreamOpen
        limits = profile.pointee.limits
        keepalive = isHTTP2 ? profile.pointee.keepalive : nil
        heartbeat =
            isPassedOn ? nil : profile.pointee.heartbeat.flatMap { terms.pointee.transport.supports($0) ? $0 : nil }
    }
}

extension Transport {
    /// `true` if the server program can use this heartbeat on a connection with this transport. It cannot where the
    /// server may only answer requests. Over HTTP/2 a heartbeat is a message on the session's stream: nothing answers
    /// it automatically, and the client's own pings never reach the program.
    package func supports(_ beats: Heartbeat) -> Bool {
        if kind.isHTTP2 { return keepsStreamOpen && beats.mode == .beats }
        return kind != .datagram && !kind.answersOnly
    }

    /// Maximum time without data from the client, after which the server closes the connection. An MQTT broker
    /// tolerates at most 1.5 times the client's keep-alive interval. `nil` if there is no limit.
    func idleTimeout(_ idleLimit: TimeSpan?) -> TimeSpan? {
        guard kind == .mqtt, let mqttKeepAlive, mqttKeepAlive > .zero else { return idleLimit }
        let limit = MQTTKeepAlive.limit(mqttKeepAlive)
        return idleLimit.map { min($0, limit) } ?? limit
    }
}
