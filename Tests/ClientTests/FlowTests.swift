import DeadzoneClient
import DeadzonePrimitives
import DeadzoneTestKit
import Testing

@Suite struct FlowTests {
    private func flow(_ isEnabled: Bool) -> MessageFlow { MessageFlow(isEnabled: isEnabled, slot: TimerSlot(11)) }

    /// Broken: H7.3, writes: k without waiting are k callbacks in order; off, none.
    @Test(arguments: [(0, true), (1, true), (7, true), (7, false)])
    func callsBackForEachWrite(writes: Int, isEnabled: Bool) {
        let flow = flow(isEnabled)
        var state = MessageFlow.State()
        var lane = ManualLane.open([:])
        var callbacks = 0
        for _ in 0..<writes where flow.wrote(bytes: 100, &state, &lane.session) { callbacks += 1 }
        #expect(callbacks == 0 && state.unanswered == (isEnabled ? UInt32(writes) : 0))
        while lane.session.isArmed(flow.slot) {
            lane.session.now = lane.session.timers[flow.slot].at
            lane.session.disarm(flow.slot)
            if flow.fired(&state, &lane.session) { callbacks += 1 }
        }
        #expect(callbacks == (isEnabled ? writes : 0) && state.unanswered == 0)
        #expect(lane.session.now == Instant.zero + .microseconds(50) * Int64(callbacks))
    }

    /// Broken: H7.3, reads: c asked for, m come: min(c, m) are given, whichever is first; off, m. `receiveNextMessages(n)` is n
    /// times `receiveNextMessage`.
    @Test func givesWhatIsAskedFor() {
        var held = 0
        withEvery { choices in
            let isEnabled = choices.flag()
            let flow = flow(isEnabled)
            var state = MessageFlow.State()
            var (asked, come, given) = (0, 0, 0)
            for isAsking in choices.sequence(of: [true, false], upTo: 6) {
                if isAsking {
                    let count = choices.number(below: 3)
                    asked += count
                    if choices.flag() {
                        given += Int(flow.receiveNext(UInt32(count), &state))
                    } else {
                        for _ in 0..<count { given += Int(flow.receiveNext(1, &state)) }
                    }
                } else {
                    come += 1
                    given += Int(flow.arrived(1, &state))
                }
            }
            try #require(given == (isEnabled ? min(asked, come) : come))
            if isEnabled && come > asked { held += 1 }
        }
        #expect(held > 0)
    }

    /// Broken: an obedient app with more than one write without its callback; a small message that waits for it.
    @Test(arguments: [("1", "0B", [1, 2, 3]), ("2", "0B", [2, 3, 3]), ("1", "1KiB", [3, 3, 3])])
    func writesAtThePaceOfTheCallbacks(pending: String, small: String, written: [Int]) {
        var lane = ManualLane.open(["flow": ["hop": "1ms", "pending": .text(pending), "small": .text(small)]])
        var count = 0
        func sends(_ actions: [Action]) -> Int {
            actions.count { if case .send = $0 { true } else { false } }
        }
        for index in 0..<3 as Range<UInt32> {
            lane.session.produced = Cursor(index + 1)
            count += sends(lane.tell(.wantsToSend(Message(index: index, bytes: 100))))
        }
        var seen = [count]
        for _ in 0..<2 {
            count += sends(lane.advance(by: .milliseconds(1)))
            seen.append(count)
        }
        #expect(seen == written)
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
