import DeadzoneBase
import DeadzoneSimulator
import Testing

@Suite struct PingPolicyTests {
    struct PingScript: Sendable {
        var name: String
        var policy: PingPolicy
        var pings: [TimeSpan]
        var verdicts: [PingPolicy.PingVerdict]
    }

    /// grpc/grpc `test/core/transport/chttp2/ping_abuse_policy_test.cc`.
    private static let scripts = [
        PingScript(
            name: "four pings at once", policy: PingPolicy(),
            pings: [.zero, .zero, .zero, .zero], verdicts: [.fine, .strike, .strike, .tooMany]),
        PingScript(
            name: "three pings, a pause, one ping", policy: PingPolicy(floor: .seconds(1)),
            pings: [.zero, .zero, .zero, .seconds(2)], verdicts: [.fine, .strike, .strike, .fine]),
        PingScript(
            name: "twice the floor", policy: PingPolicy(floor: .milliseconds(10)),
            pings: (0..<100 as Range<Int64>).map { .milliseconds(20 * $0) },
            verdicts: Array(repeating: .fine, count: 100)),
        PingScript(
            name: "no client is closed", policy: PingPolicy(strikesAllowed: 0),
            pings: Array(repeating: .zero, count: 5), verdicts: [.fine, .strike, .strike, .strike, .strike]),
    ]

    /// Broken: the server closes connections for too many pings too early, too late or never.
    @Test(arguments: scripts)
    func judgesPingsLikeTheCore(_ script: PingScript) {
        var policy = script.policy
        let verdicts = script.pings.map { policy.receive(at: .zero + $0, hasStreams: true) }
        #expect(verdicts == script.verdicts, "\(script.name)")
    }

    /// Broken: the time at which pings end a silent stream. The client pings at the interval, against a minimum of
    /// 300 s. The expected times are derived from each state machine in clients.md.
    @Test(
        arguments: [
            (60, [240, 240, 240, 180, 240]), (120, [600, 480, 480, 480, 600]), (200, [1_200, 800, 800, 1_000, 1_200]),
            (240, [1_440, 960, 960, 1_200, 1_440]), (299, [1_794, 1_196, 1_196, 1_495, 1_794]),
            (300, [nil, nil, nil, nil, nil]),
        ] as [(Int64, [Int64?])])
    func endsASilentStream(_ interval: Int64, _ endsAt: [Int64?]) {
        // The last one is Java, on a connection that has already been silent for an hour.
        let birth: [(PingPolicy.Implementation, Int64)] = [
            (.text, 0), (.core, 0), (.go, 0), (.java, 0), (.java, -3_600),
        ]
        for ((variant, born), end) in zip(birth, endsAt) {
            var policy = PingPolicy(variant)
            policy.opened(at: .zero + .seconds(born))
            var now = Instant.zero
            var verdict = PingPolicy.PingVerdict.fine
            while verdict != .tooMany && now < .zero + .hours(3) {
                now += .seconds(interval)
                verdict = policy.receive(at: now, hasStreams: true)
            }
            #expect((verdict == .tooMany ? now : nil) == end.map { .zero + .seconds($0) }, "\(variant) from \(born)")
        }
    }

