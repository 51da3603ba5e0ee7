import DeadzoneBase
import DeadzoneClient
import DeadzoneScenarios
import Testing

@testable import DeadzoneFit
@testable import DeadzoneRuns

/// The comparison of a client with a preset: contradicted, not contradicted, or undecided.
struct PresetVerdictTests {
    private static func at(_ seconds: Double) -> Instant { Instant(nanoseconds: Int64((seconds * 1e9).rounded())) }

    /// Recordings of one connection each, which the client closed after the same silence. The last data before the close
    /// was sent `asked` seconds before it.
    private static func closing(_ closes: Int, after silence: Double, asked: Double? = nil) -> [Recording] {
        (0..<closes).map { index in
            var line = Recording.RecordedConnection(at: at(0))
            (line.openedAt, line.lastReceivedAt) = (at(0.1), at(10))
            (line.endedAt, line.ending) = (at(10 + silence), .client)
            line.askedAt = asked.map { at(10 + silence - $0) }
            return Recording("close \(index)", [line])
        }
    }

    /// A connection that stays open.
    private static var quiet: Recording {
        var line = Recording.RecordedConnection(at: at(0))
        (line.openedAt, line.lastReceivedAt) = (at(0.1), at(10))
        return Recording("quiet", [line])
    }

    private static func preset(_ name: String, _ yaml: String? = nil) throws -> FitMaker.ReferencePreset {
        let reading = ParsedStrategy(name, with: Node(.map([])), .standard) { _ in
            yaml.map { Result<[UInt8], FileError>.success(Array($0.utf8)) } ?? .failure(FileError("no file"))
        }
        let strategy = try #require(reading.strategy, "\(name): \(reading.faults.sorted)")
        return FitMaker.ReferencePreset(name: name, strategy, settings: reading.settings)
    }

    @Test("A recording without evidence cannot decide", arguments: Vocabulary.standard.presets.map(\.name))
    func nothingIsUndecided(_ name: String) throws {
        // Broken: a recording without an attempt, a ping or a close accepts every preset, so that CI is always green.
        let report = FitMaker([Self.quiet], like: try Self.preset(name)).report()
        #expect(report.verdict == .undecided && !report.isWritable && report.yaml == "", "\(report)")
    }

    @Test(
        "Closes after silences are compared with the preset's way to find dead connections",
        arguments: [
            // Pings once a year: nothing of this preset closes a connection after six seconds.
            ("grpc-core", nil, 2, ["keepalive.verdict"], ["keepalive.pings"]),
            ("grpc-core", nil, 1, [], ["keepalive.pings", "keepalive.verdict"]),
            ("own.yaml", "keepalive: {interval: 1s, timeout: 5s}", 2, [], ["keepalive.pings", "keepalive.verdict"]),
            ("own.yaml", "keepalive: {interval: 1s, timeout: 4s}", 2, ["keepalive.verdict"], ["keepalive.pings"]),
            (
                "own.yaml", "keepalive: {interval: 3s, verdict: next-beat}", 2, [],
                ["keepalive.pings", "keepalive.verdict"]
            ),
            (
                "own.yaml", "keepalive: {interval: 9s, verdict: next-beat}", 2, ["keepalive.verdict"],
                ["keepalive.pings"]
            ),
            ("own.yaml", "keepalive: {pings: false, verdict: silence, silence: 6s}", 2, [], []),
            ("own.yaml", "keepalive: {pings: false, verdict: silence, silence: 9s}", 2, ["keepalive.silence"], []),
        ] as [(String, String?, Int, [String], [String])])
    func closesAreCompared(
        _ name: String, _ settings: String?, _ closes: Int, _ refuted: [String], _ unjudged: [String]
    ) throws {
        // Broken: a preset is accepted although its value is not possible, or is refuted by one close.
        let preset = try Self.preset(
            name, settings.map { "version: 1\nstrategy: composed\nabout: x\n\($0)\n" })
        let report = FitMaker(Self.closing(closes, after: 6), like: preset).report()
        #expect(report.findings.filter(\.isRefuted).map(\.setting) == refuted, "\(report.findings)")
        #expect(report.findings.filter { $0.notJudged != nil }.map(\.setting) == unjudged, "\(report.findings)")
        #expect(!report.findings.contains { $0.isRefuted && $0.notJudged != nil })
        #expect((report.verdict == .contradicted) == !(refuted.isEmpty && report.mismatches.isEmpty))
    }

