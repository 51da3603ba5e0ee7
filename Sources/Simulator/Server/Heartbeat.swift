package import DeadzoneBase

/// Rules by which a server sends heartbeats, or expects them, to check that its client is alive.
///
///     quiet ──due──▶ asked ──answer──▶ quiet        asks: gRPC's server keepalive, Engine.IO 4, Centrifugo
///                      └──timeout──▶ over
///     quiet ──due──▶ quiet                          beats: Action Cable, Ably: one-way; the client detects the silence
///     quiet ──timeout after the interval──▶ over    expects: Discord: announces the interval at the start, then waits
package struct Heartbeat: Hashable, Sendable, BitwiseCopyable {
    package enum Mode: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
        case asks, beats, expects
    }

    package var mode: Mode
    package var interval: TimeSpan
    /// Maximum time for the client's answer or, in mode `expects`, by which the client's heartbeat may be late.
    package var timeout: TimeSpan
    /// `true` if the interval starts at the last byte received, and any byte counts as an answer (gRFC A8). `false` if
    /// it starts at the last answer.
    package var afterSilence: Bool
    /// `true` if the server announces the interval to the client when its session begins.
    package var isAnnounced: Bool
    /// Size of a heartbeat in bytes, without framing.
    package var bytes: UInt32

    package init(
        _ kind: Mode, every interval: TimeSpan, timeout: TimeSpan = .seconds(20), afterSilence: Bool = false,
        isAnnounced: Bool = false, bytes: UInt32 = 1
    ) {
        self.mode = kind
        self.interval = interval
        self.timeout = timeout
        self.afterSilence = afterSilence
        self.isAnnounced = isAnnounced
        self.bytes = bytes
    }

    /// gRPC's keepalive settings of a server (gRFC A9): KEEPALIVE_TIME 2 h, KEEPALIVE_TIMEOUT 20 s, with or without
    /// open streams.
    package static let grpc = Heartbeat(.asks, every: .hours(2), timeout: .seconds(20), afterSilence: true)
    /// Socket.IO's settings: pingInterval 25 s, pingTimeout 20 s, both in the handshake; the next ping follows an
    /// interval after the answer (socketio/socket.io `packages/engine.io/lib/socket.ts`, `schedulePing`).
    package static let socketIO = Heartbeat(.asks, every: .seconds(25), timeout: .seconds(20), isAnnounced: true)
    /// Action Cable's heartbeat: `{"type":"ping","message":1700000000}` every 3 s (rails/rails
    /// `actioncable/lib/action_cable/connection/internal_channel.rb` and `server/connections.rb`, `BEAT_INTERVAL`).
    package static let actionCable = Heartbeat(.beats, every: .seconds(3), bytes: 36)
    /// Ably's heartbeat: `{"action":0}` after 15 s without another message. This is maxIdleInterval of the connection
    /// details, to which the client adds its own 10 s (ably/ably-js `src/common/lib/transport/transport.ts`,
    /// `onIdleTimerExpire`). The service's sandbox promises 15 s (ably/specification
    /// `uts/realtime/integration/proxy/heartbeat.md`).
    package static let ably = Heartbeat(.beats, every: .seconds(15), isAnnounced: true, bytes: 12)
    /// Centrifugo's heartbeat: `{}` every 25 s, answered within 8 s, announced in the reply to connect
    /// (centrifugal/centrifuge `config.go`, `PingInterval`, `PongTimeout`).
    package static let centrifugo = Heartbeat(
        .asks, every: .seconds(25), timeout: .seconds(8), isAnnounced: true, bytes: 2)
    /// Discord's heartbeat, which the client sends. HELLO announces the interval: 45 s in the documentation's example
    /// (discord/discord-api-docs `docs/topics/Gateway.md`). The permitted delay is not documented; half an interval is
    /// assumed.
    package static let discord = Heartbeat(
        .expects, every: .seconds(45), timeout: .milliseconds(22_500), isAnnounced: true)

    /// The times of the next heartbeat and of the client's timeout on one connection.
    package struct State: Hashable, Sendable, BitwiseCopyable {
        private(set) var nextBeatAt = Instant.never
        private(set) var timeoutAt = Instant.never

        package init() {}

        package var deadline: Instant { min(nextBeatAt, timeoutAt) }

        fileprivate mutating func wait(beatAt: Instant, overAt: Instant) {
            self.nextBeatAt = beatAt
            self.timeoutAt = overAt
        }
    }

    /// The action that a server's heartbeat timer requires: send a heartbeat, or end the connection.
    package enum DueAction: Hashable, Sendable {
        case nothing
        /// Send a heartbeat. In mode `asks` the client must answer it.
        case send
        /// The client's answer, or its own heartbeat, has not arrived in time.
        case timedOut
    }

    package func opened(_ state: inout State, at now: Instant) {
        switch mode {
        case .asks, .beats: state.wait(beatAt: now + interval, overAt: .never)
        case .expects: state.wait(beatAt: .never, overAt: now + interval + timeout)
        }
    }

    /// Restarts the timers when data of the client arrives.
    /// - Parameter isAnswer: `true` if the data is the answer to a heartbeat, or the client's own heartbeat.
    package func received(isAnswer: Bool, _ state: inout State, at now: Instant) {
        switch mode {
        case .beats: break
        case .asks where isAnswer || afterSilence: state.wait(beatAt: now + interval, overAt: .never)
        case .asks: break
        case .expects where isAnswer: state.wait(beatAt: .never, overAt: now + interval + timeout)
        case .expects: break
        }
    }

    package func expire(_ state: inout State, at now: Instant) -> DueAction {
        if state.timeoutAt <= now {
            state.wait(beatAt: .never, overAt: .never)
            return .timedOut
        }
        guard state.nextBeatAt <= now else { return .nothing }
        switch mode {
        case .asks: state.wait(beatAt: .never, overAt: now + timeout)
        case .beats, .expects: state.wait(beatAt: now + interval, overAt: .never)
        }
        return .send
    }
}
