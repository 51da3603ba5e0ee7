import DeadzoneBase
import DeadzoneClient
import DeadzoneTransport
import Testing
@testable import DeadzoneSimulator

/// Messages that the server's program refuses, and messages that break off, from the server to the records.
@Suite struct RefusedMessageTests {
    /// A message every `gap` seconds for ten minutes, then two minutes of silence.
    private func world(
        gap: Int64 = 5, bytes: Int64 = 300, changes: [TimelineEntry] = [], _ set: (inout MessageFaults) -> Void
    ) -> World {
        var faults = MessageFaults()
        set(&faults)
        var world = Fixture.cellularWorld(
            Traffic(up: .every(.seconds(gap), bytes: bytes, until: .zero + .minutes(10))), horizon: .minutes(12))
        world.timeline += changes
        world.server.receipts = ReceiptRules()
        world.server.dedup = .set(window: 1_000)
        world.server.faults.messages = faults
        return world
    }

    private func run(_ world: World, _ queue: String, _ more: String = "") -> AllRecords {
        Simulation(world: world, strategy: Fixture.composed("{resume: persisted, queue: \(queue)\(more)}"), seed: 3)
            .allRecords()
    }

    private func losses(_ run: AllRecords) -> [MessageLoss] { run.records.compactMap(\.loss) }

    private static let retry = "{keeps: stored, on-refusal: {retry: {base: 2s, cap: 8s}}}"

    /// Broken: a refused message arrives although the client drops it, another one is lost with it, or its loss has
    /// another cause. Or each message is not counted exactly once.
    @Test func aClientWithoutAPolicyDropsRefusedMessages() {
        for queue in ["stored", "memory", "none", "{keeps: stored, until: sent}", "{keeps: stored, on-refusal: drop}"] {
            let run = run(world { $0.transient = Probability(1, of: 5) }, queue)
            let refused = run.count(.messageRefused)
            #expect(refused > 10 && run.sum(.lostUp) == Int64(refused), "\(queue): \(refused), \(run.sum(.lostUp))")
            #expect(losses(run).allSatisfy { $0.cause == .refused && $0.place == .serverProgram && $0.change == nil })
            #expect(run.count(.messageRetried) == 0 && run.count(.duplicatedUp) == 0 && run.sum(.pendingUp) == 0)
            #expect(run.count(.deliveredUp) + refused == run.count(.sentUp), "\(queue)")
        }
    }

    /// Broken: a retried message is lost, arrives twice, or does not wait; a refusal is not answered on the connection.
    @Test func aRetriedMessageArrivesOnce() {
        let run = run(world { $0.transient = Probability(1, of: 5) }, Self.retry)
        let refused = run.count(.messageRefused)
        #expect(refused > 10 && run.count(.messageRetried) == refused)
        #expect(run.sum(.lostUp) == 0 && run.sum(.pendingUp) == 0 && run.sum(.duplicatedUp) == 0)
        #expect(run.count(.deliveredUp) == run.count(.sentUp) && run.count(.acknowledgedUp) == run.count(.sentUp))
        #expect(run.sum(.suppressedUp) == 0 && run.count(.opened) == 1)
        #expect(run.sum(.uploadWasted) >= 300 * Int64(refused))
        let slowest = run.records.filter { $0.kind == .deliveredUp }.map(\.value).max() ?? 0
        #expect(slowest > TimeSpan.seconds(2).nanoseconds)
        // Without refusals, nothing is retried and nothing is wasted.
        let calm = self.run(world { _ in }, Self.retry)
        #expect(calm.count(.messageRefused) + calm.count(.messageRetried) + calm.count(.uploadWasted) == 0)
        #expect(calm.count(.deliveredUp) == calm.count(.sentUp))
    }

