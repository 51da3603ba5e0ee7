import DeadzoneSimulator

/// Texts with alternatives `«this|that»`: choosing `that` instead of `this` must change the world. Together they
/// contain every key of the language that is not excused.
enum WorldTexts {
    static let head =
        "{version: 1, name: Hash, replicas: 1, seed: 3, strategies: {a: {strategy: calm}}, "
    private static let phone = "phone: {radios: {wifi: test-wifi, cellular: test-lte}}, duration: 2h, "
    private static let android =
        "phone: {platform: android-15, radios: {wifi: test-wifi, cellular: test-lte, lte: test-lte, umts: test-lte}}, "
        + "middleboxes: {wifi: [{preset: office-firewall}], cellular: [{tcp: 5m, udp: 1m}]}, duration: 2h, "

    private static let link = """
        {delay: «20ms|21ms», floor: «1ms|2ms», rate: «30Mbps|31Mbps», loss: «1%|2%», queue: «64KiB|65KiB», \
        spikes: {every: «60s|61s», for: «5s|6s», add: «3s|4s»}}
        """
    private static let late = "{reordering: {share: «2%|3%», by: «20ms|21ms»}}"
    private static let bursts =
        "{gilbert-elliott: {good: «20s|21s», bad: «500ms|501ms», loss-in-good: «1%|2%», loss-in-bad: «50%|51%»}}"
    private static let stream = "every: «20s|21s», size: «300B|301B», from: «1s|2s», until: «40m|41m»"

    static let all = bodies.map { head + $0 }

