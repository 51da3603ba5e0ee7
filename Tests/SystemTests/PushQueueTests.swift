import DeadzoneBase
@testable import DeadzoneSimulator
import DeadzoneTestKit
import Testing

/// A plain list of stored pushes with the rules of `PushQueue`, written without regard to memory.
private struct PlainPushQueue {
    struct Push: Equatable {
        var key: UInt32
        var expiresAt: Instant
        var isUrgent: Bool
        var isNotice = false
        var isOnItsWay = false
    }

    let rules: PushLimits
    var pushes: [Push] = []

    mutating func add(_ push: Push) -> (collapsed: Int, discarded: Int) {
        let stored = pushes.indices.filter { !pushes[$0].isOnItsWay }
        if push.key != 0 {
            if let same = stored.first(where: { pushes[$0].key == push.key }) {
                pushes[same].isUrgent = pushes[same].isUrgent || push.isUrgent
                pushes[same].expiresAt = push.expiresAt
                return (1, 0)
            }
            let keyed = stored.filter { pushes[$0].key != 0 }
            if keyed.count >= rules.keys { pushes.remove(at: keyed[0]) }
            pushes.append(push)
            return (0, keyed.count >= rules.keys ? 1 : 0)
        }
        if stored.contains(where: { pushes[$0].isNotice }) { return (0, 1) }
        guard stored.filter({ pushes[$0].key == 0 }).count >= rules.pending else {
            pushes.append(push)
            return (0, 0)
        }
        let isUrgent = push.isUrgent || stored.contains { pushes[$0].isUrgent }
        pushes.removeAll { !$0.isOnItsWay }
        pushes.append(Push(key: 0, expiresAt: .never, isUrgent: isUrgent, isNotice: true))
        return (0, stored.count + 1)
    }

    mutating func expire(at now: Instant) -> Int {
        let before = pushes.count
        pushes.removeAll { !$0.isOnItsWay && !$0.isNotice && $0.expiresAt < now }
        return before - pushes.count
    }
}

@Suite struct PushQueueTests {
    private func rules(limit: UInt16, keys: UInt8) -> PushLimits {
        PushLimits(pending: limit, keys: keys)
    }

    /// Runs `body` with the memory of an empty queue.
    private func withQueue(_ rules: PushLimits, _ body: (PushQueueMemory) throws -> Void) rethrows {
        let arena = Arena(bytes: 1 << 16)
        let memory = PushQueueMemory(rules, in: arena.allocator)
        memory.queue.initialize(to: PushQueue())
        try body(memory)
    }

