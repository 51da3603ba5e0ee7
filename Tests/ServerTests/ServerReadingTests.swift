import DeadzoneBase
import DeadzoneClient
import DeadzoneTestKit
import Testing
@testable import DeadzoneSimulator

@testable import DeadzoneTransport

/// The effect of each frame that the program reads from the phone.
@Suite struct ServerReadingTests {
    // MARK: Messages

    /// Broken: a message is counted twice, never, or in the wrong group. Ranges of messages arrive at random: again, out
    /// of order, with gaps. The reference model keeps one flag for each message.
    @Test(arguments: [Dedup.none, .set(window: 64), .bitmap(window: 64)])
    func everyMessageIsCountedOnce(dedup: Dedup) {
        var groups: [String: Int] = [:]
        seedSweep(40) { seed in
            var dice = Dice(seed: seed, phone: PhoneID(0), purpose: .test)
            let bench = ServerBench(.everySecond) { $0.dedup = dedup }
            bench.introduction.keysMessages = seed % 4 != 0
            bench.open()
            let detects = dedup != .none && bench.introduction.keysMessages
            var (end, known) = (UInt32(0), Set<UInt32>())
            for _ in 0..<12 {
                bench.wait(.seconds(Int64(dice.next().scaled(below: 9))))
                let first = UInt32(Int(end) - min(Int(end), 3) + Int(dice.next().scaled(below: 6)))
                let last = first + 1 + UInt32(dice.next().scaled(below: 4))
                var expected: [String] = []
                // The driver of the server records the loss of skipped messages.
                if end < first { expected.append("skipped \(end)..<\(first)") }
                let again = (first..<last).filter { $0 < end }
                let taken = again.filter { !detects || !known.contains($0) }
                let top = max(end, first)
                if !taken.isEmpty { expected.append("duplicatedUp \(taken.count)") }
                let late = taken.count { $0 + 1 < end }
                if late > 0 { expected.append("reorderedUp \(late)") }
                if again.count > taken.count { expected.append("suppressedUp \(again.count - taken.count)") }
                for index in top..<max(top, last) {
                    expected.append(
                        "deliveredUp \((bench.now - Instant.zero).nanoseconds - Int64(index + 1) * 1_000_000_000)")
                }
                known.formUnion(first..<last)
                end = max(end, last)
                let noted = bench.taking { bench.read(.message, first, upTo: last) }
                #expect(noted == expected, "seed \(seed)")
                #expect(bench.server.arrived.index == end && bench.server.memory.receivedBelow == end)
                for line in noted { groups[String(line.prefix { $0 != " " }), default: 0] += 1 }
            }
        }
        let all = Set(["skipped", "deliveredUp", "duplicatedUp", "reorderedUp", "suppressedUp"])
        #expect(all.subtracting(groups.keys) == (dedup == .none ? ["suppressedUp"] : []))
    }

    /// Broken: a message that a full filter takes for a duplicate counts as delivered, or its loss is not counted.
    @Test func aMistakenDuplicateIsLost() {
        let bench = ServerBench(.everySecond) { $0.dedup = .bloom(bits: 8, hashes: 1, keys: nil) }
        bench.open()
        let lines = bench.taking { for index in 0..<100 as Range<UInt32> { bench.read(.message, index) } }
        let delivered = lines.count { $0.hasPrefix("deliveredUp") }
        #expect((1...8).contains(delivered))
        #expect(lines.count { $0 == "mistakenUp 1" } == 100 - delivered)
        let lost = lines.filter { $0.hasPrefix("lostUp") }
        #expect(lost.allSatisfy { $0.hasSuffix(": deduplicated in server_duplicates") })
        // Each message is named once.
        #expect(Set(lost).count == 100 - delivered && lost.count == 100 - delivered)
        #expect(lines.count == 200 - delivered)
    }

    /// Broken: the memory of the deduplication is not counted when it grows, or is counted as the whole.
    @Test func growingMemoryIsCounted() {
        let bench = ServerBench(.everySecond) { $0.dedup = .lasting(window: 1, time: .hours(1)) }
        bench.renew()
        bench.hello()
        bench.read(.flight, 0)
        #expect(bench.taking { bench.read(.flight, 1) }.first == "dedupMemory 48", "2 slots of 24 bytes")
        let growth = (0..<4 as Range<UInt32>).map { index in
            bench.taking { bench.read(.message, index) }.filter { $0.hasPrefix("dedupMemory") }
        }
        // 4 slots from the second key on, 8 slots from the fourth: three quarters may be used.
        #expect(growth == [[], ["dedupMemory 48"], [], ["dedupMemory 97"]])
    }

