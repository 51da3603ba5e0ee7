import DeadzoneBase
import DeadzoneTestKit
import Testing

@testable import DeadzoneLive

struct WaitingTests {
    @Test("A queue that shares the radio's promise equals a per-packet update of all waiting packets")
    func sharedPromiseEqualsPerPacketPromises() {
        // Broken: a packet waits for another time than its own, or leaves in another order.
        var put = 0
        var strangers = 0
        seedSweep(60) { seed in
            let dice = Dice(seed: seed, phone: PhoneID(0), purpose: .strategy)
            var waiting = RadioQueue()
            var each: [PendingPacket] = []
            func insert(_ flight: PendingPacket) {
                each.insert(flight, at: each.firstIndex { flight.at < $0.at } ?? each.count)
            }
            var flowsAt = Instant.zero
            var latest: PendingPacket?
            for step in 0..<400 {
                let now = Instant.zero + .milliseconds(Int64(step))
                switch dice.at(UInt64(step)) % 9 {
                case 0..<4:
                    let isSlow = dice.at(UInt64(1_000 + step)) % 4 == 0
                    if dice.at(UInt64(2_000 + step)) % 3 == 0 { flowsAt = now + .milliseconds(5) }
                    waiting.reschedule(to: flowsAt, isSlow: isSlow, at: now)
                    for index in each.indices where now <= each[index].at - each[index].lag {
                        if !isSlow { each[index].lag = .zero }
                        each[index].at = flowsAt + each[index].lag
                    }
                    each = each.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
                        .map(\.element)
                    var flight = Self.flight
                    flight.lag = isSlow ? .milliseconds(2) : .zero
                    flight.at = flowsAt + flight.lag
                    waiting.insert(flight)
                    insert(flight)
                case 4, 5:
                    guard !each.isEmpty else { continue }
                    latest = waiting.removeFirst()
                    #expect(latest?.at == each.removeFirst().at)
                case 6:
                    guard var flight = latest else { continue }
                    latest = nil
                    flight.at = now + .milliseconds(50)
                    waiting.insert(flight)
                    insert(flight)
                    put += 1
                case 7:
                    // The radio made no promise for this packet, or another one than for the others.
                    var flight = Self.flight
                    flight.at = dice.at(UInt64(3_000 + step)) % 2 == 0 ? .never : flowsAt + .milliseconds(20)
                    waiting.insert(flight)
                    insert(flight)
                    strangers += 1
                default: latest = nil
                }
                #expect(waiting.count == each.count && waiting.dueAt == each.first?.at ?? .never)
            }
            #expect(waiting.removeAll().map(\.at) == each.map(\.at) && waiting.isEmpty)
        }
        #expect(put > 60 && strangers > 1_000)
    }

    private static let flight = PendingPacket(
        packet: TestEndpoints.udp(), name: LiveFlowKey(TestEndpoints.udp(), .up), interface: .wifi, cause: .payload,
        account: .payload, hop: .heldByPhone)
}
