import DeadzoneBase
import DeadzoneClient
import DeadzoneTestKit
import Testing

@testable import DeadzoneSimulator
@testable import DeadzoneTransport

/// The app's calls: the window of the latest 64, their outcomes, and what the journal counts.
@Suite struct CallTests {
    // MARK: The window

    /// Broken: a call is open too long or too short, its time is another, or a visit is counted for another call. Or
    /// the window does not begin with its oldest open call. Calls are added, sent, visited and closed at random; the
    /// model keeps one entry for each call.
    @Test func theWindowEqualsAList() {
        struct Entry {
            var isOpen = true
            var isSent = false
            var visits: UInt64 = 0
        }
        var evicted = 0
        seedSweep(20) { seed in
            var dice = Dice(seed: seed, phone: PhoneID(0), purpose: .test)
            let plan = TrafficPlan(.everySecond, seed: 1)
            let schedule = plan.callSchedule!
            var window = OpenCallWindow(schedule)
            var model: [Entry] = []
            var reported = 0
            for _ in 0..<400 {
                let call = model.isEmpty ? 0 : Int(dice.next().scaled(below: UInt64(min(model.count, 70))))
                let index = model.count - 1 - call
                switch dice.next().scaled(below: 8) {
                case 0...3:
                    let oldest = model.firstIndex { $0.isOpen }
                    let isFull = oldest.map { model.count - $0 == 64 } ?? false
                    #expect(window.oldestToEvict() == (isFull ? oldest.map(UInt32.init) : nil), "seed \(seed)")
                    if isFull, let oldest {
                        _ = window.close(UInt32(oldest), schedule)
                        model[oldest].isOpen = false
                        evicted += 1
                    }
                    window.add(schedule)
                    model.append(Entry())
                case 4 where index >= 0 && model[index].isOpen:
                    #expect(window.close(UInt32(index), schedule) == .zero + .seconds(Int64(index + 1)))
                    model[index].isOpen = false
                case 5 where index >= 0 && model[index].isOpen:
                    #expect(window.markSent(UInt32(index)) == model[index].isSent)
                    model[index].isSent = true
                case 6 where index >= 0:
                    let count = model[index].isOpen ? model[index].visits : 0
                    #expect(window.countVisit(UInt32(index)) == count, "seed \(seed)")
                    if model[index].isOpen { model[index].visits = min(count + 1, 7) }
                case 7:
                    let next = model.indices.dropFirst(reported).first { model[$0].isOpen }
                    #expect(window.hasUnreported == (reported < model.count))
                    #expect(window.nextUnreported() == next.map(UInt32.init))
                    reported = next.map { $0 + 1 } ?? model.count
                default: break
                }
                #expect(window.openCount == model.count { $0.isOpen })
                let isEqual = model.indices.suffix(70).allSatisfy { window.isOpen(UInt32($0)) == model[$0].isOpen }
                #expect(isEqual, "seed \(seed)")
                #expect(!window.isOpen(UInt32(model.count)) && window.nextCall.index == UInt32(model.count))
                let oldest = model.indices.first { model[$0].isOpen && $0 < reported }
                #expect(window.oldestReported == oldest.map(UInt32.init), "seed \(seed)")
                let first = model.firstIndex { $0.isOpen } ?? model.count
                #expect(window.firstIndex == UInt32(first) && window.first.index == UInt32(first), "seed \(seed)")
            }
        }
        #expect(evicted > 5)
    }

    // MARK: Outcomes

