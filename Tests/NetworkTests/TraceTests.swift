import DeadzoneBase
import DeadzoneTestKit
import DeadzoneTransport
import Testing

@Suite struct TraceTests {
    private struct Offer {
        var at: Int64
        var bytes: UInt32
    }

    private func offers(_ dice: inout Dice, count: Int, gap: UInt64, size: UInt64) -> [Offer] {
        var at: Int64 = 0
        return (0..<count).map { _ in
            at += Int64(dice.next().scaled(below: gap))
            return Offer(at: at, bytes: UInt32(dice.next().scaled(below: size)) + 1)
        }
    }

    private func departures(_ trace: LinkTrace, _ offers: [Offer]) -> [Int64] {
        var cursor = TraceCursor()
        var busyUntil = Instant.zero
        return offers.map {
            let at = Instant(nanoseconds: $0.at)
            busyUntil = max(busyUntil, trace.departure(bytes: $0.bytes, at: at, busyUntil: busyUntil, &cursor))
            return busyUntil.nanoseconds
        }
    }

    /// Reference model, byte by byte. The bytes of all packets leave in order, each in the first opportunity that has
    /// room and is not before the packet's arrival.
    private func byteByByte(_ times: [Int64], _ offers: [Offer]) -> [Int64] {
        let period = times.last!
        var lap: Int64 = 0
        var row = 0
        var room = 1_500
        return offers.map { offer in
            var left = lap * period + times[row]
            for _ in 0..<offer.bytes {
                while room == 0 || lap * period + times[row] < offer.at {
                    row += 1
                    room = 1_500
                    if row == times.count { row = 0; lap += 1 }
                }
                room -= 1
                left = lap * period + times[row]
            }
            return left
        }
    }

    /// Broken: the time at which a byte leaves on a Mahimahi trace, the loss of unused opportunities, or the point
    /// where the trace repeats.
    @Test func opportunitiesServeAsIfByteByByte() throws {
        var wrapped = 0
        seedSweep(300) { seed in
            var dice = Dice(seed: seed, phone: PhoneID(0), purpose: .test)
            var time: Int64 = Int64(dice.next().scaled(below: 2))
            let times = (0..<Int(1 + dice.next().scaled(below: 12))).map { _ in
                time += Int64(dice.next().scaled(below: 6))
                return time
            }
            guard times.last! > 0 else { return }
            let trace = try LinkTrace(opportunities: times)
            let offers = offers(&dice, count: 30, gap: 9, size: 4_000)
            let expected = byteByByte(times, offers)
            #expect(departures(trace, offers) == expected, "\(times)")
            wrapped += expected.last! > times.last! * 2 ? 1 : 0
        }
        #expect(wrapped > 0)
    }

    /// Reference model, bit by bit. Every nanosecond carries `rate` billionths of a bit, for the packets in order.
    private func bitByBit(_ starts: [Int64], _ rates: [Int64], _ period: Int64, _ offers: [Offer]) -> [Int64] {
        var now: Int64 = 0
        return offers.map { offer in
            now = max(now, offer.at)
            var need = Int64(offer.bytes) * 8_000_000_000
            while need > 0 {
                let offset = now % period
                need -= rates[starts.lastIndex { $0 <= offset }!]
                now += 1
            }
            return now
        }
    }

    /// Broken: the time at which a byte leaves on a table of rates, across its steps, its pauses and its end.
    @Test func ratesServeAsIfBitByBit() throws {
        var crossed = 0
        seedSweep(100) { seed in
            var dice = Dice(seed: seed, phone: PhoneID(0), purpose: .test)
            var time: Int64 = 0
            var rates: [Int64] = []
            let starts = (0..<Int(1 + dice.next().scaled(below: 5))).map { index in
                defer { time += 1 + Int64(dice.next().scaled(below: 400)) }
                rates.append(index == 0 ? 2_000_000_000 : Int64(dice.next().scaled(below: 4)) * 7_000_000_000 / 2)
                return time
            }
            let trace = try LinkTrace(starts: starts.map { $0 + 12 }, bitsPerSecond: rates)
            // A single rate lasts a second; the loop over nanoseconds covers only its beginning.
            let offers = offers(&dice, count: 20, gap: 100, size: 60)
            let expected = bitByBit(starts, rates, trace.period, offers)
            // A packet that starts within the same nanosecond as another one ends is a fraction of a nanosecond late
            // in the loop as well.
            #expect(departures(trace, offers) == expected, "\(starts) \(rates)")
            crossed += expected.last! > trace.period ? 1 : 0
        }
        #expect(crossed > 0)
    }

    /// Broken: a packet takes many periods, or the trace is so sparse that walking through it would never end.
    @Test func manyPeriodsAreSkippedAtOnce() throws {
        let sparse = try LinkTrace(opportunities: [1_000_000_000])
        var cursor = TraceCursor()
        let departure = sparse.departure(bytes: 1_500 * 1_000_000, at: .zero, busyUntil: .zero, &cursor)
        #expect(departure == .zero + .seconds(1_000_000))
        // 1,000 bits in every two seconds. 10^9 bytes are 8 × 10^6 periods; the last needs only its first second.
        let slow = try LinkTrace(starts: [0, 1_000_000_000], bitsPerSecond: [1_000, 0])
        #expect(
            slow.departure(bytes: 1_000_000_000, at: .zero, busyUntil: .zero, &cursor) == .zero + .seconds(15_999_999))
        #expect(slow.meanBitsPerSecond == 500)
    }

    /// Broken: the backlog in front of a traced link, which a bounded queue uses to decide.
    @Test func theBacklogIsWhatHasNotLeft() throws {
        let trace = try LinkTrace(opportunities: [10, 20, 30, 40])
        var cursor = TraceCursor()
        let busyUntil = trace.departure(bytes: 4_000, at: .zero, busyUntil: .zero, &cursor)
        #expect(busyUntil == Instant(nanoseconds: 30))
        let waiting = [0, 10, 11, 20, 21, 30].map {
            trace.backlog(at: Instant(nanoseconds: $0), busyUntil: busyUntil, cursor)
        }
        #expect(waiting == [4_000, 4_000, 2_500, 2_500, 1_000, 0])
        let table = try LinkTrace(starts: [0, 1_000], bitsPerSecond: [8_000_000_000, 16_000_000_000])
        let end = table.departure(bytes: 2_000, at: .zero, busyUntil: .zero, &cursor)
        #expect(end == Instant(nanoseconds: 1_500))
        #expect(table.backlog(at: Instant(nanoseconds: 900), busyUntil: end, cursor) == 1_100)
    }

    /// Broken: a trace that carries no data or has no period is accepted.
    @Test func impossibleTracesAreRefused() {
        #expect(throws: LinkTrace.TraceError.empty) { try LinkTrace(opportunities: []) }
        #expect(throws: LinkTrace.TraceError.noPeriod) { try LinkTrace(opportunities: [0, 0]) }
        #expect(throws: LinkTrace.TraceError.fallingTime(row: 2)) { try LinkTrace(opportunities: [3, 4, 1]) }
        #expect(throws: LinkTrace.TraceError.fallingTime(row: 1)) {
            try LinkTrace(starts: [3, 3], bitsPerSecond: [1, 1])
        }
        #expect(throws: LinkTrace.TraceError.carriesNothing) { try LinkTrace(starts: [0, 5], bitsPerSecond: [0, 0]) }
    }
}
