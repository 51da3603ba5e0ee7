import Testing

/// Combined effect of the facets of shipped presets in small worlds.
struct PresetBehaviourTests {
    @Test(
        arguments: [
            ("socket.io", "socket.io", 20.0...45.3, 20.0...45.3), ("actioncable", "actioncable", 3...18.3, 3...18.3),
            ("centrifuge-js", "centrifugo", 10.0...35.3, 10.0...35.3), ("ably", "ably", 9.9...25.3, 75.0...90.3),
        ])
    func presetReliesOnTheServersPings(
        preset: String, heartbeat: String, listening: ClosedRange<Double>, asking: ClosedRange<Double>
    ) throws {
        // Broken: a client pings a server that already pings, gives up a good connection, or detects a dead one at
        // another time.
        for (server, zombies) in [("server: {heartbeat: \(heartbeat)}", listening), ("server: {think: 0s}", asking)] {
            let run = try TestWorkspace.metrics(
                of:
                    """
                    duration: 20m
                    phone: {radios: {wifi: wifi-galaxy-s2, cellular: lte-verizon-2021}}
                    timeline:
                      - {at: 0s, wifi: home}
                      - {at: 10m, handoff: cellular, old-path: silent}
                    \(server)
                    traffic: {down: {every: 4m, size: 300B}}
                    strategies: {client: {strategy: \(preset), on-path-change: ignore}}
                    """)
            let client = try #require(run["client"])
            #expect(client["connection.handshakes"] == 2 && client["connection.false_drops"] == 0)
            #expect(zombies.contains(client["zombie.max"] ?? 0), "\(server): \(client["zombie.max"] ?? 0)")
            let isListening = server.contains("heartbeat")
            // Action Cable announces no heartbeat: until the first beat, each connection sends one ping.
            let most = preset == "actioncable" ? 2.0 : 0
            #expect((client["keepalive.pings"] ?? 0 > most) == !isListening)
            #expect((client["server.pings"] ?? 0 > 10) == isListening)
        }
    }

    @Test(
        arguments: [
            // Close codes of Pusher's protocol: do not come back, back off, come back at once; and a code outside of it.
            ("pusher", "ended: 4001", 0.0...0, 1.0), ("pusher", "ended: 4100", 1...1.6, 2),
            ("pusher", "ended: 4200", 0...0.6, 2), ("pusher", "ended: 4300", 0...0, 1),
            ("pusher", "ended: 1001", 1...1.6, 2),
        ])
    func presetReactsToCloseCodes(
        preset: String, codes: String, recovery: ClosedRange<Double>, handshakes: Double
    ) throws {
        // Broken: a client comes back although the code forbids it, too late, or too early.
        let run = try TestWorkspace.metrics(
            of:
                """
                duration: 10m
                phone: {radios: {wifi: wifi-galaxy-s2}}
                links: {wifi: {delay: 10ms, rate: 20Mbps}}
                timeline:
                  - {at: 0s, wifi: home}
                  - {at: 5m, server: drain}
                server: {codes: {\(codes)}}
                traffic: {down: {every: 1m, size: 300B}}
                strategies: {client: {strategy: \(preset)}}
                """)
        let client = try #require(run["client"])
        #expect(client["connection.handshakes"] == handshakes && client["connection.attempts"] == handshakes)
        let silence = client["silence.total"] ?? -1
        #expect(handshakes == 1 ? silence > 299 : recovery.contains(silence), "\(silence)")
    }

