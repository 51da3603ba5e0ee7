import DeadzoneBase
import DeadzoneCaptures
import Testing

@testable import DeadzoneReplay

/// The two buffers of ARO's 3G model, at the exact times and sizes at which they change, and its list of packets.
struct AROQueueTests {
    private static let settings = AROUMTSSettings(
        idleToDCH: 2, dchTimer: 5, fachTimer: 12, resetSize: 500, resetWindow: 0.5, upLimit: 15, downLimit: 15,
        upDrain: (440, 1, 0.5), downDrain: (440, 6), idlePower: 0, idleToDCHPower: 0.5, fachToDCHPower: 0.5,
        dchPower: 0.7, fachPower: 0.4)

    /// Bytes of one direction that count at the latest packet: those of the last packets, each at most half a second
    /// before the next.
    private static func counted(_ direction: PacketDirection, in packets: [AROPacket]) -> Int {
        var (sum, next) = (0, packets.last?.at ?? 0)
        for packet in packets.reversed() where packet.direction == direction {
            if next - packet.at > 0.5 { break }
            sum += Int(packet.bytes)
            next = packet.at
        }
        return sum
    }

    @Test(arguments: 0..<100 as Range<UInt64>) func theTimerRestartsAsInANaiveModel(seed: UInt64) {
        // Broken: a pause of exactly the window empties a buffer, or a longer one does not, so the time in the state DCH
        // is another one than ARO's.
        var dice = Dice(seed: seed, phone: PhoneID(0), purpose: .test)
        func index(_ count: UInt64) -> Int { Int(dice.next() % count) }
        var queue = ARODemotionQueue(Self.settings)
        var seen: [AROPacket] = []
        var (at, restartedAt) = (1.0, 0.0)
        for step in 0..<40 {
            at += Double(index(4)) / 4
            let isBegin = step == 0 || index(10) == 0
            let direction: PacketDirection = [.up, .down, .unknown][index(isBegin ? 2 : 3)]
            let packet = AROPacket(at: at, bytes: UInt32(100 * (1 + index(3))), direction: direction)
            if isBegin {
                queue.begin(packet)
                (seen, restartedAt) = ([packet], at)
            } else {
                queue.update(packet)
                if direction != .unknown { seen.append(packet) }
                let isFull = [.up, .down].contains { Self.counted($0, in: seen) >= 500 }
                if isFull { restartedAt = at }
            }
            #expect(queue.restartedAt == restartedAt, "step \(step) of \(seen)")
            #expect(queue.tail == 5 - ((seen.last?.at ?? 0) - restartedAt), "step \(step) of \(seen)")
        }
    }

    @Test func aBufferDrainsAfterItsTime() {
        // Broken: packets at exactly the drain time or the limit change the state earlier than in ARO, or the two
        // directions share a buffer.
        typealias Step = (at: Double, bytes: UInt32, direction: PacketDirection, exceeds: Bool)
        let rows: [[Step]] = [
            // Ten bytes drain in half a second, and fifteen in more.
            [(1, 10, .up, false), (1.5, 5, .up, false), (1.5, 1, .up, true), (1.75, 0, .unknown, true)],
            [(1, 10, .up, false), (1.75, 5, .up, false), (1.75, 10, .up, false), (1.75, 1, .up, true)],
            [(1, 10, .down, false), (1.5, 5, .down, false), (1.5, 1, .down, true), (1.75, 0, .unknown, true)],
            [(1, 10, .down, false), (1.75, 5, .down, false), (1.75, 10, .down, false), (1.75, 1, .down, true)],
            [(1, 10, .up, false), (1, 10, .down, false), (1, 5, .down, false), (1, 6, .up, true)],
            // A full buffer stays full until the next packet of its direction.
            [(1, 16, .up, true), (9, 1, .down, true), (9, 1, .up, false)],
            [(1, 16, .down, true), (9, 1, .up, true), (9, 1, .down, false)],
        ]
        for row in rows {
            var queue = AROFACHQueue(Self.settings)
            queue.reset()
            for step in row {
                let exceeds = queue.exceedsLimit(
                    adding: AROPacket(at: step.at, bytes: step.bytes, direction: step.direction))
                #expect(exceeds == step.exceeds, "\(step) in \(row)")
            }
            queue.reset()
            let afterReset = queue.exceedsLimit(adding: AROPacket(at: 9, bytes: 15, direction: .up))
            #expect(!afterReset, "\(row)")
        }
    }

    private static func bill(_ packets: [AROPacket]) -> RadioBill {
        var model = AROUMTS(settings)
        for packet in packets.sorted(by: { $0.at < $1.at }) { model.fold(packet) }
        _ = model.finish(until: 40)
        return model.bill
    }

    @Test func anyNumberOfPacketsOnFACHLeadsToTheSamePromotion() {
        // Broken: if more than 4,096 packets come on FACH, an uplink packet is forgotten although a promotion can still
        // be inserted after it. Packets without bytes fill no buffer, so they change nothing else.
        let first = [0, 10].map { AROPacket(at: $0, bytes: 1, direction: .up) }
        var onFACH: [Int] = []
        for end in [10.85, 11.15, 11.4, 11.8] {
            // No promotion fits between the last two packets.
            let before = end - 0.05
            let ups = [10.3, 10.95].filter { $0 < before }.map { AROPacket(at: $0, bytes: 1, direction: .up) }
            let last = [(before, 0), (end, 16)].map { AROPacket(at: $0, bytes: $1, direction: .down) }
            let packets = first + ups + last
            let few = Self.bill(packets)
            onFACH.append(Int((few.states.first { $0.state == .fach }?.seconds ?? 0) * 100 + 0.5))
            for (count, share) in [(4_100, 0.03), (4_100, 1), (9_000, 1)] {
                for direction in [PacketDirection.down, .unknown] {
                    let step = share * (before - 10) / Double(count + 1)
                    let fillers = (1...count).map {
                        AROPacket(at: 10 + step * Double($0), bytes: 0, direction: direction)
                    }
                    let many = Self.bill(packets + fillers)
                    #expect(many.states.map(\.state) == few.states.map(\.state), "\(count), \(share) until \(end)")
                    for (one, other) in zip(many.states, few.states) {
                        #expect(one.count == other.count && abs(one.seconds - other.seconds) < 1e-9, "\(one) \(other)")
                    }
                }
            }
        }
        // FACH from 7 s until the last uplink packet at least 0.8 s before the end, and a tail of 12 s.
        #expect(onFACH == [1_500, 1_530, 1_530, 1_595])
    }
}
