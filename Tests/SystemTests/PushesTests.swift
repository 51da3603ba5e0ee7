import DeadzoneBase
import DeadzoneClient
import DeadzoneDevice
@testable import DeadzoneSimulator
import Testing

/// The pushes of one phone on a given platform, and the effects that they cause.
private final class PushesHarness {
    private let arena = Arena(bytes: 1 << 16)
    private let platform: UnsafeMutablePointer<Platform>
    private var system: OperatingSystem
    private var effects = EffectQueue<SystemEffect>()
    var pushes: Pushes

    init(_ limits: PushLimits?, _ platform: Platform) {
        self.platform = .allocate(capacity: 1)
        self.platform.initialize(to: platform)
        system = OperatingSystem(self.platform, privileges: AppPrivileges())
        let allocator = arena.allocator
        pushes = Pushes(limits.map { PushQueueMemory($0, in: allocator) })
    }

    deinit { platform.deinitialize(count: 1).deallocate() }

    /// Requests a push and sends it to the phone, where it arrives at once.
    func send(isUrgent: Bool = true, key: UInt32 = 0, at now: Instant) throws {
        let push = StoredPush(key: key, isUrgent: isUrgent, timeToLive: .hours(1), at: now)
        #expect(pushes.request(push, at: now, &effects))
        let message = try #require(next())
        pushes.arrive(message.number, at: now)
    }

    func next() -> SystemMessage? { pushes.sendNext() }

    func request(at now: Instant) -> Bool {
        pushes.request(StoredPush(key: 0, isUrgent: true, timeToLive: .hours(1), at: now), at: now, &effects)
    }

    /// Offers all pushes at the phone to the app. Returns the kinds of the records and events.
    func handOver(at now: Instant, isRefused: Bool = false) -> [String] {
        while let push = pushes.nextAtPhone() {
            let isReceived = pushes.offer(push, to: &system, at: now, &effects)
            pushes.endOffer(of: push, isReceived: isReceived && !isRefused, at: now, &effects)
        }
        return take()
    }

    func with(_ body: (borrowing Pushes, inout EffectQueue<SystemEffect>) -> Void) -> [String] {
        body(pushes, &effects)
        return take()
    }

    /// Makes the token void. Returns what follows; `nil` if nothing changed.
    func endToken(appRuns: Bool, at now: Instant) -> [String]? {
        pushes.endToken(appRuns: appRuns, at: now, &effects) ? take() : nil
    }

    private func take() -> [String] {
        let batch = effects.begin()
        var found: [String] = []
        for index in batch {
            switch effects[index] {
            case .note(let note) where Self.kinds.contains(note.kind): found.append("\(note.kind) \(note.value)")
            case .notifyApp(let event): found.append("\(event)")
            default: break
            }
        }
        effects.end(batch)
        return found
    }

    private static let kinds: [RecordKind] = [
        .pushed, .pushDemoted, .pushExpired, .pushCollapsed, .pushDiscarded, .pushUnregistered, .pushTokenVoid,
        .waitedPush,
    ]
}

@Suite struct PushesTests {
    private let start = Instant.zero + .seconds(10)

    private func platform() throws -> Platform { try #require(Platform.named("android-15")) }

    /// Broken: a service of one push stores a second one while the first is on its way, or a service of several joins
    /// the two.
    @Test func aPushOnItsWayIsJoinedOnlyByAServiceOfOne() throws {
        for limits in [nil, PushLimits(pending: 100, keys: 4)] {
            let harness = PushesHarness(limits, try platform())
            #expect(!harness.pushes.hasWork && harness.next()?.bytes == nil)
            #expect(harness.request(at: start) && harness.pushes.hasWork)
            let first = try #require(harness.next())
            #expect(first.cause == .push && first.bytes == PushService.bytes)
            #expect(harness.request(at: start + .seconds(1)))
            let second = harness.next()
            #expect((second == nil) == (limits == nil))
            // The first is lost, and waits for its repeat.
            harness.pushes.lose(first.number, at: start + .seconds(1))
            #expect(harness.pushes.due(after: start) == start + .seconds(2))
            #expect(harness.next()?.number == first.number)
            #expect(harness.pushes.due(after: start) == .never)
        }
    }

    /// Broken: the app gets an event for each of several pushes, a push is offered twice, the time of a push does not
    /// count from its request, or a refused push is forgotten.
    @Test func theAppGetsOneEventForThePushesOfAnInstant() throws {
        let harness = PushesHarness(PushLimits(pending: 100, keys: 4), try platform())
        try harness.send(at: start)
        try harness.send(at: start + .seconds(1))
        #expect(harness.handOver(at: start + .seconds(2), isRefused: true) == [])
        #expect(
            harness.handOver(at: start + .seconds(3)) == ["pushed 3000000000", "pushWoken", "pushed 2000000000"])
        #expect(harness.handOver(at: start + .seconds(3)) == [] && !harness.pushes.hasWork)
        let single = PushesHarness(nil, try platform())
        try single.send(at: start)
        #expect(single.handOver(at: start + .seconds(2), isRefused: true) == [] && single.pushes.hasWork)
        #expect(single.handOver(at: start + .seconds(3)) == ["pushed 3000000000", "pushWoken"])
        #expect(single.handOver(at: start + .seconds(3)) == [] && !single.pushes.hasWork)
    }

