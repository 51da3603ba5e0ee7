import DeadzoneBase
import DeadzoneScenarios
import DeadzoneSimulator
import DeadzoneTransport
import Testing

@Suite struct PathKeyTests {
    private static let head = """
        version: 1
        name: Path
        duration: 45m
        phone: {radios: {wifi: test-wifi, cellular: test-lte}}
        strategies: {calm: {strategy: calm}}

        """

    private func load(_ text: String, _ files: [String: String] = [:]) -> LoadedScenarios {
        let loader = ScenarioLoader(testVocabulary) { path in
            files[path].map { .success(Array($0.utf8)) } ?? .failure(FileError("no such file"))
        }
        return loader.load(Array((Self.head + text).utf8), name: "stories/path.yaml")
    }

    private func world(_ text: String, _ files: [String: String] = [:]) throws -> World {
        let loaded = load(text, files)
        #expect(loaded.faults.sorted.map(\.message) == [])
        return try #require(loaded.scenarios.first).world
    }

    /// Broken: a trace beside the scenario is misread, in one of its forms or for one direction.
    @Test func tracesAreReadExactly() throws {
        let world = try world(
            "links: {cellular: {up: {trace: drive.up}, down: {trace: t/drive.csv}}, wifi: {trace: plain.txt}}",
            [
                "stories/drive.up": "# ours\n0\n3\r\n3\n10\n",
                "stories/t/drive.csv": "time_ms,kbps\n100,2.5\n200.5,0\n",
                "stories/plain.txt": "0 1.25\n0.5 3.0000001234\n",
            ])
        let up = try LinkTrace(opportunities: [0, 3_000_000, 3_000_000, 10_000_000])
        #expect(world.cellularLink.up.trace == up)
        let down = try LinkTrace(starts: [100_000_000, 200_500_000], bitsPerSecond: [2_500, 0])
        #expect(world.cellularLink.down.trace == down)
        #expect(world.cellularLink.down.bitsPerSecond == 1_250)
        let plain = try LinkTrace(starts: [0, 500_000_000], bitsPerSecond: [1_250_000, 3_000_000])
        #expect((world.wifiLink.up.trace, world.wifiLink.down.trace) == (plain, plain))
    }

    /// Broken: an invalid trace is accepted.
    @Test(
        arguments: [
            ("", "it is empty"), ("5\n4\n", "the time of entry 2 is not later than the one before it"),
            ("0\n0\n", "all its opportunities are at 0 ms: the last line must give the period of the trace"),
            ("1\n2 3\n", "line 2 has 2 columns, unlike the first line"), ("-1\n", "line 1 does not begin with a time"),
            ("time_s,Mbps\n0,x\n", "the second column of line 2 is not a rate"),
            ("0,0\n1,0\n", "none of its rates is above zero"),
            (
                "when,Mbps\n0,1\n",
                "line 1 is neither a row of numbers nor a header: the columns are time_s or time_ms, and Mbps, kbps or bps"
            ),
        ])
    func impossibleTracesAreFaults(_ text: String, _ trouble: String) {
        let loaded = load("links: {wifi: {trace: t}}", ["stories/t": text])
        #expect(loaded.faults.sorted.map(\.code) == [.badTrace])
        #expect(loaded.faults.sorted.first?.message == "cannot read the trace `t`: \(trouble)")
    }

    /// Broken: the error message prints the first line of an arbitrary file of the machine, so that it appears in a
    /// log.
    @Test(arguments: ["root:x:0:0:secret\n", "secret 1\n", "1,secret\n", "1\nsecret\n", "-----BEGIN secret-----\n"])
    func contentOfOtherFilesIsNotShown(_ text: String) {
        let loaded = load("links: {wifi: {trace: t}}", ["stories/t": text])
        #expect(loaded.faults.sorted.map(\.code) == [.badTrace])
        #expect(!faultTexts(loaded).contains("secret"))
    }