    @Test("Every impossible value of a preset is refuted, or not judged for a reason")
    func impossibleValuesAreNeverSilent() throws {
        // Broken: a row shows a value that is not possible, without a mark, and the preset is accepted.
        let recordings = [
            Self.closing(1, after: 6), Self.closing(3, after: 6), Self.closing(3, after: 9, asked: 4),
            Self.closing(2, after: 1, asked: 0.1),
        ]
        var marked = 0
        for name in Vocabulary.standard.presets.map(\.name) {
            let preset = try Self.preset(name)
            for closes in recordings {
                for finding in FitMaker(closes, like: preset).report().findings {
                    guard let own = finding.preset else { continue }
                    let number = preset.numbers[finding.setting]
                    let isPossible =
                        finding.range.map { range in number.map(range.contains) ?? true } ?? (own == finding.value)
                    guard !isPossible else { continue }
                    #expect(finding.isRefuted != (finding.notJudged != nil), "\(name): \(finding)")
                    marked += 1
                }
            }
        }
        #expect(marked > 20)
    }

    @Test("Data right before a close is no request")
    func goodbyeIsNoRequest() throws {
        // Broken: the alert that TLS sends before it closes makes a deadline of 0 s, which no preset can have.
        let report = FitMaker(Self.closing(2, after: 20, asked: 0.01), like: nil).report()
        let values = Dictionary(uniqueKeysWithValues: report.findings.map { ($0.setting, $0.value) })
        #expect(values["keepalive.silence"] == "20s" && values["calls.deadline"] == nil, "\(values)")
        #expect(report.isWritable && report.yaml.contains("silence: 20s"), "\(report.unexplained)")
    }

    @Test("A value that its setting cannot have is left out")
    func valuesOutOfRangeAreLeftOut() throws {
        // Broken: an estimate of 0 s is written into the file, which is then refused.
        var line = Recording.RecordedConnection(at: Self.at(0))
        (line.openedAt, line.lastReceivedAt) = (Self.at(0.1), Self.at(2))
        line.heartbeats = [1, 1.1, 1.25, 1.3].map { second in
            Recording.RecordedHeartbeat(
                at: Self.at(second), lastReceivedAt: Self.at(second - 0.06), lastActivityAt: Self.at(second - 0.06))
        }
        let report = FitMaker([Recording("fast", [line])], like: nil).report()
        #expect(!report.findings.contains { $0.setting == "keepalive.interval" }, "\(report.findings)")
        let why = report.undetermined.first { $0.setting == "keepalive.interval" }?.why
        #expect(why?.hasPrefix("left out: as a setting, ") == true, "\(report.undetermined) \(report.unexplained)")
        #expect(!report.unexplained.contains { $0.contains("out of range") } && !report.isWritable)
    }

    @Test("Lines of a file name their settings")
    func linesNameTheirSettings() {
        // Broken: a wrong line of the estimated file leaves out another setting.
        let yaml = "version: 1\nbackoff:\n  base: 1s  # 1 s\n  cap: 2s\nkeepalive:\n  interval: 0s\n"
        let found = (0...8).map { FitMaker.setting(at: $0, of: yaml) }
        #expect(found == [nil, nil, nil, "backoff.base", "backoff.cap", nil, "keepalive.interval", nil, nil])
    }

