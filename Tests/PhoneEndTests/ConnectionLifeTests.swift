import DeadzoneBase
import DeadzoneClient
import DeadzoneTestKit
import Testing
@testable import DeadzoneTransport

@testable import DeadzoneSimulator

/// How the phone's side opens, closes and loses connections, and what the app is told.
@Suite struct ConnectionLifeTests {
    // MARK: Opening

    /// Broken: a connection opens before or after the answer that it waits for, sends another flight, or tells its
    /// events in another order.
    @Test(
        arguments: [
            (
                Transport.TransportKind.webSocket,
                [
                    ["measured 0 0", "send data 0"], [],
                    ["opened(slot: 0)", "heard(slot: 0)", "opened 0 at 0", "responded 0"],
                ], ["flight 0", "flight 1", ""]
            ),
            (
                .http2,
                [
                    ["measured 0 0", "send data 0"], ["opened(slot: 0)", "opened 0 at 0"],
                    ["heard(slot: 0)", "responded 0"],
                ], ["flight 0", "flight 1", ""]
            ),
            (
                .grpc,
                [
                    ["measured 0 0", "send data 0"], [],
                    ["opened(slot: 0)", "heard(slot: 0)", "opened 0 at 0", "responded 0"],
                    ["heard(slot: 0)"],
                ], ["flight 0", "flight 1", "flight 2", ""]
            ),
            (
                .quic,
                [
                    ["measured 0 0", "opened(slot: 0)", "opened 0 at 0", "send data 0"],
                    ["heard(slot: 0)", "responded 0"],
                ],
                ["flight 0", ""]
            ),
        ] as [(Transport.TransportKind, [[String]], [String])])
    func aConnectionOpensStepByStep(kind: Transport.TransportKind, steps: [[String]], flights: [String]) {
        let bench = PhoneEndBench()
        #expect(bench.taking { bench.connect(Transport(kind)) } == ["send hello 0"])
        #expect(bench.phone[0].belief == .opening)
        let answer = bench.packet(.helloReply, echo: .zero)
        #expect(bench.taking { bench.receive(answer) } == steps[0])
        #expect(bench.frames().joined() == flights[0])
        #expect(bench.taking { bench.receive(answer) }.isEmpty || kind == .quic, "a second answer")
        for index in 1..<steps.count {
            let isLast = index == steps.count - 1
            let lines = bench.taking { bench.readFlight(UInt32(index - 1)) }
            #expect(lines == steps[index] + (isLast ? ["sessionStarted(slot: 0)"] : []), "\(kind) \(index)")
            #expect(bench.frames().joined() == flights[index])
        }
        #expect(bench.phone[0].belief == .open && bench.phone.wasOpen)
        #expect((bench.phone[0].tcp.sendWindows != nil) == (kind == .http2 || kind == .grpc))
    }

