import DeadzoneBase
import DeadzoneMetrics
import DeadzoneTestKit
import Testing

@testable import DeadzoneReports

/// A schedule of connection attempts as text and as JSON.
struct ScheduleTextTests {
    private typealias Attempt = ScheduleReport.ScheduledAttempt

    private func report(_ waits: [Int64], _ failing: ScheduleReport.AttemptFailure = .refused) -> ScheduleReport {
        var at = TimeSpan.zero
        let attempts = [0] + waits
        return ScheduleReport(
            strategy: "naive", failing: failing, length: .minutes(90),
            attempts: attempts.enumerated().map { index, wait in
                at += .seconds(wait)
                return Attempt(
                    at: at, delay: .seconds(wait), lowest: .seconds(wait), highest: .seconds(wait), limit: nil,
                    lowestLimit: nil, highestLimit: nil, kernelLimit: nil)
            }, hasGivenUp: false, note: nil)
    }

    @Test func aScheduleHasItsRows() {
        // Broken: a wait, its jitter or the end of the schedule is another one.
        var whole = report([1, 2, 4, 8, 8, 8, 8, 8, 8, 8], .blackhole)
        whole.attempts[2].lowest = .milliseconds(500)
        whole.attempts[3].highest = .milliseconds(4_800)
        whole.attempts[4].delay = nil
        whole.attempts[4].lowest = nil
        whole.attempts[1].limit = .seconds(20)
        whole.attempts[1].lowestLimit = .seconds(16)
        whole.attempts[1].highestLimit = .seconds(24)
        // A limit of the client counts before that of the kernel.
        whole.attempts[1].kernelLimit = .seconds(135)
        whole.attempts[9].kernelLimit = .seconds(135)
        whole.note = "the note"
        expectText(
            whole.text(Style(hasColour: true)),
            aScheduleHasItsRowsText)
        expectText(
            whole.json.textInLines,
            #"""
            {"attempts": [{"at_s": 0, "delay_max_s": 0, "delay_min_s": 0, "delay_s": 0, "n": 0, "timeout_max_s": null, "timeout_min_s": null, "timeout_s": null},
            {"at_s": 1, "delay_max_s": 1, "delay_min_s": 1, "delay_s": 1, "n": 1, "timeout_max_s": 24, "timeout_min_s": 16, "timeout_s": 20},
            {"at_s": 3, "delay_max_s": 2, "delay_min_s": 0.5, "delay_s": 2, "n": 2, "timeout_max_s": null, "timeout_min_s": null, "timeout_s": null},
            {"at_s": 7, "delay_max_s": 4.8, "delay_min_s": 4, "delay_s": 4, "n": 3, "timeout_max_s": null, "timeout_min_s": null, "timeout_s": null},
            {"at_s": 15, "delay_max_s": 8, "delay_min_s": null, "delay_s": null, "n": 4, "timeout_max_s": null, "timeout_min_s": null, "timeout_s": null},
            {"at_s": 23, "delay_max_s": 8, "delay_min_s": 8, "delay_s": 8, "n": 5, "timeout_max_s": null, "timeout_min_s": null, "timeout_s": null},
            {"at_s": 31, "delay_max_s": 8, "delay_min_s": 8, "delay_s": 8, "n": 6, "timeout_max_s": null, "timeout_min_s": null, "timeout_s": null},
            {"at_s": 39, "delay_max_s": 8, "delay_min_s": 8, "delay_s": 8, "n": 7, "timeout_max_s": null, "timeout_min_s": null, "timeout_s": null},
            {"at_s": 47, "delay_max_s": 8, "delay_min_s": 8, "delay_s": 8, "n": 8, "timeout_max_s": null, "timeout_min_s": null, "timeout_s": null},
            {"at_s": 55, "delay_max_s": 8, "delay_min_s": 8, "delay_s": 8, "n": 9, "timeout_max_s": 135, "timeout_min_s": 135, "timeout_s": 135},
            {"at_s": 63, "delay_max_s": 8, "delay_min_s": 8, "delay_s": 8, "n": 10, "timeout_max_s": null, "timeout_min_s": null, "timeout_s": null}],
            "failure": "blackhole", "gave_up": false, "note": "the note", "schema": "deadzone/schedule/1", "strategy": "naive"}
            """#)
        var frozen = report([], .frozen)
        frozen.hasGivenUp = true
        expectText(
            frozen.text(.plain),
            #"""
            naive: the server's kernel accepts, but the server program never answers

            try   at  wait  with jitter  gives up after
              0  0 s                              never

            1 attempt, then no more: the client gives up.

            """#)
        frozen.attempts = []
        frozen.note = "no attempt"
        #expect(
            frozen.text(.plain)
                == "naive: the server's kernel accepts, but the server program never answers\n\nno attempt\n")
        frozen.note = nil
        #expect(frozen.text(.plain) == "naive: the server's kernel accepts, but the server program never answers\n")
        #expect(frozen.json["note"] == nil && frozen.json["gave_up"]?.bool == true)
    }

    /// The numbers of the attempts in the table, with `⋮` for those that are left out.
    private func rows(_ report: ScheduleReport) -> [String] {
        report.text(.plain).split(separator: "\n").dropFirst(2).dropLast().map {
            String($0.split(separator: " ").first ?? "")
        }
    }

    @Test func repeatedRowsAreLeftOut() {
        // Broken: a row that differs from the one before is left out, or a long run of equal rows is printed.
        #expect(rows(report([1, 1, 1, 1])) == ["0", "1", "2", "3", "4"])
        #expect(rows(report([1, 1, 1, 1, 1])) == ["0", "1", "2", "⋮", "4", "5"])
        #expect(rows(report([1, 1, 1, 1, 1, 1])) == ["0", "1", "2", "⋮", "5", "6"])
        #expect(rows(report([1, 1, 1, 1, 1, 1, 1, 1])) == ["0", "1", "2", "⋮", "7", "8"])
        #expect(rows(report([1, 1, 1, 1, 1, 2, 2, 2])) == ["0", "1", "2", "⋮", "4", "5", "6", "7", "8"])
        let change: [(inout Attempt) -> Void] = [
            { $0.delay = .seconds(9) }, { $0.lowest = .zero }, { $0.highest = .seconds(9) }, { $0.limit = .seconds(9) },
            { $0.at += .milliseconds(1) },
        ]
        for (index, edit) in change.enumerated() {
            var edited = report(Array(repeating: 1, count: 12))
            edit(&edited.attempts[6])
            let near = index == 4 ? ["6", "7", "8", "9"] : ["6", "7", "8"]
            #expect(rows(edited) == ["0", "1", "2", "⋮", "4", "5"] + near + ["⋮", "11", "12"], "\(index)")
        }
    }
}

private let aScheduleHasItsRowsText = #"""
    «b:naive»: no packet is ever answered

    «b:try»    «b:at»  «b:wait»  «b:with jitter»   «b:gives up after»
      0   0 s                        «d:kernel limit»
      1   1 s   1 s                          20 s
      2   3 s   2 s  «d:0.5 s to 2 s»    «d:kernel limit»
      3   7 s   4 s  «d:4 s to 4.8 s»    «d:kernel limit»
      4  15 s     ?                  «d:kernel limit»
      5  23 s   8 s                  «d:kernel limit»
      6  31 s   8 s                  «d:kernel limit»
      ⋮     ⋮
      9  55 s   8 s                  «d:kernel limit»
     10  63 s   8 s                  «d:kernel limit»

    11 attempts in 1 h 30 min; it continues.
    the note

    """#
