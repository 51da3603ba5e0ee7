import DeadzoneBase
import DeadzoneClient
import DeadzoneTestKit
import DeadzoneTransport
import Testing

@testable import DeadzoneSimulator

/// The rules of a server without a connection: each one at its exact boundary, or beside a model.
@Suite struct ServerRulesTests {
    private static func at(_ nanoseconds: Int64) -> Instant { Instant(nanoseconds: nanoseconds) }

    // MARK: Heartbeats

    /// Broken: a mode starts other timers, is restarted by other data, or does something else when they are due.
    @Test func eachHeartbeatHasItsTimers() {
        typealias Times = [Int64?]
        let opened: [(Heartbeat.Mode, Times)] = [(.asks, [110, nil]), (.beats, [110, nil]), (.expects, [nil, 117])]
        for (mode, times) in opened {
            for afterSilence in [true, false] {
                let rule = Heartbeat(
                    mode, every: .nanoseconds(10), timeout: .nanoseconds(7), afterSilence: afterSilence)
                var state = Heartbeat.State()
                #expect(state.deadline == .never)
                rule.opened(&state, at: Self.at(100))
                #expect(state.times == times, "\(mode)")
                for isAnswer in [true, false] {
                    var heard = state
                    rule.received(isAnswer: isAnswer, &heard, at: Self.at(105))
                    let restarts = mode == .asks ? isAnswer || afterSilence : mode == .expects && isAnswer
                    let later: Times = mode == .expects ? [nil, 122] : [115, nil]
                    #expect(heard.times == (restarts ? later : times), "\(mode) \(isAnswer) \(afterSilence)")
                }
                let due = state.deadline
                #expect(rule.expire(&state, at: due - .nanoseconds(1)) == .nothing && state.deadline == due)
                let step = rule.expire(&state, at: due)
                #expect(step == (mode == .expects ? .timedOut : .send))
                let after: Times = mode == .asks ? [nil, 117] : mode == .beats ? [120, nil] : [nil, nil]
                #expect(state.times == after, "\(mode)")
                guard mode == .asks else { continue }
                #expect(rule.expire(&state, at: Self.at(116)) == .nothing)
                #expect(rule.expire(&state, at: Self.at(117)) == .timedOut && state.times == [nil, nil])
            }
        }
    }

    /// Broken: a preset has another interval, timeout, size or mode than its source.
    @Test func heartbeatPresets() {
        let table: [(Heartbeat, Heartbeat.Mode, Int64, Int64, Bool, Bool, UInt32)] = [
            (.grpc, .asks, 7_200_000, 20_000, true, false, 1), (.socketIO, .asks, 25_000, 20_000, false, true, 1),
            (.actionCable, .beats, 3_000, 20_000, false, false, 36), (.ably, .beats, 15_000, 20_000, false, true, 12),
            (.centrifugo, .asks, 25_000, 8_000, false, true, 2), (.discord, .expects, 45_000, 22_500, false, true, 1),
        ]
        for (rule, mode, interval, timeout, silence, announced, bytes) in table {
            #expect(rule.mode == mode && rule.interval == .milliseconds(interval))
            #expect(rule.timeout == .milliseconds(timeout) && rule.afterSilence == silence)
            #expect(rule.isAnnounced == announced && rule.bytes == bytes)
        }
        #expect("{\"type\":\"ping\",\"message\":1700000000}".utf8.count == 36 && "{\"action\":0}".utf8.count == 12)
    }

    // MARK: Connection limits

    /// Broken: the age is spread over another range than ±10 %, both ends included, or the idle limit runs with a
    /// stream.
    @Test func limitsHaveTheirTimes() {
        let limits = ConnectionLimits(idle: .nanoseconds(300), age: .nanoseconds(1_000), ageGrace: .nanoseconds(5))
        var seen: Set<Int64> = []
        for step in 0..<2_010 as Range<UInt64> {
            var state = ConnectionLimits.State()
            limits.opened(&state, hasStreams: true, word: step &* (.max / 2_009), at: Self.at(50))
            seen.insert(state.agedAt.nanoseconds)
            #expect(state.idleAt == .never)
        }
        #expect(seen == Set(950...1_150))
        var state = ConnectionLimits.State()
        limits.opened(&state, hasStreams: false, word: 0, at: Self.at(50))
        #expect(state.idleAt == Self.at(350) && state.agedAt == Self.at(950) && state.deadline == Self.at(350))
        limits.streamsChanged(true, &state, at: Self.at(60))
        #expect(state.deadline == Self.at(950))
        limits.streamsChanged(false, &state, at: Self.at(70))
        #expect(state.idleAt == Self.at(370))
        #expect(limits.expire(&state, at: Self.at(369)) == nil && state.idleAt == Self.at(370))
        var aged = state
        #expect(limits.expire(&state, at: Self.at(370)) == .idle && state.deadline == .never)
        #expect(limits.expire(&aged, at: Self.at(950)) == .age && aged.deadline == .never, "both are due")
        #expect(limits.grace(.age) == .nanoseconds(5) && limits.grace(.idle) == .longest)
        #expect(ConnectionLimits().grace(.age) == .longest)
        var none = ConnectionLimits.State()
        ConnectionLimits().opened(&none, hasStreams: false, word: 9, at: .zero)
        #expect(none.deadline == .never)
    }

