public import DeadzoneBase

/// Decides when a client opens and closes its connection, like a channel of gRPC (grpc/grpc
/// `doc/connectivity-semantics-and-api.md`, grpc/proposal A62-pick-first.md).
///
///     idle ──call──> connecting ──opened──> ready ──idle timeout, GOAWAY, loss──> idle
///                       └──failed──> transient failure ──backoff over──> connecting, or idle by the older rule
///     any ──the client stops──> shutdown
///
/// The diagram omits that a client with pending work leaves idle at once: a pending call demands a connection.
public struct Channel: Hashable, Sendable {
    public enum State: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
        case idle, connecting, ready, transientFailure, shutdown

        /// `true` if `doc/connectivity-semantics-and-api.md` allows the transition to `next`. Staying in a state is no
        /// transition.
        func mayBecome(_ next: State) -> Bool {
            switch (self, next) {
            case (.shutdown, _): false
            case (_, .shutdown): true
            case (.connecting, .ready), (.connecting, .transientFailure), (.connecting, .idle): true
            case (.ready, .transientFailure), (.ready, .idle): true
            case (.transientFailure, .connecting), (.idle, .connecting): true
            // By the older rule (Java and Go before A62) the way back passes through idle.
            case (.transientFailure, .idle): true
            default: false
            }
        }
    }

    /// Reaction to a lost connection or to a failed attempt to connect.
    public enum ReconnectRule: UInt8, Hashable, Sendable, BitwiseCopyable {
        /// Reconnects after a wait, even without a call (A62: transient failure is sticky).
        case reconnect
        /// Becomes idle: connects again only for the next call.
        case idle
    }

    /// `true` if the client connects only when the first call is made.
    public var isLazy = false
    public var afterLoss = ReconnectRule.reconnect
    public var afterFailure = ReconnectRule.reconnect
    /// Maximum time without an active call, after which the connection is closed; `nil` never closes it.
    public var idleTimeout: TimeSpan?
    /// `true` if the client keeps a stream open. The stream counts as a permanently active call.
    public var hasStream = true
    /// Timer of the idle timeout, armed only while no call is active. The call retries use the same slot at other
    /// times.
    public var slot: TimerSlot

    public init(slot: TimerSlot) { self.slot = slot }

    /// `true` if a stream, a call or an unconfirmed message needs a connection.
    public func isNeeded(_ calls: CallTable, _ session: Session) -> Bool {
        hasStream || !calls.isEmpty || session.acknowledged < session.produced
    }

    /// Starts or stops the idle timer, which runs only while a connection is open without active calls. Called after
    /// every event.
    public func updateIdleTimer(isOpen: Bool, _ calls: CallTable, isCounting: inout Bool, _ session: inout Session) {
        guard let idleTimeout else { return }
        let isQuiet = isOpen && !isNeeded(calls, session)
        guard isQuiet != isCounting else { return }
        isCounting = isQuiet
        if isQuiet {
            session.arm(slot, after: idleTimeout)
        } else if calls.schedule.earliest == .never {
            session.disarm(slot)
        }
    }
}

extension SettingsReader {
    /// Reads the channel settings, written as `channel: {connects: on-demand, after-loss: idle, idle-timeout: 30m,
    /// stream: none}`; `nil` if the key is absent.
    public mutating func channel(_ key: String, slot: TimerSlot, _ help: String = "") -> Channel? {
        section(key, help) { settings in
            let rules = [("reconnect", Channel.ReconnectRule.reconnect), ("idle", .idle)]
            var facet = Channel(slot: slot)
            facet.isLazy = settings.word(
                "connects", of: [("at-start", false), ("on-demand", true)], default: false,
                "first connection: at the start, or for the first call")
            facet.afterLoss = settings.word(
                "after-loss", of: rules, default: .idle,
                "after the loss of an open connection: wait and reconnect, or become idle; an active call connects at once"
            )
            facet.afterFailure = settings.word(
                "after-failure", of: rules, default: .reconnect,
                "after a failed attempt and its wait: try again (A62), or become idle until the next call")
            // 30 min: `IDLE_MODE_DEFAULT_TIMEOUT_MILLIS` of grpc-java, `dialoptions.go` of grpc-go, `maxIdleTime` of
            // grpc-swift 2. grpc-java disables it from 30 days on and never uses less than a second.
            let timeout = settings.span(
                "idle-timeout", default: .minutes(30), in: .seconds(1) ... .longest,
                "closes the connection after this duration without an active call; 720h or more means never")
            facet.idleTimeout = timeout < .hours(24 * 30) ? timeout : nil
            facet.hasStream = settings.word(
                "stream", of: [("open", true), ("none", false)], default: true,
                "a stream that stays open counts as an active call, so the channel never becomes idle")
            return facet
        }
    }
}