    // MARK: Receipts

    /// Broken: a receipt is sent before or after its time, for the wrong messages, or without rules.
    @Test func receiptsFollowTheirRules() {
        let bench = ServerBench(.everySecond) { $0.receipts = ReceiptRules(every: 3, within: .milliseconds(200)) }
        bench.open()
        bench.read(.message, 0)
        bench.read(.message, 1)
        #expect(bench.frames().isEmpty)
        bench.wait(.milliseconds(100))
        bench.read(.message, 2)
        let full = bench.ranges()
        #expect(full.map(\.text) == ["receipt 0..<3"] && full.first?.cause == .ack)
        #expect(full.first?.bytes == bench.server.ends[0].config.pointee.serverRules.framing.message(8))
        bench.settle()
        bench.read(.message, 3)
        let due = bench.now + .milliseconds(200)
        #expect(bench.deadline() == due)
        bench.now = due - .nanoseconds(1)
        bench.expire()
        #expect(bench.frames().isEmpty && bench.deadline() == due)
        bench.now = due
        bench.expire()
        #expect(bench.frames() == ["receipt 3"])
        // A repeated message is confirmed again, because the phone missed the receipt.
        bench.read(.message, 1, upTo: 2)
        #expect(bench.frames() == ["receipt 1..<4"])
        let plain = ServerBench(.everySecond)
        plain.open()
        for index in 0..<9 as Range<UInt32> { plain.read(.message, index) }
        #expect(plain.frames().isEmpty && plain.deadline() == .never)
    }

    /// Broken: a frozen program confirms messages, or forgets to confirm them later.
    @Test func aFrozenProgramConfirmsNothing() {
        let bench = ServerBench(.everySecond) { $0.receipts = ReceiptRules(every: 1) }
        bench.open()
        bench.act { [now = bench.now, introduction = bench.introduction] in
            _ = $0.read(
                FrameRange(first: 0, last: 1, bytes: 100, kind: .message, cause: .payload), slot: 0, visit: 0,
                introduction, at: now, &$1)
        }
        bench.change(.frozen)
        bench.act { [now = bench.now] in $0.finishReading(0, .newData, at: now, &$1) }
        #expect(bench.frames().isEmpty)
        bench.change(.thawed)
        bench.act { [now = bench.now] in $0.finishReading(0, .newData, at: now, &$1) }
        #expect(bench.frames() == ["receipt 0"])
    }

