public import DeadzonePrimitives
public import DeadzoneSettings

/// When a client has a connection at all, as a gRPC channel decides it (grpc/grpc `doc/connectivity-semantics-and-api.md`,
/// grpc/proposal A62-pick-first.md).
///
///     idle ──call──> connecting ──opened──> ready ──idle timeout, GOAWAY, loss──> idle
///                       └──failed──> transient failure ──backoff over──> connecting, or idle by the older rule
///     any ──the client stops──> shutdown
///
/// The drawing leaves out that a client with work to do passes through idle in no time: its call is a demand.
public struct Channel: Hashable, Sendable {
    public enum State: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
        case idle, connecting, ready, transientFailure, shutdown

        /// The legal moves of `doc/connectivity-semantics-and-api.md`; staying is no move.
        public func mayBecome(_ next: State) -> Bool {
            switch (self, next) {
            case (.shutdown, _): false
            case (_, .shutdown): true
            case (.connecting, .ready), (.connecting, .transientFailure), (.connecting, .idle): true
            case (.ready, .transientFailure), (.ready, .idle): true
            case (.transientFailure, .connecting), (.idle, .connecting): true
            // By the older rule (Java and Go before A62) the way back leads through idle.
            case (.transientFailure, .idle): true
            default: false
            }
        }
    }

    /// What becomes of it when something has ended.
    public enum Rule: UInt8, Hashable, Sendable, BitwiseCopyable {
        /// It connects by itself, after a wait (A62: transient failure is sticky).
        case reconnect
        /// It is idle until somebody calls.
        case idle
    }

    /// It waits for the first call before it connects.
    public var isLazy = false
    public var afterLoss = Rule.reconnect
    public var afterFailure = Rule.reconnect
    /// Without an active call for so long it lets its connection go; nil: never.
    public var idleTimeout: TimeSpan?
    /// The client keeps a stream open, which is an active call for ever.
    public var hasStream = true
    /// Armed only while no call is active, so the retries' slot is free.
    public var slot: TimerSlot

    public init(slot: TimerSlot) { self.slot = slot }

    /// Somebody wants a connection.
    public func isWanted(_ calls: CallTable, _ session: Session) -> Bool {
        hasStream || !calls.isEmpty || session.acknowledged < session.produced
    }

    /// After every event: the idle timer runs with zero active calls on a connection, and only then.
    public func settle(isOpen: Bool, _ calls: CallTable, isCounting: inout Bool, _ session: inout Session) {
        guard let idleTimeout else { return }
        let isQuiet = isOpen && !isWanted(calls, session)
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
    /// `channel: {connects: on-demand, after-loss: idle, idle-timeout: 30m, stream: none}`
    public mutating func channel(_ key: String, slot: TimerSlot, _ help: String = "") -> Channel? {
        section(key, help) { settings in
            let rules = [("reconnect", Channel.Rule.reconnect), ("idle", .idle)]
            var facet = Channel(slot: slot)
            facet.isLazy = settings.word(
                "connects", of: [("at-start", false), ("on-demand", true)], default: false,
                "whether it waits for the first call")
            facet.afterLoss = settings.word(
                "after-loss", of: rules, default: .idle,
                "an open connection is gone: it waits and connects, or is idle; an active call connects at once")
            facet.afterFailure = settings.word(
                "after-failure", of: rules, default: .reconnect,
                "an attempt has failed: after the wait it tries again by itself (A62), or only for a call")
            // 30 min: `IDLE_MODE_DEFAULT_TIMEOUT_MILLIS` of grpc-java, `dialoptions.go` of grpc-go, `maxIdleTime` of grpc-swift 2.
            // grpc-java turns it off from 30 days on and never goes below a second.
            let timeout = settings.span(
                "idle-timeout", default: .minutes(30), in: .seconds(1) ... .longest,
                "without an active call for so long the connection is let go; 720h or more is never")
            facet.idleTimeout = timeout < .hours(24 * 30) ? timeout : nil
            facet.hasStream = settings.word(
                "stream", of: [("open", true), ("none", false)], default: true,
                "a stream that is kept open is an active call: then the channel is never idle")
            return facet
        }
    }
}