    /// Broken: two strategies meet other errors, or a permanent refusal passes. Or it blocks the queue of a client that
    /// drops it, or not that of a client that retries it.
    @Test func permanentRefusalsBlockOnlyWhoRetriesThem() {
        let hard = world { $0.permanent = Probability(1, of: 20) }
        let dropping = run(hard, Self.retry)
        let naive = run(hard, "stored")
        #expect(dropping.sum(.lostUp) > 2 && dropping.sum(.lostUp) == naive.sum(.lostUp))
        #expect(losses(dropping).map(\.first) == losses(naive).map(\.first))
        #expect(
            dropping.records.filter { $0.kind == .messageRefused }
                .allSatisfy { $0.tag(of: .messageRefused) == .permanent })
        let blocked = run(hard, "{keeps: stored, on-refusal: {retry: {base: 2s, cap: 8s}, permanent: retry}}")
        #expect(blocked.sum(.lostUp) == 0 && blocked.sum(.pendingUp) > 60)
        let first = losses(naive)[0].first
        #expect(blocked.count(.deliveredUp) == Int(first))
    }

    /// Broken: a message is dropped before its last retry, or retried after it.
    @Test func retriesEnd() {
        let always = world(gap: 300) { $0.transient = .one }
        for limit in [0, 1, 3] {
            let run = run(always, "{keeps: stored, on-refusal: {retry: {base: 2s, cap: 8s}, retries: \(limit)}}")
            #expect(run.sum(.lostUp) == Int64(run.count(.sentUp)) && run.count(.sentUp) > 0)
            #expect(run.count(.messageRefused) == (limit + 1) * run.count(.sentUp), "\(limit)")
        }
    }

    /// Broken: an event of `also` does not end the wait, or another one does.
    @Test func triggersEndTheWait() {
        let once = world(gap: 60) { $0.transient = Probability(1, of: 2) }
        func slowest(_ run: AllRecords) -> Int64 {
            run.records.filter { $0.kind == .deliveredUp }.map(\.value).max() ?? 0
        }
        let wait = "retry: {base: 1h, cap: 1h}"
        let waiting = run(once, "{keeps: stored, on-refusal: {\(wait)}}")
        #expect(waiting.sum(.pendingUp) > 3 && waiting.count(.messageRetried) == 0)
        let next = run(once, "{keeps: stored, on-refusal: {\(wait), also: [next-message]}}")
        #expect(next.count(.messageRetried) > 3 && slowest(next) >= TimeSpan.seconds(59).nanoseconds)
        // A new connection is no trigger without `path`.
        var broken = once
        broken.timeline += Fixture.outage(from: 300, to: 302)
        let path = "on-path-change: reconnect, keepalive: 10s"
        let held = run(broken, "{keeps: stored, on-refusal: {\(wait)}}", ", \(path)")
        #expect(held.count(.opened) > 1 && held.count(.messageRetried) == 0 && held.sum(.pendingUp) > 3)
        let free = run(broken, "{keeps: stored, on-refusal: {\(wait), also: [path]}}", ", \(path)")
        #expect(free.count(.opened) > 1 && free.count(.messageRetried) > 0)
    }

    /// Broken: a message that broke off starts anew although the client asks for the offset, goes on behind bytes that
    /// the server lacks, or arrives twice. Or a dead connection holds it for another time than the lock.
    @Test func brokenUploadsContinue() {
        // 2 MB take about 16 s on this link; the outage comes in between.
        func world(lock: TimeSpan?) -> World {
            var world = self.world(gap: 1_000, bytes: 2_000_000) { $0.lock = lock }
            world.cellularLink.up.bitsPerSecond = 1_000_000
            world.traffic.up = .every(.seconds(60), bytes: 2_000_000, until: .zero + .seconds(61))
            world.timeline += Fixture.outage(from: 70, to: 75)
            return world
        }
        let path = ", on-path-change: reconnect"
        func queue(_ resume: String) -> String {
            "{keeps: stored, chunks: {\(resume)}, on-refusal: {retry: {base: 2s, cap: 4s}}}"
        }
        let anew = run(world(lock: nil), queue("resume: start"), path)
        let resumed = run(world(lock: nil), queue("size: 10kB, resume: offset"), path)
        #expect(anew.count(.deliveredUp) == 1 && resumed.count(.deliveredUp) == 1)
        #expect(anew.count(.uploadResumed) == 0 && anew.sum(.uploadWasted) > 300_000, "\(anew.sum(.uploadWasted))")
        #expect(resumed.sum(.uploadResumed) > 300_000 && resumed.sum(.uploadResumed) % 10_000 == 0)
        #expect(resumed.sum(.uploadWasted) < 10_000, "\(resumed.sum(.uploadWasted))")
        func time(_ run: AllRecords) -> Int64 { run.records.first { $0.kind == .deliveredUp }?.value ?? 0 }
        #expect(time(anew) - time(resumed) > TimeSpan.seconds(2).nanoseconds)

        let locked = run(world(lock: .seconds(40)), queue("size: 10kB, resume: offset"), path)
        #expect(locked.count(.messageRefused) > 3 && locked.count(.deliveredUp) == 1)
        let refusals = locked.records.filter { $0.kind == .messageRefused }
        #expect(refusals.allSatisfy { $0.tag(of: .messageRefused) == .locked })
        #expect(refusals.map(\.at).max()! < .zero + .seconds(112), "\(refusals.map(\.at).max()!)")
        #expect(refusals.map(\.at).max()! > .zero + .seconds(104), "\(refusals.map(\.at).max()!)")
        #expect(locked.sum(.uploadResumed) == resumed.sum(.uploadResumed))

        // A new upload ignores the lock and does not wait. All that the server had is wasted.
        let fresh = run(
            world(lock: .seconds(40)),
            "{keeps: stored, chunks: {size: 10kB, resume: offset}, on-refusal: {retry: {base: 2s, cap: 4s}, locked: new-upload}}",
            path)
        #expect(fresh.count(.messageRefused) == 1 && fresh.count(.deliveredUp) == 1 && fresh.count(.uploadResumed) == 0)
        #expect(fresh.sum(.uploadWasted) > 300_000 && time(fresh) < time(locked), "\(fresh.sum(.uploadWasted))")
    }
}