    /// Broken: a call fails with another time or status, or a period of failures begins or ends at another moment.
    @Test func anOutageLastsFromTheFirstFailureToTheNextAnswer() {
        let bench = PhoneEndBench()
        bench.open(Transport(.http2))
        #expect(bench.taking { bench.addCalls(2) } == ["called 0", "called 1"])
        bench.now = .zero + .seconds(5)
        for (call, failure) in [(0, CallFailure.deadlineExceeded), (1, .permissionDenied)] as [(UInt32, CallFailure)] {
            let lines = bench.taking { bench.act { $0.abandon(call: call, failure, at: $2, &$4) } }
            #expect(lines == ["callFailed \(CallCode(failure).name) \((4 - Int(call)) * 1_000_000_000)"])
        }
        #expect(bench.taking { bench.act { $0.abandon(call: 0, .unavailable, at: $2, &$4) } }.isEmpty)
        bench.addCalls(1)
        bench.call(2)
        bench.now = .zero + .seconds(9)
        // The first failed call was made at 1 s, the answered one at 3 s.
        #expect(
            bench.taking { bench.read(.answer, 2) } == [
                "answered 6000000000", "callOutage 2 8000000000", "answered 0 2",
            ])
        bench.now = .zero + .seconds(12)
        bench.addCalls(1)
        bench.act { $0.abandon(call: 3, .unavailable, at: $2, &$4) }
        bench.now = .zero + .seconds(20)
        // Call 3 was made at 4 s, before the last answer at 9 s: the outage begins with that answer.
        #expect(bench.taking { bench.act { $0.endCallOutage(at: $2, &$4) } } == ["callOutage 1 11000000000"])
        #expect(bench.taking { bench.act { $0.endCallOutage(at: $2, &$4) } }.isEmpty)
        #expect(bench.taking { bench.read(.answer, 3) } == ["answerUnused 3"])
    }

    /// Broken: the 65th open call does not end the oldest one, or ends another.
    @Test func onlySixtyFourCallsAreOpen() {
        let bench = PhoneEndBench()
        bench.addCalls(64)
        bench.now = .zero + .seconds(70)
        #expect(
            bench.taking { bench.addCalls(1) } == ["callFailed unavailable 69000000000", "called 64"])
        #expect(!bench.phone.calls.isOpen(0) && bench.phone.calls.isOpen(1) && bench.phone.calls.openCount == 64)
        let silent = PhoneEndBench(Traffic())
        #expect(silent.taking { silent.addCalls(1) }.isEmpty && silent.phone.nextCall() == nil)
    }

    /// Broken: calls of an app that has ended stay open, or those that it did not see yet fail.
    @Test func reportedCallsFailWithTheApp() {
        let bench = PhoneEndBench()
        bench.addCalls(3)
        #expect(bench.phone.nextCall() == .wantsToCall(Message(index: 0, bytes: 300)))
        #expect(bench.phone.nextCall() == .wantsToCall(Message(index: 1, bytes: 300)))
        bench.now = .zero + .seconds(3)
        #expect(
            bench.taking { bench.act { $0.failCalls(at: $2, &$4) } }
                == ["callFailed unavailable 2000000000", "callFailed unavailable 1000000000"])
        #expect(bench.phone.calls.openCount == 1)
        #expect(bench.phone.nextCall() == .wantsToCall(Message(index: 2, bytes: 300)) && bench.phone.nextCall() == nil)
    }

    // MARK: Sending

    /// Broken: a call is sent on a connection that is not open, twice without a note, or with other bytes.
    @Test func aCallIsSentOnAnOpenConnection() {
        let bench = PhoneEndBench()
        bench.addCalls(2)
        bench.connect(Transport(.http2))
        #expect(bench.taking { bench.call(0) }.isEmpty)
        bench.open(Transport(.http2))
        #expect(bench.taking { bench.call(0) } == ["call 0 sent on 0", "send data 0"])
        let sent = bench.ranges()
        #expect(sent.map(\.text) == ["call 0"] && sent.first?.cause == .payload)
        #expect(sent.first?.bytes == bench.phone[0].upward.pointee.framing.exchange(300))
        #expect(bench.phone[0].sentCalls == 1)
        #expect(bench.taking { bench.call(0) } == ["callRepeated 0", "call 0 sent on 0", "send data 0"])
        #expect(bench.taking { bench.call(7) }.isEmpty, "a call that was not made")
        bench.read(.answer, 0)
        #expect(bench.phone[0].sentCalls == 0)
        bench.open(.datagram, 1)
        #expect(bench.taking { bench.call(1, 1) }.isEmpty)
        bench.read(.goAway)
        #expect(bench.taking { bench.call(1) } == ["rejected 0 1 unprocessed draining"])
    }

    /// Broken: a call that cannot be sent counts as one that waits for room, so later calls wait for it.
    @Test func onlyACallWithoutRoomWaits() {
        let bench = PhoneEndBench()
        bench.addCalls(1)
        func waits(_ call: UInt32, _ slot: Int = 0) -> Bool { bench.act { $0.sendCall(call, slot, at: $2, &$4) } }
        #expect(!waits(0), "no connection")
        bench.connect(Transport(.http2))
        #expect(!waits(0), "a connection that is opening")
        bench.open(Transport(.http2))
        #expect(!waits(7), "a call that was not made")
        #expect(!waits(0), "a call with room")
        bench.open(.datagram, 1)
        #expect(!waits(0, 1), "datagrams")
    }

    /// Broken: a call without room is lost, announced twice, or retried after its end.
    @Test func aCallWithoutRoomWaits() {
        var transport = Transport(.http2)
        transport.sendBuffer = 1_000
        let bench = PhoneEndBench(Traffic(calls: .every(.seconds(1), bytes: 700)))
        bench.open(transport)
        bench.addCalls(3)
        bench.call(0)
        bench.wait(.milliseconds(50))
        #expect(bench.taking { bench.call(1) } == ["retry 1 on 0 at 150", "stalled 0", "socketFilled 0"])
        #expect(bench.taking { bench.call(1) }.isEmpty && bench.taking { bench.call(2) } == ["retry 2 on 0 at 150"])
        #expect(bench.phone[0].waitingCalls == 6 && bench.phone[0].isWaiting)
        func retry(_ call: UInt32, generation: UInt16 = 1) -> Bool? {
            bench.act { $0.retryCall(call, 0, generation: generation, at: $2, &$4) }
        }
        bench.wait(.milliseconds(100))
        #expect(bench.taking { check(retry(1) == true) } == ["retry 1 on 0 at 250"])
        #expect(bench.taking { check(retry(1, generation: 2) == nil) }.isEmpty)
        bench.act { $0.abandon(call: 2, .deadlineExceeded, at: $2, &$4) }
        #expect(bench.phone[0].waitingCalls == 2 && retry(2) == nil)
        _ = bench.frames()
        #expect(bench.taking { bench.acknowledge() } == ["heard(slot: 0)", "writable 0"])
        bench.wait(.milliseconds(100))
        #expect(
            bench.taking { check(retry(1) == false) }
                == ["call 1 sent on 0", "send data 0", "socketStalled 200000000"])
        #expect(bench.phone[0].waitingCalls == 0 && bench.frames() == ["call 1"])
    }

    // MARK: Refusals

    /// Broken: a refused call ends, stays counted as sent, or an unknown one is reported.
    @Test func aRefusedCallStaysOpen() {
        let bench = PhoneEndBench()
        bench.open(Transport(.http2))
        bench.addCalls(1)
        bench.call(0)
        func refuse() { bench.act { $0.readRefusal(of: 0, CallRefusal(.unavailable), 0, &$4) } }
        #expect(bench.taking(refuse) == ["rejected 0 0"] && bench.phone.calls.isOpen(0))
        #expect(bench.phone[0].sentCalls == 0)
        bench.act { $0.abandon(call: 0, .unavailable, at: $2, &$4) }
        #expect(bench.taking(refuse) == ["answerUnused 0"])
    }

    /// Broken: GOAWAY rejects a call that the server has seen, was not sent here, or has ended; or it keeps one that
    /// the server has not seen.
    @Test func aGoAwayRejectsUnseenCalls() {
        for isFinal in [true, false] {
            let bench = PhoneEndBench()
            bench.addCalls(70)
            bench.open(Transport(.http2))
            for call in 64..<70 as Range<UInt32> { bench.call(call) }
            bench.act { $0.abandon(call: 68, .unavailable, at: $2, &$4) }
            // The server has seen 64 and 66, which have the bits 0 and 2.
            let frame = isFinal ? ControlFrame.finalGoAway : .tooManyPings
            let lines = bench.taking { bench.read(frame, lastStream: 5, seen: 0b101) }
            let rejected = [65, 67, 69].map { "rejected 0 \($0) unprocessed draining" }
            #expect(
                lines == ["goAway \(isFinal ? "no_error" : "too_many_pings") 5"] + rejected
                    + (isFinal ? [] : ["going away 0 tooManyPings"]))
            #expect(bench.phone[0].hasReceivedGoAway == !isFinal && bench.phone[0].sentCalls == 0b101)
            #expect(bench.taking { bench.read(.finalGoAway, lastStream: 5, seen: 0b101) } == ["goAway no_error 5"])
        }
        let bench = PhoneEndBench()
        bench.open(Transport(.http2))
        #expect(bench.taking { bench.read(.goAway) } == ["goAway no_error 2147483647", "going away 0 noError"])
    }

    /// Broken: a call that has ended stays among the sent ones, so GOAWAY rejects a later call that was not sent here.
    /// Or its late answer removes a later call, which then waits for its deadline.
    @Test func anEndedCallMakesRoomForALaterOne() {
        for isSentAgain in [false, true] {
            let bench = PhoneEndBench()
            bench.open(Transport(.http2))
            bench.addCalls(1)
            bench.call(0)
            bench.act { $0.abandon(call: 0, .deadlineExceeded, at: $2, &$4) }
            #expect(bench.phone[0].sentCalls == 0)
            bench.addCalls(64)
            if isSentAgain { bench.call(64) }
            #expect(bench.taking { bench.read(.answer, 0) } == ["answerUnused 0"])
            let lines = bench.taking { bench.read(.finalGoAway, lastStream: 1, seen: 0) }
            let rejected = isSentAgain ? ["rejected 0 64 unprocessed draining"] : []
            #expect(lines == ["goAway no_error 1"] + rejected)
        }
    }

    // MARK: The horizon

    // Broken: a call that is answered counts as pending at the horizon, an open one does not, or its wait is another.
    @Test func openCallsArePending() {
        let bench = PhoneEndBench()
        #expect(bench.taking { bench.act { $0.finishCalls(at: $2, &$4) } } == [])
        bench.wait(.seconds(1))
        bench.addCalls(1)
        bench.wait(.seconds(2))
        let lines = bench.taking { bench.act { $0.finishCalls(at: $2, &$4) } }
        #expect(lines.count == 2 && lines[0].contains("callPending") && lines[1].contains("waitedCall"))
    }
}