    /// Broken: after a refused push of normal priority, an urgent one waits too, or another normal one is offered.
    @Test func aRefusedNormalPushHoldsBackOnlyNormalPushes() throws {
        let harness = PushesHarness(PushLimits(pending: 100, keys: 4), try platform())
        for isUrgent in [false, false, true] { try harness.send(isUrgent: isUrgent, at: start) }
        var offered: [Bool] = []
        var effects = EffectQueue<SystemEffect>()
        while let push = harness.pushes.nextAtPhone() {
            #expect(!harness.pushes.hasWork)
            offered.append(push.isUrgent)
            harness.pushes.endOffer(of: push, isReceived: push.isUrgent, at: start, &effects)
        }
        #expect(offered == [false, true] && harness.pushes.hasWork)
    }

    /// Broken: a server uses a void token, the app hears of it twice or not at all, a lost token is not sent again, or
    /// the token of a service of one push becomes void.
    @Test func aVoidTokenIsReplaced() throws {
        let harness = PushesHarness(PushLimits(pending: 100, keys: 4), try platform())
        #expect(harness.request(at: start))
        #expect(harness.endToken(appRuns: false, at: start) == ["pushUnregistered 1"])
        #expect(harness.endToken(appRuns: true, at: start) == nil)
        #expect(!harness.request(at: start))
        #expect(harness.with { _, _ in } == ["pushUnregistered 1"])
        #expect(harness.with { $0.announceToken(&$1) } == ["pushTokenChanged"])
        #expect(harness.with { $0.announceToken(&$1) } == [])
        // A new process is notified again.
        harness.pushes.endProcess()
        #expect(harness.with { $0.announceToken(&$1) } == ["pushTokenChanged"])
        #expect(harness.pushes.sendToken()?.bytes == nil && harness.pushes.registerToken())
        #expect(harness.pushes.hasWork && !harness.pushes.registerToken())
        #expect(harness.pushes.sendToken()?.bytes == 1_500 && harness.pushes.sendToken()?.bytes == nil)
        let later = start + .seconds(5)
        #expect(harness.with { $0.receiveToken(isServed: false, at: later, &$1) } == [])
        #expect(harness.pushes.due(after: later) == later + .seconds(1))
        #expect(harness.pushes.sendToken()?.bytes == 1_500)
        #expect(
            harness.with { $0.receiveToken(isServed: true, at: later, &$1) } == ["pushTokenVoid 5000000000"])
        #expect(harness.with { $0.receiveToken(isServed: true, at: later, &$1) } == [] && harness.request(at: later))
        let single = PushesHarness(nil, try platform())
        #expect(single.endToken(appRuns: true, at: start) == nil)
        #expect(!single.pushes.registerToken() && single.pushes.sendToken()?.bytes == nil)
    }

    /// Broken: the horizon does not account for a push that waits, for one that has expired, or for a void token.
    @Test func theHorizonAccountsForWaitingPushes() throws {
        let limits = PushLimits(pending: 100, keys: 4)
        for (limits, end, expected) in [
            (nil, start + .hours(2), ["waitedPush 7200000000000"]),
            (limits, start + .seconds(3), ["waitedPush 3000000000"]), (limits, start + .hours(2), ["pushExpired 1"]),
        ] as [(PushLimits?, Instant, [String])] {
            let harness = PushesHarness(limits, try platform())
            #expect(harness.request(at: start))
            #expect(harness.with { $0.finish(at: end, &$1) } == expected)
        }
        let harness = PushesHarness(limits, try platform())
        #expect(harness.endToken(appRuns: true, at: start) == ["pushTokenChanged"])
        #expect(harness.with { $0.finish(at: start + .seconds(1), &$1) } == ["pushTokenVoid 1000000000"])
    }
}