    /// Broken: a push replaces one with another key, a limit counts pushes on their way, a discarded push survives, the
    /// notice expires or is counted, or a push expires that is on its way.
    @Test func aQueueFollowsItsPlainRules() {
        var totals = (collapsed: 0, discarded: 0, expired: 0, lost: 0)
        seedSweep(200) { seed in
            var dice = Dice(seed: seed, phone: PhoneID(0), purpose: .test)
            func below(_ bound: Int) -> Int { Int(dice.next().scaled(below: UInt64(bound))) }
            let rules = rules(limit: UInt16(1 + below(6)), keys: UInt8(1 + below(3)))
            withQueue(rules) { memory in
                var plain = PlainPushQueue(rules: rules)
                var now = Instant.zero
                for _ in 0..<60 {
                    now += .seconds(Int64(below(20)))
                    let expired = plain.expire(at: now)
                    #expect(memory.expire(at: now) == expired)
                    totals.expired += expired
                    switch below(6) {
                    case 0:
                        let sent = memory.sendNext()
                        let next = plain.pushes.firstIndex { !$0.isOnItsWay }
                        #expect((sent == nil) == (next == nil))
                        if let next, let sent {
                            plain.pushes[next].isOnItsWay = true
                            #expect(sent.isUrgent == plain.pushes[next].isUrgent)
                            if below(2) == 0 {
                                memory.lose(sent.number, at: now)
                                plain.pushes[next].isOnItsWay = false
                                totals.lost += 1
                                #expect(memory.queue.pointee.due(after: now) > now)
                            }
                        }
                    default:
                        let (key, isUrgent, life) = (
                            UInt32(below(6)), below(2) == 0, TimeSpan.seconds(Int64(below(90)))
                        )
                        let dropped = memory.add(
                            StoredPush(key: key, isUrgent: isUrgent, timeToLive: life, at: now))
                        let expected = plain.add(.init(key: key, expiresAt: now + life, isUrgent: isUrgent))
                        #expect((dropped?.reason == .pushCollapsed ? dropped?.count ?? 0 : 0) == expected.collapsed)
                        #expect((dropped?.reason == .pushDiscarded ? dropped?.count ?? 0 : 0) == expected.discarded)
                        totals.collapsed += expected.collapsed
                        totals.discarded += expected.discarded
                    }
                    let seen = (0..<memory.queue.pointee.count).map {
                        PlainPushQueue.Push(
                            key: 0, expiresAt: memory[$0].expiresAt, isUrgent: memory[$0].isUrgent,
                            isNotice: memory[$0].isNotice, isOnItsWay: memory[$0].stage == .onItsWay)
                    }
                    let known = plain.pushes.map { push in
                        var push = push
                        push.key = 0
                        return push
                    }
                    #expect(seen == known)
                    if seen != known { return }
                }
            }
        }
        #expect(totals.collapsed > 500 && totals.discarded > 500 && totals.expired > 100 && totals.lost > 50)
    }

    /// Broken: a push that is lost on its way is never sent again, or not after 1 s, 2 s, 4 s and so on, up to a
    /// minute.
    @Test func lostPushesAreRepeated() throws {
        try withQueue(PushLimits(pending: 100, keys: 4)) { memory in
            for _ in 0..<2 {
                let push = StoredPush(key: 0, isUrgent: true, timeToLive: .hours(1), at: .zero)
                _ = memory.add(push)
            }
            var now = Instant.zero
            #expect(memory.queue.pointee.due(after: now) == .never)
            for seconds in [1, 2, 4, 8, 16, 32, 60, 60] as [Int64] {
                let push = try #require(memory.sendNext())
                #expect(push.number == 1 && memory.queue.pointee.due(after: now) == .never)
                memory.lose(push.number, at: now)
                let due = now + .seconds(seconds)
                #expect(memory.queue.pointee.due(after: now) == due)
                #expect(memory.queue.pointee.due(after: due - .nanoseconds(1)) == due)
                #expect(memory.queue.pointee.due(after: due) == .never)
                // A second loss before the repeat does not postpone it.
                memory.queue.pointee.scheduleRepeat(at: now + .milliseconds(500))
                #expect(memory.queue.pointee.due(after: now) == due)
                now = due
            }
            // A push that arrives ends the long waits.
            let first = try #require(memory.sendNext())
            memory.arrive(first.number, at: now)
            let second = try #require(memory.sendNext())
            #expect(second.number == 2)
            memory.lose(second.number, at: now)
            #expect(memory.queue.pointee.due(after: now) == now + .seconds(1))
        }
    }

    @Test("A push that arrives is passed on once, even if its time to live was over on its way")
    func arrival() {
        withQueue(PushLimits(pending: 100, keys: 4)) { memory in
            _ = memory.add(StoredPush(key: 0, isUrgent: true, timeToLive: .zero, at: .zero))
            let push = memory.sendNext()
            let later = Instant.zero + .milliseconds(50)
            #expect(memory.expire(at: later) == 0)
            memory.arrive(push?.number ?? 0, at: later)
            #expect(memory.expire(at: later) == 0 && memory[0].stage == .atPhone)
            #expect(memory.expire(at: later + .nanoseconds(1)) == 1 && memory.queue.pointee.count == 0)
        }
    }
}