    private static let bodies: [String] = [
        "phone: {radios: {wifi: {profile: test-wifi, promotion: «10ms|11ms»}, cellular: {profile: test-lte, promotion: «1ms|2ms»}, "
            + "lte: {profile: test-lte, promotion: «1ms|2ms»}, nr: {profile: test-lte, promotion: «1ms|2ms»}, "
            + "umts: {profile: test-lte, promotion: «1ms|2ms»}}, tail-attribution: «latest|equal-shares», "
            + "battery: {charge: «4000mAh|4001mAh», voltage: «3.7V|3.8V»}, apps: {push: {preset: push-service, every: «5m|6m», "
            + "every-on-cellular: «7m|8m», up: «100B|101B», down: «200B|201B», wake: «job|alarm», exempt: «true|false»}}, kernel: «linux-6.6|linux-6.1»}, "
            + "duration: «2h|3h», phones: «2|3»}",
        phone + "links: {wifi: \(link), cellular: {up: \(link), down: \(link)}}}",
        phone
            + "links: {wifi: {delay: 20ms, jitter: «5ms|6ms», loss: \(bursts), down: {delay: 20ms, loss: \(bursts), jitter: «1ms|2ms»}}, "
            + "cellular: {preset: «lte|wpt-3g», up: {trace: «a.trace|b.trace»}, down: {trace: «a.trace|b.trace»}}}}",
        phone + "links: {wifi: {delay: 20ms, up: {loss: \(bursts), jitter: «1ms|2ms»}}}}",
        phone + "links: {wifi: {trace: «a.trace|b.trace»}, cellular: \(link), others: {mine: \(link)}}, "
            + "timeline: [{at: 1m, conditions: {wifi: «mine|lte», cellular: «mine|lte»}}]}",
        phone
            + "middleboxes: {wifi: [{tcp: «5m|6m», udp: «1m|2m», manner: «drop|reset», adopts-midstream: «true|false»}, "
            + "{preset: «office-firewall|rfc-nat»}, {idle: «1m|2m»}], cellular: [{tcp: «5m|6m», udp: 1m}], "
            + "server: [{idle: «5m|6m»}]}}",
        phone + "resolver: {ttl: «60s|61s», timeout: «5s|6s», attempts: «2|3», work: «1ms|2ms», ipv4: «works|broken», "
            + "ipv6: «works|broken», failing: «silent|refusing»}, app: {consumes: «5ms|6ms», "
            + "stalls: {every: «30s|31s», for: «2s|3s»}}}",
        phone + "traffic: {down: {\(stream), arrivals: «poisson|periodic»}, up: {\(stream), jitter: «10%|11%», "
            + "while: «always|foreground»}, probe: {\(stream)}, calls: {\(stream), answer: «2KiB|3KiB», while: «always|foreground»}, "
            + "encoding: «none|json»}, timeline: [{at: 30m, app: background}]}",
        phone
            + "traffic: {down: {at: «[1s, 2s]|[1s, 3s]», size: 1B}, up: {at: «[1s]|[2s]», size: 1B}, "
            + "probe: {at: «[1s]|[2s]», size: 1B}, calls: {at: «[1s]|[2s]», size: 1B, answer: 2B}}}",
        phone
            + "traffic: {down: {every: 20s, size: 1B, jitter: «10%|11%»}, up: {every: 20s, size: 1B, arrivals: «poisson|periodic»}, "
            + "probe: {every: 20s, size: 1B, arrivals: «poisson|periodic»}, calls: {every: 20s, size: 1B, answer: 2B, arrivals: «poisson|periodic»}}}",
        phone
            + "traffic: {probe: {every: 20s, size: 1B, jitter: «10%|11%»}, calls: {every: 20s, size: 1B, answer: 2B, jitter: «10%|11%»}}}",
        phone + "traffic: {down: [{every: «1m|2m», size: «1B|2B», until: «1h|50m», arrivals: «poisson|periodic»}], "
            + "up: [{every: «1m|2m», from: «1m|2m», jitter: «1%|2%», size: «1B|2B», until: «1h|50m», while: «always|foreground»}]}, "
            + "timeline: [{at: 30m, app: background}]}",
        phone + "traffic: {down: [{at: «[1s]|[2s]», size: 1B}], up: [{at: «[1s]|[2s]», size: 1B}]}}",
        phone
            + "traffic: {down: [{every: 1m, from: «1m|2m», jitter: «1%|2%», size: 1B}], up: [{every: 1m, size: 1B, arrivals: «poisson|periodic»}]}}",
        phone
            + "server: {accepts-per-second: «100|101», think: «1ms|2ms», idle-limit: «1h|2h», hold: «30s|31s», grace: «1s|2s», "
            + "quic-idle: «30s|31s», migration: «true|false», send-buffer: «64KiB|65KiB», auth: «1ms|2ms», "
            + "handshake-cost: {full: «1ms|2ms», resumed: «1ms|2ms»}, resume-window: «1m|2m», epochs: «true|false», "
            + "restart: «keeps|loses», takeover: «replaces|refuses», acks: {every: «1|2», within: «1s|2s»}, "
            + "history: {messages: «5|6», time: «1h|2h», purge: «never|sent», when-gone: «silence|snapshot», "
            + "snapshot: «1KiB|2KiB», replay: «1|2»}, slow-consumers: {conflate: {above: «1KiB|2KiB», keys: «1|2»}, "
            + "cut: {above: «1KiB|2KiB», after: «1s|2s»}}, errors: {transient: «1%|2%», after-headers: «1%|2%», "
            + "permanent: «1%|2%», refused-streams: «1%|2%», pushback: «1s|stop», sessions: {transient: «1%|2%», "
            + "permanent: «1%|2%», retry-after: «1s|2s»}}, rate-limit: {every: «1s|2s», burst: «1|2», pushback: «1s|2s»}, "
            + "capacity: {requests-per-second: «1|2», queue: «1|2», pushback: «1s|2s»}}}",
        phone
            + "server: {accepts-per-second: 9, instances: «4|5», balance: «round-robin|least-connections», backlog: «9|10», "
            + "connection-limit: «9|10», shed: {retry-after: «1s|2s»}, health-checks: {every: «1s|2s», failures: «2|3»}, "
            + "autoscaling: {target: «50%|60%», every: «1s|2s», start-up: «1m|2m», max: «8|9»}, "
            + "database: {queries-per-second: «9|10», per-call: «1|2», per-session: «1|2»}}, "
            + "timeline: [{at: 1m, instance: {down: «2|3»}, for: «1m|2m»}, {at: 9m, instance: {frozen: «2|3»}}]}",
        phone
            + "server: {accepts-per-second: 9, instances: 4, health-checks: {timeout: «1s|2s», panic: «50%|40%»}, "
            + "autoscaling: {target: 50%, max: 8, down-after: «5m|6m», grace: «30s|31s»}, "
            + "capacity: {requests-per-second: 9, queue-timeout: «1s|2s»}}}",
        phone
            + "server: {ping-floor: «1m|2m», ping-policy: «go|java», ping-strikes: «2|3», pings-without-calls: «true|false», "
            + "max-connection-idle: «1m|2m», max-connection-age: «1h|2h», max-connection-age-grace: «1m|2m», "
            + "keepalive: {time: «1m|2m», timeout: «1s|2s»}, dedup: {kind: bloom, bytes: «512B|513B», hashes: «3|4», window: «9|10»}}}",
        phone
            + "server: {heartbeat: {kind: «asks|expects», every: «25s|26s», timeout: «20s|21s», counts-from: «answer|silence», "
            + "announced: «false|true», size: «1B|2B»}, dedup: {kind: «set|bitmap», window: 100}}}",
        phone + "server: {dedup: {kind: set, window: {messages: «9|10», time: «5m|6m»}}}}",
        android + "server: {push: «normal|high»}}",
        android + "timeline: [{at: 0s, wifi: «home|off»}, {at: 0s, app: «foreground|background», screen: «on|off», "
            + "charging: «off|on», motion: «still|moving», battery-saver: «off|on»}, {at: 1m, alarm-clock: «1h|90m», "
            + "clock: «+1h|+2h», push: «high|normal», kill: «app|force-stop»}]}",
        phone + "timeline: [{at: 0s, cellular: «on|off»}]}",
        phone + "timeline: [{at: 0s, wifi: off}, {at: 30s, cellular: off}, {at: 1m, handoff: «cellular|wifi»}]}",
        android + "timeline: [{at: 1m, handoff: cellular, portal: «1s|2s»}]}",
        android + "timeline: [{at: 1m, cellular: on, usable-after: «1s|2s», announced-after: «1s|2s»}, "
            + "{at: «2m|3m», readdress: «wifi|cellular», old-path: «error|silent»}, "
            + "{at: 4m, dead-zone: «90s|91s», interface: «wifi|cellular», phones: «50%|60%», repeat: {every: «5m|6m», times: «2|3»}}, "
            + "{at: 20m, wan-cut: «90s|91s»}, {at: 23m, one-way: «up|down», for: «90s|91s»}, {at: 26m, roam: «1s|2s»}, "
            + "{at: 27m, technology: «lte|umts», spurious: «capabilities|flap», access: «refused|by-hand»}, "
            + "{at: 28m, access: on-demand, takes: «1s|2s»}, {at: 29m, server: «frozen|down», for: «10s|20s»}, "
            + "{at: 30m, deploy: {over: «1m|2m», instances: «10|11», manner: «drain|reset»}}, "
            + "{at: 40m, airplane: «10s|20s», old-path: «error|reset»}, {at: 59m, cellular: off}, {at: 1h, handoff: cellular, name: x, gap: «1s|2s»}, "
            + "{at: 61m, chaos: {disconnect: «5s|6s», handoff: «40s|41s», kill: «70s|71s», for: «10m|11m», seed: «7|8», "
            + "ends: «error|reset», dead-zone: {every: «90s|91s», for: «5s|6s»}}}]}",
        phone
            + "app: {consumes: 5ms}, timeline: [{at: 1m, handoff: cellular, overlap: «1s|2s»}, {at: 2m, freeze-ui: «1s|2s»}]}",
        phone + "timeline: [{at: {uniform: [1m, 2m]}, together: «true|false», dead-zone: 9s}], "
            + "population: {near: {phones: «3|4»}, far: {phones: 5, links: {cellular: {delay: 40ms}}}}}",
        phone + "timeline: [{at: 2m, phones: «2|3», dead-zone: 9s}, {at: 30m, app: background}], "
            + "traffic: {up: [{every: «1m|2m», size: «1B|2B»}, {every: «30s|40s», size: «3B|4B», while: «always|foreground»}], "
            + "down: [{every: 1m, size: 1B}, {at: «[1m]|[2m]», size: «3B|4B»}]}, "
            + "population: {near: {phones: 3, strategy: «calm|hasty»}, far: {phones: 5}}}",
        phone + "timeline: [{at: 30m, app: background}], traffic: {up: {every: 20s, size: 1B, "
            + "while: «background|foreground»}, "
            + "calls: [{every: «1m|2m», from: «1m|2m», until: «1h|50m», arrivals: «poisson|periodic», size: «1B|2B», "
            + "answer: «5B|6B»}, "
            + "{every: 1m, jitter: «1%|2%», size: «3B|4B», answer: «7B|8B», while: «background|foreground»}, "
            + "{at: «[1m]|[2m]», size: 1B, answer: 2B}]}}",
        phone + "app: {consumes: 5ms, memory-limit: «8MiB|9MiB»}, server: {session-limit: «1m|2m», versions: {new: {"
            + "history: {messages: «5|6», time: «1h|2h», purge: «never|sent», when-gone: «silence|snapshot», "
            + "snapshot: «1KiB|2KiB», replay: «1|2»}, resume-window: «1m|2m», ping-floor: «1m|2m», ping-policy: «go|java», "
            + "ping-strikes: «2|3», pings-without-calls: «true|false», max-connection-idle: «1m|2m», "
            + "max-connection-age: «1h|2h», max-connection-age-grace: «1m|2m», session-limit: «1m|2m», "
            + "keepalive: {time: «1m|2m», timeout: «1s|2s»}, think: «1s|2s»}, other: {think: 9s}}}, "
            + "timeline: [{at: 1m, server-version: «new|other»}]}",
        phone + "server: {codes: {completed: «1000|1001», denied: «1008|1009», ended: «1001|1002», "
            + "forbidden: «4403|4404», turned-away: «4503|4504»}}}",
        phone + "server: {credentials: {life: «1h|2h», leeway: «1s|2s», sessions: «true|false», calls: «true|false», "
            + "refresh: {takes: «50ms|60ms», single-use: true, grace: «1s|2s», replay: «revokes|refused», "
            + "round-trips: «3|4», up: «2000B|2001B», down: «5000B|5001B»}}}}",
        phone + "server: {credentials: {refresh: {single-use: «true|false»}}}}",
        phone + "resolver: {negative-ttl: «10s|11s», wifi: {ttl: «1m|2m», negative-ttl: «1s|2s», work: «1s|2s», "
            + "failing: «silent|refusing»}, cellular: {ttl: «1m|2m», negative-ttl: «1s|2s», work: «1s|2s», "
            + "failing: «silent|refusing»}}, "
            + "timeline: [{at: 2m, server: moves, old-address: «silent|reset», dns-after: «1m|2m»}]}",
        android + "timeline: [{at: 0s, data-saver: «off|on», app-restriction: «off|on»}, {at: 1m, push: high}]}",
        phone + "middleboxes: {wifi: [{udp: «blocked|1m»}]}}",
        "phone: {platform: android-15, radios: {wifi: test-wifi, cellular: test-lte}, apps: {mail: {every: 10m}}, "
            + "tunnel: {keepalive: «25s|26s», rekey: «2m|3m», retry: «5s|6s», give-up: «90s|91s», dead-after: «3m|4m», "
            + "clock: «elapsed|uptime», on-path-change: «rebind|keep», routes: «all|app», mtu: «1420|1421», "
            + "overhead: «60B|61B», queue: «128|129»}}, duration: 2h, "
            + "timeline: [{at: 0s, wifi: home, metered: «true|false»}, {at: 1m, data-saver: on}]}",
        phone + "server: {acks: {every: 2}, errors: {messages: {transient: «1%|2%», permanent: «3%|4%», "
            + "locked: «1m|2m»}}}, traffic: {up: {every: 1m, size: 1B}}}",
        phone
            + "resolver: {wifi: {ipv4: «works|broken», ipv6: «absent|works», nat64: «works|broken», address: private, "
            + "outside: «silent|reset», hairpin: «works|absent»}, cellular: {ipv4: «works|broken», "
            + "ipv6: «absent|works», nat64: «works|broken», address: private, outside: «silent|reset», "
            + "hairpin: «works|absent»}}}",
        phone + "resolver: {wifi: {address: «public|private»}, cellular: {address: «public|private»}}}",
        phone + "server: {exchange-lifetime: «4m|5m»}}",
        android + "server: {push: {priority: «normal|high», collapse-keys: «3|none», ttl: «1h|2h», "
            + "pending-limit: «10|11», key-limit: «2|3»}}, traffic: {down: [{every: 1m, size: 1B, "
            + "push: {priority: «high|none», collapse-keys: «1|none», ttl: «1m|2m»}}, "
            + "{every: 2m, size: 1B, push: «none|high»}, {every: 3m, size: 1B}]}, "
            + "timeline: [{at: 1h, push-token: void}]}",
        phone + "server: {streams: {ends-every: «1m|2m», silent: «1%|2%», refused: «3%|4%», unanswered: «5%|6%»}}, "
            + "timeline: [{at: 1m, streams: «ended|lost»}, {at: 2m, streams: {lost: «1|2»}}, {at: 3m, streams: {ended: «1|2»}}]}",
        phone + "server: {presence: {grace: «1m|2m»}}}",
        phone + "server: {peer: {relay: «30ms|40ms»}}, timeline: [{at: 2m, peer: «moves|blocked»}]}",
        phone + "links: {wifi: \(late), cellular: {up: \(late), down: \(late)}, others: {mine: \(late)}}, "
            + "timeline: [{at: 1m, conditions: {wifi: mine}}]}",
        phone + "links: {cellular: \(late)}}",
        "phone: {radios: {wifi: test-wifi, cellular: test-lte, bluetooth: test-bluetooth, sim2: test-lte, "
            + "ethernet: test-cable}, prefers: «[bluetooth]|[cellular]»}, duration: 2h, "
            + "links: {bluetooth: {rate: «1Mbps|2Mbps»}, sim2: {delay: «20ms|21ms»}, ethernet: {loss: «1%|2%»}}, "
            + "middleboxes: {bluetooth: [{tcp: «5m|6m»}], sim2: [{tcp: «5m|6m»}], ethernet: [{tcp: «5m|6m»}]}, "
            + "timeline: [{at: 0s, wifi: home, reach: «all|internet»}, "
            + "{at: 0s, bluetooth: «on|off», sim2: «on|off», ethernet: «on|off»}, "
            + "{at: 1m, conditions: {bluetooth: «lte|nr», sim2: «wifi|nr», ethernet: «lte|nr»}}]}",
    ]
}