    /// Broken: a receipt of the app deletes messages although the history keeps them, or beyond the last one written.
    @Test(
        arguments: [
            (History.Purge.never, 0, 0), (.acknowledged, 2, 2), (.acknowledged, 9, 4), (.sent, 0, 4),
            (.confirmed, 0, 4),
        ] as [(History.Purge, UInt32, UInt32)])
    func theHistoryIsPurgedAsItsRulesSay(purge: History.Purge, receipt: UInt32, kept: UInt32) {
        let bench = ServerBench(.everySecond) { $0.history.purge = purge }
        bench.open()
        for _ in 0..<4 { bench.write() }
        if purge == .confirmed { #expect(bench.position(of: 0) == 0) }
        bench.settle()
        if receipt > 0 { bench.read(.receipt, 0, upTo: receipt) }
        #expect(bench.position(of: 0) == kept)
    }

    // MARK: Pings

    /// Broken: a ping is not answered, a strike is answered by grpc-swift 1, or the limit closes too early or late.
    @Test(arguments: [(PingPolicy.Implementation.core, 3), (.swift1, 1)] as [(PingPolicy.Implementation, UInt32)])
    func earlyPingsAreStrikes(policy: PingPolicy.Implementation, answered: UInt32) {
        let bench = ServerBench {
            ($0.pingPolicy, $0.permitsPingsWithoutCalls, $0.pingFloor) = (policy, true, .seconds(10))
        }
        var transport = Transport(.http2)
        transport.keepsStreamOpen = false
        bench.open(transport)
        bench.read(.ping, 0)
        #expect(bench.frames() == ["pong 0"])
        #expect(bench.taking { bench.read(.ping, 1) }.first == "pingStruck 1")
        #expect(bench.taking { bench.read(.ping, 2) }.first == "pingStruck 2")
        #expect(bench.frames() == (answered == 3 ? ["pong 1..<3"] : []))
        check(bench.server.serves(0))
        #expect(bench.taking { bench.read(.ping, 3) }.first == "pingStruck 3")
        #expect(bench.frames() == ["tooManyPings", "finish"] && !bench.server.serves(0))
        #expect(bench.server.ends[0].draining.stage == .closed)
    }

    /// Broken: pings are judged without a rule, or on a connection without HTTP/2.
    @Test func pingsAreJudgedOnlyOverHTTP2WithARule() {
        for (kind, floor) in [
            (Transport.TransportKind.http2, nil), (.webSocket, TimeSpan.hours(9)), (.mqtt, .hours(9)),
        ] {
            let bench = ServerBench { $0.pingFloor = floor }
            bench.open(Transport(kind))
            #expect(bench.taking { bench.read(.ping, 0, upTo: 9) }.allSatisfy { $0 == "send data 0" })
            #expect(bench.frames() == ["pong 0..<9"])
        }
    }

    /// Broken: the floor, the number of strikes or the permission of the settings does not reach the policy.
    @Test func thePingPolicyHasTheSettings() {
        let bench = ServerBench {
            $0.pingFloor = .seconds(10)
            $0.pingStrikes = 1
        }
        bench.open(Transport(.http2))
        let policy = bench.server.ends[0].pingPolicy
        #expect(policy.implementation == .core && policy.floor == .seconds(10) && policy.strikesAllowed == 1)
        #expect(!policy.permitsWithoutStreams && PingPolicy.floorWithoutStreams == .hours(2))
        let named = ServerBench {
            $0.pingPolicy = .java
            $0.permitsPingsWithoutCalls = true
        }
        named.open(Transport(.http2))
        let java = named.server.ends[0].pingPolicy
        #expect(java.implementation == .java && java.floor == .minutes(5) && java.strikesAllowed == 2)
        #expect(java.permitsWithoutStreams)
        #expect(ServerBench().server.ends[0].pingPolicy.strikesAllowed == 0)
    }

    /// Broken: a poll brings no messages, or messages are sent without one.
    @Test func pingsOfAPollingClientFetchMessages() {
        let bench = ServerBench(.everySecond)
        bench.open(Transport(.polling))
        bench.write()
        bench.write()
        #expect(bench.taking { bench.write() } == ["sentDown 2", "written"] && bench.frames().isEmpty)
        bench.read(.ping, 0)
        #expect(bench.frames() == ["pong 0", "message 0..<3"])
        bench.read(.ping, 1)
        #expect(bench.frames() == ["pong 1"])
    }

    /// Broken: data of one kind does not clear the strikes of a client, or a frame without data does.
    @Test(arguments: ["answer", "refusal", "receipt", "heartbeat", "message", "window update", "pong"])
    func dataClearsStrikes(kind: String) {
        let bench = ServerBench(.everySecond) {
            $0.pingPolicy = .text
            $0.receipts = ReceiptRules()
            $0.heartbeat = Heartbeat(.beats, every: .seconds(1))
            $0.faults.permanent = kind == "refusal" ? .one : .zero
        }
        bench.open(Transport(.http2))
        for ping in 0..<2 as Range<UInt32> { bench.read(.ping, ping) }
        #expect(bench.server.ends[0].pingPolicy.strikes == 1)
        switch kind {
        case "answer", "refusal": bench.read(.call, 0)
        case "receipt": bench.read(.message, 0)
        case "heartbeat":
            bench.wait(.seconds(1))
            bench.expire()
        case "message": bench.write()
        case "window update": bench.read(.streamWindowUpdate(100))
        default: bench.read(.pong, 9)
        }
        #expect(
            bench.server.ends[0].pingPolicy.strikes == (["window update", "pong"].contains(kind) ? 1 : 0), "\(kind)")
    }

    // MARK: Control frames

    /// Broken: a long poll is answered without news before its timeout, not answered at it, or answered twice.
    @Test func aLongPollIsHeld() {
        let bench = ServerBench(.everySecond) { $0.longPollTimeout = .seconds(25) }
        bench.open(Transport(.longPolling))
        bench.read(.poll)
        #expect(bench.frames().isEmpty && bench.deadline() == .zero + .seconds(25))
        bench.wait(.seconds(10))
        bench.write()
        #expect(bench.frames() == ["pollAnswer", "message 0"] && bench.deadline() != .zero + .seconds(25))
        bench.write()
        #expect(bench.frames().isEmpty, "no poll is pending")
        bench.read(.poll)
        #expect(bench.frames() == ["pollAnswer", "message 1"])
        bench.settle()
        bench.read(.poll)
        let due = bench.now + .seconds(25)
        #expect(bench.deadline() == due)
        bench.now = due
        bench.expire()
        #expect(bench.frames() == ["pollAnswer"])
        bench.settle()
        #expect(bench.deadline() == .never)
    }