    // MARK: Queues

    /// Broken: a queue completes an item at another time, has room too early or too late, or counts other work. Items
    /// arrive, wait without service, and are cleared at random; the model is a plain list of the times.
    @Test func aServiceQueueEqualsAList() {
        var full = 0
        seedSweep(200) { seed in
            var dice = Dice(seed: seed, phone: PhoneID(0), purpose: .test)
            func draw(_ bound: UInt64) -> Int64 { Int64(dice.next().scaled(below: bound)) }
            let capacity = seed % 5 == 0 ? nil : UInt32(draw(6))
            var queue = ServiceQueue(perSecond: 100_000_000, capacity: capacity)
            #expect(queue.serviceTime == .nanoseconds(10))
            var (now, freeAt) = (Int64(1_000), Int64(0))
            var leaving: [Int64] = []
            var work: [Range<Int64>] = []
            for _ in 0..<120 {
                now += draw(15)
                leaving.removeAll { $0 <= now }
                let hasRoom = capacity.map { leaving.count <= Int($0) } ?? true
                #expect(queue.hasCapacity(at: Self.at(now)) == hasRoom, "seed \(seed)")
                #expect(queue.serviceStart(at: Self.at(now)) == Self.at(max(freeAt, now)))
                if !hasRoom { full += 1 }
                switch draw(8) {
                case 0 where hasRoom && capacity != nil && now + 1 < freeAt:
                    // An item leaves without service only if it would have to wait longer.
                    let end = now + 1 + draw(UInt64(freeAt - now - 1))
                    queue.occupy(until: Self.at(end))
                    leaving.append(end)
                case 1:
                    if draw(4) == 0 {
                        queue.clear(at: Self.at(now))
                        work = work.filter { $0.lowerBound < now }.map { $0.lowerBound..<min($0.upperBound, now) }
                        freeAt = now
                        leaving = []
                    }
                default:
                    let (ready, extra) = (now - 20 + draw(40), draw(3))
                    let done = queue.enqueue(at: Self.at(now), ready: Self.at(ready), extra: .nanoseconds(extra))
                    let start = max(freeAt, now, ready)
                    #expect(done == (hasRoom ? Self.at(start + 10 + extra) : nil), "seed \(seed)")
                    guard hasRoom else { continue }
                    freeAt = start + 10 + extra
                    work.append(start..<freeAt)
                    leaving.append(freeAt)
                }
                // A wait for a dependency is no work, whenever the work is measured.
                for time in [now, now + draw(40), max(now, freeAt)] {
                    let done = work.reduce(0) { $0 + max(0, min($1.upperBound, time) - $1.lowerBound) }
                    #expect(queue.busyTime(by: Self.at(time)) == .nanoseconds(done), "seed \(seed)")
                }
            }
        }
        #expect(full > 1_000)
        var queue = ServiceQueue(perSecond: 100_000_000)
        _ = queue.enqueue(at: Self.at(100))
        _ = queue.enqueue(at: Self.at(100))
        #expect(
            [-5, 0, 100, 105, 119, 120, 500].map { queue.busyTime(by: Self.at($0)).nanoseconds } == [
                -100, -100, 0, 5, 19, 20, 20,
            ])
        #expect(ServiceQueue(perSecond: .max).serviceTime == .nanoseconds(1))
        #expect(ServiceQueue(perSecond: 3).serviceTime == .nanoseconds(333_333_333))
    }

    /// Broken: a limit of a slow consumer is exceeded by the value itself, or a queue counts overflowing bytes.
    @Test func slowConsumersAtTheirBoundaries() {
        var rules = SlowConsumers()
        #expect(!rules.conflates)
        rules.conflatesAbove = 100
        #expect(rules.conflates)
        rules.keys = 2
        rules.closesAbove = 200
        rules.closesAfter = .nanoseconds(30)
        var queue = SlowConsumers.Queue()
        queue.update(0..<3, adding: 100, removing: 0)
        #expect(rules.changed(&queue, at: Self.at(1)) == nil && rules.deadline(queue) == .never)
        queue.update(0..<3, adding: 1, removing: 0)
        #expect(rules.changed(&queue, at: Self.at(2)) == 1)
        queue.update(1..<3, adding: 99, removing: 0)
        #expect(rules.changed(&queue, at: Self.at(3)) == nil && rules.deadline(queue) == .never && queue.bytes == 200)
        queue.update(1..<4, adding: 1, removing: 0)
        #expect(rules.changed(&queue, at: Self.at(4)) == 2 && rules.deadline(queue) == Self.at(34))
        #expect(rules.changed(&queue, at: Self.at(9)) == 2 && rules.deadline(queue) == Self.at(34))
        queue.update(2..<4, adding: 0, removing: 1)
        #expect(rules.changed(&queue, at: Self.at(10)) == nil && rules.deadline(queue) == .never)
        #expect(queue.peakBytes == 201)
        // Below the limit it conflates until nothing waits.
        queue.update(2..<5, adding: 0, removing: 150)
        #expect(rules.changed(&queue, at: Self.at(11)) == 3 && queue.bytes == 50)
        queue.update(5..<5, adding: 7, removing: 0)
        #expect(rules.changed(&queue, at: Self.at(12)) == nil && queue.bytes == 0)
        queue.update(5..<9, adding: 10, removing: 0)
        #expect(rules.changed(&queue, at: Self.at(13)) == nil)
        queue.update(5..<9, adding: .max, removing: 3)
        #expect(queue.bytes == .max - 3 && queue.peakBytes == .max - 3)
        queue.update(5..<9, adding: 0, removing: .max)
        #expect(queue.bytes == 3 || queue.bytes == 0)
        queue.restart()
        #expect(queue.first == 0 && queue.end == 0 && queue.bytes == 0 && queue.peakBytes == .max - 3)
    }

    // MARK: Deduplication

    /// Broken: the memory differs by one key, bit or byte at a boundary.
    @Test func dedupMemoryAtItsBoundaries() {
        #expect([1, 8, 9, 64, 65].map { Dedup.bitmap(window: $0).bytes } == [9, 9, 10, 16, 17])
        #expect([1, 64, 65, 128, 129].map { Dedup.bitmap(window: $0).words } == [1, 1, 2, 2, 3])
        #expect([1, 8, 9].map { Dedup.bloom(bits: $0, hashes: 1, keys: nil).bytes } == [1, 1, 2])
        #expect([64, 65].map { Dedup.bloom(bits: $0, hashes: 1, keys: nil).words } == [1, 2])
        #expect([1, 2, 3].map { Dedup.set(window: $0).words } == [1, 1, 2])
        #expect(Dedup.lasting(window: 9, time: .zero).words == 128)
        // At most three quarters of the slots are used.
        #expect([0, 1, 2, 3, 4, 6, 7, 12, 13].map { Dedup.slots(for: $0) } == [2, 2, 4, 4, 8, 8, 16, 16, 32])
        let lasting = Dedup.lasting(window: 3, time: .seconds(1))
        #expect([0, 3, 4].map { lasting.bytes(holding: $0) } == [96, 96, 193])
        #expect(Dedup.set(window: 3).bytes(holding: 99) == 64 && Dedup.bitmap(window: 8).bytes(holding: 99) == 9)
    }

    /// Broken: a bitmap differs from a plain set of numbers at the edge of its window, after a jump of any length.
    @Test(arguments: [1, 5, 64, 65] as [UInt32])
    func aBitmapEqualsASet(window: UInt32) {
        seedSweep(60) { seed in
            var dice = Dice(seed: seed, phone: PhoneID(1), purpose: .test)
            let rules = Dedup.bitmap(window: window)
            var (memory, next, seen) = (DedupMemory(), UInt32(0), Set<UInt32>())
            var words = UnsafeMutableBufferPointer<UInt64>.allocate(capacity: rules.words)
            words.initialize(repeating: 0)
            defer { words.deallocate() }
            for step in 0..<200 {
                let far = step % 10 == 0 ? window * 2 : window + 2
                let low = next - min(next, window + 1)
                let key = low + UInt32(dice.next().scaled(below: UInt64(far) + 1))
                let isNew = key >= next || (next - key <= window && !seen.contains(key))
                #expect(memory.admits(key, rules, at: .zero, salt: 0, &words) == isNew, "seed \(seed), key \(key)")
                seen.insert(key)
                next = max(next, key + 1)
            }
        }
    }

    /// Broken: a set forgets another key than the oldest, or its counter wraps wrongly.
    @Test(arguments: [1, 2, 3, 10] as [UInt32])
    func aSetEqualsAList(window: UInt32) {
        seedSweep(60) { seed in
            var dice = Dice(seed: seed, phone: PhoneID(2), purpose: .test)
            let rules = Dedup.set(window: window)
            var (memory, kept) = (DedupMemory(), [UInt32]())
            var words = UnsafeMutableBufferPointer<UInt64>.allocate(capacity: rules.words)
            words.initialize(repeating: 0)
            defer { words.deallocate() }
            for _ in 0..<200 {
                let key = 1 + UInt32(dice.next().scaled(below: UInt64(window) * 3))
                let isNew = !kept.contains(key)
                #expect(memory.admits(key, rules, at: .zero, salt: 0, &words) == isNew, "seed \(seed)")
                if isNew { kept = (kept + [key]).suffix(Int(window)) }
                #expect(min(memory.count, window) == UInt32(kept.count))
            }
        }
    }

    /// Broken: a full Bloom filter is emptied one key too early or too late, or forgets to count its first key.
    @Test func aBloomFilterIsEmptiedWhenItIsFull() {
        let rules = Dedup.bloom(bits: 100_000, hashes: 4, keys: 3)
        var memory = DedupMemory()
        var words = UnsafeMutableBufferPointer<UInt64>.allocate(capacity: rules.words)
        words.initialize(repeating: 0)
        defer { words.deallocate() }
        func admits(_ key: UInt32) -> Bool { memory.admits(key, rules, at: .zero, salt: 5, &words) }
        #expect([1, 2, 2].map(admits) == [true, true, false] && memory.count == 2)
        #expect(words.reduce(0) { $0 + $1.nonzeroBitCount } == 8)
        #expect(admits(3) && memory.count == 3)
        #expect(admits(1) && memory.count == 1, "the filter was emptied")
        #expect(words.reduce(0) { $0 + $1.nonzeroBitCount } == 4)
    }

    // MARK: History

    /// Broken: a message is kept for one message or one nanosecond too many or too few.
    @Test func aHistoryAtItsBoundaries() {
        var history = History()
        history.time = .seconds(9)
        #expect(history.keeps(age: .seconds(9), newer: .max))
        #expect(!history.keeps(age: .seconds(9) + .nanoseconds(1), newer: 0))
        history.messages = 0
        #expect(!history.keeps(age: .zero, newer: 0))
        var rules = SessionRules()
        #expect(rules.isKnown(left: .zero, at: .never))
        rules.window = .seconds(4)
        #expect(rules.isKnown(left: .never, at: .never) && rules.isKnown(left: .zero, at: .zero + .seconds(4)))
        #expect(!rules.isKnown(left: .zero, at: .zero + .seconds(4) + .nanoseconds(1)))
    }

    /// Broken: the limits of the history keep another message than the rules say, in a run beside a plain list of the
    /// times of all messages.
    @Test func aHistoryEqualsAList() {
        for (messages, seconds) in [(nil, nil), (3, nil), (nil, 4), (3, 4), (5, 2)] as [(UInt32?, Int64?)] {
            for action in History.ExpiredCursorAction.allCases {
                let bench = ServerBench(.everySecond) {
                    $0.history.messages = messages
                    $0.history.time = seconds.map { .seconds($0) }
                    $0.history.expiredCursorAction = action
                    $0.history.replay = 2
                }
                for second in 1...10 as ClosedRange<Int64> {
                    bench.now = .zero + .seconds(second)
                    bench.write()
                    let written = UInt32(second)
                    // Message n is written n + 1 seconds after the start.
                    let oldest = (0..<written).first { index in
                        let isRecent = messages.map { written - index - 1 < $0 } ?? true
                        return isRecent && seconds.map { second - Int64(index) - 1 <= $0 } ?? true
                    }
                    for cursor in 0...written {
                        let first = oldest ?? written
                        let expected = cursor >= first ? cursor : action == .snapshot ? nil : first
                        #expect(bench.position(of: cursor) == expected, "\(messages ?? 0) \(seconds ?? 0) at \(second)")
                    }
                    let fresh = bench.server.resumePosition(for: .fresh, bench.introduction, at: bench.now)
                    #expect(fresh == max(oldest ?? written, written - min(2, written)))
                    #expect(bench.server.resumePosition(for: .snapshot, bench.introduction, at: bench.now) == nil)
                }
            }
        }
    }
}

extension Heartbeat.State {
    fileprivate var times: [Int64?] {
        [nextBeatAt, timeoutAt].map { $0 == .never ? nil : $0.nanoseconds }
    }
}
