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
            let fit = try #require(PingFit([Recording("one", [line])], preferring: (nil, nil)))
            #expect(fit.intervals.first?.law == .received && fit.intervals.first?.range.contains(interval) == true)
            #expect(!fit.intervals.contains { $0.law == .nothing })
            #expect(fit.verdicts.contains { $0.law == .timeout && $0.range.contains(timeout) })
        }
    }

    @Test func aLawThatLetsMoreQuietPassIsNone() throws {
        // Broken: beats that by chance come as long after an answer pass for beats that wait for one. A beat every three seconds,
        // and an answer 1.1 s apart: both beats come 0.8 s after one.
        var book = LineBook<Int>()
        func take(_ isUp: Bool, _ seconds: Double, _ change: (inout LineBook<Int>.Segment) -> Void) {
            var segment = LineBook<Int>.Segment(isUp: isUp)
            segment.carriesBytes = true
            change(&segment)
            book.take(segment, of: 1, at: Self.at(seconds))
        }
        take(true, 0) { ($0.begins, $0.carriesBytes) = (true, false) }
        take(false, 0.05) { ($0.begins, $0.acknowledges, $0.carriesBytes) = (true, true, false) }
        for (number, said) in [0.1, 1.2, 2.3, 3.1, 4.2, 5.3, 6.15, 6.9].enumerated() {
            if said == 3.1 || said == 6.15 {
                take(true, said) { ($0.isPing, $0.sequence) = (true, UInt32(number)) }
                take(false, said + 0.02) { _ in }
            } else {
                take(true, said - 0.02) { _ in }
                take(false, said) { _ in }
            }
        }
        let fit = try #require(PingFit([Recording("one", [book.lines[0].line])], preferring: (nil, nil)))
        #expect(fit.intervals.map(\.law) == [.nothing], "\(fit.intervals)")
        #expect(fit.intervals.first?.range.contains(3.05) == true)
    }

    @Test func whatAgreesByChanceIsNotTakenForTheInterval() throws {
        // Broken: a client that pings every three seconds, on a machine that is late, passes for one that pings 0.8 s after an answer:
        // answers come every second, both pings happened to come so long after one, and the second was 0.2 s late.
        var line = Recording.Line(at: Self.at(0))
        line.openedAt = Self.at(0.02)
        line.beats = [(3.07, 2.22), (6.32, 5.46)].map {
            Recording.Beat(at: Self.at($0.0), heardAt: Self.at($0.1), saidAt: Self.at($0.1))
        }
        line.longestUnheard = .milliseconds(1_030)
        line.longestUnsaid = .milliseconds(1_010)
        let recording = Recording("loaded", [line])
        let fit = try #require(PingFit([recording], preferring: (nil, nil)))
        #expect(fit.intervals.map(\.law).first == .nothing && fit.intervals.count > 1, "\(fit.intervals)")
        #expect(fit.intervals.first?.range.contains(3) == true && fit.intervals.first?.isCoarse == true)
        let fitting = Fitting([recording], preset: [:], numbers: [:])
        let found = try #require(fitting.findings.first { $0.setting == "keepalive.interval" })
        // Both are said, and the range holds both.
        #expect(found.value == "3s" && found.allowed.contains("postponed by received"), "\(found)")
        #expect(found.range.map { $0.contains(0.84) && $0.contains(3) } == true)
        #expect(fitting.untold.contains { $0.setting == "keepalive.postponed-by" })
        for (own, isRefuted) in [(3.0, false), (0.85, false), (1.7, true)] {
            let like = Fitting(
                [recording], preset: ["keepalive.interval": "\(own)s"], numbers: ["keepalive.interval": own])
            #expect(like.findings.first { $0.setting == "keepalive.interval" }?.isRefuted == isRefuted, "\(own)")
        }
    }

    @Test func aGoodbyeThatTheKernelKeepsBackIsFoundByTheNextAttempt() throws {
        // Broken: a timeout is not told where bytes wait for an answer before the goodbye.
        var lines = [Self.line(interval: 2, timeout: 4, pings: 3), Recording.Line(at: Self.at(60))]
        let ended = try #require(lines[0].endedAt)
        (lines[0].endedAt, lines[0].ending) = (nil, nil)
        lines[1].beganAt = ended + .milliseconds(1_500)
        for (loss, isTold) in [(1.4...1.6, true), (nil, false)] as [(ClosedRange<Double>?, Bool)] {
            let fit = try #require(
                PingFit([Recording("one", lines)], waitingAfterLoss: loss, preferring: (nil, nil)))
            #expect(fit.verdicts.contains { $0.law == .timeout && $0.range.contains(4) } == isTold)
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
