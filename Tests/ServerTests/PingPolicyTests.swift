import DeadzonePrimitives
import DeadzoneServer
import Testing

@Suite struct PingPolicyTests {
    struct Script: Sendable {
        var name: String
        var policy: PingPolicy
        var pings: [TimeSpan]
        var verdicts: [PingPolicy.Verdict]
    }

    /// grpc/grpc `test/core/transport/chttp2/ping_abuse_policy_test.cc`.
    private static let scripts = [
        Script(
            name: "four pings at once", policy: PingPolicy(),
            pings: [.zero, .zero, .zero, .zero], verdicts: [.fine, .strike, .strike, .enough]),
        Script(
            name: "three pings, a pause, one ping", policy: PingPolicy(floor: .seconds(1)),
            pings: [.zero, .zero, .zero, .seconds(2)], verdicts: [.fine, .strike, .strike, .fine]),
        Script(
            name: "twice the floor", policy: PingPolicy(floor: .milliseconds(10)),
            pings: (0..<100 as Range<Int64>).map { .milliseconds(20 * $0) },
            verdicts: Array(repeating: .fine, count: 100)),
        Script(
            name: "nobody is sent away", policy: PingPolicy(strikesAllowed: 0),
            pings: Array(repeating: .zero, count: 5), verdicts: [.fine, .strike, .strike, .strike, .strike]),
    ]

    /// Broken: servers that send clients away too early, too late or never.
    @Test(arguments: scripts)
    func judgesPingsAsTheCoreDoes(_ script: Script) {
        var policy = script.policy
        let verdicts = script.pings.map { policy.receive(at: .zero + $0, hasStreams: true) }
        #expect(verdicts == script.verdicts, "\(script.name)")
    }

    /// Broken: the moment a silent stream is ended by keepalive. A client that pings every so often against a floor of 300 s; the GOAWAY comes with the fourth ping.
    @Test(arguments: [(60, 240), (120, 480), (200, 800), (240, 960), (299, 1_196)] as [(Int64, Int64)])
    func endsASilentStream(_ interval: Int64, _ endsAt: Int64) {
        var policy = PingPolicy()
        var now = Instant.zero
        var verdict = PingPolicy.Verdict.fine
        while verdict != .enough && now < .zero + .hours(1) {
            now += .seconds(interval)
            verdict = policy.receive(at: now, hasStreams: true)
        }
        #expect(now == .zero + .seconds(endsAt))
    }

    /// Broken: slow pings that are struck, or pings without a stream that are not.
    @Test func knowsTheFloorWithAndWithoutStreams() {
        var policy = PingPolicy()
        for ping in 1...100 as ClosedRange<Int64> {
            #expect(policy.receive(at: .zero + .seconds(300 * ping), hasStreams: true) == .fine)
        }
        var idle = PingPolicy()
        #expect(idle.receive(at: .zero, hasStreams: false) == .fine)
        #expect(idle.receive(at: .zero + .hours(2), hasStreams: false) == .fine)
        #expect(idle.receive(at: .zero + .hours(3), hasStreams: false) == .strike)
        #expect(idle.strikes == 1 && policy.strikes == 0)
    }

    /// Broken: a server that talks and still counts. What it says clears the strikes and makes the next ping free.
    @Test func forgetsWhenItSpeaks() {
        var policy = PingPolicy()
        for _ in 0..<3 { _ = policy.receive(at: .zero, hasStreams: true) }
        #expect(policy.strikes == 2)
        policy.spoke()
        #expect(policy.receive(at: .zero, hasStreams: true) == .fine)
        #expect(policy.receive(at: .zero, hasStreams: true) == .strike && policy.strikes == 1)
    }
}