    /// Broken: a changed trace does not change the world hash, or the trace's file name does.
    @Test func theHashCoversTheTraceContent() throws {
        func hash(_ name: String, _ content: String) -> Fingerprint? {
            load("links: {wifi: {trace: \(name)}}", ["stories/\(name)": content]).scenarios.first?.worldHash
        }
        let first = try #require(hash("a", "1\n2\n"))
        #expect(hash("b", "1\n2\n") == first)
        #expect(try #require(hash("a", "1\n3\n")) != first)
    }

    /// Broken: a queue's notation or latency spikes are misread.
    @Test func queuesAndSpikes() throws {
        for (text, bound) in [
            ("64KiB", QueueBound.bytes(65_536)), ("40 packets", .bytes(60_000)), ("500ms", .wait(.milliseconds(500))),
        ] {
            let world = try world("links: {wifi: {preset: wpt-3g, queue: \(text)}}")
            #expect(world.wifiLink.up.queue == bound && world.wifiLink.down.queue == bound)
            #expect(world.wifiLink.up.bitsPerSecond == 768_000)
            #expect(world.wifiLink.down.delay == .constant(150_000_000))
        }
        let world = try world("links: {cellular: {spikes: {every: {exponential: 60s}, for: 5s, add: 3s}}}")
        let spikes = LatencySpikes(
            every: .exponential(mean: 60_000_000_000), length: .constant(5_000_000_000), extra: .constant(3_000_000_000)
        )
        #expect(world.cellularLink.down.spikes == spikes)
    }

