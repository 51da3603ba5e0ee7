import DeadzoneBase
import DeadzoneCaptures
import DeadzoneDevice
import DeadzoneReplay
import Testing

struct PhysicalTests {
    // lte-att-2012-aro: promotion 0.26 s at 1.21 W; continuous reception and 0.1 s of tail at 1.2 W; 0.02 s at 1.122 W;
    // 10 s at 1.091 W; idle at 0.594 W * 43 / 1280 = 0.0199546875 W; a byte up 3507.12 nJ, down 415.76 nJ.
    static let idle = 0.594 * 43 / 1280

    /// Broken: a lone packet is charged half-second windows, or the cost of its bits is missing.
    @Test func `a lone packet is promotion, tail and its bits`() throws {
        let bill = try ReplayBench.bill("lte-att-2012-aro", "0.5 100 up", until: ReplayBench.end("20"))
        // Idle from 0 to 0.24 and from 10.62 to 20: 9.62 s.
        let sums: [(RadioState, Int, Double, Double)] = [
            (.idle, 2, 9.62, 9.62 * Self.idle), (.promotion, 1, 0.26, 0.3146), (.active, 1, 0, 100 * 3507.12e-9),
            (.tail, 1, 0.1, 0.12), (.shortDRX, 1, 0.02, 0.02244), (.longDRX, 1, 10, 10.91),
        ]
        check(bill, sums)
    }

    /// Broken: a burst costs more than its time, or a packet in the tail causes another promotion.
    @Test func `a burst and a packet in its tail`() throws {
        let packets = "1 100 up, 1.05 1400 down, 1.3 1400 down"
        let bill = try ReplayBench.bill("lte-att-2012-aro", packets, until: ReplayBench.end("20"))
        // Tails: 1.05 to 1.3 is 0.1 + 0.02 + 0.13; 1.3 to 11.42 is 0.1 + 0.02 + 10. Idle: 0 to 0.74 and 11.42 to 20.
        let sums: [(RadioState, Int, Double, Double)] = [
            (.idle, 2, 9.32, 9.32 * Self.idle), (.promotion, 1, 0.26, 0.3146),
            (.active, 2, 0.05, 0.05 * 1.2 + 100 * 3507.12e-9 + 2800 * 415.76e-9), (.tail, 2, 0.2, 0.24),
            (.shortDRX, 2, 0.04, 0.04488), (.longDRX, 2, 10.13, 11.05183),
        ]
        check(bill, sums)
    }

    /// Broken: signalling that happens while bits flow ends the program if the bits change their direction later.
    @Test func `signalling during a burst`() throws {
        // nr-sa-low-tmobile-2021: 4.85 s after the first bit.
        let packets = "1 60 up, 5.84 1400 down, 5.845 1400 down, 5.855 1400 down, 5.86 60 up, 5.865 60 up"
        let bill = try ReplayBench.bill("nr-sa-low-tmobile-2021", packets, until: ReplayBench.end("6"))
        #expect(isClose(bill.state(.active).seconds, 0.025) && isClose(bill.state(.tail).seconds, 4.84 + 0.135))
    }

    /// Broken: a burst that ends a tail is counted twice. Or a tail is counted again when sparse packets only extend
    /// it.
    @Test func `ranges are counted where states change`() throws {
        let packets = "1 60 up, 1.01 60 down, 3 60 up, 5 60 up, 5.01 60 down, 7 60 up, 9 60 down, 30 60 up"
        let bill = try ReplayBench.bill("lte-verizon-2021", packets, from: nil)
        #expect(bill.state(.active).count == 6 && bill.state(.longDRX).count == 5)
        #expect(bill.state(.promotion).count == 2 && bill.state(.idle).count == 1)
    }

    private func check(_ bill: RadioBill, _ sums: [(RadioState, Int, Double, Double)]) {
        for (state, count, seconds, joules) in sums {
            let found = bill.state(state)
            #expect(found.count == count && isClose(found.seconds, seconds), "\(state): \(found)")
            #expect(isClose(found.joules, joules), "\(state): \(found)")
        }
        #expect(bill.states.count == sums.count)
        #expect(isClose(bill.joules, sums.reduce(0) { $0 + $1.3 }))
    }

