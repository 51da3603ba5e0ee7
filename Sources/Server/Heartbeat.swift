public import DeadzonePrimitives

/// How a server makes sure that its client is there, by its own clock.
///
///     quiet ──due──▶ asked ──answer──▶ quiet        asks: gRPC's server keepalive, Engine.IO 4, Centrifugo
///                      └──timeout──▶ over
///     quiet ──due──▶ quiet                          beats: Action Cable, Ably: it speaks, and the client judges
///     quiet ──timeout after the interval──▶ over    expects: Discord: it says at the beginning how often, and waits
public struct Heartbeat: Hashable, Sendable, BitwiseCopyable {
    public enum Kind: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
        case asks, beats, expects
    }

    public var kind: Kind
    public var interval: TimeSpan
    /// How long an answer may take, or be late.
    public var timeout: TimeSpan
    /// Counted from the last byte heard, and any byte is an answer (gRFC A8); otherwise from the last answer.
    public var afterSilence: Bool
    /// The client is told the interval when its session begins.
    public var isAnnounced: Bool
    /// What it says, in bytes without framing.
    public var bytes: UInt32

    public init(
        _ kind: Kind, every interval: TimeSpan, timeout: TimeSpan = .seconds(20), afterSilence: Bool = false,
        isAnnounced: Bool = false, bytes: UInt32 = 1
    ) {
        self.kind = kind
        self.interval = interval
        self.timeout = timeout
        self.afterSilence = afterSilence
        self.isAnnounced = isAnnounced
        self.bytes = bytes
    }

    /// The server's end of gRFC A9: KEEPALIVE_TIME 2 h, KEEPALIVE_TIMEOUT 20 s, whether streams are open or not.
    public static let grpc = Heartbeat(.asks, every: .hours(2), timeout: .seconds(20), afterSilence: true)
    /// pingInterval 25 s, pingTimeout 20 s, both in the handshake; the next ping comes an interval after the answer
    /// (socketio/socket.io `packages/engine.io/lib/socket.ts`, `schedulePing`).
    public static let socketIO = Heartbeat(.asks, every: .seconds(25), timeout: .seconds(20), isAnnounced: true)
    /// `{"type":"ping","message":1700000000}` every 3 s (rails/rails `actioncable/lib/action_cable/connection/internal_channel.rb`
    /// and `server/connections.rb`, `BEAT_INTERVAL`).
    public static let actionCable = Heartbeat(.beats, every: .seconds(3), bytes: 36)
    /// `{"action":0}` after 15 s without another message: maxIdleInterval of the connection details, which its client adds its
    /// own 10 s to (ably/ably-js `src/common/lib/transport/transport.ts`, `onIdleTimerExpire`). 15 s is what the
    /// service's sandbox promises (ably/specification `uts/realtime/integration/proxy/heartbeat.md`).
    public static let ably = Heartbeat(.beats, every: .seconds(15), isAnnounced: true, bytes: 12)
    /// `{}` every 25 s, answered within 8 s, told in the reply to connect (centrifugal/centrifuge `config.go`,
    /// `PingInterval`, `PongTimeout`).
    public static let centrifugo = Heartbeat(
        .asks, every: .seconds(25), timeout: .seconds(8), isAnnounced: true, bytes: 2)
    /// HELLO says how often the client has to beat: 45 s in the documents' example (discord/discord-api-docs
    /// `docs/topics/Gateway.md`). How late a beat may be is not said; half an interval is assumed.
    public static let discord = Heartbeat(
        .expects, every: .seconds(45), timeout: .milliseconds(22_500), isAnnounced: true)

    /// What one connection's server remembers.
    public struct State: Hashable, Sendable, BitwiseCopyable {
        private(set) var beatAt = Instant.never
        private(set) var overAt = Instant.never

        public init() {}

        public var deadline: Instant { min(beatAt, overAt) }

        fileprivate mutating func wait(beatAt: Instant, overAt: Instant) {
            self.beatAt = beatAt
            self.overAt = overAt
        }
    }

    /// What is due.
    public enum Step: Hashable, Sendable {
        case nothing
        /// Says something; an answer is wanted if it asks.
        case beat
        /// Nobody answers.
        case over
    }

    public func opened(_ state: inout State, at now: Instant) {
        switch kind {
        case .asks, .beats: state.wait(beatAt: now + interval, overAt: .never)
        case .expects: state.wait(beatAt: .never, overAt: now + interval + timeout)
        }
    }

    /// Something of the client has come; `isAnswer`: what a heartbeat is answered with, or the client's own beat.
    public func heard(isAnswer: Bool, _ state: inout State, at now: Instant) {
        switch kind {
        case .beats: break
        case .asks where isAnswer || afterSilence: state.wait(beatAt: now + interval, overAt: .never)
        case .asks: break
        case .expects where isAnswer: state.wait(beatAt: .never, overAt: now + interval + timeout)
        case .expects: break
        }
    }

    public func expire(_ state: inout State, at now: Instant) -> Step {
        if state.overAt <= now {
            state.wait(beatAt: .never, overAt: .never)
            return .over
        }
        guard state.beatAt <= now else { return .nothing }
        switch kind {
        case .asks: state.wait(beatAt: .never, overAt: now + timeout)
        case .beats, .expects: state.wait(beatAt: now + interval, overAt: .never)
        }
        return .beat
    }
}
