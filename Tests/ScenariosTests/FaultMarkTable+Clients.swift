extension FaultMarkTable {
    /// Settings that depend on the strategies. Here the strategy `composed` is known.
    static let clients = #"""
        server: {«heartbeat»: {kind: beats, every: 30s}}
        strategies: {a: {strategy: composed, transport: polling}}
        => E0215 a `heartbeat` that no strategy

        server: {«heartbeat»: {kind: asks, every: 30s}}
        strategies: {a: {strategy: composed, transport: grpc}}
        => E0215 a `heartbeat` that no strategy

        server: {«heartbeat»: {kind: expects, every: 30s}}
        strategies: {a: {strategy: composed, transport: {kind: grpc, stream: false}}}
        => E0215 a `heartbeat` that no strategy

        server: {heartbeat: {kind: beats, every: 30s}}
        strategies: {a: {strategy: composed, transport: grpc}}
        => none

        server: {heartbeat: {kind: expects, every: 30s}}
        strategies: {a: {strategy: composed, transport: websocket}}
        => none

        server: {heartbeat: {kind: beats, every: 30s}}
        strategies: {a: {strategy: composed, transport: polling}, b: {strategy: composed}}
        => none

        server: {heartbeat: {kind: beats, every: 30s}}
        strategies: {a: {strategy: composed, transport: polling}}
        population: {x: {share: 50%}, y: {share: 50%, strategy: composed}}
        phones: 2
        => none

        server: {«session-limit»: 30s}
        strategies: {a: {strategy: composed, transport: datagram}}
        => E0215 a `session-limit` without a session

        server: {«session-limit»: 30s}
        strategies: {a: {strategy: composed, transport: polling}}
        => E0215 a `session-limit` without a session

        server: {«session-limit»: 30s}
        strategies: {a: {strategy: composed, transport: {kind: grpc, stream: false}}}
        => E0215 a `session-limit` without a session

        server: {session-limit: 30s}
        strategies: {a: {strategy: composed, transport: grpc}}
        => none

        server: {session-limit: 30s}
        strategies: {a: {strategy: composed, transport: polling}, b: {strategy: composed}}
        => none

        server: {session-limit: 30s}
        strategies: {a: {strategy: composed, transport: polling}}
        population: {x: {share: 50%}, y: {share: 50%, strategy: composed}}
        phones: 2
        => none

        «server»: {streams: {}}
        strategies: {a: {strategy: composed, transport: websocket}}
        => E0215 a server with `streams`, and no strategy

        server: {streams: {}}
        strategies: {a: {strategy: composed, streams: {}}}
        => none

        server: {streams: {}}
        strategies: {a: {strategy: composed}, b: {strategy: composed, streams: {}}}
        => none

        phone: {radios: {cellular: test-lte}}
        strategies: {«a»: {strategy: composed, connect: {network: wifi}}}
        => E0215 the strategy asks for wifi

        strategies: {a: {strategy: composed, connect: {network: wifi}}}
        => none

        phone: {radios: {cellular: test-lte}}
        strategies: {a: {strategy: composed, connect: {network: wifi}}}
        population: {x: {share: 50%, phone: {radios: {wifi: test-wifi}}}, y: {share: 50%}}
        phones: 2
        => none

        timeline: [«{»at: 0s, wifi: home, metered: true}]
        strategies: {a: {strategy: composed}}
        => E0215 `metered` without `data-saver: on`

        timeline: [{at: 0s, wifi: home, metered: true}]
        strategies: {a: {strategy: composed, connect: {when: unmetered}}}
        => none

        phone: {platform: android-15, radios: {wifi: test-wifi, cellular: test-lte}}
        timeline: [{at: 0s, wifi: home, metered: true}, {at: 1m, data-saver: on}]
        strategies: {a: {strategy: composed}}
        => none

        phone: {platform: android-15, radios: {wifi: test-wifi, cellular: test-lte}}
        timeline: [«{»at: 0s, wifi: home, metered: true}, {at: 0s, data-saver: off}]
        strategies: {a: {strategy: composed}}
        => E0215 `metered` without `data-saver: on`
        """#
}