    /// Broken: a timer expires exactly at its limit, or times are rounded to doubles of seconds since 1970.
    @Test func `timers must be exceeded, to the nanosecond`() throws {
        for (second, count) in [("1700000000.35", 1), ("1700000000.350000001", 2)] {
            let packets = "1700000000.25 60 up, \(second) 60 up"
            let bill = try ReplayBench.bill("lte-att-2012-aro", packets, from: nil)
            #expect(bill.state(.active).count == count)
        }
        for (second, count) in [("10.12", 1), ("10.120000001", 2)] {
            let bill = try ReplayBench.bill("lte-att-2012-aro", "0 60 up, \(second) 60 up", from: nil)
            #expect(bill.state(.promotion).count == count)
        }
    }

    /// Broken: the default window cuts off the first promotion or includes the last tail.
    @Test func `a window begins with the first promotion and ends with the last packet`() throws {
        let lone = try ReplayBench.bill("lte-att-2012-aro", "7 60 up", from: nil)
        #expect(isClose(lone.state(.promotion).seconds, 0.26) && isClose(lone.seconds, 0.26))
        #expect(lone.state(.idle).count == 0 && lone.state(.tail).count == 0)
        let whole = try ReplayBench.bill("lte-att-2012-aro", "7 60 up", from: nil, until: .tail)
        #expect(isClose(whole.seconds, 0.26 + 10.12) && whole.state(.idle).count == 0)
        let cut = try ReplayBench.bill(
            "lte-att-2012-aro", "7 60 up, 100 60 up", from: .afterFirst(.milliseconds(50)), until: ReplayBench.end("8"))
        #expect(
            cut.state(.promotion).count == 0 && isClose(cut.state(.tail).seconds, 0.05) && isClose(cut.seconds, 0.95))
    }

    /// Broken: timestamps of the queue are taken for the time at which bits flow.
    @Test func `a queued uplink packet promotes from its timestamp`() throws {
        let up = try ReplayBench.bill("lte-att-2012-aro", "1 60 up, 1.1 60 up", stamps: .enqueue)
        // Idle 0 to 1, promotion to 1.26, where both packets flow.
        #expect(isClose(up.state(.idle).seconds, 1) && isClose(up.state(.promotion).seconds, 0.26))
        #expect(up.state(.active).count == 1 && up.state(.active).seconds == 0 && up.clamped == 0)
        let down = try ReplayBench.bill("lte-att-2012-aro", "1 60 down", stamps: .enqueue)
        #expect(isClose(down.state(.idle).seconds, 0.74))
    }

    /// Broken: packets out of order make time run backwards, or the cost of their bits is lost.
    @Test func `late packets are sorted within a bound`() throws {
        let sorted = try ReplayBench.bill("lte-att-2012-aro", "1 60 up, 1.02 60 down, 1.05 900 up, 9 60 up")
        let mixed = try ReplayBench.bill("lte-att-2012-aro", "1.05 900 up, 1 60 up, 9 60 up, 1.02 60 down")
        #expect(sorted == mixed && sorted.clamped == 0)
        let many = (0..<300).map { "\(100 + $0) 60 up" }.joined(separator: ", ")
        let late = try ReplayBench.bill("lte-att-2012-aro", many + ", 50 60 up")
        #expect(late.clamped == 1)
    }

    /// Broken: the energy of bits at the first instant of the window is lost, because the radio spends no time there.
    @Test(arguments: ["up", "down"])
    func `bits at the beginning of the window are charged`(way: String) throws {
        func joules(_ bytes: Int) throws -> Double {
            try ReplayBench.bill(
                "lte-att-2012-aro", "0.99 1400 \(way), 1 \(bytes) \(way)", from: .at(ReplayBench.stamp("1")),
                until: ReplayBench.end("20")
            ).states.reduce(0) { $0 + $1.joules }
        }
        // Nanojoules per bit: 438.39 mW/Mbps up, 51.97 mW/Mbps down.
        let bits = 8.0 * 1_000 * (way == "up" ? 438.39e-9 : 51.97e-9)
        #expect(isClose(try joules(1_100) - joules(100), bits))
    }

    /// Broken: waiting for an answer is charged as sending, or sending as receiving.
    /// The table lists the power of five additional milliseconds of a burst, by the directions of the packets at its
    /// ends. If silence keeps the power of the last direction, so does a burst.
    @Test(arguments: [
        ("lte-verizon-2021", [0.536, 0.536, 0.362, 0.362]), ("wifi-oneplus-8", [0.703, 0.562, 0.562, 0.562]),
    ])
    func `a burst has the power of the direction that flows`(name: String, powers: [Double]) throws {
        let ways = [("up", "up"), ("up", "down"), ("down", "up"), ("down", "down")]
        for ((first, second), power) in zip(ways, powers) {
            func joules(_ stamp: String) throws -> Double {
                try ReplayBench.bill(name, "1 60 \(first), \(stamp) 60 \(second)", from: nil).joules
            }
            let more = try joules("1.015") - joules("1.01")
            #expect(isClose(more, 0.005 * power), "\(first), \(second): \(more / 0.005) W")
        }
    }

    /// Broken: the NR leg is free, or its time is charged in addition to the tail.
    @Test func `an NR leg is added while data flows`() throws {
        // nr-nsa-low-tmobile-2021: 330 ms to the LTE leg at 1.21 W, then 1450 ms to the NR leg at 0.699 W; 10.2 s after
        // that.
        let bill = try ReplayBench.bill("nr-nsa-low-tmobile-2021", "1 100 down", from: nil, until: .tail)
        #expect(isClose(bill.state(.promotion).seconds, 0.33 + 1.45))
        #expect(isClose(bill.state(.promotion).joules, 0.33 * 1.21 + 1.45 * 0.699))
        #expect(isClose(bill.seconds, 0.33 + 1.45 + 10.2) && isClose(bill.state(.longDRX).seconds, 9.8))
        // A packet in the tail finds the leg in place, and its own tail is shorter.
        let again = try ReplayBench.bill(
            "nr-nsa-low-tmobile-2021", "1 100 down, 12.6 100 down", from: nil, until: .tail)
        #expect(isClose(again.state(.promotion).seconds, 0.33 + 1.45))
        #expect(isClose(again.seconds, 0.33 + 11.6 + 10.2))
    }

    /// Broken: a tail continues without coverage, or a network that returns needs no promotion.
    @Test func `a tail ends with the network`() throws {
        let packets = "1 100 up, 8 100 up"
        let end = ReplayBench.end("20")
        let cut = try ReplayBench.bill("lte-att-2012-aro", packets, until: end, without: ("3", "5"))
        // 1.12 to 3, and 8.12 to 18.12.
        #expect(cut.state(.promotion).count == 2 && isClose(cut.state(.longDRX).seconds, 1.88 + 10))
        // Idle besides: to 0.74, from 5 to 7.74 and from 18.12. A scan takes 2 s at 0.367 W.
        #expect(isClose(cut.state(.idle).seconds, 0.74 + 2.74 + 1.88))
        #expect(isClose(cut.state(.search).seconds, 2) && isClose(cut.state(.search).joules, 2 * 0.367))
        let whole = try ReplayBench.bill("lte-att-2012-aro", packets, until: end)
        #expect(whole.state(.promotion).count == 1 && isClose(whole.state(.longDRX).seconds, 6.88 + 10))
        // An idle radio scans from 15 to 17, pauses until 18, and is idle again until 20.
        let idle = try ReplayBench.bill("lte-att-2012-aro", "1 100 up", until: end, without: ("15", "18"))
        #expect(isClose(idle.state(.search).seconds, 2) && isClose(idle.state(.idle).seconds, 0.74 + 8.88 - 2))
        #expect(isClose(idle.state(.idle).joules, (0.74 + 8.88 - 3) * Self.idle))
    }

    /// Broken: data that the network held until the phone listened again is charged a promotion that had no time to
    /// happen.
    @Test func `a network holds data across the end of a tail`() throws {
        // lte-verizon-2021: a tail of 10.2 s, on-durations every 320 ms, a promotion of 265 ms.
        for (second, direction, count) in [
            ("11.4", "down", 1), ("11.46", "down", 1), ("11.47", "down", 2), ("11.4", "up", 2), ("11.1", "up", 1),
        ] {
            let bill = try ReplayBench.bill("lte-verizon-2021", "1 60 up, \(second) 60 \(direction)", from: nil)
            #expect(bill.state(.promotion).count == count, "\(second) \(direction)")
        }
    }

    /// Broken: the signalling after a promotion is missing, or is repeated after a refresh.
    @Test func `a stand-alone network keeps a promoted phone connected longer`() throws {
        for (packets, wakes) in [
            ("1 60 up, 15.8 60 up", 1), ("1 60 up, 15.9 60 up", 2), ("1 60 up, 15.8 60 up, 25.7 60 up", 1),
            ("1 60 up, 15.8 60 up, 25.9 60 up", 2),
        ] {
            let bill = try ReplayBench.bill("nr-sa-low-tmobile-2021", packets, from: nil)
            #expect(bill.state(.promotion).count == wakes, "\(packets)")
        }
    }
}
