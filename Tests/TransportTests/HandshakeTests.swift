import DeadzonePrimitives
import DeadzoneTransport
import Testing

@Suite struct HandshakeTests {
    private let legs = HandshakeLeg.tcpTLSUpgrade

    /// Broken: attempts to a network that swallows them. Linux `tcp_syn_retries` = 6: at 0, 1, 3, 7, 15, 31, 63 s, failed at 127 s.
    @Test func repeatsTheFirstLegAsLinuxDoes() {
        var out = Departures()
        var handshake = Handshake(legs: legs, resuming: false, at: .zero, &out)
        var sent = [Int64(0)]
        #expect(out.count == 1)
        while true {
            let now = handshake.deadline
            var out = Departures()
            guard handshake.expire(at: now, legs: legs, &out) else {
                #expect(now == .zero + .seconds(127))
                #expect(out.count == 0)
                break
            }
            #expect(out.count == 1 && out[0].cause == .retransmit)
            sent.append(now.nanoseconds / 1_000_000_000)
        }
        #expect(sent == [0, 1, 3, 7, 15, 31, 63])
    }

    /// Broken: a connection that opens before its last answer, or takes an answer twice.
    @Test func walksTheLegsInOrder() {
        var out = Departures()
        var handshake = Handshake(legs: legs, resuming: true, at: .zero, &out)
        var now = Instant.zero
        for leg in legs.indices {
            let hello = out[out.count - 1]
            #expect(hello.number == leg && hello.bytes == legs[leg].up)
            #expect(hello.cause == (leg == 2 ? .resume : legs[leg].cause))
            let reply = Handshake.reply(to: hello, legs: legs, resuming: true, at: now)
            #expect(reply.bytes == legs[leg].down)
            now += .milliseconds(40)
            out = Departures()
            let progress = handshake.receive(reply, at: now, legs: legs, &out)
            if leg < 2 {
                #expect(progress == .next)
                var late = Departures()
                #expect(handshake.receive(reply, at: now, legs: legs, &late) == .ignored)
            } else {
                #expect(progress == .done(roundTrip: .milliseconds(40)))
            }
        }
    }
}
