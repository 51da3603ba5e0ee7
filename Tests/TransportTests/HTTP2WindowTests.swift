import Testing

import DeadzonePrimitives
@testable import DeadzoneTransport

/// Rows of h2spec section 6.9.1, and what they come to on a stream of runs.
@Suite struct HTTP2WindowTests {
    enum Step: Sendable {
        case begin(UInt32, open: UInt32)
        case update(UInt32, HTTP2Error)
    }

    struct Script: Sendable {
        var name: String
        var start: Int64
        var steps: [Step]
        var end: Int64
    }

    private static let scripts = [
        Script(name: "a shut window", start: 0, steps: [.begin(0, open: 0)], end: 0),
        Script(
            name: "a window of one, one byte at a time", start: 1,
            steps: [.begin(1, open: 0), .update(1, .noError), .begin(1, open: 0)], end: 0),
        Script(name: "an increment of nothing", start: 7, steps: [.update(0, .protocolError)], end: 7),
        Script(
            name: "beyond the largest", start: 65_535,
            steps: [.update(2_147_483_647, .flowControlError), .update(2_147_418_112, .noError)], end: 2_147_483_647),
        Script(
            name: "below zero, and shut until updates have filled it above", start: 3,
            steps: [
                .begin(5, open: 0), .update(2, .noError), .begin(0, open: 0), .update(1, .noError), .begin(1, open: 0),
            ],
            end: 0),
        Script(name: "what is left", start: 100, steps: [.begin(30, open: 70), .begin(70, open: 0)], end: 0),
    ]

    /// Broken: who may send how much. A negative window stays shut until updates have filled it above zero.
    @Test(arguments: scripts)
    func countsWhatMayGo(_ script: Script) {
        var window = HTTP2Window(script.start)
        for step in script.steps {
            switch step {
            case .begin(let bytes, let open):
                window.overdraw(bytes)
                #expect(window.open == open, "\(script.name)")
            case .update(let increment, let error):
                #expect(window.grow(by: increment) == error, "\(script.name)")
            }
        }
        #expect(window.bytes == script.end, "\(script.name)")
    }

    /// Broken: a message that passes one window and not the other, or a call that waits for the messages' own.
    @Test func messagesPassBothWindowsAndCallsOne() {
        let framing = Framing(.http2, .none, .up)
        var allowance = HTTP2Allowance(connection: HTTP2Window(200), stream: HTTP2Window(100))
        #expect(allowance.admits(.message) && allowance.admits(.call))
        allowance.charge(.message, framing.message(110), framing)
        #expect(!allowance.admits(.message) && !allowance.admits(.snapshot) && allowance.admits(.call))
        #expect(
            allowance.connection.bytes == allowance.stream.bytes + 100 && (-20..<0).contains(allowance.stream.bytes))
        allowance.charge(.call, framing.exchange(90), framing)
        #expect(!allowance.admits(.call) && !allowance.admits(.answer))
        // Pings and what ends a call go beside the windows.
        let shut = allowance
        for track in [Track.ping, .refusal, .receipt] {
            #expect(allowance.admits(track))
            allowance.charge(track, 50, framing)
        }
        #expect(allowance == shut)
        allowance.grow(connection: 100, stream: 0)
        #expect(allowance.admits(.call) && !allowance.admits(.message))
        allowance.grow(connection: 0, stream: 100)
        #expect(allowance.admits(.message))
    }

    /// Broken: WINDOW_UPDATE for every message, or never: 32,767 bytes are half of the window.
    @Test func grantsHalfAWindowAtATime() {
        var credit = HTTP2Credit()
        var grants: [UInt32] = []
        for _ in 0..<400 {
            let grant = credit.consume(300)
            if grant > 0 { grants.append(grant) }
        }
        #expect(grants == [33_000, 33_000, 33_000] && credit.owed == 400 * 300 - 99_000)
        #expect(credit.consume(.max) == 2_147_483_647 && credit.owed == 0)
    }

    /// Broken: an end that grants what it was sent lets the other end stall, whatever the sizes.
    @Test func neverStallsWhoIsReadAtOnce() {
        for size in [1, 2, 999, 16_384, 32_768, 65_535, 200_000] as [UInt32] {
            var allowance = HTTP2Allowance()
            var credit = HTTP2Credit()
            var left = size * 5
            while left > 0, allowance.open > 0 {
                let part = min(left, allowance.open)
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
