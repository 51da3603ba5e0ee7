import DeadzoneHost
import DeadzoneMetrics
import DeadzoneRuns
import Testing

@testable import DeadzoneClaims

/// Claims that are true in some worlds. Each was refuted, or confirmed, when its scenario had fewer worlds.
struct ConditionalVerdictTests {
    struct Condition: Sendable, CustomTestStringConvertible {
        let id: String
        let holdsFor: [String]
        /// Cells in which the claim does not hold, although another value of their axis makes it true.
        var fails: [String] = []

        var testDescription: String { id }
    }

    static let conditions = [
        // A permitted ping, and a stream that is never silent.
        Condition(id: "A11", holdsFor: ["silent where 30 s are permitted", "a message every 40 s"]),
        // A ping that is never due costs nothing.
        Condition(id: "A14", holdsFor: ["a message every 20 s"]),
        // The first waits are shorter than the tail.
        Condition(id: "B3", holdsFor: ["down for 12 s", "down for 20 s"]),
        // The time of a task assertion since iOS 13.
        Condition(id: "B19", holdsFor: ["ios-15, asks for time", "ios-18, asks for time"]),
        Condition(
            id: "B23", holdsFor: [], fails: ["Android 15, 1m", "iOS 18, 1m", "iOS 18, 5m", "iOS 18, 20m", "iOS 18, 3h"]),
        // The baseline decides: a client that already pings every minute has little to save.
        Condition(
            id: "A10", holdsFor: [],
            fails: ["every 5 s", "every 15 s", "every minute", "every 5 min"].map {
                "naive pings every 60 s, lte-verizon-2021, \($0)"
            }),
    ]

    /// Broken: the worlds of a claim all agree, so that the verdict does not show on what it depends.
    @Test(arguments: conditions)
    func `a claim holds in some worlds, and the report names them`(_ condition: Condition) throws {
        let report = try Self.report(condition.id)
        #expect(report.verdict == .conditional, "\(report.verdict)")
        if !condition.holdsFor.isEmpty { #expect(report.holdingConditions == condition.holdsFor) }
        #expect(!report.holdingConditions.isEmpty)
        for name in condition.fails {
            let cell = try #require(report.cells.first { $0.name == name }, "\(report.cells.map(\.name))")
            #expect(cell.verdict == .refuted, "\(name)")
        }
    }

    /// Broken: the advice of A28 does not follow from its findings. A message that a buffer drops is lost wherever the cursor
    /// moves; a buffer that suspends loses nothing; the cursor decides what a process that ends loses.
    @Test func `a buffer that suspends keeps what a cursor does not`() throws {
        let report = try Self.report("A28")
        #expect(report.verdict == .refuted && report.cells.count == 4)
        for cell in report.cells {
            let lost = [
                "as printed", "if the cursor follows the screen", "by a buffer that suspends", "by both together",
            ]
            .map { name in cell.findings.first { $0.name == "lost \(name)" }?.figure.double ?? -1 }
            #expect(lost[0] > 0 && lost[3] == 0, "\(cell.name): \(lost)")
            if cell.name == "killed in a stall" {
                #expect(lost[2] > 0, "\(lost)")
            } else {
                #expect(lost[1] == lost[0] && lost[2] == 0, "\(cell.name): \(lost)")
            }
        }
        #expect(report.instead.contains("suspends"))
    }

    private static func report(_ id: String) throws -> ClaimReport {
        let claim = try #require(ArticleClaim.all.first { $0.id == id })
        let maker = ClaimMaker(by: ParallelExecutor(jobs: HostMachine.cores))
        return try #require(try maker.reports(of: [claim]).first)
    }
}