    /// Broken: a window update grows the other window, or both.
    @Test func windowUpdatesGrowTheirWindow() {
        let bench = ServerBench()
        bench.open(
            Transport(.http2),
            window: HTTP2SendWindows(connection: HTTP2Window(70_000), stream: HTTP2Window(20_000)))
        #expect(bench.windows == [70_000, 20_000])
        bench.read(.connectionWindowUpdate(1_000))
        #expect(bench.windows == [71_000, 20_000])
        bench.read(.streamWindowUpdate(500))
        #expect(bench.windows == [71_000, 20_500])
    }

    /// Broken: a snapshot is sent without a request, has another size, or is sent twice.
    @Test func aSnapshotIsSentOnRequest() {
        let bench = ServerBench(.everySecond) { $0.history.snapshot = 3_000 }
        bench.open()
        for _ in 0..<3 { bench.write() }
        bench.settle()
        #expect(bench.taking { bench.read(.resync) }.first == "fullSync 3000")
        let written = bench.ranges()
        #expect(written.map(\.text) == ["snapshot 3"] && written.first?.cause == .resume)
        #expect(written.first?.bytes == bench.server.ends[0].config.pointee.serverRules.framing.message(3_000))
        check(!bench.server.ends[0].needsSnapshot)
        for frame in [ControlFrame.goAway, .pollAnswer, .confirmation(1), .heartbeat, .sessionRefused] {
            #expect(bench.taking { bench.read(frame) }.allSatisfy { $0 == "send data 0" } && bench.frames().isEmpty)
        }
    }

    /// Broken: HTTP/2 bytes are granted again too early, too late, or to the wrong window. A PUBACK is missing.
    @Test func consumedBytesAreGrantedAgain() {
        let bench = ServerBench(.everySecond)
        bench.open(Transport(.http2))
        let framing = bench.server.ends[0].config.pointee.clientRules.framing
        let half = UInt32(HTTP2Window.initial) / 2
        let beside = framing.message(0) - HTTP2Wire.message
        bench.read(.message, 0, bytes: half - 1 + beside)
        #expect(bench.frames().isEmpty)
        bench.read(.message, 1, bytes: 1 + beside)
        #expect(bench.frames() == ["connectionWindowUpdate(\(half))", "streamWindowUpdate(\(half))"])
        bench.read(.call, 0, bytes: half + framing.exchange(0) - HTTP2Wire.message)
        #expect(bench.frames() == ["answer 0", "connectionWindowUpdate(\(half))"])
        let mqtt = ServerBench(.everySecond)
        mqtt.open(Transport(.mqtt))
        mqtt.read(.message, 0, upTo: 3)
        let acks = mqtt.ranges()
        #expect(acks.map(\.text) == ["confirmation(1)"])
        #expect(acks.first?.bytes == 3 * mqtt.server.ends[0].config.pointee.serverRules.framing.confirmationBytes)
        mqtt.read(.ping, 0)
        #expect(mqtt.frames() == ["pong 0"])
    }

    /// Broken: the program reads while it must not, or does not read while it can.
    @Test func readsOnlyWhileItRuns() {
        let bench = ServerBench()
        bench.renew()
        check(!bench.server.isReading(0))
        bench.hello()
        check(bench.server.isReading(0))
        bench.change(.frozen)
        check(!bench.server.isReading(0))
        bench.server.ends[0].isCaptured = true
        check(bench.server.isReading(0))
        bench.server.ends[0].isHeld = false
        check(!bench.server.isReading(0))
    }

    /// Broken: only a phone that could not send more is told that the program reads again.
    @Test(arguments: [(true, ["send acknowledgement 0"]), (false, [])])
    func aThawAnnouncesTheWindow(wasHeldBack: Bool, requests: [String]) {
        let bench = ServerBench()
        bench.open()
        bench.act { [now = bench.now] in $0.finishReading(0, .thaw(wasHeldBack: wasHeldBack), at: now, &$1) }
        #expect(bench.take() == requests)
    }
}
