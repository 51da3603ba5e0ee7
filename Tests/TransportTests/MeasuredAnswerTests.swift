import DeadzonePrimitives
@testable import DeadzoneTransport
import Testing

/// Two ends and a path of 25 ms each way, which carries nothing while it is cut. What Linux 6.18 did over two TUN devices with the same
/// words stands in the tests: sockets with CUBIC, packets seen where they leave.
private struct Road: ~Copyable {
    static let delay = TimeSpan.milliseconds(25)
    let rules: TCPRules
    let sizes = MessageSizes(.constant(0), dice: Dice(seed: 1, phone: PhoneID(0), purpose: .sizeUp))
    var client = TCPEnd()
    var server = TCPEnd()
    var now = Instant.zero
    var isCut = false
    /// What is under way, in order.
    private var flights: [(at: Instant, toServer: Bool, packet: Packet)] = []
    /// Acknowledgements that left the server alone; how far it had said when that it has all of it; how far it has.
    var lone = 0
    var told: [(at: Instant, upTo: UInt64)] = []
    var had: [(at: Instant, upTo: UInt64)] = []
    private var item: UInt32 = 0
    private var answers: UInt32 = 0

    init(_ kernel: Kernel = .linux, phase: TimeSpan = .zero) {
        rules = TCPRules(kernel: kernel, framing: Framing(.webSocket, .none, .up))
        var out = Departures()
        client.connect(at: now, phase: phase, rules, &out)
        send(out, toServer: true)
        run(until: .zero + .milliseconds(200))
    }

    private mutating func send(_ out: borrowing Departures, toServer: Bool) {
        for index in 0..<out.count {
            let packet = out[index]
            if !toServer {
                if packet.content == .acknowledgement { lone += 1 }
                told.append((now, packet.received))
            }
            if !isCut { flights.append((now + Self.delay, toServer, packet)) }
        }
    }

    mutating func run(until end: Instant) {
        while true {
            let landing = flights.first?.at ?? .never
            let next = min(landing, client.deadline, server.deadline)
            guard next <= end else { break }
            now = next
            var out = Departures()
            if landing <= next {
                let flight = flights.removeFirst()
                arrive(flight.packet, toServer: flight.toServer)
            } else if client.deadline <= next {
                _ = client.expire(at: now, rules, &out)
                client.flush(at: now, rules, sizes, &out)
                send(out, toServer: true)
            } else {
                _ = server.expire(at: now, rules, &out)
                server.flush(at: now, rules, sizes, &out)
                send(out, toServer: false)
            }
        }
        now = end
    }

    private mutating func arrive(_ packet: Packet, toServer: Bool) {
        var out = Departures()
        if toServer {
            if packet.content == .hello { server.accept(packet, at: now, rules, &out) }
            _ = server.receive(packet, at: now, rules, sizes)
            while server.expected > 0, client.take(upTo: server.expected, rules, sizes) != nil {}
            had.append((now, server.expected))
            server.flush(at: now, rules, sizes, &out)
        } else {
            if packet.content == .helloReply { _ = client.established(by: packet, at: now, rules) }
            _ = client.receive(packet, at: now, rules, sizes)
            while client.expected > 0, server.take(upTo: client.expected, rules, sizes) != nil {}
            client.flush(at: now, rules, sizes, &out)
        }
        send(out, toServer: !toServer)
    }

    mutating func say(_ bytes: UInt32, from isClient: Bool = true) {
        var out = Departures()
        let isTaken: Bool
        if isClient {
            isTaken = client.write(.message, item, bytes: bytes, cause: .payload, rules)
            item += 1
            client.flush(at: now, rules, sizes, &out)
        } else {
            isTaken = server.write(.message, answers, bytes: bytes, cause: .payload, rules)
            answers += 1
            server.flush(at: now, rules, sizes, &out)
        }
        #expect(isTaken)
        send(out, toServer: isClient)
    }

    /// Milliseconds from when all that the client has written so far arrives to when the server says so.
    func acknowledged(_ offset: UInt64, writtenAt: Instant) -> Int64 {
        let at = told.first { offset <= $0.upTo }?.at ?? .never
        return (at - writtenAt - Self.delay).nanoseconds / 1_000_000
    }
}

@Suite struct MeasuredAnswerTests {
    /// A word each so many milliseconds; those in `answered` are answered by the server after so many.
    private func speak(
        every gap: Int64, answered: Set<Int>, after think: Int64, bytes: UInt32 = 200, words: Int,
        phase: TimeSpan = .zero,
        _ kernel: Kernel = .linux
    ) -> (waits: [Int64], lone: Int) {
        var road = Road(kernel, phase: phase)
        let before = road.lone
        var said: [(upTo: UInt64, at: Instant)] = []
        for word in 0..<words {
            let at = road.now + .milliseconds(gap)
            road.run(until: at)
            road.say(bytes)
            said.append((road.client.written, at))
            guard answered.contains(word) else { continue }
            road.run(until: at + Road.delay + .milliseconds(think))
            road.say(100, from: false)
            road.run(until: at + .milliseconds(gap - 1))
        }
        road.run(until: road.now + .seconds(1))
        return (said.map { road.acknowledged($0.upTo, writtenAt: $0.at) }, road.lone - before)
    }

