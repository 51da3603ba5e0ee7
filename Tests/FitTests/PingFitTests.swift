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

    /// A connection with pings: when, when the server was heard before, and when either side spoke.
    private static func pinged(
        _ beats: [(Double, Double, Double)], unheard: Double = 0, ended: Double? = nil,
        _ ending: Recording.Line.Ending? = nil
    ) -> Recording.Line {
        var line = Recording.Line(at: at(0))
        line.openedAt = at(0.05)
        line.beats = beats.map { Recording.Beat(at: at($0.0), heardAt: at($0.1), saidAt: at($0.2)) }
        line.heardAt = line.beats.last?.heardAt
        line.longestUnheard = .milliseconds(Int64(unheard * 1_000))
        (line.endedAt, line.ending) = (ended.map(at), ending)
        return line
    }

    @Test func whoeverSpokeLastPutsAPingOff() throws {
        // Broken: a client that pings five seconds after the last word of either side passes for any other.
        let line = Self.pinged([(10, 5, 3), (20, 12, 15), (27, 20.5, 22)])
        let fit = try #require(PingFit([Recording("one", [line])], preferring: (nil, nil)))
        let found = try #require(fit.intervals.first { $0.law == .traffic }, "\(fit.intervals.map(\.law))")
        #expect(found.range.contains(5) && found.range.upperBound < 5.5 && !found.isCoarse)
        #expect(!fit.intervals.contains { $0.law == .received })
    }

    @Test(arguments: [(2.0, 4.0, true), (2, 9, false), (9, 2, false)])
    func oneQuietConnectionIsEnough(_ first: Double, _ second: Double, _ isPossible: Bool) throws {
        // Broken: of several connections the one that was never quiet says after how much quiet a client pings.
        let lines = [first, second].map { Self.pinged([(10, 5, 5), (20, 15, 15), (31, 26, 26)], unheard: $0) }
        let fit = try #require(PingFit([Recording("one", lines)], preferring: (nil, nil)))
        #expect(fit.intervals.contains { $0.law == .received } == isPossible, "\(fit.intervals)")
    }

    @Test(arguments: [(12.0, 12.05, true), (12, 16, false)])
    func verdictsHaveToAgree(_ first: Double, _ second: Double, _ agree: Bool) throws {
        // Broken: a timeout is told that only the first of two connections had.
        let lines = [first, second].map { Self.pinged([(10, 5, 5)], ended: $0, .client) }
        let fit = try #require(PingFit([Recording("one", lines)], preferring: (nil, nil)))
        #expect(fit.verdicts.contains { $0.law == .timeout && $0.range.contains(2) } == agree, "\(fit.verdicts)")
        #expect(fit.verdicts.contains { $0.law == .timeout } == agree)
    }

    @Test func whatTwoWordsExplainIsNotTold() {
        // Broken: of two verdicts that explain one silence the first is told as the client's.
        let line = Self.pinged([(10, 5, 5)], ended: 12, .client)
        let fitting = Fitting([Recording("one", [line])], preset: [:], numbers: [:])
        #expect(fitting.untold.contains { $0.setting == "keepalive.verdict" && $0.why.hasPrefix("timeout or silence") })
        #expect(!fitting.findings.contains { $0.setting == "keepalive.verdict" })
    }

    @Test(arguments: Recording.Line.Ending.allCases)
    func onlyWhatTheClientEndsTellsItsVerdict(_ ending: Recording.Line.Ending) throws {
        // Broken: the server's patience passes for the client's.
        let line = Self.pinged([(10, 5, 5)], ended: 12, ending)
        let fit = try #require(PingFit([Recording("one", [line])], preferring: (nil, nil)))
        #expect(fit.verdicts.isEmpty == (ending != .client), "\(fit.verdicts)")
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
