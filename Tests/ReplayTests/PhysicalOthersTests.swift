import DeadzoneBase
import DeadzoneCaptures
import DeadzoneDevice
import DeadzoneReplay
import Testing

struct PhysicalOthersTests {
    /// Broken: a 3G promotion is missing, or a packet that is too small restarts the timer.
    @Test func `UMTS`() throws {
        // umts-att-i997: promotion 2 s at 0.65 W, DCH 4 s at 1.3 W, FACH 10 s at 0.3 W, idle free.
        let lone = try ReplayBench.bill("umts-att-i997", "3 60 up", until: ReplayBench.end("30"))
        #expect(isClose(lone.joules, 2 * 0.65 + 4 * 1.3 + 10 * 0.3))
        #expect(isClose(lone.state(.idle).seconds, 1 + 13))
        // Too small to restart the DCH timer: DCH from 3 to 7, FACH to 17.
        let small = try ReplayBench.bill("umts-att-i997", "3 60 up, 6 60 up", until: ReplayBench.end("30"))
        #expect(isClose(small.state(.dch).seconds, 4) && isClose(small.state(.fach).seconds, 10))
        let large = try ReplayBench.bill("umts-att-i997", "3 60 up, 6 400 up", until: ReplayBench.end("30"))
        #expect(isClose(large.state(.dch).seconds, 7))
        // On FACH from 7: 600 B exceed its limit and cause a promotion of 1.5 s at 0.8 W.
        let over = try ReplayBench.bill("umts-att-i997", "3 60 up, 10 600 up", until: ReplayBench.end("30"))
        #expect(isClose(over.state(.promotion).seconds, 3.5))
        #expect(isClose(over.joules, 2 * 0.65 + 4 * 1.3 + 1.5 * 0.3 + 1.5 * 0.8 + 4 * 1.3 + 10 * 0.3))
    }

    /// Broken: little data gets a dedicated channel, or releasing a channel is free.
    @Test func `UMTS with a common channel for little data`() throws {
        // umts-teliasonera: 0.43 s at 0.35 W to FACH, 72 ms until 60 B are transmitted, 5.6 s at 0.5 W, 0.3 s to
        // release, idle at 0.2 W.
        let little = try ReplayBench.bill("umts-teliasonera", "3 60 up", from: nil, until: .tail)
        #expect(isClose(little.joules, 0.43 * 0.35 + 0.072 * 0.5 + 5.9 * 0.5))
        // Together they exceed the limit: all packets that wait for one promotion are counted at once.
        let both = try ReplayBench.bill("umts-teliasonera", "3 600 up, 3 60 down, 3 600 up", from: nil)
        #expect(isClose(both.joules, 1.7 * 0.75))
        // On FACH until 8.6, released by 8.9. A packet that is transmitted by 8.65 arrived 72 ms earlier, before the
        // release.
        let late = try ReplayBench.bill("umts-teliasonera", "3 60 up, 8.65 60 up", from: nil)
        #expect(late.state(.promotion).count == 1 && isClose(late.state(.fach).seconds, 0.072 + 5.65))
        // 1.7 s at 0.75 W to DCH, 4.1 s and 0.7 s at 1.3 W, then FACH.
        let much = try ReplayBench.bill("umts-teliasonera", "3 1400 up", from: nil, until: .tail)
        #expect(isClose(much.joules, 1.7 * 0.75 + 4.8 * 1.3 + 5.9 * 0.5))
    }

    /// Broken: a queued packet takes no time on the common channel, or delays the packets of the other direction.
    @Test func `a queue on a common channel`() throws {
        // 300 B are transmitted after 360 ms; the other direction flows in parallel.
        let bill = try ReplayBench.bill(
            "umts-teliasonera", "3 60 up, 4 200 up, 4.1 60 down", stamps: .enqueue, from: nil, until: .tail)
        #expect(isClose(bill.state(.fach).seconds, 4.24 - 3.43 + 5.6 + 0.3) && bill.state(.dch).count == 0)
    }