    @Test("A mismatch names the attempt, its wait and the preset's bounds")
    func mismatchesAreSentences() {
        // Broken: a sentence names another attempt or another bound, or an open bound has an end.
        func text(_ number: Int, _ seconds: Double, _ bounds: ClosedRange<TimeSpan>, at: Double = 61.25) -> String {
            let span = TimeSpan.nanoseconds(Int64((seconds * 1e9).rounded()))
            return FitMaker.complaint(number, span, bounds, at: Self.at(at))
        }
        let range = TimeSpan.seconds(1) ... .milliseconds(2_550)
        #expect(
            text(2, 3.04, range) == "at 61.3 s attempt 2 began 3.0 s after 1, the preset allows 1.0 s to 2.6 s")
        #expect(
            text(0, 3.06, range, at: 5)
                == "at 5.0 s attempt 0 began 3.1 s after the loss, the preset allows 1.0 s to 2.6 s")
        #expect(
            text(1, 0.05, .seconds(2) ... .seconds(2)).hasSuffix(
                "attempt 1 began 0.1 s after 0, the preset allows 2.0 s"))
        #expect(
            text(9, 0, .seconds(2) ... .longest).hasSuffix(
                "attempt 9 began 0.0 s after 8, the preset allows at least 2.0 s"))
    }

    @Test("A file has the findings, the assumed values of a new client, and the reasons of the others")
    func filesHaveTheirLines() throws {
        // Broken: a file lacks a finding or repeats its group, a preset's file has values that were only assumed, or a
        // setting that packets do not show looks like a finding.
        func refused(_ starts: [Double]) -> [Recording] {
            let lines = starts.map { start in
                var line = Recording.RecordedConnection(at: Self.at(start))
                (line.endedAt, line.ending) = (line.beganAt + .milliseconds(10), .refused)
                return line
            }
            return [Recording("refused", lines)]
        }
        let report = FitMaker(refused([0, 1, 3, 7]), like: nil).report()
        let lines = report.yaml.split(separator: "\n").map(String.init)
        #expect(lines.prefix(2) == ["version: 1", "strategy: composed"] && lines[2].hasPrefix("about: "))
        let groups = lines.filter { !$0.hasPrefix(" ") && !$0.hasPrefix("#") }.dropFirst(3)
        #expect(Set(groups).count == groups.count && groups.contains("backoff:"), "\(groups)")
        for finding in report.findings {
            let parts = finding.setting.split(separator: ".", maxSplits: 1).map(String.init)
            let place = try #require(lines.firstIndex(of: parts[0] + ":"))
            let own = lines[(place + 1)...].prefix { $0.hasPrefix("  ") }
            #expect(own.contains("  \(parts[1]): \(finding.value)  # \(finding.allowed)"), "\(finding) \(own)")
        }
        for one in report.undetermined { #expect(lines.contains("# \(one.setting): \(one.why)"), "\(one)") }
        #expect(lines.contains { $0.contains("# assumed: ") } || report.undetermined.isEmpty)
        // A preset of the same kind needs only what it has otherwise.
        let own =
            "version: 1\nstrategy: composed\nabout: x\nbackoff: {base: 1s, multiplier: 2, cap: 60s, jitter: none}\n"
        let like = FitMaker(refused([0, 1, 3, 7]), like: try Self.preset("own.yaml", own)).report()
        #expect(
            like.yaml.hasPrefix("version: 1\nstrategy: own.yaml\n") && !like.yaml.contains("assumed"), "\(like.yaml)")
        #expect(!like.yaml.contains("base:") && !like.findings.contains(where: \.isRefuted), "\(like.yaml)")
        let other = FitMaker(refused([0, 3, 9, 21]), like: try Self.preset("own.yaml", own)).report()
        #expect(other.yaml.contains("\n  base: 3s"), "\(other.yaml)")
    }

    // MARK: A client and its own settings

    /// A recording of a client with these settings: three connections that the server ends, and after each a series of
    /// attempts. The attempts of the first two series are refused, those of the third are given up after `timeout`.
    private static func recording(_ backoff: Backoff, timeout: TimeSpan, seed: UInt64) -> Recording {
        var dice = Dice(seed: seed, phone: PhoneID(0), purpose: .strategy)
        var (at, lines) = (Instant.zero, [Recording.RecordedConnection]())
        for (series, attempts) in [7, 5, 5].enumerated() {
            var attempt = Backoff.Attempts()
            for number in 0...attempts {
                var line = Recording.RecordedConnection(at: at)
                let spent: TimeSpan
                if number == 0 {
                    spent = .seconds(Int64(20 + series))
                    line.openedAt = at + .milliseconds(50)
                    (line.endedAt, line.ending) = (at + spent, .server)
                } else if series < 2 {
                    spent = .milliseconds(60)
                    (line.endedAt, line.ending) = (at + spent, .refused)
                } else {
                    spent = timeout
                    (line.endedAt, line.ending) = (at + spent, .client)
                }
                lines.append(line)
                // A program notices an end up to 20 ms late.
                at = at + spent + backoff.next(&attempt, using: &dice) + .microseconds(Int64(dice.next() % 20_000))
            }
        }
        return Recording("own", lines)
    }

    @Test(
        "A jitter of a preset is wrong if no possible rule has it",
        arguments: [("none", [1, 2, 4, 8, 12, 12]), ("full", [0.31, 1.7, 0.9, 5.2, 2.6, 11])] as [(String, [Double])])
    func aJitterIsComparedWithAllPossibleRules(_ word: String, _ waits: [Double]) throws {
        // Broken: the jitter of another possible rule is called wrong, or that of no possible rule is not.
        var (at, lines) = (Self.at(0), [Recording.RecordedConnection]())
        for wait in waits + [0] {
            var line = Recording.RecordedConnection(at: at)
            (line.endedAt, line.ending) = (at + .milliseconds(10), .refused)
            lines.append(line)
            at = at + .milliseconds(10 + Int64(wait * 1_000))
        }
        var wrong: [String] = []
        for own in ["none", "full", "equal", "20%", "{from: 1s}", nil] {
            let preset = own.map { ["backoff.jitter": $0] } ?? [:]
            let fit = ClientFit([Recording("refused", lines)], preset: preset, numbers: [:])
            let possible = try #require(fit.backoffFit).models.map(\.jitter)
            let found = try #require(fit.findings.first { $0.setting == "backoff.jitter" })
            let isPossible = BackoffModel(preset).map { possible.contains($0.jitter) } ?? false
            #expect(found.isRefuted == (own != nil && !isPossible), "\(found)")
            if let own, found.isRefuted { wrong.append(own) }
        }
        #expect(wrong.contains("{from: 1s}") && !wrong.contains(word), "\(wrong)")
        #expect(wrong.contains(word == "none" ? "full" : "none"), "\(wrong)")
    }

    @Test("A client behaves like its own settings")
    func ownSettingsAreNotContradicted() throws {
        // Broken: waits of a random rule pass for a fixed list, or the wait after a loss for a setting of its own, and
        // the client's own settings are called wrong although each attempt matches them. Or most files are not written,
        // because the estimated settings do not fit together.
        let reports = try (0..<30 as Range<UInt64>).map(Self.reports)
        // By chance, waits may look much more like those of another rule.
        let wrong = reports.filter { $0.like.verdict != .notContradicted }
        #expect(wrong.count <= 2, "\(wrong.map(\.like.findings))")
        let mismatches = reports.flatMap(\.like.mismatches)
        #expect(mismatches.isEmpty)
        let written = reports.count { $0.free.isWritable }
        #expect(written >= 27)
    }

    /// The reports of a client's recording with its own settings, and without any.
    private static func reports(_ seed: UInt64) throws -> (like: FitReport, free: FitReport) {
        var dice = Dice(seed: seed, phone: PhoneID(0), purpose: .test)
        func between(_ low: Int64, _ high: Int64) -> Int64 { low + Int64(dice.next() % UInt64(high - low + 1)) }
        let jitters: [(String, Backoff.JitterRule)] = [
            ("none", .none), ("full", .full), ("equal", .equal), ("20%", .spread(200_000)),
            ("decorrelated", .decorrelated),
        ]
        let (word, jitter) = jitters[Int(seed % 5)]
        let (base, cap) = (between(4, 30) * 100, between(8, 30) * 1_000)
        let multiplier = between(10, 30)
        let timeout = between(2, 12) * 1_000
        let growth = word == "decorrelated" ? "" : "multiplier: \(Double(multiplier) / 10), "
        let own = try preset(
            "own.yaml",
            """
            version: 1
            strategy: composed
            about: x
            connect: {timeout: \(timeout)ms}
            backoff: {base: \(base)ms, \(growth)cap: \(cap)ms, jitter: \(word)}
            """)
        let backoff = Backoff(
            base: .milliseconds(base), multiplier: multiplier * 100_000, cap: .milliseconds(cap), jitter: jitter)
        let recording = recording(backoff, timeout: .milliseconds(timeout), seed: seed)
        return (FitMaker([recording], like: own).report(), FitMaker([recording], like: nil).report())
    }
}
