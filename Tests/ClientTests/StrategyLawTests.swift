import DeadzoneClient
import DeadzonePrimitives
import DeadzoneTestKit
import Testing

@Suite struct StrategyLawTests {
    /// Clients that differ in every facet; the waits are short enough for a client to recover within a minute.
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
    ]

    /// Broken: after some history of events a client acts on a closed connection, leaves a timer of one connection to the
    /// next, does otherwise than its copy, moves a cursor back, or never connects again though all is well.
    @Test(arguments: clients.indices)
    func holdsInRandomHistories(client: Int) {
        var attempts = 0
        var met = 0
        seedSweep(60) { seed in
            var dice = Dice(seed: seed, phone: PhoneID(UInt32(client)), purpose: .test)
            var trial = Trial(Self.clients[client], seed: seed)
            for _ in 0..<120 where trial.broken.isEmpty {
                let all = Trial.Upheaval.allCases
                // Half of the time what a client meets most: a server that answers.
                let usual: [Trial.Upheaval] = [.opens, .pongs, .receives, .second, .calls, .sends, .answers]
                let list = dice.next().scaled(below: 2) == 0 ? all : usual
                let upheaval = list[Int(dice.next().scaled(below: UInt64(list.count)))]
                trial.meet(upheaval, handle: UInt16(dice.next().scaled(below: 4)))
                met += 1
            }
            trial.heal()
            #expect(trial.broken.prefix(3) == [])
            attempts += trial.attempts
        }
        #expect(attempts > 60 && met >= 120)
    }

    /// Broken: the same within three upheavals, whichever they are.
    @Test(arguments: clients.indices)
    func holdsInEveryShortHistory(client: Int) {
        let upheavals: [Trial.Upheaval] = [
            .fails, .closes, .goesAway, .stalls, .calls, .toCellular, .toNone, .unvalidated, .blocked, .background,
            .push,
            .minute, .sleep,
        ]
        let count = withEvery { choices in
            var trial = Trial(Self.clients[client], seed: 1)
            if choices.flag() { trial.meet(.opens) }
            for upheaval in choices.sequence(of: upheavals, upTo: 2) { trial.meet(upheaval) }
            trial.heal()
            try #require(trial.broken.prefix(3) == [])
        }
        #expect(count == 2 * (1 + 13 + 169))
    }
}
