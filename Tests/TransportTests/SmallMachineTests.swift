import DeadzoneBase
import DeadzoneTestKit
import Testing

@testable import DeadzoneTransport

/// The small state machines of connections: nothing happens a nanosecond before its time, and all transitions of each.
@Suite struct SmallMachineTests {
    private static func at(_ nanoseconds: Int64) -> Instant { Instant(nanoseconds: nanoseconds) }

    // MARK: QUIC

    /// Broken: a path fails or repeats its challenge at another time, or accepts an answer to another challenge.
    @Test(arguments: [0, 1_023, 1_024, 1_025, 5_000] as [Int64])
    func aPathHasItsDeadlines(probe milliseconds: Int64) {
        let unit = TimeSpan.milliseconds(1_024)
        #expect(Kernel.quic.probeTimeout() == unit)
        var path = QUICPath()
        #expect(path.state == .validated && path.dueAt == .never && path.allowance == .max && path.challenge == 0)
        path.validate(at: Self.at(100), probeTimeout: .milliseconds(milliseconds))
        let end = Self.at(100) + max(.milliseconds(milliseconds), unit) * 3
        #expect(path.state == .validating && path.deadline == end && path.repeatAt == Self.at(100) + unit)
        #expect(path.challenge == 1 && path.allowance == 0 && path.dueAt == min(path.repeatAt, end))
        var waits: [TimeSpan] = []
        var now = path.repeatAt
        while now < end {
            #expect(path.expire(at: now) && path.state == .validating)
            waits.append(path.repeatAt - now)
            now = path.repeatAt
        }
        #expect(waits.first == unit * 2 && zip(waits, waits.dropFirst()).allSatisfy { $0 * 2 == $1 })
        var failed = path
        #expect(path.expire(at: end - .nanoseconds(1)) && !failed.expire(at: end))
        #expect(failed.state == .failed && failed.dueAt == .never && failed.deadline == .never)
        var isAccepted = failed.acceptResponse(to: 1)
        #expect(!isAccepted)
        failed.revertToValidatedPath()
        isAccepted = failed.acceptResponse(to: 1)
        #expect(failed.state == .validated && !isAccepted)
        #expect(!path.acceptResponse(to: 0) && !path.acceptResponse(to: 2) && path.state == .validating)
        #expect(path.acceptResponse(to: 1) && path.state == .validated && path.dueAt == .never)
        path.validate(at: .zero, probeTimeout: .zero)
        #expect(path.challenge == 2 && !path.acceptResponse(to: 1))
    }

    /// Broken: more than three times the received bytes may be sent, or the counts survive a new validation.
    @Test func anUnprovenPathIsLimited() {
        var path = QUICPath()
        path.validate(at: .zero, probeTimeout: .zero)
        path.countReceived(bytes: 100)
        #expect(path.allowance == 300)
        path.countSent(bytes: 299)
        #expect(path.allowance == 1)
        path.countSent(bytes: 1)
        #expect(path.allowance == 0)
        path.countSent(bytes: 50)
        #expect(path.allowance == 0)
        path.countReceived(bytes: 20)
        #expect(path.allowance == 10)
        path.validate(at: .zero, probeTimeout: .zero)
        #expect(path.allowance == 0)
        path.countReceived(bytes: 1)
        #expect(path.allowance == 3)
    }

    /// Broken: the connection IDs that are left differ from the limit minus those in use.
    @Test func spareIDsAreCounted() {
        for limit in [0, 1, 2, 3, 255] as [UInt8] {
            var spare = QUICSpareIDs(activeLimit: limit)
            let count = Int(max(limit, 1)) - 1
            #expect(Int(spare.count) == count)
            for _ in 0..<count { let taken = spare.takeOne(); #expect(taken) }
            let more = spare.takeOne()
            #expect(!more && spare.count == 0)
        }
        var full = QUICSpareIDs(activeLimit: 255)
        full.add()
        #expect(full.count == 254)
        #expect(QUICSpareIDs().count == 1)
    }

    /// Broken: the idle timer takes the longer limit, is restarted by every sent packet, or ignores a slow path.
    @Test func theIdleTimerHasItsDeadline() {
        let limits: [(Int64?, Int64?, Int64?)] = [
            (nil, nil, nil), (30, nil, 30), (nil, 20, 20), (30, 20, 20), (20, 30, 20), (0, 30, 30), (30, 0, 30),
            (0, 0, nil),
        ]
        for (own, peer, limit) in limits {
            let timer = QUICIdleTimer(own.map { .seconds($0) }, peer.map { .seconds($0) })
            #expect(
                timer.limit == limit.map { .seconds($0) } && timer.isSet == (limit != nil) && timer.deadline == .never)
        }
        #expect(QUICIdleTimer(.nanoseconds(1_999_999), nil).limit == .milliseconds(1))
        var timer = QUICIdleTimer(.seconds(30), nil)
        timer.received(at: Self.at(5), probeTimeout: .seconds(10))
        #expect(timer.deadline == Self.at(5) + .seconds(30))
        timer.received(at: Self.at(6), probeTimeout: .seconds(10) + .nanoseconds(1))
        #expect(timer.deadline == Self.at(6) + .seconds(30) + .nanoseconds(3))
        timer.sent(at: Self.at(7), probeTimeout: .zero)
        #expect(timer.deadline == Self.at(7) + .seconds(30))
        timer.sent(at: Self.at(8), probeTimeout: .zero)
        #expect(timer.deadline == Self.at(7) + .seconds(30))
        timer.received(at: Self.at(9), probeTimeout: .zero)
        timer.sent(at: Self.at(10), probeTimeout: .zero)
        #expect(timer.deadline == Self.at(10) + .seconds(30))
        var none = QUICIdleTimer(nil, nil)
        none.received(at: .zero, probeTimeout: .zero)
        none.sent(at: .zero, probeTimeout: .zero)
        #expect(none.deadline == .never)
    }

