import DeadzonePrimitives
import Testing

@testable import DeadzoneFit

/// Pings, and the segments that lines are made of.
struct PingFitTests {
    private static func at(_ seconds: Double) -> Instant { Instant(nanoseconds: Int64(seconds * 1e9)) }

    /// A connection that pings so long after the last answer, until nobody answers any more.
    private static func line(interval: Double, timeout: Double, pings: Int) -> Recording.Line {
        var book = LineBook<Int>()
        func segment(_ isUp: Bool, _ change: (inout LineBook<Int>.Segment) -> Void) -> LineBook<Int>.Segment {
            var segment = LineBook<Int>.Segment(isUp: isUp)
            change(&segment)
            return segment
        }
        book.take(segment(true) { $0.begins = true }, of: 1, at: at(0))
        book.take(segment(false) { ($0.begins, $0.acknowledges) = (true, true) }, of: 1, at: at(0.05))
        var now = 0.05
        for ping in 1...pings {
            now += interval
            book.take(
                segment(true) { ($0.isPing, $0.carriesBytes, $0.sequence) = (true, true, UInt32(ping)) }, of: 1,
                at: at(now))
            // Sent once more by the kernel: no other ping.
            book.take(
                segment(true) { ($0.isPing, $0.carriesBytes, $0.sequence) = (true, true, UInt32(ping)) }, of: 1,
                at: at(now + 0.3))
            guard ping < pings else { break }
            now += 0.4 + 0.2 * Double(ping)
            book.take(segment(false) { $0.carriesBytes = true }, of: 1, at: at(now))
        }
        book.take(segment(true) { $0.ends = true }, of: 1, at: at(now + timeout))
        return book.lines[0].line
    }

    @Test func intervalAndTimeoutAreFound() throws {
        // Broken: pings are counted twice, or from anything but the last answer.
        for (interval, timeout) in [(3.0, 2.5), (0.73, 4.1), (47.3, 11.9)] {
            let line = Self.line(interval: interval, timeout: timeout, pings: 4)
            #expect(line.beats.count == 4)
            let fit = try #require(PingFit([line], preferring: (nil, nil)))
            #expect(fit.intervals.first?.law == .received && fit.intervals.first?.range.contains(interval) == true)
            #expect(!fit.intervals.contains { $0.law == .nothing })
            #expect(fit.verdicts.contains { $0.law == .timeout && $0.range.contains(timeout) })
        }
    }

    @Test func whatWasNotSeenIsSaid() {
        // Broken: a setting is made up that nothing in the recording tells.
        var line = Recording.Line(at: Self.at(0))
        line.openedAt = Self.at(1)
        let fitting = Fitting([Recording("quiet", [line])], preset: [:], numbers: [:])
        #expect(fitting.findings.isEmpty)
        #expect(Set(fitting.untold.map(\.setting)).isSuperset(of: ["backoff", "keepalive", "backoff.after-open"]))
    }
}
