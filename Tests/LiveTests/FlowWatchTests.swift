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

    @Test func theAppMayKnowBeforeItsKernelDoes() {
        // Broken: what the app says that it knows is still a zombie, or a connection that works is taken for one.
        var watch = FlowWatch()
        Self.connect(&watch, port: 1, at: Self.at(1), opens: true)
        watch.appKnows(at: Self.at(5))
        #expect(watch.records.map(\.kind) == [.connecting, .opened])
        watch.die(of: Ends.phone, at: Self.at(10))
        watch.appKnows(at: Self.at(14))
        watch.appKnows(at: Self.at(15))
        watch.finish(at: Self.at(30))
        func values(_ kind: Kind) -> [Int64] { watch.records.filter { $0.kind == kind }.map(\.value) }
        #expect(values(.detected) == [4_000_000_000] && values(.zombie) == [4_000_000_000])
        #expect(values(.undetected) == [] && values(.available) == [8_950_000_000])
    }

    @Test func anAttemptIsOneHoweverOftenItKnocks() {
        // Broken: a SYN that the kernel repeats is an attempt of the client's, and the wait before it is none.
        var watch = FlowWatch()
        for second in [1, 2, 4] as [Int64] { Self.connect(&watch, port: 1, at: Self.at(second), opens: second == 4) }
        #expect(watch.records.map(\.kind) == [.connecting, .opened] && watch.flows.map(\.attempts) == [3])
    }

    @Test func whatNeverOpenedHasFailed() throws {
        // Broken: a connection that was refused, or that nobody answered, was open and has closed.
        var watch = FlowWatch()
        Self.connect(&watch, port: 1, at: Self.at(1), opens: false)
        let refusal = Ends.segment(.down, [.rst, .ack], sequence: 0, port: 1)
        watch.phoneGot(refusal, FlowName(refusal, .down), at: Self.at(2))
        Self.connect(&watch, port: 2, at: Self.at(3), opens: false)
        Self.connect(&watch, port: 3, at: Self.at(5), opens: true)
        let end = Ends.segment(.down, [.fin, .ack], sequence: 1, port: 3)
        watch.phoneGot(end, FlowName(end, .down), at: Self.at(6))
        let ends = watch.records.filter { $0.kind == .failed || $0.kind == .closed }
        #expect(ends.map(\.kind) == [.failed, .failed, .closed])
        #expect(ends.map(\.tag) == [FailureCode.refused.bits, FailureCode.timedOut.bits, CloseCode.ended.bits])
        #expect(ends.map(\.at) == [Self.at(2), Self.at(5), Self.at(6)])
    }

    @Test(arguments: [(false, [12] as [Int64]), (true, [5])])
    func anOutageCountsFromWhenThereIsAPathAgain(isBack: Bool, seconds: [Int64]) {
        // Broken: a client is blamed for time in which there was no path, or for an outage that was none.
        var watch = FlowWatch()
        func hear(port: UInt16, at: Instant) {
            let data = Ends.segment(.down, [.ack], sequence: 1, port: port, payload: [1])
            watch.phoneGot(data, FlowName(data, .down), at: at)
        }
        Self.connect(&watch, port: 1, at: Self.at(1), opens: true)
        watch.pathIsBack(at: Self.at(2))
        hear(port: 1, at: Self.at(3))
        #expect(!watch.records.contains { $0.kind == .recovered })
        watch.die(of: Ends.phone, at: Self.at(10))
        if isBack { watch.pathIsBack(at: Self.at(17)) }
        Self.connect(&watch, port: 2, at: Self.at(20), opens: true)
        hear(port: 2, at: Self.at(22))
        hear(port: 2, at: Self.at(25))
        let outages = watch.records.filter { $0.kind == .recovered }.map(\.value)
        #expect(outages == seconds.map { $0 * 1_000_000_000 })
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