    /// Broken: a moved connection keeps its window or estimate, or skips data in flight.
    @Test(arguments: [true, false])
    func aMovedEndStartsAgain(isProven: Bool) {
        var end = TCPEnd()
        (end.window, end.threshold, end.highestSent, end.acknowledged) = (44, 20, 9_000, 7_000)
        withUnsafePointer(to: TCPRules(kernel: .quic, framing: Framing(.http3, .tls13, .up))) {
            end.measure(.milliseconds(50), $0)
            end.changePath(isProven: isProven, at: .zero, $0)
        }
        #expect(end.window == (isProven ? 10 : 1) && end.threshold == TCPEnd.widestWindow)
        #expect(end.scoreboard.lost == 2 && end.scoreboard.inFlight == 0, "everything in flight is sent again")
        #expect(!end.timer.estimator.isMeasured)
        end.validatePath()
        #expect(end.window == 10)
        end.window = 30
        end.validatePath()
        #expect(end.window == 30)
    }

    // MARK: HTTP/2

    /// Broken: a stage of the shutdown follows another one, or lasts another time.
    @Test func aShutdownPassesItsStages() {
        for own in [nil, TimeSpan.seconds(3)] {
            var drain = HTTP2Draining(grace: .seconds(30))
            #expect(drain.stage == .serving && drain.deadline == .never)
            #expect(drain.receivePong(lastStream: 1, at: .zero) == .nothing && drain.endStreams() == .nothing)
            #expect(drain.expire(lastStream: 1, at: .never) == .nothing && drain.stage == .serving)
            #expect(drain.begin(at: Self.at(4), grace: own) == .sendFirstGoAway(lastStream: 2_147_483_647))
            #expect(drain.stage == .sentFirstGoAway && drain.deadline == Self.at(4) + .seconds(60))
            #expect(drain.begin(at: Self.at(5)) == .nothing && drain.endStreams() == .nothing)
            var silent = drain
            #expect(silent.expire(lastStream: 7, at: Self.at(9)) == .sendFinalGoAway(lastStream: 7))
            #expect(silent.deadline == Self.at(9) + (own ?? .seconds(30)))
            #expect(drain.receivePong(lastStream: 5, at: Self.at(8)) == .sendFinalGoAway(lastStream: 5))
            #expect(drain.stage == .sentFinalGoAway && drain.deadline == Self.at(8) + (own ?? .seconds(30)))
            #expect(drain.receivePong(lastStream: 5, at: Self.at(9)) == .nothing)
            var late = drain
            #expect(late.expire(lastStream: 5, at: late.deadline) == .close && late.stage == .closed)
            #expect(drain.endStreams() == .close && drain.stage == .closed && drain.deadline == .never)
            #expect(drain.endStreams() == .nothing && drain.expire(lastStream: 5, at: .never) == .nothing)
        }
        var drain = HTTP2Draining(grace: .zero)
        drain.endAtOnce()
        #expect(drain.stage == .closed && drain.begin(at: .zero) == .nothing)
    }

    /// Broken: a window grows beyond its limit, by zero, or an update is due at another number of bytes.
    @Test func windowsAtTheirBoundaries() {
        var window = HTTP2Window(2_147_483_640)
        #expect(window.grow(by: 0) == .protocolError && window.grow(by: 8) == .flowControlError)
        #expect(window.bytes == 2_147_483_640 && window.grow(by: 7) == .noError && window.bytes == 2_147_483_647)
        window = HTTP2Window(5)
        window.overdraw(9)
        #expect(window.bytes == -4 && window.available == 0)
        #expect(window.grow(by: 4) == .noError && window.available == 0)
        #expect(window.grow(by: 1) == .noError && window.available == 1)
        for size in [0, 1, 2, 3, 100, 101, 65_535] as [UInt32] {
            var counter = WindowUpdateCounter(window: size)
            let due = max(size / 2, 1)
            #expect((due == 1 || counter.consume(due - 1) == 0) && counter.ungranted == due - 1)
            #expect(counter.consume(1) == due && counter.ungranted == 0)
            #expect(counter.consume(due + 7) == due + 7)
        }
        var counter = WindowUpdateCounter(window: .max)
        #expect(counter.consume(.max / 2 - 1) == 0)
        #expect(counter.consume(.max) == 2_147_483_647 && counter.ungranted == 0)
        var windows = HTTP2SendWindows(connection: HTTP2Window(10), stream: HTTP2Window(3))
        #expect(windows.available == 3)
        windows.grow(connection: 0, stream: 20)
        #expect(windows.available == 10 && windows.connection.bytes == 10)
        windows.grow(connection: 5, stream: 0)
        #expect(windows.available == 15 && windows.stream.bytes == 23)
        windows.grow(connection: 1, stream: 1)
        #expect(windows.connection.bytes == 16 && windows.stream.bytes == 24)
    }