    @Test func articleKotlinKeepsOneMessage() throws {
        // Broken: two buffers in sequence count as their sum, or the repaired client loses messages.
        let run = try TestWorkspace.metrics(
            of:
                """
                duration: 1m
                phone: {radios: {wifi: wifi-aro}}
                app: {consumes: 2ms}
                timeline:
                  - {at: 0s, wifi: home}
                  - {at: 10s, freeze-ui: 4s}
                traffic: {down: {every: 100ms, size: 1KiB, until: 50s}}
                strategies: {printed: {strategy: article-grpc-kotlin}, fixed: {strategy: article-grpc-fixed}}
                """)
        let (printed, fixed) = (try #require(run["printed"]), try #require(run["fixed"]))
        #expect(printed["buffer.max"] == 1 && printed["delivery.down.lost"] ?? 0 >= 30)
        #expect(fixed["buffer.max"] ?? 0 > 30 && fixed["delivery.down.lost"] == 0)
    }

    @Test(
        arguments: [
            // Messages that are sent while the socket is closed: kept and sent later, kept up to a bound, or dropped.
            ("reconnecting-websocket", "1KiB", 0.0...3), ("nats", "1KiB", 0.0...3), ("nats", "1MiB", 20.0...60),
            ("okhttp-websocket", "1KiB", 100.0...300),
        ])
    func messagesSentWithoutAConnection(preset: String, size: String, lost: ClosedRange<Double>) throws {
        // Broken: a queue where the client has none, a queue that loses messages it should keep, or an unbounded queue.
        let run = try TestWorkspace.metrics(
            of:
                """
                duration: 5m
                phone: {radios: {wifi: wifi-galaxy-s2}}
                links: {wifi: {delay: 20ms, rate: 100Mbps}}
                timeline:
                  - {at: 0s, wifi: home}
                  - {at: 1m, server: down, for: 40s}
                traffic: {up: {every: 1s, size: \(size), until: 3m}}
                strategies: {client: {strategy: \(preset)}}
                """)
        let client = try #require(run["client"])
        #expect(lost.contains(client["delivery.up.lost"] ?? -1), "\(client["delivery.up.lost"] ?? -1)")
        #expect(client["connection.drops"] == 1)
    }

    @Test func okHttpClosesASocketWithTooMuchQueued() throws {
        // Broken: OkHttp's limit of sixteen megabytes before a blocked socket is missing, or the socket is closed too
        // early.
        for (kilobytes, drops) in [(100, 0.0), (300, 1.0)] {
            let run = try TestWorkspace.metrics(
                of:
                    """
                    duration: 2m
                    phone: {radios: {wifi: wifi-galaxy-s2}}
                    links: {wifi: {delay: 20ms, rate: 100kbps}}
                    timeline: [{at: 0s, wifi: home}]
                    traffic: {up: {every: 1s, size: \(kilobytes)kB}}
                    strategies: {client: {strategy: okhttp-websocket}}
                    """)
            #expect(run["client"]?["connection.false_drops"] == drops, "\(kilobytes)")
        }
    }

    // The note on network transitions of iOS: which client is notified of which change, and when. Each row has the
    // zombie time per client in seconds, and the total number of connections.
    @Test(
        arguments: [
            // In the foreground.
            ("cellular", "{at: 2m, wifi: home}", ["tcp": 30.0...90, "monitor": 0.0...0.1, "cfstream": 0.0...0.1], 2),
            (
                "wifi", "{at: 2m, handoff: cellular, gap: 1s}",
                ["tcp": 0.0...0.1, "monitor": 0.0...0.1, "cfstream": 0.0...0.1], 2
            ),
            (
                "wifi", "{at: 2m, handoff: wifi, name: cafe, gap: 1s}",
                ["tcp": 0.0...0.1, "monitor": 0.0...0.1, "cfstream": 0.0...0.1], 2
            ),
            ("wifi", "{at: 2m, roam: 300ms}", ["tcp": 0.0...0, "monitor": 0.0...0, "cfstream": 0.0...0], 1),
            // In the background: the app is notified when it runs again, twenty seconds after the change.
            (
                "wifi", "\(away), {at: 2m20s, handoff: wifi, name: cafe, gap: 1s}, \(back)",
                ["tcp": 35.0...60, "monitor": 35.0...60, "cfstream": 19.9...20.1], 2
            ),
            (
                "wifi", "\(away), {at: 2m20s, handoff: cellular, gap: 1s}, \(back)",
                ["tcp": 35.0...90, "monitor": 19.9...20.1, "cfstream": 19.9...20.1], 2
            ),
        ] as [(String, String, [String: ClosedRange<Double>], Double)])
    func networkChangeNotificationsOnIOS(
        first: String, change: String, zombies: [String: ClosedRange<Double>], connections: Double
    ) throws {
        // Broken: in the background, the monitor notices that one Wi-Fi replaced another. Also broken: the stream is
        // not notified, a plain socket is notified, or an app is notified while it sleeps.
        let run = try TestWorkspace.metrics(
            of:
                """
                duration: 5m
                phone: {platform: ios-18, radios: {wifi: wifi-galaxy-s2, cellular: lte-verizon-2021}}
                timeline: [{at: 0s, \(first): \(first == "wifi" ? "home" : "on"), app: foreground, screen: on}, \(change)]
                traffic: {calls: {every: 5s, jitter: 10%, size: 400B, answer: 2KiB}}
                strategies:
                  tcp: {strategy: grpc-ios-tcp}
                  monitor: {strategy: grpc-ios-monitor}
                  cfstream: {strategy: grpc-ios-cfstream}
                """)
        for (name, bounds) in zombies {
            let client = try #require(run[name])
            // Zombie time of the only connection that dies, while the app runs and while it is frozen.
            let dead = try #require(client["zombie.total"]) + #require(client["zombie.frozen.total"])
            #expect(bounds.contains(dead), "\(name): \(dead)")
            #expect(client["connection.handshakes"] == connections, "\(name)")
        }
    }

    private static let away = "{at: 2m, app: background, screen: off}"
    private static let back = "{at: 2m40s, app: foreground, screen: on}"
}