    /// Broken: a resumed session asks with other bytes, is told another position, or the very first connection counts
    /// as resumed.
    @Test(arguments: [true, false])
    func aResumedSessionTellsItsPosition(wasOpen: Bool) {
        var streams = Traffic.everySecond
        streams.envelope = .json
        let bench = PhoneEndBench(streams)
        if wasOpen { bench.open() }
        bench.session.cursor = Cursor(37)
        bench.session.acknowledged = Cursor(5)
        bench.connect(resuming: .from(Cursor(37)))
        bench.receive(bench.packet(.helloReply, echo: .zero))
        bench.readFlight(0)
        let request = bench.ranges().last
        let flight = bench.phone[0].setup.flight(1)
        #expect(request?.text == "flight 1" && request?.cause == flight.cause)
        #expect(request?.bytes == flight.up + Envelope.json.request(37) && Envelope.json.request(37) > 0)
        let lines = bench.taking { bench.readFlight(1, resumedAt: 33, confirmed: 6) }
        let noted = wasOpen ? ["resumed 37"] : []
        #expect(
            lines == ["resumed(slot: 0)", "opened(slot: 0)"] + noted + [
                "heard(slot: 0)", "confirmed 0 before 6", "opened 0 at 33", "responded 0", "sessionStarted(slot: 0)",
            ])
        check(bench.phone[0].isAnswered)
    }

    /// Broken: a fresh session asks for a position, or an early one tells another than the app's own.
    @Test func anEarlyConnectionTellsTheAppsOwnPosition() {
        for (resuming, position) in [(ResumeRequest.fresh, 9), (.from(Cursor(4)), 4)] {
            let bench = PhoneEndBench()
            bench.received = 9
            bench.session.cursor = Cursor(4)
            bench.session.acknowledged = Cursor(5)
            bench.connect(Transport(.http2), resuming: resuming)
            bench.receive(bench.packet(.helloReply, echo: .zero))
            let opened = bench.taking { bench.readFlight(0) }
            #expect(opened == ["opened(slot: 0)", "opened 0 at \(position)"])
            let flight = bench.phone[0].setup.flight(1)
            #expect(bench.ranges().last?.bytes == flight.up)
            let resumed = resuming == .fresh ? [] : ["resumed(slot: 0)"]
            for (confirmed, told) in [(5, []), (6, ["confirmed 0 before 6"])] as [(UInt32, [String])] {
                let lines = bench.taking { bench.readFlight(1, resumedAt: 2, confirmed: confirmed) }
                #expect(lines == ["heard(slot: 0)"] + resumed + told + ["responded 0", "sessionStarted(slot: 0)"])
            }
        }
    }

    /// Broken: the authentication is not awaited, or the server counts as ready before it.
    @Test func authenticationIsTheLastFlight() {
        let bench = PhoneEndBench(authenticates: true)
        bench.connect(Transport(.http2))
        bench.receive(bench.packet(.helloReply, echo: .zero))
        for index in 0..<2 as Range<UInt32> { #expect(bench.taking { bench.readFlight(index) }.isEmpty) }
        #expect(bench.frames() == ["flight 0", "flight 1", "flight 2"])
        #expect(
            bench.taking { bench.readFlight(2) } == [
                "opened(slot: 0)", "heard(slot: 0)", "opened 0 at 0", "responded 0", "sessionStarted(slot: 0)",
            ])
    }

    /// Broken: a long poll is not requested with the session, or another transport requests one.
    @Test(arguments: Transport.TransportKind.allCases.filter { $0 != .datagram })
    func onlyALongPollBeginsWithARequest(kind: Transport.TransportKind) {
        let bench = PhoneEndBench()
        bench.connect(Transport(kind))
        bench.receive(bench.packet(.helloReply, echo: .zero))
        let last = bench.phone[0].setup.sessionFlight
        for index in 0..<last { bench.readFlight(index) }
        _ = bench.frames()
        bench.readFlight(last)
        #expect(bench.frames() == (kind == .longPolling ? ["poll"] : []))
    }

    /// Broken: a portal's answer is trusted, or an open connection fails as a connection attempt.
    @Test func anUnprovenAnswerEndsTheConnection() {
        let bench = PhoneEndBench()
        bench.connect()
        bench.receive(bench.packet(.helloReply, echo: .zero))
        #expect(bench.taking { bench.readFlight(0, isProven: false) } == ["failed untrusted 1", "failed 0 untrusted"])
        #expect(bench.phone[0].belief == .closed && !bench.phone.reads(0))
        let open = PhoneEndBench()
        open.open(Transport(.http2))
        #expect(
            open.taking { open.readFlight(1, isProven: false) }
                == ["believedClosed(slot: 0)", "closed reset 1", "closed 0 reset"])
        check(!open.phone.reads(0))
    }

    /// Broken: a datagram connection sends a packet to open, or counts as unanswered.
    @Test func datagramsNeedNoHandshake() {
        let bench = PhoneEndBench()
        #expect(bench.taking { bench.connect(.datagram) } == ["sendsDatagrams(slot: 0)"])
        #expect(
            bench.taking { bench.act { $0.sendDatagrams(0, resumedAt: 3, $3, &$4) } }
                == ["opened(slot: 0)", "heard(slot: 0)", "opened 0 at 3"])
        bench.wait(.seconds(2))
        bench.received = 1
        #expect(bench.taking { bench.send(2..<4) } == ["send datagram 0", "send datagram 0"])
        #expect(bench.packets.last?.first == 3 && bench.packets.last?.last == 4)
        #expect(bench.packets.last?.bytes == Wire.udp + 100 && bench.packets.last?.cause == .payload)
        #expect(bench.taking { bench.act { $0.ping(0, at: $2, &$4) } } == ["pinged 0", "send ping 0"])
        #expect(bench.packets.last?.bytes == Wire.udp && bench.packets.last?.cause == .keepalive)
        bench.wait(.milliseconds(30))
        #expect(
            bench.taking { bench.receive(bench.packet(.pong, echo: .zero + .seconds(2))) }
                == ["heard(slot: 0)", "ponged 30000000", "pong 0 after 30000000"])
        var datagram = bench.packet(.datagram)
        (datagram.first, datagram.last, datagram.bytes) = (4, 6, 228)
        #expect(bench.taking { bench.receive(datagram) } == ["heard(slot: 0)", "datagram 0 4..<6 228"])
        #expect(bench.phone.deadline(0) == .never && bench.phone[0].isUDP && bench.phone[0].isDatagram)
        #expect(
            bench.taking { bench.act { $0.close(0, isDone: false, at: $2, $3, &$4) } }
                == ["gaveUp(slot: 0)", "believedClosed(slot: 0)", "closed by_client 1", "closedDatagrams(slot: 0)"])
        #expect(bench.taking { bench.receive(datagram) }.isEmpty, "a datagram socket sends no reset")
    }

    // MARK: Packets

    /// Broken: a packet for an unknown connection gets no reset, or one that is in no order a response.
    @Test func eachPacketHasItsResponse() {
        let contents: [(Packet.PacketContent, [String])] = [
            (.hello, ["heard(slot: 0)"]), (.ping, ["heard(slot: 0)"]), (.probe, ["heard(slot: 0)"]),
            (.dnsResponse, ["heard(slot: 0)"]), (.push, ["heard(slot: 0)"]), (.acknowledgement, ["heard(slot: 0)"]),
            (.keepaliveProbe, ["heard(slot: 0)", "send acknowledgement 0"]),
            (
                .reset,
                ["heard(slot: 0)", "died(slot: 0)", "believedClosed(slot: 0)", "closed reset 1", "closed 0 reset"]
            ),
        ]
        for (content, lines) in contents {
            let bench = PhoneEndBench()
            bench.open()
            #expect(bench.taking { bench.receive(bench.packet(content)) } == lines, "\(content)")
            bench.act { $0.close(0, isDone: true, at: $2, $3, &$4) }
            #expect(
                bench.taking { bench.receive(bench.packet(content)) } == (content == .reset ? [] : ["send reset 0"]))
        }
        let quic = PhoneEndBench()
        quic.connect(Transport(.quic))
        #expect(quic.taking { quic.receive(quic.packet(.reset)) } == ["failed refused 1", "failed 0 refused"])
        quic.receive(quic.packet(.data))
        #expect(quic.packets.last?.content == .reset && quic.packets.last?.bytes == QUICWire.close)
        let tcp = PhoneEndBench()
        tcp.connect()
        tcp.receive(tcp.packet(.reset))
        tcp.receive(tcp.packet(.data))
        #expect(tcp.packets.last?.bytes == Wire.tcp && tcp.packets.last?.cause == .connect)
    }

    /// Broken: the kernel's acknowledgement confirms messages although the server's program sends receipts, or does not
    /// without them.
    @Test(arguments: [true, false])
    func anAcknowledgementConfirmsWithoutReceipts(sendsReceipts: Bool) {
        let bench = PhoneEndBench(sendsReceipts: sendsReceipts)
        bench.open()
        bench.send(0..<2)
        let lines = bench.taking { bench.acknowledge() }
        #expect(lines == ["heard(slot: 0)"] + (sendsReceipts ? [] : ["confirmed 0 before 2"]))
        #expect(bench.taking { bench.acknowledge() } == ["heard(slot: 0)"], "nothing more is confirmed")
    }

    // MARK: Loss

    /// Broken: an app that does not run is told of a loss, is told the last reason, or the connection has a timer until
    /// then.
    @Test func aSleepingAppLearnsTheFirstReasonLater() {
        let bench = PhoneEndBench()
        bench.open(.webSocket, 0)
        bench.open(.webSocket, 1)
        bench.send(0..<1)
        bench.permissions.runs = false
        #expect(bench.phone.deadline(0) < .never)
        #expect(
            bench.taking { bench.act { $0.handlePeerClose(0, .ended, $1, &$4) } } == ["died(slot: 0)"])
        #expect(bench.phone.deadline(0) == .never && bench.phone[0].belief == .open)
        #expect(bench.taking { bench.act { $0.handleNetworkLoss(0, $1, &$4) } } == ["died(slot: 0)"])
        #expect(bench.taking { bench.act { $0.handleNetworkLoss(1, $1, &$4) } } == ["died(slot: 1)"])
        #expect(bench.taking { bench.receive(bench.packet(.data), 1) } == ["send reset 1"])
        #expect(
            bench.taking { bench.act { $0.reportPendingLosses(at: $2, &$4) } } == [
                "believedClosed(slot: 0)", "closed ended 1", "endedByServer(slot: 0, DeadzoneClient.CloseReason.ended)",
                "closed 0 ended", "send reset 0",
                "believedClosed(slot: 1)", "closed path_lost 1", "closed 1 pathLost",
            ])
        #expect(bench.taking { bench.act { $0.reportPendingLosses(at: $2, &$4) } }.isEmpty)
    }

    /// Broken: the loss of a network or a close of the peer has another result for an attempt than for a connection.
    @Test func losesDependOnTheBelief() {
        let bench = PhoneEndBench()
        #expect(bench.taking { bench.act { $0.handlePeerClose(0, .reset, $1, &$4) } }.isEmpty)
        #expect(bench.taking { bench.act { $0.handleNetworkLoss(0, $1, &$4) } }.isEmpty)
        bench.connect()
        #expect(
            bench.taking { bench.act { $0.handlePeerClose(0, .reset, $1, &$4) } } == [
                "failed refused 1", "failed 0 refused",
            ])
        bench.connect()
        #expect(
            bench.taking { bench.act { $0.handleNetworkLoss(0, $1, &$4) } } == ["failed no_path 2", "failed 0 noPath"])
        for reason in [CloseReason.pathLost, .timedOut, .reset, .ended, .denied, .completed] {
            bench.open()
            let number = bench.phone[0].generation
            let lines = bench.taking { bench.act { $0.handlePeerClose(0, reason, $1, &$4) } }
            let name = CloseCode(reason).name
            let isByServer = [.ended, .denied, .completed].contains(reason)
            let stated = isByServer ? ["endedByServer(slot: 0, DeadzoneClient.CloseReason.\(reason))"] : []
            #expect(lines == ["believedClosed(slot: 0)", "closed \(name) \(number)"] + stated + ["closed 0 \(reason)"])
            #expect("\(CloseCode(reason))" == "\(reason)")
        }
        for failure in [ConnectFailure.noPath, .timedOut, .refused, .unresolved, .untrusted, .sessionRefused] {
            #expect("\(FailureCode(failure))" == (failure == .sessionRefused ? "turnedAway" : "\(failure)"))
        }
        for failure in CallFailure.allCases { #expect("\(CallCode(failure))" == "\(failure)") }
        #expect(GoAwayCode(.noError) == .noError && GoAwayCode(.tooManyPings) == .tooManyPings)
    }

    // MARK: Closing

    /// Broken: a close by the client sends no goodbye, counts as given up where it must not, or is counted twice.
    @Test func aClientClosesItsConnection() {
        struct Row {
            var isDone = false
            var path: Interface? = .wifi
            var handle: UInt16 = 1
            var goesAway = false
            var gaveUp: Bool
        }
        let rows = [
            Row(gaveUp: true), Row(isDone: true, gaveUp: false), Row(path: .cellular, gaveUp: false),
            Row(path: nil, gaveUp: false), Row(handle: 2, gaveUp: false), Row(goesAway: true, gaveUp: false),
        ]
        for row in rows {
            let bench = PhoneEndBench()
            bench.open(Transport(.http2))
            if row.goesAway { bench.read(.goAway) }
            bench.session.network.path = row.path
            bench.session.network.handle = row.handle
            let lines = bench.taking { bench.act { $0.close(0, isDone: row.isDone, at: $2, $3, &$4) } }
            let expected =
                ["send reset 0"] + (row.gaveUp ? ["gaveUp(slot: 0)"] : []) + ["believedClosed(slot: 0)"]
                + (row.isDone ? ["wantsNoConnection"] : []) + ["closed by_client 1"]
            #expect(lines == expected, "\(row)")
            #expect(bench.taking { bench.act { $0.close(0, isDone: true, at: $2, $3, &$4) } }.isEmpty)
        }
        let attempt = PhoneEndBench()
        attempt.connect()
        #expect(attempt.taking { attempt.act { $0.close(0, isDone: true, at: $2, $3, &$4) } }.isEmpty)
        attempt.connect()
        attempt.receive(attempt.packet(.helloReply, echo: .zero))
        #expect(
            attempt.taking { attempt.act { $0.close(0, isDone: true, at: $2, $3, &$4) } } == ["send reset 0"])
    }

    /// Broken: the connection of a process that has ended is not closed, tells the app, or says goodbye although it is
    /// lost already.
    @Test func aProcessLeavesItsConnections() {
        let bench = PhoneEndBench()
        bench.open()
        #expect(
            bench.taking { bench.act { $0.abandon(0, at: $2, &$4) } }
                == ["closedByExit(slot: 0)", "closed by_client 1", "send reset 0"])
        #expect(bench.taking { bench.act { $0.abandon(0, at: $2, &$4) } }.isEmpty)
        bench.open()
        bench.permissions.runs = false
        bench.act { $0.handlePeerClose(0, .reset, $1, &$4) }
        #expect(
            bench.taking { bench.act { $0.abandon(0, at: $2, &$4) } } == [
                "closedByExit(slot: 0)", "closed by_client 2",
            ])
        #expect(bench.phone[0].unreportedLoss == nil)
        bench.permissions.runs = true
        bench.open(.datagram)
        #expect(
            bench.taking { bench.act { $0.abandon(0, at: $2, &$4) } } == [
                "closedByExit(slot: 0)", "closed by_client 3",
            ])
        bench.connect()
        #expect(bench.taking { bench.act { $0.abandon(0, at: $2, &$4) } }.isEmpty && bench.phone[0].belief == .closed)
        bench.open()
        bench.phone.release(0)
        #expect(!bench.phone.reads(0) && bench.phone[0].belief == .open)
    }

    // MARK: Timers

    /// Broken: the end of an idle QUIC connection counts as given up, or that of one with data in flight does not.
    @Test(arguments: [true, false])
    func anAgreedIdleTimeoutIsNotGivenUp(hasData: Bool) {
        let bench = PhoneEndBench()
        bench.open(Transport(.quic))
        if hasData { bench.send(0..<1) }
        var lines: [String] = []
        while bench.phone[0].belief == .open {
            bench.now = bench.phone.deadline(0)
            lines = bench.taking { bench.expire() }
        }
        #expect(bench.now == .zero + .seconds(30))
        #expect(
            lines == (hasData ? ["gaveUp(slot: 0)"] : []) + [
                "died(slot: 0)", "believedClosed(slot: 0)", "closed timed_out 1", "closed 0 timedOut",
            ])
    }

    /// Broken: an attempt without an answer counts as a lost connection.
    @Test func anAttemptTimesOut() {
        let bench = PhoneEndBench()
        bench.connect()
        var lines: [String] = []
        while bench.phone[0].belief == .opening {
            bench.now = bench.phone.deadline(0)
            lines = bench.taking { bench.expire() }
        }
        #expect(lines == ["gaveUp(slot: 0)", "failed timed_out 1", "failed 0 timedOut"])
        #expect(bench.now == .zero + .seconds(75) && bench.phone.deadline(0) == .never)
    }
}