    /// Broken: the policy differs from grpc-java's own table (`KeepAliveEnforcerTest.java`).
    @Test func judgesPingsLikeJava() {
        var implicit = PingPolicy(.java, floor: .zero)
        #expect((0..<3).map { _ in implicit.receive(at: .zero, hasStreams: false) } == [.strike, .strike, .tooMany])
        for hasStreams in [true, false] {
            var strict = PingPolicy(.java, floor: TimeSpan(nanoseconds: 1), permitsWithoutStreams: true)
            let verdicts = (0..<3).map { _ in strict.receive(at: .zero, hasStreams: hasStreams) }
            #expect(verdicts == [.strike, .strike, .tooMany], "streams \(hasStreams)")
        }
        var limitless = PingPolicy(.java, floor: .zero, permitsWithoutStreams: true)
        for round in 0..<3 {
            if round == 2 { limitless.sentData() }
            for _ in 0..<10 { #expect(limitless.receive(at: .zero, hasStreams: round == 1) == .fine) }
        }
        var spaced = PingPolicy(.java, floor: TimeSpan(nanoseconds: 1), permitsWithoutStreams: true)
        for ping in 1...10 as ClosedRange<Int64> {
            #expect(spaced.receive(at: .zero + TimeSpan(nanoseconds: ping), hasStreams: false) == .fine)
        }
        // Data from the server resets the last ping time to the connection's start; on a young connection, no ping is
        // allowed.
        var reset = PingPolicy(.java)
        #expect((0..<2).map { _ in reset.receive(at: .zero, hasStreams: true) } == [.strike, .strike])
        reset.sentData()
        #expect(reset.strikes == 0)
        #expect((0..<3).map { _ in reset.receive(at: .zero, hasStreams: true) } == [.strike, .strike, .tooMany])
    }

    /// Broken: a good ping clears strikes where it must not, or early pings are counted before the first good one
    /// (`ServerConnectionManagementHandler+StateMachineTests.swift` of grpc-swift-nio-transport).
    @Test(arguments: [(true, TimeSpan.minutes(5)), (false, .hours(2))])
    func judgesPingsLikeTheSpecification(hasStreams: Bool, interval: TimeSpan) {
        let begin = Instant.zero + .seconds(7)
        let short = interval - TimeSpan(nanoseconds: 1)
        var policy = PingPolicy(.text)
        let verdicts = [.zero, short, short, interval, interval].map { span in
            policy.receive(at: begin + span, hasStreams: hasStreams)
        }
        #expect(verdicts == [.fine, .strike, .strike, .fine, .tooMany])
    }

    /// Broken: grpc-swift 1 counts strikes while a stream is open, keeps strikes after a good ping, or clears them
    /// when the server sends data.
    @Test func judgesPingsLikeSwift1() {
        var policy = PingPolicy(.swift1, permitsWithoutStreams: true)
        for _ in 0..<10 { #expect(policy.receive(at: .zero, hasStreams: true) == .fine) }
        let begin = Instant.zero + .hours(1)
        var verdicts: [PingPolicy.PingVerdict] = []
        for seconds in [0, 1, 2, 300, 301, 302] as [Int64] {
            verdicts.append(policy.receive(at: begin + .seconds(seconds), hasStreams: false))
        }
        #expect(verdicts == [.fine, .strike, .strike, .fine, .strike, .strike])
        policy.sentData()
        #expect(policy.receive(at: begin + .seconds(303), hasStreams: false) == .tooMany)
        // Where pings without calls are not permitted, it ignores all of them.
        var blind = PingPolicy(.swift1)
        for _ in 0..<10 { #expect(blind.receive(at: .zero, hasStreams: false) == .fine) }
        #expect(!policy.answersStrikes && PingPolicy(.core).answersStrikes)
    }

    /// Broken: a server that permits pings without calls still requires two hours between them, or one that forbids
    /// them does not.
    @Test(arguments: PingPolicy.Implementation.allCases)
    func permitsPingsWithoutCalls(variant: PingPolicy.Implementation) {
        for isPermitted in [true, false] {
            var policy = PingPolicy(variant, permitsWithoutStreams: isPermitted)
            let verdicts = (1...5 as ClosedRange<Int64>).map { ping in
                policy.receive(at: .zero + .seconds(300 * ping), hasStreams: false)
            }
            let isEnded = verdicts.contains(.tooMany)
            #expect(isEnded == (!isPermitted && variant != .swift1), "\(variant) \(isPermitted): \(verdicts)")
        }
    }

    /// Broken: slow pings count as strikes, or pings without a stream do not.
    @Test func hasAMinimumWithAndWithoutStreams() {
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

    /// Broken: a server that sends data keeps its strikes. Data from the server clears the strikes and makes the next
    /// ping free.
    @Test func clearsStrikesWhenTheServerSends() {
        var policy = PingPolicy()
        for _ in 0..<3 { _ = policy.receive(at: .zero, hasStreams: true) }
        #expect(policy.strikes == 2)
        policy.sentData()
        #expect(policy.receive(at: .zero, hasStreams: true) == .fine)
        #expect(policy.receive(at: .zero, hasStreams: true) == .strike && policy.strikes == 1)
    }
}
