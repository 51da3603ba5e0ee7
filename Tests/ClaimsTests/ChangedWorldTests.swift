import DeadzoneMetrics
import DeadzoneRuns
import Testing

@testable import DeadzoneClaims

/// A verdict depends on the world: the same claim, in its scenario with one word changed.
struct ChangedWorldTests {
    struct Change: Sendable, CustomTestStringConvertible {
        let id: String
        let old: String
        let new: String
        let verdicts: (before: ClaimVerdict, after: ClaimVerdict)

        init(_ id: String, _ old: String, to new: String, _ before: ClaimVerdict, _ after: ClaimVerdict) {
            self.id = id
            self.old = old
            self.new = new
            verdicts = (before, after)
        }

        var testDescription: String { id }
    }

    static let changes = [
        // A radio that takes eight seconds to wake. The workshop assumes this of all radios.
        Change(
            "A3", "umts-att-i997, umts-2012-mobisys, lte-att-2012-mobisys",
            to: "{profile: lte-verizon-2021, promotion-time: 8s}", .refuted, .conditional),
        // A server that permits the pings of the client.
        Change("A11", "{floor: 5m, every: 170m}", to: "{floor: 50s, every: 170m}", .conditional, .confirmed),
        // A loop that catches every error.
        Change(
            "A36", "{strategy: article-grpc-swift, ", to: "{strategy: article-grpc-kotlin, ", .contradiction, .confirmed
        ),
        // A stream without a deadline does not end by one; a heartbeat as described does not end by a spike.
        Change(
            "A23", "as printed: {strategy: article-grpc-kotlin}",
            to: "as printed: {strategy: article-grpc-kotlin, deadline: ~}", .contradiction, .confirmed),
        Change("B30", "as printed: article-websocket-code", to: "as printed: article-websocket", .refuted, .confirmed),
        Change("A37", "limit: [8MiB, 64MiB]", to: "limit: [1MiB]", .conditional, .confirmed),
        Change("A38", "deadline: 15s", to: "deadline: 3s", .conditional, .inert),
        Change("B4", "resume: nothing, queue", to: "resume: cursor, queue", .confirmed, .refuted),
        Change("B20", "[ios-12, ios-15, ios-18]", to: "[article-ios]", .refuted, .confirmed),
        Change("B21", "motion: [still, moving]", to: "motion: [moving]", .conditional, .confirmed),
        Change(
            "B24", "{preset: article-websocket}\n", to: "{preset: deadzone-recommended}\n", .contradiction, .confirmed),
        Change("B26", "[610s, 20m, 60m]", to: "[5m]", .contradiction, .confirmed),
        Change("C2", "    the channel itself: reconnect\n", to: "", .conditional, .confirmed),
        Change("C9", "{preset: grpc-ios-cfstream}", to: "{preset: grpc-ios-tcp}", .confirmed, .refuted),
        Change("D2", "hop: \"${switch}\"}", to: "hop: \"${switch}\", pending: 2}", .confirmed, .conditional),
        Change("D9", "2147483647B", to: "65535B", .confirmed, .refuted),
        Change("D7", "[64B, 256B, 1KiB]", to: "[64B]", .conditional, .refuted),
    ]

    /// Broken: a claim's verdict does not depend on its world.
    @Test(arguments: changes)
    func `a word in a scenario changes the verdict`(_ change: Change) throws {
        let claim = try #require(ArticleClaim.all.first { $0.id == change.id })
        let text = try #require(claim.scenario.flatMap(ClaimMaker.shipped))
        let changed = text.replacing(change.old, with: change.new, maxReplacements: 1)
        #expect(changed != text)
        #expect(try Self.verdict(of: claim, text) == change.verdicts.before)
        #expect(try Self.verdict(of: claim, changed) == change.verdicts.after)
    }

    private static func verdict(of claim: ArticleClaim, _ text: String) throws -> ClaimVerdict {
        try #require(ClaimMaker(by: ParallelExecutor(jobs: 1), text: { _ in text }).reports(of: [claim]).first).verdict
    }
}
