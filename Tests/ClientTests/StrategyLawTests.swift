import DeadzoneBase
import DeadzoneClient
import DeadzoneLaws
import DeadzoneTestKit
import Testing

@Suite struct StrategyLawTests {
    /// Clients that differ in every facet. The waits are short enough for a client to recover within a minute.
    private static let clients: [Setting] = [
        [:],
        ["keepalive": "20s", "on-path-change": "reconnect", "calls": ["deadline": "5s", "reconnect-after": "2"]],
        [
            "keepalive": ["interval": "15s", "verdict": "next-beat", "wake": "alarm", "decides-by": "uptime"],
            "on-path-change": [
                "available": "probe", "lost": "reconnect", "losing": "hurry", "unvalidated": "probe",
                "debounce": "300ms",
            ],
            "connect": ["when": "validated", "timeout": "5s"], "write-limit": "10s",
            "calls": ["deadline": "3s", "clock": "uptime", "probe-after": "1", "retry": "false", "unready": "fail"],
            "life-cycle": ["foreground": "probe", "on-push": "10s", "wake-lock": "beat"],
        ],
        [
            "transport": "quic", "on-path-change": ["available": "migrate", "lost": "ignore", "compares": "nothing"],
            "connect": ["when": "always"], "backoff": ["base": "1s", "jitter": "20%", "from": "attempt"],
            "keepalive": ["interval": "10s", "verdict": "none", "clock": "uptime", "postponed-by": "traffic"],
            "calls": ["deadline": "2s", "clock": "wall", "offline": "fail"], "resume": "persisted",
        ],
        [
            "life-cycle": [
                "background": "flush-and-close", "foreground": "reconnect", "on-push": "10s", "on-refresh": "5s",
                "poll": ["every": "15m", "stay": "20s", "wake": "alarm"], "wake-lock": "connected",
            ],
            "backoff": ["base": "2s", "jitter": "decorrelated", "clock": "uptime", "first": "0s"],
            "keepalive": ["interval": "8s", "queue": "writer", "answered-by": "pong"], "resume": "nothing",
            "on-path-change": [
                "available": "reconnect", "lost": "reconnect", "blocked": "reconnect", "unblocked": "hurry",
                "compares": "category", "resets-backoff": "false",
            ],
        ],
        ["transport": "datagram", "keepalive": "5s", "on-path-change": "reconnect"],
        [
            "transport": ["kind": "grpc", "tls": "1.3-early"], "connect": ["timeout": "5s", "at-portal": "20s"],
            "keepalive": ["interval": "30s", "send-limit": ["then": "throttle", "throttle": "45s"]],
            "on-path-change": ["available": "reconnect", "blocked": "reconnect", "unblocked": "probe"],
            "life-cycle": [
                "background": "rely-on-push", "on-push": "10s", "on-send": "10s", "fresh": "20s", "quiet": "2s",
                "when-done": "leave",
                "wake-lock": "visit",
            ],
            "resume": "persisted",
        ],
        [
            "transport": "grpc", "on-path-change": ["available": "hurry", "unblocked": "hurry"],
            "backoff": [
                "base": "1s", "cap": "8s", "first-jitter": "none", "jitter": "20%", "from": "attempt",
                "min-connect-timeout": "5s", "reset": "settings", "after-open": "100ms",
            ],
        ],
        [
            "on-path-change": ["available": "reconnect", "lost": "reconnect", "unblocked": "hurry"],
            "life-cycle": ["foreground": "probe"],
            "backoff": [
                "table": ["0s", "2s", "5s"], "give-up": ["retries": "4", "after": "10m"], "reset": ["up": "5s"],
                "in-background": "hold", "suspended": ["after": "1m", "wait": "10s"],
            ],
        ],
        [
            "resume": [
                "keeps": "persisted", "on-gap": "resync", "acknowledge": ["every": "3", "within": "2s"],
                "store": ["every": "2", "within": "5s"], "dedup": "none", "window": "5m",
            ],
            "queue": ["keeps": "memory", "bound": "3", "overflow": "halve", "flush": "forget"],
            "on-path-change": "reconnect", "life-cycle": ["background": "flush-and-close", "foreground": "reconnect"],
        ],
        [
            "resume": ["handshake": "sequences", "dedup": ["bloom": "64B"], "shows-after": "300ms"],
            "queue": ["bound": "2", "overflow": "refuse"], "keepalive": "15s", "on-path-change": "reconnect",
        ],
        [
            "transport": "grpc", "channel": ["connects": "on-demand", "after-loss": "idle", "after-failure": "idle"],
            "calls": [
                "deadline": "20s", "unready": "attempt",
                "retry-policy": ["max-attempts": "4", "initial-backoff": "1s"],
                "retry-throttling": ["max-tokens": "10", "token-ratio": "0.1"],
            ],
        ],
        [
            "transport": [
                "ladder": ["quic", "http2", "polling"], "falls-after": ["limit": "2s", "failures": "2"],
                "climbs": ["after": "10s", "cap": "40s"], "remembers": "process", "tls": "1.3-resumed",
            ],
            "on-path-change": ["available": "migrate", "lost": "reconnect"], "connect": ["timeout": "5s"],
            "keepalive": "15s",
        ],
        [
            "transport": "grpc", "channel": ["after-loss": "reconnect"],
            "calls": ["unready": "fail", "hedging-policy": ["max-attempts": "3", "delay": "500ms"]],
        ],
    ]

