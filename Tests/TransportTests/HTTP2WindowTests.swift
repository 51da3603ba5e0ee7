import DeadzoneTransport
import Testing

/// Rows of h2spec sections 6.9.1 and 6.9.2.
@Suite struct HTTP2WindowTests {
    enum Step: Sendable {
        case send(UInt32, goes: UInt32)
        case settings(from: UInt32, to: UInt32, HTTP2Error)
        case update(UInt32, HTTP2Error)
    }

    struct Script: Sendable {
        var name: String
        var start: Int64
        var steps: [Step]
        var end: Int64
    }

    private static let scripts = [
        Script(
            name: "settings below what was spent", start: 3,
            steps: [
                .send(3, goes: 3), .settings(from: 3, to: 2, .noError), .send(9, goes: 0), .update(2, .noError),
                .send(9, goes: 1),
            ], end: 0),
        Script(name: "a shut window", start: 0, steps: [.send(5, goes: 0)], end: 0),
        Script(name: "frames of one byte", start: 1, steps: [.send(5, goes: 1), .send(4, goes: 0)], end: 0),
        Script(
            name: "a window of one, one byte at a time", start: 1,
            steps: [.send(2, goes: 1), .update(1, .noError), .send(1, goes: 1)], end: 0),
        Script(name: "an increment of nothing", start: 7, steps: [.update(0, .protocolError)], end: 7),
        Script(
            name: "beyond the largest", start: 65_535,
            steps: [.update(2_147_483_647, .flowControlError), .update(2_147_418_112, .noError)], end: 2_147_483_647),
        Script(
            name: "settings beyond the largest", start: 65_536,
            steps: [.settings(from: 65_535, to: 2_147_483_647, .flowControlError)], end: 65_536),
        Script(
            name: "a setting above 2^31 - 1", start: 0, steps: [.settings(from: 0, to: 1 << 31, .flowControlError)],
            end: 0),
        Script(
            name: "deep below zero and back", start: 100,
            steps: [
                .send(100, goes: 100), .settings(from: 100, to: 0, .noError), .settings(from: 0, to: 101, .noError),
                .send(8, goes: 1),
            ], end: 0),
    ]

    /// Broken: who may send how much. A negative window stays shut until updates have filled it above zero.
    @Test(arguments: scripts)
    func countsWhatMayGo(_ script: Script) {
        var window = HTTP2Window(script.start)
        for step in script.steps {
            switch step {
            case .send(let wanted, let goes):
                let count = min(wanted, window.open)
                #expect(count == goes, "\(script.name)")
                window.spend(count)
            case .settings(let old, let new, let error):
                #expect(window.shift(from: old, to: new) == error, "\(script.name)")
            case .update(let increment, let error):
                #expect(window.grow(by: increment) == error, "\(script.name)")
            }
        }
        #expect(window.bytes == script.end, "\(script.name)")
    }

    /// Broken: DATA that passes one window and not the other, or in frames that are too large.
    @Test func sendsNoMoreThanBothWindowsAndAFrame() {
        var allowance = HTTP2Allowance()
        var frames: [UInt32] = []
        while case let frame = allowance.takeFrame(of: 100_000), frame > 0 { frames.append(frame) }
        #expect(frames == [16_384, 16_384, 16_384, 16_383])
        #expect(allowance.stream.grow(by: 10) == .noError && allowance.open == 0)
        #expect(allowance.connection.grow(by: 4) == .noError && allowance.takeFrame(of: 10) == 4)
        #expect(allowance.stream.bytes == 6 && allowance.connection.bytes == 0)
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
            while left > 0 {
                let frame = allowance.takeFrame(of: left)
                guard frame > 0 else { break }
                left -= frame
                let grant = credit.consume(frame)
                if grant > 0 {
                    #expect(allowance.connection.grow(by: grant) == .noError)
                    #expect(allowance.stream.grow(by: grant) == .noError)
                }
            }
            #expect(left == 0, "\(size)")
        }
    }
}