    /// Broken: named or custom middleboxes are misread, or five of them on one path are accepted.
    @Test func boxes() throws {
        let world = try world(
            "middleboxes: {cellular: [carrier-nat-300], server: [{idle: 350s, manner: reset}, {preset: lvs, udp: 1m}]}")
        #expect(world.middleboxes.cellular == [Middlebox(tcp: .seconds(300), udp: .seconds(30))])
        #expect(
            world.middleboxes.server == [
                Middlebox(tcp: .seconds(350), udp: .seconds(350), expiryAction: .reset),
                Middlebox(tcp: .seconds(90), udp: .seconds(60)),
            ])
        let blocked = try self.world("middleboxes: {wifi: [udp-blocked], cellular: [{preset: lvs, udp: blocked}]}")
        #expect(blocked.middleboxes.wifi == [Middlebox(tcp: .seconds(120), udp: Middlebox.blocked)])
        #expect(blocked.middleboxes.cellular == [Middlebox(tcp: .seconds(90), udp: Middlebox.blocked)])
        let longer = try self.world("middleboxes: {wifi: [{preset: udp-blocked, idle: 5m}]}")
        #expect(longer.middleboxes.wifi == [Middlebox(tcp: .minutes(5), udp: Middlebox.blocked)])
        let short = load(
            "links: {wifi: {delay: 5ms}}\nmiddleboxes: {wifi: [{udp: 9ms}, {udp: 10ms}, {udp: never}, {tcp: blocked}]}")
        #expect(
            short.faults.sorted.map(\.message) == [
                "`9ms` is shorter than a round trip", "unknown word `never`", "`blocked` is not a number",
            ])
        let many = load("middleboxes: {wifi: [lvs, lvs, lvs], server: [lvs, lvs]}")
        #expect(many.faults.sorted.map(\.message) == ["5 middleboxes on one path"])
        #expect(load("middleboxes: {wifi: [lsv]}").faults.sorted.map(\.code) == [.unknownWord])
    }

    /// Broken: a mapping that ends before the answer comes back is accepted, or one that lives as long is refused.
    @Test(
        arguments: [
            ("wifi: [{udp: 6s, tcp: 5999ms}]", "E0215 7:37+6 a mapping of 5999ms is shorter than the round trip of 6s"),
            ("wifi: [{idle: 1s}]", "E0215 7:29+2 a mapping of 1s is shorter than the round trip of 6s"),
            (
                "wifi: [{tcp: 2h, udp: 1s}]",
                "E0215 7:37+2 a mapping of 1s is shorter than the round trip of 6s | the next packet finds no mapping; "
                    + "`udp: blocked` blocks UDP"
            ),
            ("server: [{idle: 1s}]", "E0215 7:31+2 a mapping of 1s is shorter than the round trip of 6s"),
            ("wifi: [lvs, {preset: lvs, udp: blocked, tcp: 6s}]", ""),
            ("wifi: [{udp: 6s, tcp: 6s}], cellular: [{idle: 1s}]", ""),
        ])
    func shortMappings(_ boxes: String, _ fault: String) {
        let text = faultLines(load("links: {wifi: {delay: 3s}}\nmiddleboxes: {\(boxes)}").faults)
        #expect(fault.isEmpty ? text.isEmpty : text.hasPrefix(fault) && !text.contains("\n"), "\(text)")
    }

    /// Broken: the resolver's keys or its absence are misread, or path settings are missing from the world hash or the
    /// resolved text.
    @Test func names() throws {
        #expect(try world("").resolver == nil)
        let text = "resolver: {ttl: 5m, timeout: 2s, attempts: 3, work: 20ms, ipv6: broken, failing: refusing}\n"
        let expected = Resolver(
            ttl: .minutes(5), timeout: .seconds(2), attempts: 3, work: .milliseconds(20), ipv6: .broken,
            failureMode: .refusing)
        #expect(try world(text).resolver == expected)
        let whole =
            text
            + "middleboxes: {server: [aws-nlb]}\nlinks: {wifi: {queue: 1MiB, spikes: {every: 9s, for: 1s, add: 1s}}}"
        let first = try #require(load(whole).scenarios.first)
        let again = ScenarioLoader(testVocabulary) { _ in .failure(FileError("no such file")) }
            .load(Array(first.resolved.utf8), name: "again.yaml")
        #expect(again.faults.sorted.map(\.message) == [])
        #expect(again.scenarios.first?.worldHash == first.worldHash)
        #expect(try #require(load("").scenarios.first).worldHash != first.worldHash)
    }

    /// Broken: addresses of single networks are misread or change the text of a world without them, or settings without
    /// effect are accepted.
    @Test func addressesOfNetworks() throws {
        let text =
            "resolver: {wifi: {address: private, outside: reset, hairpin: absent, ipv6: works}, cellular: {nat64: broken}}"
        let found = try #require(try world(text + "\n").resolver)
        #expect(found.wifi.privateAddress == .reset && found.wifi.reachesPublicAddress == false)
        #expect(found.wifi.ipv6 == .works && found.cellular.translates == false && found.dependsOnNetwork)
        #expect(try #require(world("resolver: {wifi: {address: private}}\n").resolver).wifi.privateAddress == .silent)
        #expect(try #require(world("resolver: {wifi: {address: public}}\n").resolver).dependsOnNetwork == false)
        #expect(
            load("resolver: {wifi: {outside: reset}}").faults.sorted.map(\.message) == [
                "`outside` without `address: private`"
            ])
        let tunnel = Self.head.replacing("phone: {", with: "phone: {tunnel: {}, ")
        func faults(_ resolver: String, _ head: String) -> [String] {
            ScenariosTests.load(head + "resolver: \(resolver)").faults.sorted.map(\.message)
        }
        let message = "addresses of single networks, beside a `tunnel` that carries the app"
        #expect(faults("{cellular: {nat64: works}}", tunnel) == [message])
        #expect(faults("{cellular: {ttl: 1h}}", tunnel) == [] && faults("{cellular: {nat64: works}}", Self.head) == [])
    }

    /// Broken: the numbers of a named link differ from those of its tool.
    @Test func namedLinksAreThoseOfTheirTools() throws {
        let edge = try world("links: {cellular: emulator-edge, wifi: wpt-edge}")
        #expect(edge.cellularLink.up.delay == .uniform(80_000_000, 400_000_000))
        #expect((edge.cellularLink.up.bitsPerSecond, edge.cellularLink.down.bitsPerSecond) == (118_400, 236_800))
        #expect(edge.wifiLink.up.delay == .constant(420_000_000))
        #expect((edge.wifiLink.up.bitsPerSecond, edge.wifiLink.down.bitsPerSecond) == (200_000, 240_000))
        #expect(LinkPreset.all.count == 23)
    }

    /// Broken: link changes by name, temporary or permanent, have wrong numbers, or a change without effect is
    /// accepted.
    @Test func conditionsByName() throws {
        let own = "links: {others: {crowded: {preset: lte, rate: 200kbps}}}\ntimeline:\n"
        let world = try world(
            own + """
                - {at: 1m, conditions: {wifi: crowded}, for: 2m}
                - {at: 5m, conditions: {wifi: emulator-edge, cellular: crowded}}
                - {at: 6m, conditions: {wifi: crowded}, for: 1m}
                - {at: 8m, conditions: {wifi: usual}}
                """)
        let changes = world.timeline.compactMap { entry -> [Int]? in
            guard case .conditions(let interface, let number) = entry.change else { return nil }
            return [Int(entry.at.nanoseconds / 60_000_000_000), Int(interface.rawValue), Int(number)]
        }
        #expect(changes == [[1, 0, 1], [3, 0, 0], [5, 0, 2], [5, 1, 1], [6, 0, 1], [7, 0, 2], [8, 0, 0]])
        #expect(world.wifiConditions.map(\.up.bitsPerSecond) == [200_000, 118_400])
        #expect(world.cellularConditions.map(\.up.bitsPerSecond) == [200_000])
        for (line, message) in [
            ("{at: 1m, conditions: {wifi: usual}}", "these conditions hold already"),
            ("{at: 1m, conditions: {wifi: crowdid}}", "unknown link `crowdid`, did you mean `crowded`?"),
        ] { #expect(load(own + "- " + line).faults.sorted.map(\.message) == [message]) }
    }

    /// Broken: an access rule or its duration is misread, or without `interface` it does not apply to the phone's
    /// current network.
    @Test func accessByName() throws {
        let world = try world(
            """
            timeline:
              - {at: 1m, access: on-demand, takes: 3s}
              - {at: 2m, access: on-demand, interface: cellular}
              - {at: 3m, access: refused}
              - {at: 4m, access: open}
              - {at: 5m, access: by-hand}
            """)
        let changes = world.timeline.compactMap { entry -> ConditionChange? in
            if case .access = entry.change { entry.change } else { nil }
        }
        #expect(
            changes == [
                .access(.wifi, .needsConnection(.seconds(3))), .access(.cellular, .needsConnection(.seconds(1))),
                .access(.wifi, .refused), .access(.wifi, .open), .access(.wifi, .needsConnection(nil)),
            ])
        for (line, message) in [
            ("{at: 1m, access: open}", "access to wifi is open already"),
            ("{at: 1m, access: refused}, {at: 2m, access: refused}", "wifi is refused to the app already"),
            ("{at: 1m, access: refused, takes: 3s}", "`takes` without `access: on-demand`"),
        ] { #expect(load("timeline: [\(line)]").faults.sorted.map(\.message) == [message]) }
    }

    /// Broken: chaos has wrong dead zones or wrong connection ends, or chaos without effect is accepted.
    @Test func customChaos() throws {
        let world = try world(
            """
            timeline:
              - at: 1m
                chaos: {disconnect: 30s, dead-zone: {every: 20s, for: {uniform: [1s, 9s]}}, ends: silent, for: 10m}
            """)
        let dark = world.timeline.filter { $0.change == .coverage(.wifi, false) }
        #expect((20...28).contains(dark.count), "\(dark.count)")
        #expect(world.timeline.contains { $0.change == .readdress(.wifi, .silent) })
        #expect(!world.timeline.contains { $0.change == .readdress(.wifi, .error) })
        for (line, message) in [
            (
                "{at: 1m, chaos: {dead-zone: {every: 9s, for: 1s}, ends: silent}}",
                "`ends` without disconnect or handoff"
            ),
            ("{at: 1m, chaos: {for: 1m}}", "chaos without a disturbance"),
            (
                "{at: 1m, dead-zone: 5m}, {at: 2m, chaos: {dead-zone: {every: 9s, for: 1s}}}",
                "the previous dead zone has not ended yet"
            ),
            (
                "{at: 1m, dead-zone: {uniform: [1m, 5m]}}, {at: 3m, dead-zone: 9s}",
                "the previous dead zone has not ended yet"
            ),
        ] { #expect(load("timeline: [\(line)]").faults.sorted.map(\.message) == [message]) }
    }
}
