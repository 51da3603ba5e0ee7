import DeadzoneClient
import DeadzonePrimitives
import DeadzoneStrategies
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

    /// Broken: the switch of context delays each callback and holds up no other. So with n writes that may be pending, n go with each
    /// hop: of k written in one moment, the last is handed over after (k - 1) / n hops, whole ones; its callback comes one later.
    /// Off, all go at once and none is called back. One callback for each write, and never more pending than may be.
    @Test(arguments: [(1, 7), (2, 7), (3, 7), (7, 7), (16, 100), (17, 100), (100, 100), (900, 1_000)])
    func writesAsManyInEachHopAsMayBePending(pending: Int, writes: Int) {
        for isEnabled in [true, false] {
            var lane = ManualLane.open([
                "flow": ["enabled": .text("\(isEnabled)"), "hop": "5ms", "pending": .text("\(pending)")]
            ])
            var actions: [Action] = []
            for index in 0..<UInt32(writes) {
                lane.session.produced = Cursor(index + 1)
                actions += lane.tell(.wantsToSend(Message(index: index, bytes: 100)))
            }
            var count = sent(actions)
            #expect(count == (isEnabled ? min(pending, writes) : writes))
            var hops = 0
            while count < writes {
                let before = count
                actions += lane.advance(by: .microseconds(4_999))
                #expect(sent(actions) == before)
                actions += lane.advance(by: .microseconds(1))
                hops += 1
                count = sent(actions)
            }
            #expect(hops == (isEnabled ? (writes - 1) / pending : 0))
            actions += lane.advance(by: .milliseconds(5))
            #expect(calledBack(actions) == (isEnabled ? writes : 0))
            let most = actions.compactMap { if case .wrote(let pending) = $0 { Int(pending) } else { nil } }.max()
            #expect(most == (isEnabled ? min(pending, writes) : nil))
        }
    }

    /// Broken: callbacks of writes at different moments, each a hop after its own; where more may be pending than there are places,
    /// up to a fifteenth of a hop early, and never late.
    @Test(arguments: [(16, 0 as Int64), (1_000, 1_000)])
    func eachWriteHasItsOwnHop(pending: Int, early: Int64) {
        var lane = ManualLane.open(["flow": ["hop": "15ms", "pending": .text("\(pending)")]])
        var due: [Instant] = []
        var called: [Instant] = []
        for index in 0..<1_000 as Range<UInt32> {
            lane.session.produced = Cursor(index + 1)
            let actions = lane.tell(.wantsToSend(Message(index: index, bytes: 100)))
            called += Array(repeating: lane.session.now, count: calledBack(actions))
            due += Array(repeating: lane.session.now + .milliseconds(15), count: sent(actions))
            #expect(sent(actions) == 1)
            for _ in 0..<10 {
                let actions = lane.advance(by: .microseconds(100))
                called += Array(repeating: lane.session.now, count: calledBack(actions))
            }
        }
        #expect(called.count > 900)
        for (due, called) in zip(due, called) { #expect(called <= due && due - called <= .microseconds(early)) }
    }

    /// Broken: a small message that waits for its callback, and one too many beside it; what waits for its turn is taken for large.
    @Test(
        arguments: [("1", "0B", [1, 2, 3]), ("2", "0B", [2, 3, 3]), ("1", "1KiB", [3, 3, 3])]
            as [(String, String, [Int])])
    func smallOnesAreCalledBackAtOnce(pending: String, small: String, written: [Int]) {
        var lane = ManualLane.open(["flow": ["hop": "1ms", "pending": .text(pending), "small": .text(small)]])
        var count = 0
        for index in 0..<3 as Range<UInt32> {
            lane.session.produced = Cursor(index + 1)
            count += sent(lane.tell(.wantsToSend(Message(index: index, bytes: 100))))
        }
        var seen = [count]
        for _ in 0..<2 {
            count += sent(lane.advance(by: .milliseconds(1)))
            seen.append(count)
        }
        #expect(seen == written)
    }

    /// Broken: the switch of L49 is off unless it is on, and then it is for both directions; finer settings beside it.
    @Test func oneSwitchForBothDirections() {
        let table: [(Setting, UInt32?)] = [
            ([:], nil), (["flow": "disabled"], nil), (["flow": ["enabled": "false"]], nil),
            (["flow": "enabled"], 1), (["flow": ["pending": "2"]], 1), (["flow": ["asks": "freely"]], nil),
            (["flow": ["asks": ["first": "8"]]], 8), (["flow": "enabled", "intake": ["read-ahead": "3"]], 3),
            (["intake": ["read-ahead": "3"]], 3),
        ]
        for (settings, first) in table {
            let intake = ManualLane(settings).strategy.intake
            #expect(intake.asks?.first == first && intake.stopsReading == (first != nil))
        }
    }

    /// Broken: an app that asks when its script says so: what it asks for at once, and later; not what a process before it had asked.
    @Test func asksByItsScript() {
        let asks: Setting = ["script": [["at": "5s", "ask": "2"], ["at": "0s", "ask": "3"], ["at": "5s"]]]
        var lane = ManualLane(["flow": ["asks": asks]])
        var asked: [UInt32] = []
        func note(_ actions: [Action]) { for case .ask(let count) in actions { asked.append(count) } }
        note(lane.tell(.started))
        #expect(asked == [3])
        note(lane.advance(by: .seconds(10)))
        #expect(asked == [3, 3])
        note(lane.tell(.started) + lane.advance(by: .seconds(10)))
        #expect(asked == [3, 3])
    }

    /// Broken: Kotlin's fuse rule: what drops replaces what stands before it, what suspends adds to it.
    @Test func buffersFuseAsKotlinsFlowsDo() {
        typealias Buffer = Intake.Buffer
        let table: [([Buffer], UInt32, Intake.Overflow)] = [
            ([Buffer(64, .dropOldest), .conflated], 1, .dropOldest), ([.conflated, Buffer(64)], 64, .dropOldest),
            ([Buffer(10), Buffer(20)], 30, .suspend), ([Buffer(10, .dropLatest), Buffer(20)], 30, .dropLatest),
            ([Buffer(10), Buffer(20, .dropLatest)], 20, .dropLatest), ([.unlimited, Buffer(5)], .max, .suspend),
            ([Buffer(5, .dropOldest), .unlimited], .max, .dropOldest), ([.unlimited, .conflated], 1, .dropOldest),
        ]
        for (buffers, places, overflow) in table {
            let fused = buffers.dropFirst().reduce(buffers[0]) { $0.fused(with: $1) }
            #expect(fused.places == places && fused.overflow == overflow, "\(buffers)")
        }
    }
}
