import Testing

import DeadzoneBase
@testable import DeadzoneTransport

/// Rows of h2spec section 6.9.1, and their effect on a stream of frame ranges.
@Suite struct HTTP2WindowTests {
    enum WindowStep: Sendable {
        case begin(UInt32, open: UInt32)
        case update(UInt32, HTTP2Error)
    }

    struct WindowScript: Sendable {
        var name: String
        var start: Int64
        var steps: [WindowStep]
        var end: Int64
    }

    private static let scripts = [
        WindowScript(name: "a shut window", start: 0, steps: [.begin(0, open: 0)], end: 0),
        WindowScript(
            name: "a window of one, one byte at a time", start: 1,
            steps: [.begin(1, open: 0), .update(1, .noError), .begin(1, open: 0)], end: 0),
        WindowScript(name: "an increment of nothing", start: 7, steps: [.update(0, .protocolError)], end: 7),
        WindowScript(
            name: "beyond the largest", start: 65_535,
            steps: [.update(2_147_483_647, .flowControlError), .update(2_147_418_112, .noError)], end: 2_147_483_647),
        WindowScript(
            name: "below zero, and shut until updates have filled it above", start: 3,
            steps: [
                .begin(5, open: 0), .update(2, .noError), .begin(0, open: 0), .update(1, .noError), .begin(1, open: 0),
            ],
            end: 0),
        WindowScript(name: "what is left", start: 100, steps: [.begin(30, open: 70), .begin(70, open: 0)], end: 0),
    ]

    /// Broken: the number of bytes that an end may send. A negative window stays shut until updates have filled it
    /// above zero.
    @Test(arguments: scripts)
    func countsTheSendableBytes(_ script: WindowScript) {
        var window = HTTP2Window(script.start)
        for step in script.steps {
            switch step {
            case .begin(let bytes, let open):
                window.overdraw(bytes)
                #expect(window.available == open, "\(script.name)")
            case .update(let increment, let error):
                #expect(window.grow(by: increment) == error, "\(script.name)")
            }
        }
        #expect(window.bytes == script.end, "\(script.name)")
    }

    /// Broken: a message consumes only one of the two windows, or a call is blocked by the window of the message
    /// stream.
    @Test func messagesPassBothWindowsAndCallsOne() {
        let framing = Framing(.http2, .none, .up)
        var allowance = HTTP2SendWindows(connection: HTTP2Window(200), stream: HTTP2Window(100))
        #expect(allowance.admits(.message) && allowance.admits(.call))
        allowance.charge(.message, framing.message(110), framing)
        #expect(!allowance.admits(.message) && !allowance.admits(.snapshot) && allowance.admits(.call))
        #expect(
            allowance.connection.bytes == allowance.stream.bytes + 100 && (-20..<0).contains(allowance.stream.bytes))
        allowance.charge(.call, framing.exchange(90), framing)
        #expect(!allowance.admits(.call) && !allowance.admits(.answer))
        // Pings and the end of a call are not subject to flow control.
        let shut = allowance
        for track in [FrameKind.ping, .refusal, .receipt] {
            #expect(allowance.admits(track))
            allowance.charge(track, 50, framing)
        }
        #expect(allowance == shut)
        allowance.grow(connection: 100, stream: 0)
        #expect(allowance.admits(.call) && !allowance.admits(.message))
        allowance.grow(connection: 0, stream: 100)
        #expect(allowance.admits(.message))
    }

    /// Broken: WINDOW_UPDATE is sent for every message, or never. 32,767 bytes are half of the window.
    @Test func grantsHalfAWindowAtATime() {
        var credit = WindowUpdateCounter()
        var grants: [UInt32] = []
        for _ in 0..<400 {
            let grant = credit.consume(300)
            if grant > 0 { grants.append(grant) }
        }
        #expect(grants == [33_000, 33_000, 33_000] && credit.ungranted == 400 * 300 - 99_000)
        #expect(credit.consume(.max) == 2_147_483_647 && credit.ungranted == 0)
    }

    /// Broken: an end returns as many bytes as it received, and still the sender stalls, for some sizes.
    @Test func neverStallsIfTheReceiverReadsAtOnce() {
        for size in [1, 2, 999, 16_384, 32_768, 65_535, 200_000] as [UInt32] {
            var allowance = HTTP2SendWindows()
            var credit = WindowUpdateCounter()
            var left = size * 5
            while left > 0, allowance.available > 0 {
                let part = min(left, allowance.available)
                allowance.connection.overdraw(part)
                allowance.stream.overdraw(part)
                left -= part
                let grant = credit.consume(part)
                allowance.grow(connection: grant, stream: grant)
            }
            #expect(left == 0, "\(size)")
        }
    }
}