    /// Broken: after some history, a client acts on a closed connection, leaves a timer of one connection to the
    /// next, or behaves differently from its copy. Or it moves a cursor back, or is not connected although the
    /// network and the server work.
    @Test(arguments: clients.indices)
    func composedObeysTheLaws(client: Int) {
        checkStrategyLaws(
            Composed(Self.clients[client]),
            // The third client ignores missing pongs.
            pingTimeout: client == 3 ? nil : .minutes(5),
            connectionTimers: [TimerSlot(1), TimerSlot(2), TimerSlot(3), TimerSlot(6)])
    }

    /// Broken: the same laws, for the self-contained strategies.
    @Test func theOtherStrategiesObeyTheLaws() {
        checkStrategyLaws(Patient([:]))
        // The eager client leaves unanswered attempts and pings to the system.
        checkStrategyLaws(Eager([:]), attemptTimeout: nil, pingTimeout: nil)
        checkStrategyLaws(Datagrams([:]))
        checkStrategyLaws(CoAP([:]))
        // Its pings only keep the mapping of a NAT.
        checkStrategyLaws(CoAP(["dtls": ["session": "connection-id"], "ping": "20s"]), pingTimeout: nil)
    }

    /// A strategy with one deliberate fault.
    private struct FaultyStrategy: Strategy {
        enum InjectedFault: String, CaseIterable {
            case pingsClosed, forgetsToReconnect, movesBack, talksWithoutEnd, keepsTimer, leavesTheApp
        }

        static let name = "wrong"
        static let about = "does one thing wrong"
        let fault: InjectedFault
        init(_ way: InjectedFault) { self.fault = way }
        init(_ settings: inout SettingsReader) { fault = .pingsClosed }
        func initialState() -> Bool { false }

        func handle(_ event: Event, _ isOpen: inout Bool, _ session: inout Session, _ out: inout Outbox) {
            let connection = ConnectionSlot(0)
            switch event {
            case .started, .fired(TimerSlot(0)): out.append(.connect(connection, .webSocket, resuming: .fresh))
            case .opened:
                isOpen = true
                if fault == .keepsTimer { session.arm(TimerSlot(1), after: .hours(9)) }
            case .closed, .failed:
                isOpen = false
                if fault == .leavesTheApp { out.append(.crash) }
                if fault != .forgetsToReconnect { session.arm(TimerSlot(0), after: .seconds(1)) }
            case .received(_, let cursor, _):
                out.append(.deliver(fault == .movesBack && cursor.position > 1 ? .start : cursor))
            case .wantsToSend where fault == .pingsClosed: out.append(.ping(connection))
            case .app where fault == .talksWithoutEnd: for _ in 0..<100 { out.append(.stayAwake(true)) }
            default: break
            }
        }
    }

    /// Broken: the search claims to cover all short histories, but skips those of the longest length or those that
    /// start connected.
    @Test(arguments: 0...2)
    func everyShortHistoryIsTried(length: Int) {
        let laws = StrategyLaws(AnyStrategy(Patient([:])))
        let histories = (0...length).reduce(0) { sum, step in
            sum + (0..<step).reduce(1) { count, _ in count * TrialEvent.disruptive.count }
        }
        let found = laws.checkAllHistories(length)
        #expect(found.counterexample == nil && found.count == 2 * histories)
        let wrong = StrategyLaws(AnyStrategy(FaultyStrategy(.forgetsToReconnect))).checkAllHistories(length)
        #expect((wrong.counterexample != nil) == (length > 0))
    }

    /// Broken: the laws hold for every strategy, or failing histories are not reduced to the necessary events.
    @Test func everyFaultIsFound() throws {
        for way in FaultyStrategy.InjectedFault.allCases {
            var laws = StrategyLaws(AnyStrategy(FaultyStrategy(way)))
            laws.connectionTimers = [TimerSlot(1)]
            let found = try #require((1...40).lazy.compactMap { laws.checkRandomHistory($0) }.first, "\(way)")
            #expect(found.history.count <= 4, "\(way): \(found)")
            #expect(!laws.broken(in: found.history, seed: found.seed).isEmpty)
        }
    }
}

extension Strategy {
    fileprivate init(_ setting: Setting) {
        var reader = SettingsReader(setting.node, of: Self.name)
        self.init(&reader)
        precondition(reader.faults.isEmpty)
    }
}
