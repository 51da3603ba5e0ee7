import DeadzoneJournal
import DeadzonePrimitives
import Testing

@testable import DeadzoneLive

/// What packets tell of connections.
struct FlowWatchTests {
    private static func at(_ seconds: Int64) -> Instant { .zero + .seconds(seconds) }

    /// An attempt, and whether it is answered.
    private static func connect(_ watch: inout FlowWatch, port: UInt16, at: Instant, opens: Bool) {
        let syn = Ends.segment(.up, [.syn], port: port)
        _ = watch.phoneSent(syn, FlowName(syn, .up), on: .wifi, at: at)
        guard opens else { return }
        let answer = Ends.segment(.down, [.syn, .ack], sequence: 0, port: port)
        _ = watch.serverSent(answer, FlowName(answer, .down))
        watch.phoneGot(answer, FlowName(answer, .down), at: at + .milliseconds(50))
    }

    @Test func aDeathIsNoticedByTheNextAttempt() {
        // Broken: detection is not the time from the address's end to the client's next attempt.
        var watch = FlowWatch()
        Self.connect(&watch, port: 1, at: Self.at(1), opens: true)
        watch.die(of: Ends.phone, at: Self.at(10))
        Self.connect(&watch, port: 2, at: Self.at(17), opens: true)
        watch.finish(at: Self.at(30))
        #expect(watch.records.filter { $0.kind == .detected }.map(\.value) == [7_000_000_000])
        #expect(watch.records.filter { $0.kind == .opened }.count == 2)
        #expect(watch.flows.map(\.ending) == [.byClient, nil])
    }

    @Test func whatNobodyNoticesIsAZombieToTheEnd() {
        // Broken: a death that was never noticed is not told.
        var watch = FlowWatch()
        Self.connect(&watch, port: 1, at: Self.at(1), opens: true)
        watch.die(of: Ends.phone, at: Self.at(10))
        watch.finish(at: Self.at(30))
        #expect(watch.records.filter { $0.kind == .undetected }.map(\.value) == [20_000_000_000])
        #expect(watch.records.contains { $0.kind == .detected } == false)
    }

    @Test func attemptsAreCountedSinceTheLoss() throws {
        // Broken: waits between attempts, or times after the loss, by which a preset is judged.
        var watch = FlowWatch()
        Self.connect(&watch, port: 1, at: Self.at(1), opens: true)
        watch.die(of: Ends.phone, at: Self.at(10))
        for (port, second) in [(UInt16(2), Int64(15)), (3, 17), (4, 21)] {
            Self.connect(&watch, port: port, at: Self.at(second), opens: port == 4)
        }
        // The third was refused.
        let attempts = LiveAttempt.all(of: watch.flows)
        #expect(attempts.map(\.number) == [0, 0, 1, 2])
        #expect(attempts.map(\.afterLoss) == [nil, .seconds(5), .seconds(7), .seconds(11)])
        #expect(attempts.map(\.afterAttempt) == [nil, nil, .seconds(2), .seconds(4)])
        #expect(attempts.map(\.didOpen) == [true, false, false, true])
    }

    @Test func causesAreReadFromPlainProtocols() {
        // Broken: a ping is payload, or payload a ping; a repeat is new.
        let pings: [([UInt8], Cause)] = [
            ([0xc0, 0], .keepalive), ([0xd0, 0], .pong), ([0x89, 0x80, 1, 2, 3, 4], .keepalive), ([0x8a, 0], .pong),
            ([0, 0, 8, 6, 0] + Array(repeating: 0, count: 12), .keepalive),
            ([0, 0, 8, 6, 1] + Array(repeating: 0, count: 12), .pong), ([22, 3, 1, 0, 1, 1], .tls),
            ([0x89, 5, 1], .payload), ([0xc0, 1], .payload), (Array("hello".utf8), .payload),
        ]
        for (payload, cause) in pings {
            var watch = FlowWatch()
            Self.connect(&watch, port: 1, at: Self.at(1), opens: true)
            let packet = Ends.segment(.up, [.ack], sequence: 2, port: 1, payload: payload)
            do {
                let found = watch.phoneSent(packet, FlowName(packet, .up), on: .wifi, at: Self.at(2))
                #expect(found == cause)
            }
            do {
                let found = watch.phoneSent(packet, FlowName(packet, .up), on: .wifi, at: Self.at(3))
                #expect(found == .retransmit)
            }
        }
    }

    @Test func aProbeOfTheKernelIsAKeepaliveAndItsAnswerAPong() {
        // Broken: TCP keepalive counts as acknowledgements.
        var watch = FlowWatch()
        Self.connect(&watch, port: 1, at: Self.at(1), opens: true)
        let probe = Ends.segment(.up, [.ack], sequence: 1, port: 1)
        do {
            let found = watch.phoneSent(probe, FlowName(probe, .up), on: .wifi, at: Self.at(2))
            #expect(found == .keepalive)
        }
        let answer = Ends.segment(.down, [.ack], sequence: 1, port: 1)
        do {
            let found = watch.serverSent(answer, FlowName(answer, .down))
            #expect(found == .pong)
        }
    }
}
