import DeadzoneBase
import DeadzoneTestKit
import Testing
@testable import DeadzoneTransport

/// The list of data in flight, the ranges beyond a gap, and the pace of a repair.
@Suite struct ScoreboardTests {
    /// Broken: data is delivered twice, never, or out of order; a counter differs from its entries; the entries leave
    /// out data in flight; the window leaves its bounds. Random paths, losses and messages.
    @Test func everyHistoryKeepsItsBooks() {
        var (gaps, completed) = (0, 0)
        seedSweep(300) { seed in
            var dice = Dice(seed: seed, phone: PhoneID(0), purpose: .test)
            func below(_ bound: UInt64) -> Int64 { Int64(dice.next().scaled(below: bound)) }
            let conditions = BulkPath.Conditions(
                delay: .milliseconds(1 + below(300)), bitsPerSecond: 100_000 << below(9),
                queue: below(2) == 0 ? nil : .milliseconds(10 + below(1_000)),
                lossPercent: below(2) == 0 ? 0 : Double(below(30)))
            var path = BulkPath(
                conditions, messageBytes: UInt32(50 + below(1 << UInt64(8 + below(10)))), seed: seed,
                kernel: [.linux, .xnu, .linux(.before48)][Int(below(3))])
            let count = UInt32(1 + below(20))
            for message in 0..<count {
                let limit = path.now + .milliseconds(below(2_000))
                while path.step(until: limit) {
                    expectConsistent(path.client, "seed \(seed)")
                    if !path.client.scoreboard.isEmpty { gaps += 1 }
                }
                if path.client.phase == .open { path.offer(upTo: message + 1) }
            }
            while !path.gaveUp && path.client.phase == .open && path.client.hasUnacknowledged {
                guard path.step(until: path.now + .seconds(300)) else { break }
                expectConsistent(path.client, "seed \(seed)")
            }
            guard !path.gaveUp, path.client.phase == .open else { return }
            let offered = path.client.offeredEnd
            let isClear = path.client.scoreboard.isEmpty && path.server.receivedBeyondGap.isEmpty
            #expect(isClear && !path.client.hasUnacknowledged, "seed \(seed)")
            #expect(path.arrivals.map(\.end) == path.arrivals.map(\.end).sorted(), "seed \(seed)")
            #expect(path.arrivals.last?.end ?? 0 == offered, "seed \(seed)")
            completed += 1
        }
        #expect(gaps > 1_000 && completed > 200)
    }

