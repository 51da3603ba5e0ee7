/// Settings that contradict each other, or nearly do. Each row is a text, and the fault with its message, or `none`.
/// The place that the fault marks stands between « and ».
enum FaultMarkTable {
    /// Files, populations and expectations.
    static let loading = #"""
        «technology»: lte
        => E0104 this is a radio profile, not a scenario

        «strategy»: calm
        ping: 1s
        => E0104 this is a preset, not a scenario

        «schema»: deadzone/baseline/2
        => E0104 this is a baseline, not a scenario

        «schema»: deadzone/run/1
        => E0104 this is a result, not a scenario

        «schema»: other/run/1
        => E0104 unknown setting `schema`

        schema: other/run/1
        «technology»: lte
        => E0104 this is a radio profile, not a scenario

        population: {all: {share: 100%, strategy: calm}}
        «strategies»: {a: {strategy: calm}}
        => E0219 strategies that no group runs

        «population»: {a: {share: 60%}, b: {share: 30%}}
        => E0219 shares that sum to 90%

        «population»: {a: {share: 50%}, b: {phones: 3}}
        => E0219 1 shares and 1 numbers of phones

        «population»: {}
        => E0219 0 shares and 0 numbers of phones

        «population»: {a: {phones: 2}, b: {phones: 3}}
        phones: 6
        => E0219 5 phones in all groups

        population: {a: {phones: 2}, b: {phones: 3}}
        phones: 5
        => none

        «population»: {a: {share: 99%}, b: {share: 1%}}
        phones: 9
        => E0219 `b` has no phones

        population: {a: «{»}, b: {share: 100%}}
        => E0101 the number of phones in `a` is missing

        «population»: {a: {share: 50%, phone: {battery: 1Wh}}, b: {share: 50%}}
        phones: 2
        => E0219 batteries of different capacity

        «population»: {a: {share: 50%, phone: {platform: android-15}}, b: {share: 50%, phone: {platform: {profile: android-15, processor.power: 9mW}}}}
        phones: 2
        => E0219 processors with different power

        expect: {across: «{»}}
        => E0101 the share of networks is missing

        expect: {across: {at-least: 90%}}
        => none

        population: {a: {share: 100%}}
        expect: {a: {«a»: {zombie.max: 1s}}}
        => E0207 a bound for one of 1 groups

        expect: {a: {«b»: {zombie.max: 1s}}}
        => E0207 unknown group `b`

        population: {a: {share: 100%, strategy: «[»calm]}}
        => E0102 a list where

        population: {a: {share: 100%, strategy: «~»}}
        => E0103 a value is missing

        population: {a: {share: 100%, strategy: «clam»}}
        => E0202 unknown strategy `clam`
        """#

    /// Batteries, radios, tunnels, resolvers and middleboxes.
    static let phones = #"""
        «phone»: {battery: 1Wh}
        => E0101 the phone has no radio

        phone: {battery: «4300mAh», radios: {wifi: test-wifi}}
        => E0107 `4300mAh` is a charge, but a battery is given as energy

        phone: {radios: {wifi: «test-lte»}}
        => E0215 `test-lte` is a cellular profile

        phone: {radios: {wifi: «mine.yaml»}}
        => E0203 cannot read `dir/mine.yaml`

        phone: {radios: {wifi: «{»promotion: 1ms}}}
        => E0101 `profile` is missing

        phone: {radios: {wifi: test-wifi, «satellite»: x}}
        => E0215 `satellite` is not modelled

        phone: {«prefers»: [wifi, wifi], radios: {wifi: test-wifi, cellular: test-lte}}
        => E0215 `wifi` twice in `prefers`

        phone: {«prefers»: [bluetooth], radios: {wifi: test-wifi}}
        => E0215 the phone has no bluetooth radio

        phone: {tunnel: {«clock»: uptime}, radios: {wifi: test-wifi}}
        => E0215 `clock: uptime` without an operating system

        phone: {tunnel: {clock: uptime}, platform: android-15, radios: {wifi: test-wifi}}
        => none

        phone: {tunnel: {«routes»: other-apps}, radios: {wifi: test-wifi}}
        => E0215 `routes: other-apps` without other apps