    /// Broken: a listener that waits with its acknowledgements. Measured: 0 ms of 40, one each.
    @Test(arguments: [20, 60, 100, 400] as [Int64])
    func whoOnlyListensAcknowledgesAtOnce(gap: Int64) {
        let (waits, lone) = speak(every: gap, answered: [], after: 0, words: 40)
        #expect(waits.allSatisfy { $0 == 0 } && lone == 40, "\(waits), \(lone) alone")
    }

    /// Broken: an acknowledgement that leaves before the answer that it could ride on. Measured: with the answer after 20 and 30 ms, at once
    /// where it takes 50 or 100; the first is at once in each.
    @Test(arguments: [(20, true), (30, true), (50, false), (100, false)] as [(Int64, Bool)])
    func whoAnswersSoonWaitsForItsAnswer(think: Int64, rides: Bool) {
        let (waits, lone) = speak(every: 500, answered: Set(0..<20), after: think, words: 20)
        #expect(waits[0] == 0 && waits.dropFirst().allSatisfy { $0 == (rides ? think : 0) }, "\(waits)")
        #expect(lone == (rides ? 1 : 20), "\(lone)")
    }

    /// Broken: a wait of no length, or who goes on waiting after it was in vain. A word that is answered, then words that are not: 42 ms
    /// measured, and 0 after that.
    @Test func whoWaitedInVainListens() {
        for phase in 0..<4 as Range<Int64> {
            let (waits, _) = speak(
                every: 1_000, answered: [0, 1], after: 0, words: 8, phase: .milliseconds(phase))
            #expect(Array(waits[..<2]) == [0, 0] && Array(waits[3...]).allSatisfy { $0 == 0 }, "\(waits)")
            #expect((40...44).contains(waits[2]), "\(waits)")
        }
        // A whole segment is one; two are not.
        #expect((40...44).contains(speak(every: 1_000, answered: [0], after: 0, bytes: 1_448, words: 2).waits[1]))
        #expect(speak(every: 1_000, answered: [0], after: 0, bytes: 4_000, words: 2).waits[1] == 0)
    }

    /// Broken: a second packet that waits, too. Measured, 10 ms apart: 11 1 10 0 10 0, and the last alone, 46.
    @Test func theSecondOfTwoIsNotKeptWaiting() {
        var road = Road()
        road.run(until: road.now + .seconds(1))
        road.say(200)
        road.run(until: road.now + Road.delay)
        road.say(100, from: false)
        road.run(until: road.now + .seconds(1))
        let before = road.lone
        for _ in 0..<6 {
            road.say(200)
            road.run(until: road.now + .milliseconds(10))
        }
        road.run(until: road.now + .seconds(1))
        #expect(road.lone - before == 3, "\(road.lone - before)")
    }

    /// Broken: patience that goes beyond its limits, or an end that falls over it: words at every distance that its next can have.
    @Test func patienceStaysWithinItsLimits() {
        var manner = TCPEnd.Manner()
        var now = Instant.zero
        var most: UInt8 = 0
        for distance in (0..<1_000 as Range<Int64>).map({ $0 * 37 % 211 }) + Array(repeating: 199, count: 9) {
            now += .milliseconds(distance)
            manner.heard(at: now)
            #expect((TCPEnd.Manner.least...TCPEnd.Manner.most).contains(manner.patience))
            most = max(most, manner.patience)
        }
        // Each a little sooner than it would lose patience.
        for _ in 0..<20 {
            now += .milliseconds(Int64(manner.patience) - 1)
            manner.heard(at: now)
            most = max(most, manner.patience)
        }
        #expect(most == TCPEnd.Manner.most)
    }

    /// Broken: iOS with the habits of Linux.
    @Test func noOtherKernelWaits() {
        #expect(speak(every: 500, answered: [0, 1], after: 0, words: 4, .xnu).waits == [0, 0, 0, 0])
    }

    /// Broken: what follows a timeout. So many whole segments at once into a path that is then cut for 0.6 s; seconds after which each
    /// arrived. Where something new is left to be sent the kernel asks with that before it repeats more, and takes a round trip longer.
    @Test(
        arguments: [
            (6, [0.963, 1.013, 1.013, 1.064, 1.064, 1.064]),
            (
                14,
                [
                    0.950, 1.051, 1.051, 1.101, 1.101, 1.101, 1.101, 1.156, 1.156, 1.156, 1.156, 1.156, 1.156, 1.156,
                ]
            ),
        ] as [(Int, [Double])])
    func whatFollowsATimeout(segments: Int, measured: [Double]) {
        var road = Road()
        for _ in 0..<10 {
            road.say(1_448)
            road.run(until: road.now + .milliseconds(200))
        }
        road.run(until: road.now + .milliseconds(500))
        let (began, before) = (road.now, road.client.written)
        road.isCut = true
        for _ in 0..<segments { road.say(1_448) }
        road.run(until: began + .milliseconds(600))
        road.isCut = false
        road.run(until: began + .seconds(4))
        let arrivals = (1...segments).map { number -> Double in
            let at = road.had.first { before + UInt64(number) * 1_448 <= $0.upTo }?.at ?? .never
            return Double((at - began).nanoseconds) / 1e9
        }
        // When the path is tried is the first wait's affair; what follows comes in round trips.
        let rounds = zip(arrivals, measured).map { ($0 - arrivals[0], $1 - measured[0]) }
        #expect(rounds.allSatisfy { abs($0 - $1) < 0.02 }, "\(arrivals), measured \(measured)")
        #expect(abs(arrivals[0] - measured[0]) < 0.06, "\(arrivals[0])")
    }
}
