import DeadzonePrimitives
import DeadzoneTestKit
import DeadzoneTransport
import Testing

@Suite struct StreamEndTests {
    private let sizes = MessageSizes(
        .constant(300), dice: Dice(seed: 1, phone: PhoneID(0), purpose: .sizeDown))

    /// Broken: bytes on the wire. 300 B of message, frame 4 (server, 126 or more), record 22, TCP/IP 52.
    @Test func countsEveryHeader() {
        #expect(Wire.message(300, .down) == 300 + 4 + 22 + 52)
        #expect(Wire.message(300, .up) == 300 + 8 + 22 + 52)
        #expect(Wire.message(0, .down) == 2 + 22 + 52)
        #expect(Wire.message(3_000, .down) == 3_000 + 4 + 22 + 3 * 52)
        #expect(Wire.ping(.up) == 80)
    }

    /// Broken: more in flight than the window, or a message too large for it that is never sent.
    @Test func keepsToTheWindow() {
        var end = StreamEnd(sending: .down, from: 0, expecting: 0)
        var out = Departures()
        end.write(upTo: 1_000, at: .zero, sizes: sizes, cause: .payload, &out)
        #expect(out.count == 1 && out[0].bytes <= StreamEnd.window && end.sent == StreamEnd.window / 378)
        let large = MessageSizes(.constant(100_000), dice: Dice(seed: 1, phone: PhoneID(0), purpose: .sizeDown))
        var other = StreamEnd(sending: .down, from: 0, expecting: 0)
        out = Departures()
        other.write(upTo: 2, at: .zero, sizes: large, cause: .payload, &out)
        #expect(other.sent == 1)
    }

    /// Broken: exactly once, in order, whatever the network drops. Two ends, random losses both ways, 2,000 seeds.
    @Test func deliversEverythingOnceWhateverIsLost() {
        seedSweep(2_000) { seed in
            var dice = Dice(seed: seed, phone: PhoneID(0), purpose: .test)
            let lossPercent = dice.next().scaled(below: 60)
            var wire: [(at: Instant, toClient: Bool, packet: Packet)] = []
            var client = StreamEnd(sending: .up, from: 0, expecting: 0)
            var server = StreamEnd(sending: .down, from: 0, expecting: 0)
            var now = Instant.zero
            var received: (up: UInt32, down: UInt32) = (0, 0)
            var pongs = 0

            func post(_ out: Departures, toClient: Bool) {
                for index in 0..<out.count where dice.next().scaled(below: 100) >= lossPercent {
                    wire.append((now + .milliseconds(40), toClient, out[index]))
                }
            }
            var out = Departures()
            server.write(upTo: 90, at: now, sizes: sizes, cause: .payload, &out)
            post(out, toClient: true)
            out = Departures()
            client.write(upTo: 50, at: now, sizes: sizes, cause: .payload, &out)
            post(out, toClient: false)
            out = Departures()
            client.ping(at: now, &out)
            post(out, toClient: false)

            for _ in 0..<20_000 {
                let next = wire.indices.min { (wire[$0].at, $0) < (wire[$1].at, $1) }
                let arrives = next.map { wire[$0].at } ?? .never
                let deadline = min(client.timer.deadline, server.timer.deadline)
                guard min(arrives, deadline) != .never else { break }
                var out = Departures()
                if arrives <= deadline, let next {
                    let (at, toClient, packet) = wire.remove(at: next)
                    #expect(now <= at)
                    now = at
                    if toClient {
                        let arrival = client.receive(packet, at: now, sizes: sizes, &out)
                        #expect(arrival.first == received.down)
                        received.down = arrival.last
                        if arrival.pong != nil { pongs += 1 }
                        post(out, toClient: false)
                    } else {
                        let arrival = server.receive(packet, at: now, sizes: sizes, &out)
                        #expect(arrival.first == received.up)
                        received.up = arrival.last
                        post(out, toClient: true)
                    }
                } else {
                    now = deadline
                    if client.timer.deadline == now {
                        guard client.expire(at: now, sizes: sizes, &out) else { return }
                        post(out, toClient: false)
                    } else {
                        guard server.expire(at: now, sizes: sizes, &out) else { return }
                        post(out, toClient: true)
                    }
                }
            }
            #expect(received == (50, 90))
            #expect(client.acknowledged == 50 && server.acknowledged == 90)
            #expect(pongs == 1 && !client.hasUnacknowledged && !server.hasUnacknowledged)
        }
    }
}