    /// Broken: a kind of frame passes a shut window, is blocked by an open one, or is charged to the wrong window.
    @Test func kindsPassTheirWindows() {
        let framing = Framing(.http2, .none, .up)
        for kind in FrameKind.allCases {
            let (onStream, counts) = (
                [.message, .snapshot].contains(kind), [.message, .snapshot, .call, .answer].contains(kind)
            )
            for (connection, stream) in [(1, 1), (0, 1), (1, 0), (0, 0)] as [(Int64, Int64)] {
                let windows = HTTP2SendWindows(connection: HTTP2Window(connection), stream: HTTP2Window(stream))
                #expect(windows.admits(kind) == (!counts || (connection > 0 && (stream > 0 || !onStream))), "\(kind)")
            }
            var windows = HTTP2SendWindows()
            windows.charge(kind, 300, framing)
            let bytes: Int64 = 300 - Int64(onStream ? framing.message(0) : framing.exchange(0)) + 5
            #expect(windows.connection.bytes == 65_535 - (counts ? bytes : 0), "\(kind)")
            #expect(windows.stream.bytes == 65_535 - (onStream ? bytes : 0), "\(kind)")
            var received = HTTP2ReceiveWindows(
                window: HTTP2SendWindows(connection: HTTP2Window(2), stream: HTTP2Window(4)))
            let grant = received.consume(
                FrameRange(first: 0, last: 1, bytes: 300, kind: kind, cause: .payload), framing)
            #expect(grant.connection == (counts ? UInt32(bytes) : 0) && grant.stream == (onStream ? UInt32(bytes) : 0))
        }
    }

    // MARK: Polls and receipts

    /// Broken: a poll is answered although it must be held, or is held after its answer.
    @Test func pollsAreHeldOrAnswered() {
        for hold in [0, 1, 30] as [Int64] {
            for hasNews in [true, false] {
                var poll = PollHold(holdTime: .nanoseconds(hold))
                let answers = poll.receiveRequest(hasNews: hasNews, at: Self.at(7))
                #expect(answers == (hasNews || hold == 0) && poll.isHeld == !answers)
                #expect(poll.deadline == (answers ? .never : Self.at(7 + hold)))
                let again = [poll.answerHeldRequest(), poll.answerHeldRequest()]
                #expect(again == [!answers, false] && poll.deadline == .never)
            }
        }
        var poll = PollHold(holdTime: .seconds(1))
        _ = poll.receiveRequest(hasNews: false, at: .zero)
        #expect(poll.receiveRequest(hasNews: true, at: .zero) && !poll.isHeld)
        _ = poll.receiveRequest(hasNews: false, at: .zero)
        poll.expire()
        #expect(!poll.isHeld)
        for (interval, limit) in [(0, 0), (1, 1), (2, 3), (65_535, 98_302), (65_536, 98_302)] as [(Int64, Int64)] {
            #expect(MQTTKeepAlive.limit(.seconds(interval)) / 1_000_000_000 == .nanoseconds(limit))
        }
    }

    /// Broken: a receipt is due for other messages or at another time than a plain rule says. Messages arrive, again or
    /// for the first time; receipts are sent or postponed.
    @Test func receiptsEqualAPlainRule() {
        seedSweep(200) { seed in
            var dice = Dice(seed: seed, phone: PhoneID(0), purpose: .test)
            func draw(_ bound: UInt64) -> UInt32 { UInt32(dice.next().scaled(below: bound)) }
            let rules = ReceiptRules(every: 1 + draw(5), within: .nanoseconds(Int64(draw(20))))
            var receipts = Receipts(from: 3)
            var (reported, end, due, now) = (UInt32(3), UInt32(3), Int64.max, Int64(0))
            for _ in 0..<80 {
                now += Int64(draw(10))
                switch draw(4) {
                case 0:
                    receipts.recordSent(upTo: end)
                    (reported, due) = (max(reported, end), .max)
                case 1:
                    receipts.postpone()
                    due = .max
                default:
                    let first = end - min(end, draw(3))
                    end = max(end, first + draw(3))
                    receipts.recordDelivery(from: first, upTo: end, at: Self.at(now), rules)
                    reported = min(reported, first)
                    if reported < end {
                        due = end - reported >= rules.every ? now : min(due, now + rules.within.nanoseconds)
                    }
                }
                #expect(receipts.reportedEnd == reported && receipts.due.nanoseconds == due, "seed \(seed)")
            }
        }
    }
}