        phone: {tunnel: {}, radios: {wifi: test-wifi}}
        «resolver»: {wifi: {address: private}}
        => E0215 addresses of single networks

        phone: {tunnel: {}, radios: {wifi: test-wifi}}
        «resolver»: {cellular: {nat64: works}}
        => E0215 addresses of single networks

        phone: {tunnel: {}, radios: {wifi: test-wifi}}
        resolver: {wifi: {ttl: 1m}}
        => none

        phone: {tunnel: {routes: other-apps}, apps: {p: {preset: push-service}}, radios: {wifi: test-wifi}}
        resolver: {wifi: {address: private}}
        => none

        resolver: {wifi: {«outside»: reset}}
        => E0215 `outside` without `address: private`

        phone: {tunnel: {}, radios: {wifi: test-wifi}}
        «timeline»: [{at: 0s, wifi: home, reach: internet}]
        => E0215 `reach` beside a `tunnel`

        phone: {tunnel: {routes: other-apps}, apps: {p: {preset: push-service}}, radios: {wifi: test-wifi}}
        timeline: [{at: 0s, wifi: home, reach: internet}]
        => none

        phone: {tunnel: {}, radios: {wifi: test-wifi}}
        timeline: [{at: 0s, wifi: home, reach: all}]
        => none

        middleboxes: {wifi: [{tcp: «1ms»}]}
        links: {wifi: {delay: 20ms}}
        => E0215 a mapping of 1ms is shorter than the round trip of 40ms

        middleboxes: {wifi: [{idle: «39ms»}]}
        links: {wifi: {delay: 20ms}}
        => E0215 a mapping of 39ms is shorter than the round trip of 40ms

        middleboxes: {wifi: [{idle: 40ms}]}
        links: {wifi: {delay: 20ms}}
        => none

        middleboxes: {server: [{udp: «30ms»}]}
        links: {wifi: {delay: 10ms}, cellular: {delay: 20ms}}
        => E0215 a mapping of 30ms is shorter than the round trip of 40ms

        middleboxes: {«bluetooth»: [{idle: 1m}]}
        => E0215 `bluetooth` without a bluetooth radio
        """#

    /// Links and traffic.
    static let links = #"""
        links: {wifi: {«rate»: 1Mbps, trace: t}}
        => E0215 `rate` and `trace`

        links: {wifi: {delay: 10ms, «jitter»: 11ms}}
        => E0215 this `jitter` does not fit the `delay`

        links: {wifi: {delay: {uniform: [1ms, 9ms]}, «jitter»: 1ms}}
        => E0215 this `jitter` does not fit the `delay`

        links: {wifi: {delay: 10ms, jitter: 10ms}}
        => none

        links: {wifi: {queue: «5»}}
        => E0105 has no unit

        links: {wifi: {queue: «0 packets»}}
        => E0108 `0` is out of range

        links: {«sim2»: {rate: 1Mbps}}
        => E0215 `sim2` without a sim2 radio

        links: {wifi: {up: {floor: 0s}}}
        «server»: {accepts-per-second: 9}
        => E0216 phones that share a server

        links: {cellular: {down: {floor: 0s}}}
        «server»: {accepts-per-second: 9}
        => E0216 phones that share a server

        links: {others: {x: {floor: 0s}}}
        timeline: [{at: 1m, conditions: {wifi: x}}]
        «server»: {accepts-per-second: 9}
        => E0216 phones that share a server

        links: {others: {x: {floor: 0s}}}
        server: {accepts-per-second: 9}
        => none

        phone: {radios: {cellular: test-lte}}
        links: {wifi: {floor: 0s}}
        server: {accepts-per-second: 9}
        => none

        links: {wifi: {floor: 0s}, cellular: {floor: 0s}}
        => none

        traffic: {down: {every: 1m, size: 1B, from: 5m, «until»: 5m}}
        => E0215 traffic that ends before it begins

        traffic: {down: {every: 1m, size: 1B, «from»: 45m}}
        => E0215 traffic that ends before it begins

        traffic: {down: {at: [1m, 2m], size: 1B, «jitter»: 10%}}
        => E0215 `jitter` beside `at`