    private func expectConsistent(_ end: borrowing TCPEnd, _ comment: Comment) {
        #expect((1...TCPEnd.widestWindow).contains(end.window), comment)
        let entries = end.scoreboard.entries
        guard !end.scoreboard.isEmpty else { return #expect(entries.isEmpty) }
        var (begin, inFlight, received, lost) = (end.acknowledged, 0, 0, 0)
        for entry in entries {
            #expect(begin < entry.end, comment)
            begin = entry.end
            switch entry.fate {
            case .outstanding, .retransmitted: inFlight += Int(entry.segments)
            case .lost: lost += Int(entry.segments)
            case .received: received += Int(entry.segments)
            }
        }
        let counters = (end.scoreboard.inFlight, end.scoreboard.received, end.scoreboard.lost)
        #expect(begin == end.highestSent && counters == (inFlight, received, lost), comment)
    }

    /// Broken: all gaps of a flight have the same time, so that a packet of its end counts as lost when one of its
    /// beginning does; late data of the beginning lengthens the wait.
    @Test func eachGapOfAFlightHasItsTime() {
        func at(_ milliseconds: Int64) -> Instant { .zero + .milliseconds(milliseconds) }
        var scoreboard = Scoreboard()
        var delivery = Scoreboard.ArrivalSummary()
        func arrive(_ from: UInt64, _ to: UInt64, sent: Int64, known: Int64) {
            scoreboard.markReceived(
                from: from, to: to, echo: at(sent), at: at(known), segment: 1_000, &delivery)
        }
        scoreboard.begin(from: 0, to: 20_000, at: at(100), segment: 1_000)
        arrive(2_000, 3_000, sent: 40, known: 100)
        arrive(10_000, 11_000, sent: 70, known: 130)
        let first = scoreboard.markLost(after: .milliseconds(20), at: at(130))
        #expect(first.segments == 2 && first.wait == .milliseconds(20), "\(first)")
        arrive(3_000, 4_000, sent: 65, known: 145)
        let second = scoreboard.markLost(after: .milliseconds(20), at: at(145))
        #expect(second.segments == 0 && second.wait == .milliseconds(5), "\(second)")
        let third = scoreboard.markLost(after: .milliseconds(20), at: at(170))
        #expect(third.segments == 6 && scoreboard.inFlight == 9, "\(third)")
    }

    /// Broken: received ranges differ from a set of bytes, or the report omits the latest arrival or has it twice.
    @Test func rangesBeyondAGapEqualASet() {
        seedSweep(300) { seed in
            var dice = Dice(seed: seed, phone: PhoneID(0), purpose: .test)
            var ranges = ReceivedRanges()
            var has = [Bool](repeating: false, count: 64)
            var expected: UInt64 = 1
            for _ in 0..<30 {
                let begin = 1 + dice.next().scaled(below: 60)
                let end = min(begin + 1 + dice.next().scaled(below: 5), 64)
                for byte in begin..<end { has[Int(byte)] = true }
                if begin <= expected {
                    if expected < end { expected = ranges.merge(upTo: end) }
                } else {
                    ranges.insert(begin, end)
                    let report = ranges.report(from: expected).blocks[0]
                    let latest = expected + UInt64(report.begin)..<expected + UInt64(report.begin + report.length)
                    #expect(latest.contains(begin) && end <= latest.upperBound, "seed \(seed)")
                    #expect(latest.allSatisfy { has[Int($0)] }, "seed \(seed)")
                }
                #expect(expected == UInt64(has.dropFirst().prefix { $0 }.count + 1), "seed \(seed)")
                let runs = (Int(expected)..<64).count { has[$0] && !has[$0 - 1] }
                let count = ranges.count
                #expect(count == runs, "seed \(seed)")
                let report = ranges.report(from: expected)
                #expect(report.count == UInt32(min(count, SelectiveAck.maxBlocks)))
            }
        }
    }

    /// Broken: an acknowledgement that reports ranges does not return them, or takes another packet's fields.
    @Test func reportsSurviveThePacket() {
        var packet = Packet(.acknowledgement, cause: .ack, bytes: 52, stamp: .zero)
        #expect(packet.selectiveAck.isEmpty && !packet.hasSelectiveAck)
        var report = SelectiveAck()
        for index in 0..<3 {
            report.blocks[index] = .init(begin: UInt32(index + 1) * 0x0123_4567, length: UInt32.max - UInt32(index))
        }
        packet.selectiveAck = report
        packet.setSpread(.milliseconds(37))
        for index in 0..<3 { #expect(packet.selectiveAck.blocks[index] == report.blocks[index]) }
        #expect(packet.hasSelectiveAck && packet.spreadSpan == .milliseconds(37))
        var data = Packet(.data, cause: .payload, bytes: 1_500, stamp: .zero)
        (data.first, data.last) = (3, 4)
        #expect(data.selectiveAck.isEmpty && !data.hasSelectiveAck)
    }

    /// Broken: the reduction is not spread over the arrivals, or the window falls below the threshold (RFC 6937 §3.1,
    /// with the additional segment of Linux).
    @Test func theReductionIsSpread() {
        var recovery = LossRecovery(recoveringUntil: 0, window: 20)
        var inFlight = 19
        var sent: [Int] = []
        for _ in 0..<19 {
            inFlight -= 1
            let quota = recovery.quota(
                delivered: 1, inFlight: inFlight, threshold: 14, isAdvance: false, findsLoss: false)
            recovery.sent += quota
            inFlight += quota
            sent.append(quota)
        }
        #expect(inFlight == 14 && sent.reduce(0, +) == 14 && sent.allSatisfy { $0 <= 1 })
        // Below the threshold, as much is sent as has arrived, and one more after an advance.
        var low = LossRecovery(recoveringUntil: 0, window: 20)
        low.sent = 1
        let still = low.quota(delivered: 2, inFlight: 3, threshold: 14, isAdvance: false, findsLoss: false)
        let grows = low.quota(delivered: 2, inFlight: 3, threshold: 14, isAdvance: true, findsLoss: false)
        #expect(still == 2 && grows == 4)
    }

    /// Broken: CUBIC's constants, its region below Reno, or the cube root. The window at which the last loss happened
    /// is reached after K = cbrt(0.3 · W / 0.4) seconds (RFC 9438 §4.2). The last segment before it is there cbrt(1 / 0.4)
    /// seconds earlier, and the shortest round trip counts as well.
    @Test func cubicReturnsAfterItsTime() {
        for value in [0, 1, 7, 8, 26, 27, 1_000_000, (1 << 60) - 1] as [UInt64] {
            let root = CongestionControl.cubeRoot(value)
            #expect(root * root * root <= value && value < (root + 1) * (root + 1) * (root + 1))
        }
        for (loss, seconds) in [(UInt16(400), 6.69 - 1.36 - 0.1), (1_000, 9.09 - 1.36 - 0.1)] {
            var control = CongestionControl(at: .zero, shortestRoundTrip: .milliseconds(100))
            var window = control.reduce(loss)
            #expect(window == UInt16(UInt32(loss) * 717 / 1_024))
            var time = Instant.zero + .seconds(1)
            let began = time
            while window < loss - 1 {
                for part in 0..<10 as Range<Int64> {
                    window = control.grow(window, by: UInt32(window) / 10, at: time + .milliseconds(10 * part))
                }
                time += .milliseconds(100)
            }
            let took = Double((time - began).nanoseconds) / 1e9
            #expect(abs(took / seconds - 1) < 0.1, "\(loss): \(took) s")
        }
    }

    /// Broken: slow start goes on although a queue builds up, or ends without one.
    @Test(arguments: [(0, false), (3, false), (9, true)] as [(Int64, Bool)])
    func slowStartEndsWhenRoundTripsGrow(increase: Int64, ends: Bool) {
        var control = CongestionControl(at: .zero, shortestRoundTrip: .milliseconds(50))
        var found = false
        for ack in 0..<12 as Range<Int64> {
            // Acknowledgements at a distance of 3 ms are no train.
            found =
                control.recordRoundTrip(
                    .milliseconds(50 + increase), segments: 2, acknowledged: UInt64(ack + 1), sent: 100, window: 20,
                    isSlowStart: true, at: .zero + .milliseconds(50 + 3 * ack)) || found
        }
        #expect(found == ends)
    }

    /// Broken: a train of acknowledgements longer than half a round trip does not end slow start.
    @Test func aLongTrainEndsSlowStart() {
        var control = CongestionControl(at: .zero, shortestRoundTrip: .milliseconds(50))
        var endedAt: Int64?
        for ack in 0..<40 as Range<Int64> {
            let ends = control.recordRoundTrip(
                .milliseconds(50), segments: 2, acknowledged: UInt64(ack + 1), sent: 100, window: 20, isSlowStart: true,
                at: .zero + .milliseconds(50 + ack))
            if ends { endedAt = endedAt ?? ack }
        }
        #expect(endedAt == 26)
    }

    @Test func aWindowGrowsForHoursAfterALoss() {
        // Broken: the cube of a long time since the last loss overflows, or the largest window does.
        var control = CongestionControl(at: .zero, shortestRoundTrip: .milliseconds(50))
        var window = control.reduce(40)
        for second in 0..<20_000 {
            let grown = control.grow(window, by: 2_000, at: .zero + .seconds(Int64(second)))
            #expect(grown >= window)
            window = grown
        }
        #expect(window == .max)
    }
}
