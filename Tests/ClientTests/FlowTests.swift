import DeadzoneBase
import DeadzoneClient
import DeadzoneTestKit
import Testing

@Suite struct FlowTests {
    private func sent(_ actions: [Action]) -> Int {
        actions.reduce(0) {
            if case .send(_, let from, let upTo) = $1 { $0 + Int(upTo.position - from.position) } else { $0 }
        }
    }

    private func calledBack(_ actions: [Action]) -> Int {
        actions.reduce(0) { if case .calledBack(let count) = $1 { $0 + Int(count) } else { $0 } }
    }

    /// Broken: the number of writes in each callback delay is wrong. The context switch delays each callback and
    /// blocks no other one. If n writes may be pending, n are sent in each callback delay. Of k writes made at the
    /// same time, the last is sent after the integer quotient (k - 1) / n of delays; its callback comes one delay
    /// later. If the setting is off, all are sent at once and none has a callback. Each write has one callback, and
    /// never more are pending than allowed.
    @Test(arguments: [(1, 7), (2, 7), (3, 7), (7, 7), (16, 100), (17, 100), (100, 100), (900, 1_000)])
    func sendsAsManyPerDelayAsMayBePending(pending: Int, writes: Int) {
        for isEnabled in [true, false] {
            var phone = StrategyHarness.open([
                "flow": ["enabled": .text("\(isEnabled)"), "hop": "5ms", "pending": .text("\(pending)")]
            ])
            var actions: [Action] = []
            for index in 0..<UInt32(writes) {
                phone.session.produced = Cursor(index + 1)
                actions += phone.send(.wantsToSend(Message(index: index, bytes: 100)))
            }
            var count = sent(actions)
            #expect(count == (isEnabled ? min(pending, writes) : writes))
            var hops = 0
            while count < writes {
                let before = count
                actions += phone.advance(by: .microseconds(4_999))
                #expect(sent(actions) == before)
                actions += phone.advance(by: .microseconds(1))
                hops += 1
                count = sent(actions)
            }
            #expect(hops == (isEnabled ? (writes - 1) / pending : 0))
            actions += phone.advance(by: .milliseconds(5))
            #expect(calledBack(actions) == (isEnabled ? writes : 0))
            let most = actions.compactMap { if case .wrote(let pending) = $0 { Int(pending) } else { nil } }.max()
            #expect(most == (isEnabled ? min(pending, writes) : nil))
        }
    }

    /// Broken: writes at different times do not each have their callback one delay after their own write. If more may
    /// be pending than there are slots, a callback may be up to a fifteenth of the delay early, and never late.
    @Test(arguments: [(16, 0 as Int64), (1_000, 1_000)])
    func eachWriteHasItsOwnDelay(pending: Int, early: Int64) {
        var phone = StrategyHarness.open(["flow": ["hop": "15ms", "pending": .text("\(pending)")]])
        var due: [Instant] = []
        var called: [Instant] = []
        for index in 0..<1_000 as Range<UInt32> {
            phone.session.produced = Cursor(index + 1)
            let actions = phone.send(.wantsToSend(Message(index: index, bytes: 100)))
            called += Array(repeating: phone.session.now, count: calledBack(actions))
            due += Array(repeating: phone.session.now + .milliseconds(15), count: sent(actions))
            #expect(sent(actions) == 1)
            for _ in 0..<10 {
                let actions = phone.advance(by: .microseconds(100))
                called += Array(repeating: phone.session.now, count: calledBack(actions))
            }
        }
        #expect(called.count > 900)
        for (due, called) in zip(due, called) { #expect(called <= due && due - called <= .microseconds(early)) }
    }

    /// Broken: a small message waits for its callback, or lets one write too many through. Or a message that waits
    /// for its turn is treated as large.
    @Test(
        arguments: [("1", "0B", [1, 2, 3]), ("2", "0B", [2, 3, 3]), ("1", "1KiB", [3, 3, 3])]
            as [(String, String, [Int])])
    func smallWritesAreCalledBackAtOnce(pending: String, small: String, written: [Int]) {
        var phone = StrategyHarness.open(["flow": ["hop": "1ms", "pending": .text(pending), "small": .text(small)]])
        var count = 0
        for index in 0..<3 as Range<UInt32> {
            phone.session.produced = Cursor(index + 1)
            count += sent(phone.send(.wantsToSend(Message(index: index, bytes: 100))))
        }
        var seen = [count]
        for _ in 0..<2 {
            count += sent(phone.advance(by: .milliseconds(1)))
            seen.append(count)
        }
        #expect(seen == written)
    }

    /// Broken: the switch of gRFC L49 is on by default, or covers only one direction. Finer settings work beside it.
    @Test func oneSwitchForBothDirections() {
        let table: [(Setting, UInt32?)] = [
            ([:], nil), (["flow": "disabled"], nil), (["flow": ["enabled": "false"]], nil),
            (["flow": "enabled"], 1), (["flow": ["pending": "2"]], 1), (["flow": ["asks": "freely"]], nil),
            (["flow": ["asks": ["first": "8"]]], 8), (["flow": "enabled", "intake": ["read-ahead": "3"]], 3),
            (["intake": ["read-ahead": "3"]], 3),
        ]
        for (settings, first) in table {
            let intake = StrategyHarness(settings).strategy.receivePolicy
            #expect(intake.demand?.initial == first && intake.stopsReading == (first != nil))
        }
    }

    /// Broken: the app does not request messages at the times of its script, now and later. Or a restarted process
    /// repeats the requests of the process before it.
    @Test func requestsByItsScript() {
        let asks: Setting = ["script": [["at": "5s", "ask": "2"], ["at": "0s", "ask": "3"], ["at": "5s"]]]
        var phone = StrategyHarness(["flow": ["asks": asks]])
        var asked: [UInt32] = []
        func note(_ actions: [Action]) { for case .requestMessages(let count) in actions { asked.append(count) } }
        note(phone.send(.started))
        #expect(asked == [3])
        note(phone.advance(by: .seconds(10)))
        #expect(asked == [3, 3])
        note(phone.send(.started) + phone.advance(by: .seconds(10)))
        #expect(asked == [3, 3])
    }

    /// Broken: Kotlin's rule for fusing buffers. A buffer that drops replaces the buffers before it; a buffer that
    /// suspends adds to them.
    @Test func buffersFuseAsKotlinsFlowsDo() {
        typealias Buffer = ReceivePolicy.Buffer
        let table: [([Buffer], UInt32, ReceivePolicy.BufferOverflow)] = [
            ([Buffer(64, .dropOldest), .conflated], 1, .dropOldest), ([.conflated, Buffer(64)], 64, .dropOldest),
            ([Buffer(10), Buffer(20)], 30, .suspend), ([Buffer(10, .dropLatest), Buffer(20)], 30, .dropLatest),
            ([Buffer(10), Buffer(20, .dropLatest)], 20, .dropLatest), ([.unlimited, Buffer(5)], .max, .suspend),
            ([Buffer(5, .dropOldest), .unlimited], .max, .dropOldest), ([.unlimited, .conflated], 1, .dropOldest),
        ]
        for (buffers, places, overflow) in table {
            let fused = buffers.dropFirst().reduce(buffers[0]) { $0.fused(with: $1) }
            #expect(fused.slotCount == places && fused.overflow == overflow, "\(buffers)")
        }
    }
}