    /// Broken: Wi-Fi sleeps between packets of a burst, or its high level is missing.
    @Test func `Wi-Fi`() throws {
        // wifi-aro: awake and tail of 0.25 s at 0.403 W, doze at 0.02 W.
        let aro = try ReplayBench.bill("wifi-aro", "1 60 up, 1.25 60 up, 3 60 up", until: ReplayBench.end("10"))
        #expect(isClose(aro.joules, (0.25 + 0.25 + 0.25) * 0.403 + 9.25 * 0.02))
        // wifi-galaxy-s2: 0.25 W; high level of 0.45 W from the packet that takes 50 ms above 3000 B until the end of
        // its window.
        let high = try ReplayBench.bill(
            "wifi-galaxy-s2", "1 1400 down, 1.01 1400 down, 1.02 1400 down, 1.2 60 up", until: ReplayBench.end("10"))
        #expect(isClose(high.joules, 0.03 * 0.45 + (0.2 - 0.03 + 0.22) * 0.25 + (10 - 0.42) * 0.03))
        let low = try ReplayBench.bill("wifi-galaxy-s2", "1 1400 down, 1.2 60 up", until: ReplayBench.end("10"))
        #expect(isClose(low.joules, 0.42 * 0.25 + 9.58 * 0.03))
    }

    /// Broken: the time of a state is lost or counted twice.
    @Test(arguments: [
        "lte-verizon-2021", "nr-nsa-low-verizon-2021", "nr-sa-low-tmobile-2021", "umts-att-i997",
        "umts-teliasonera", "wifi-galaxy-s2", "wifi-2012-mobisys", "lte-att-2012-mobisys",
    ])
    func `states fill the window`(_ name: String) throws {
        var seed: UInt64 = 1
        for _ in 0..<40 {
            var packets = ""
            var now: UInt64 = 1_000
            for _ in 0..<40 {
                seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                let scale: UInt64 = [30, 300, 3_000, 20_000][Int(seed >> 60) % 4]
                now += (seed >> 33) % scale
                let rest = String(now % 1_000)
                packets += "\(now / 1_000).\(String(repeating: "0", count: 3 - rest.count))\(rest) "
                packets += "\((seed >> 20) % 1_400 + 40) \((seed >> 40) % 2 == 0 ? "up" : "down"),"
            }
            for stamps in TimestampMeaning.allCases {
                let bill = try ReplayBench.bill(
                    name, packets, stamps: stamps, until: ReplayBench.end("\(now / 1_000 + 100)"))
                let sum = bill.states.reduce(0) { $0 + $1.seconds }
                #expect(isClose(sum, Double(now / 1_000 + 100)), "\(packets)")
                #expect(bill.states.count > 2)
            }
        }
    }

    /// Broken: impossible timestamps trap, or hang the replay.
    @Test func `impossible timestamps are survived`() throws {
        let far: [Int128] = [0, 1, 1 << 31, 1 << 32, 10_000_000_000_000, 18_000_000_000_000_000_000, -5, 7]
        for name in ["lte-att-2012-aro", "nr-nsa-low-tmobile-2021", "umts-teliasonera", "wifi-galaxy-s2"] {
            let (profile, sheet) = try ReplayBench.profile(name)
            for rules in ReplayRules.allCases where rules.refusal(of: profile.technology) == nil {
                for from in [nil, ReplayMoment.at(.epoch), .afterFirst(.seconds(3))] {
                    var replay = try RadioReplay(
                        profile, sheet, rules: rules, window: ReplayWindow(from: from, until: .tail))
                    for seconds in far {
                        for step in 0..<3 {
                            var packet = CapturedPacket(
                                stamp: Timestamp(nanoseconds: seconds * 1_000_000_000 + Int128(step) * 40_000_000),
                                wireLength: 1_400, capturedLength: 0)
                            packet.direction = step == 0 ? .up : .down
                            packet.network = .ipv4
                            replay.add(packet)
                        }
                    }
                    let bill = replay.finish()
                    #expect(!bill.states.isEmpty && bill.joules.isFinite, "\(name) \(rules)")
                }
            }
        }
    }

    /// Broken: two partial windows cost another sum than the whole window.
    @Test func `windows add up`() throws {
        let packets = "1 100 up, 1.05 1400 down, 1.3 1400 down, 8 60 down, 25 700 up, 25.3 900 down"
        for name in ["lte-att-2012-aro", "nr-nsa-low-tmobile-2021", "umts-att-i997", "wifi-galaxy-s2"] {
            let whole = try ReplayBench.bill(name, packets, until: ReplayBench.end("60"))
            let first = try ReplayBench.bill(name, packets, until: ReplayBench.end("8.5"))
            let second = try ReplayBench.bill(
                name, packets, from: .at(ReplayBench.stamp("8.5")), until: ReplayBench.end("60"))
            #expect(isClose(first.joules + second.joules, whole.joules), "\(name)")
            #expect(second.joules > 0)
        }
    }
}