        traffic: {down: {at: [1m, 2m], size: 1B, «from»: 1s}}
        => E0215 `from` beside `at`

        traffic: {down: {at: [1m, 2m], size: 1B, «every»: 1m}}
        => E0215 `every` beside `at`

        traffic: {down: {at: [1m, 2m], size: 1B, «arrivals»: poisson}}
        => E0215 `arrivals` beside `at`

        traffic: {down: {«at»: [2m, 2m], size: 1B}}
        => E0215 messages that are not in order

        traffic: {down: {«at»: [1m, 3m, 2m], size: 1B}}
        => E0215 messages that are not in order

        traffic: {down: {every: {uniform: [1m, 2m]}, «jitter»: 10%, size: 1B}}
        => E0215 `jitter` beside an `every`

        traffic: {down: {every: {uniform: [1m, 2m]}, «arrivals»: periodic, size: 1B}}
        => E0215 `arrivals` beside an `every`

        traffic: {down: {every: 1m, arrivals: poisson, «jitter»: 10%, size: 1B}}
        => E0215 `jitter` beside `arrivals: poisson`

        duration: 8000h
        traffic: {down: {«every»: 1ms, size: 1B}}
        => E0108 messages in one stream

        traffic: {up: {every: 1m, size: 1B, while: foreground}}
        => none

        «traffic»: {up: {every: 1m, size: 1B, while: background}}
        => E0215 `while: background`

        timeline: [{at: 0s, app: background}]
        «traffic»: {up: {every: 1m, size: 1B, while: foreground}}
        => E0215 `while: foreground`

        timeline: [{at: 44m, app: background}]
        traffic: {up: {every: 1m, size: 1B, while: background}}
        => none
        """#

    /// The server.
    static let server = #"""
        «server»: {acks: {}, errors: {messages: {transient: 1%}}}
        => E0215 an app that sends none

        server: {acks: {}, errors: {messages: {transient: 1%}}}
        traffic: {up: {every: 1m, size: 1B}}
        => none

        server: {acks: {}, errors: {messages: {transient: 1%}}}
        population: {a: {share: 50%, traffic: {up: {every: 1m, size: 1B}}}, b: {share: 50%}}
        phones: 2
        => none

        server: {«errors»: {messages: {transient: 1%}}}
        traffic: {up: {every: 1m, size: 1B}}
        => E0215 refused `messages` without `acks`

        server: {«backlog»: 9}
        => E0215 `backlog` of a server without queues

        server: {capacity: {requests-per-second: 9}, «backlog»: 9}
        => E0215 `backlog` of a server without queues

        server: {«autoscaling»: {target: 50%, max: 4}}
        => E0215 `autoscaling` of a server without queues

        server: {accepts-per-second: 9, autoscaling: {target: 50%, max: 4}}
        => none

        server: {«health-checks»: {timeout: 1s}}
        => E0215 `health-checks` of a server without queues

        server: {health-checks: {failures: 2}}
        => none

        server: {accepts-per-second: 9, health-checks: {timeout: 1s}}
        => none

        server: {accepts-per-second: 9, autoscaling: {target: 50%, max: 4, «grace»: 1s}}
        => E0215 `grace` without instances that are removed

        server: {slow-consumers: «{»}}
        => E0101 `slow-consumers` without a rule

        server: {slow-consumers: {cut: {}}}
        => none

        server: {dedup: {kind: bloom, «window»: 5m}}
        => E0215 a time in the `window` of a bloom

        server: {dedup: {kind: set, window: 5m}}
        => none

        server: {«push»: high}
        => E0215 `push` to a phone without a push service

        phone: {platform: android-15, radios: {wifi: test-wifi, cellular: test-lte}}
        server: {push: high}
        => none

        server: {push: none}
        => none

        server: {streams: {«silent»: 1%}}
        => E0215 `silent` without `ends-every`

        server: {errors: {pushback: «often»}}
        => E0110 `often`

        server: {errors: {pushback: «9»}}
        => E0105 has no unit

        server: {errors: {pushback: 9s}}
        => none
        """#
}
