import DeadzoneBase
import DeadzoneSamples
import DeadzoneTestKit
import Testing
@testable import DeadzoneMetrics

/// Reports keep what they are given, and pass only if every condition holds.
struct ReportValueTests {
    /// The properties of a value by name, as text.
    private func properties(_ value: Any) -> [String: String] {
        Dictionary(uniqueKeysWithValues: Mirror(reflecting: value).children.map { ($0.label ?? "", "\($0.value)") })
    }

    @Test func reportsKeepEachValueInItsPlace() {
        // Broken: two values of one type change places.
        func span(_ seconds: Int64) -> TimeSpan { .seconds(seconds) }
        func at(_ seconds: Int64) -> Instant { Instant.zero + span(seconds) }
        typealias Totals = LiveReport.ObservedFlow.DirectionTotals
        let (up, down) = (
            Totals(packets: 1, bytes: 2, repeats: 3, lost: 4, pings: 5),
            Totals(packets: 6, bytes: 7, repeats: 8, lost: 9, pings: 10)
        )
        #expect(properties(up) == ["packets": "1", "bytes": "2", "repeats": "3", "lost": "4", "pings": "5"])
        let flow = LiveReport.ObservedFlow(
            run: 11, name: "tcp 12", beganAt: at(13), openedAt: at(14), endedAt: at(15), ending: "16", up: up,
            down: down,
            longestSilence: span(17), resets: 18)
        #expect(flow.run == 11 && flow.name == "tcp 12" && flow.ending == "16" && flow.resets == 18)
        #expect(flow.beganAt == at(13) && flow.openedAt == at(14) && flow.endedAt == at(15))
        #expect(flow.up == up && flow.down == down && flow.longestSilence == span(17))
        let attempt = LiveReport.ObservedAttempt(
            run: 1, number: 2, at: at(3), afterLoss: span(4), wait: span(5), bounds: span(6)...span(7), isInside: true,
            didOpen: false)
        #expect(attempt.run == 1 && attempt.number == 2 && attempt.at == at(3))
        #expect(attempt.afterLoss == span(4) && attempt.wait == span(5) && attempt.bounds == span(6)...span(7))
        #expect(attempt.isInside == true && !attempt.didOpen)
        let late = LiveReport.LatenessSummary(count: 1, half: span(2), most: span(3), longest: span(4))
        #expect(late.count == 1 && late.half == span(2) && late.most == span(3) && late.longest == span(4))
        let check = LiveReport.PresetCheck(name: "a", inside: 1, of: 2, tolerance: "b")
        #expect(properties(check) == ["name": "a", "inside": "1", "of": "2", "tolerance": "b"])
        let scheduled = ScheduleReport.ScheduledAttempt(
            at: span(1), delay: span(2), lowest: span(3), highest: span(4), limit: span(5), lowestLimit: span(6),
            highestLimit: span(7), kernelLimit: span(8))
        #expect(
            [
                scheduled.at, scheduled.delay, scheduled.lowest, scheduled.highest, scheduled.limit,
                scheduled.lowestLimit, scheduled.highestLimit, scheduled.kernelLimit,
            ] == (1...8).map(span))
        let schedule = ScheduleReport(
            strategy: "a", failing: .frozen, length: span(9), attempts: [scheduled], hasGivenUp: true, note: "b")
        #expect(schedule.strategy == "a" && schedule.note == "b" && schedule.failing == .frozen)
        #expect(schedule.length == span(9) && schedule.attempts.count == 1 && schedule.hasGivenUp)
        let facts = ScenarioFacts(
            name: "a", about: "b", duration: span(1), phones: 2, worldHash: "c", settings: .text("d"),
            cell: [CellAxis(key: "e", value: "f")], columns: ["g"])
        #expect([facts.name, facts.about, facts.worldHash, facts.resolved] == ["a", "b", "c", "d\n"])
        #expect(facts.duration == span(1) && facts.phones == 2 && facts.columns == ["g"])
        #expect(facts.cell[0].key == "e" && facts.cell[0].value == "f")
        let entry = EntryCost.TimelineEntryName(index: 1, at: span(2), title: "a", line: 3, text: "b")
        #expect(entry.index == 1 && entry.line == 3 && entry.at == span(2) && entry.title == "a" && entry.text == "b")
        let note = ModelNote(name: "a", sources: ["b"], assumed: ["c"])
        #expect(note.name == "a" && note.sources == ["b"] && note.assumed == ["c"])
        let notes = ModelNotes(
            radios: [RadioNote(interface: .wifi, profile: note)], platform: note, population: ["d"], limits: ["e"])
        #expect(notes.population == ["d"] && notes.limits == ["e"] && notes.platform == note)
        #expect(notes.radios.map(\.interface) == [.wifi] && notes.radios[0].profile == note)
    }

    @Test func picturesOfClaimsHaveTheirKind() {
        // Broken: a picture has the lines of another kind.
        for (picture, kind) in [
            (ClaimPicture.bars("t", "c", of: "a", "b", among: "x"), ClaimPicture.ChartKind.bars),
            (.linePerFinding("t", "c", of: "a", "b", among: "x"), .linePerFinding),
            (.linePerCell("t", "c", of: "a", "b", among: "x"), .linePerCell),
        ] {
            #expect(picture.kind == kind && picture.title == "t" && picture.caption == "c")
            #expect(picture.findings == ["a", "b"] && picture.cells == "x")
        }
        #expect(ClaimPicture.bars("t", "c", of: "a").cells.isEmpty)
        #expect(ClaimReport.WorldChange().isEmpty)
        #expect(!ClaimReport.WorldChange(file: "a").isEmpty && !ClaimReport.WorldChange(settings: ["a=1"]).isEmpty)
        #expect(!ClaimReport.WorldChange(seed: 1).isEmpty && !ClaimReport.WorldChange(replicas: 1).isEmpty)
    }

    // MARK: Live runs

    private func measured(pings: Int) -> Measurement {
        Sample.measurement(replicas: 6, tail: 300, pings: pings, isZombie: false)
    }

    private func live() -> LiveReport {
        let late = LiveReport.LatenessSummary(count: 0, half: .zero, most: .zero, longest: .zero)
        let later = LiveReport.LatenessSummary(count: 1, half: .zero, most: .zero, longest: .zero)
        let run = Sample.report()
        return LiveReport(
            tool: "1.0", seed: 3, scenario: run.scenario, model: run.model, name: "mine",
            lengths: [.seconds(1), .seconds(2)], clientCodes: [0, nil], measurement: measured(pings: 5),
            measuredMetrics: ["keepalive.pings"], packetsLate: late, changesLate: later)
    }

    @Test func aLiveRunPassesOnlyIfEverythingHolds() throws {
        // Broken: a trouble, a failed expectation or an observation outside its bounds is forgiven.
        func outcome(_ verdict: Verdict) throws -> Outcome {
            Outcome(
                expectation: DeadzoneMetrics.Expectation(
                    strategy: "mine", metric: "keepalive.pings", threshold: try Threshold("under 9", in: .count)),
                value: .value(Billionths(count: 5_000_000_000)), bounds: nil, verdict: verdict, reason: nil)
        }
        withEvery { choices in
            var report = live()
            report.isComplete = choices.flag()
            report.troubles = choices.flag() ? ["the client failed"] : []
            let verdicts = choices.sequence(of: [Verdict.pass, .fail], upTo: 2)
            report.outcomes = try verdicts.map(outcome)
            let inside = choices.sequence(of: [3, 4], upTo: 2)
            report.presetChecks = inside.map { .init(name: "p", inside: $0, of: 4, tolerance: "none") }
            let isKept = !verdicts.contains(.fail) && !inside.contains(3)
            #expect((report.verdict == .pass) == (report.isComplete && report.troubles.isEmpty && isKept))
        }
    }

    @Test func aLiveRunIsDrawnBesideItsTwin() {
        // Broken: the real client has the numbers of the simulated one, or an interrupted run looks complete.
        var report = live()
        #expect(report.tool == "1.0" && report.seed == 3 && report.name == "mine" && report.clientCodes == [0, nil])
        #expect(report.packetsLate.count == 0 && report.changesLate.count == 1)
        #expect(report.measuredMetrics == ["keepalive.pings"] && report.isComplete && report.verdict == .pass)
        func pings(_ run: RunReport) -> [Double?] {
            run.strategies.map { $0.measurement.figure("keepalive.pings")?.double }
        }
        #expect(report.asRun.strategies.map(\.name) == ["mine"] && pings(report.asRun) == [5])
        report.twin = ("preset", measured(pings: 7))
        report.isComplete = false
        let run = report.asRun
        #expect(run.strategies.map(\.name) == ["mine", "preset (simulated)"] && pings(run) == [5, 7])
        #expect(run.replicas == 2 && run.seed == 3 && run.tool == "1.0" && !run.isComplete)
        #expect(run.strategies.allSatisfy { $0.hash.isEmpty && $0.digest.isEmpty && $0.outcomes.isEmpty })
    }

    @Test func differencesHaveASign() {
        // Broken: a saving is shown as a cost.
        func joules(_ value: Int128, minus other: Int128) -> SignedBillionths {
            SignedBillionths(Billionths(count: value), minus: Billionths(count: other))
        }
        let (more, less) = (joules(5_000_000_000, minus: 2_000_000_000), joules(2_000_000_000, minus: 5_000_000_000))
        #expect(more.count == 3_000_000_000 && more.double == 3 && more.magnitude == Billionths(count: 3_000_000_000))
        #expect(less.count == -3_000_000_000 && less.double == -3 && less.magnitude == more.magnitude)
    }
}
