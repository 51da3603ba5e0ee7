public import DeadzoneClient
import DeadzonePrimitives
import DeadzoneProtocols
import DeadzoneTransport

/// How a program looks after one connection by its own clock: heartbeats, and how long it keeps it at all.
struct Care: BitwiseCopyable {
    private var probe = Heartbeat.State()
    private var beat = Heartbeat.State()
    private var limits = ConnectionLimits.State()
    private var beats: UInt32 = 0

    var deadline: Instant { min(probe.deadline, beat.deadline, limits.deadline) }

    /// The program has the session. `word`: how much longer or shorter it keeps this connection.
    mutating func begin(_ rules: CareRules, hasStreams: Bool, word: UInt64, at now: Instant) {
        rules.keepalive?.opened(&probe, at: now)
        rules.heartbeat?.opened(&beat, at: now)
        var kept = rules.limits
        // Elsewhere a connection without calls is not idle: `idle-limit` is what there is.
        if !rules.isHTTP2 { kept.idle = nil }
        kept.opened(&limits, hasStreams: hasStreams, word: word, at: now)
    }

    /// The client has said something.
    mutating func heard(_ track: Track, _ rules: CareRules, at now: Instant) {
        rules.keepalive?.heard(isAnswer: track == .pong, &probe, at: now)
        guard let beats = rules.heartbeat else { return }
        beats.heard(isAnswer: track == (beats.kind == .expects ? .ping : .pong), &beat, at: now)
    }

    /// It is in use, or idle from now on.
    mutating func streams(_ areOpen: Bool, _ rules: CareRules, at now: Instant) {
        rules.limits.streams(areOpen, &limits, at: now)
    }

    /// Why it is not kept any longer, if that is so.
    mutating func expireLimits(_ rules: CareRules, at now: Instant) -> ConnectionLimits.Reason? {
        limits.deadline <= now ? rules.limits.expire(&limits, at: now) : nil
    }

    mutating func expireKeepalive(_ rules: CareRules, at now: Instant) -> Heartbeat.Step {
        guard let keepalive = rules.keepalive, probe.deadline <= now else { return .nothing }
        return keepalive.expire(&probe, at: now)
    }

    mutating func expireHeartbeat(_ rules: CareRules, at now: Instant) -> Heartbeat.Step {
        guard let heartbeat = rules.heartbeat, beat.deadline <= now else { return .nothing }
        return heartbeat.expire(&beat, at: now)
    }

    /// The number of the next beat. Number 0 is the goodbye's.
    mutating func count() -> UInt32 {
        beats &+= 1
        return beats
    }
}

/// What of a server's habits holds for one connection.
struct CareRules {
    let isHTTP2: Bool
    let limits: ConnectionLimits
    /// Pings of HTTP/2, which the client's library answers.
    let keepalive: Heartbeat?
    /// What the program says by itself, for as long as the session is on this connection.
    let heartbeat: Heartbeat?

    init(_ profile: UnsafePointer<ServerProfile>, _ terms: UnsafePointer<Terms>, isPassedOn: Bool) {
        isHTTP2 = terms.pointee.isHTTP2
        limits = profile.pointee.limits
        keepalive = isHTTP2 ? profile.pointee.keepalive : nil
        heartbeat = isPassedOn ? nil : profile.pointee.heartbeat.flatMap { terms.pointee.carrier.bears($0) ? $0 : nil }
    }
}

extension Carrier {
    /// The server's program can beat so on such a connection. Where it may only answer it has nobody to speak to. Over HTTP/2 a beat
    /// is a message on the session's stream, to which nothing answers by itself, and the client's own pings never reach the program.
    public func bears(_ beats: Heartbeat) -> Bool {
        if kind.isHTTP2 { return holdsStream && beats.kind == .beats }
        return kind != .datagram && !kind.answersOnly
    }

    /// How long a server bears silence of the client, which has its own limit. An MQTT broker bears one and a half keep alive
    /// times.
    func patience(_ idleLimit: TimeSpan?) -> TimeSpan? {
        guard kind == .mqtt, let keepAlive, keepAlive > .zero else { return idleLimit }
        let limit = MQTTKeepAlive.limit(keepAlive)
        return idleLimit.map { min($0, limit) } ?? limit
    }
}
