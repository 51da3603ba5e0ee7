import DeadzoneMetrics
import Testing

@testable import DeadzoneClaims

/// Claims that need no world: values of the program, compared with known values.
struct ComputedClaimTests {
    private static func report(_ id: String) throws -> ClaimReport {
        let claim = try #require(ArticleClaim.all.first { $0.id == id })
        return claim.report(try claim.cells([]))
    }

    private static func value(_ name: String, of id: String) throws -> Double {
        let found = try report(id).cells[0].findings.first { $0.name == name }
        return try #require(found?.figure.double)
    }

    /// Broken: the error rate of the filter differs from (1 - (1 - 1/m)^kn)^k.
    @Test(arguments: [("after 284 messages", 0.001), ("after 1000 messages", 0.14), ("1798 bytes after 1000", 0.001)])
    func `a Bloom filter errs as often as theory says`(_ name: String, _ share: Double) throws {
        #expect(try abs(Self.value(name, of: "B11") - share) < 0.1 * share + 0.000_5)
        #expect(try Self.report("B11").verdict == .refuted)
    }

    /// Hash set: 2,048 slots of 16 bytes and one bit each. Bitmap: an 8-byte mark and a thousand bits.
    @Test func `a table is larger than its keys`() throws {
        #expect(try Self.value("hash set", of: "B9") == 33_024)
        #expect(try Self.value("bitmap", of: "B9") == 133)
        #expect(try Self.value("hash set", of: "B10") == 3_302_400_000)
        #expect(try Self.report("B9").verdict == .refuted)
        #expect(try Self.report("B10").verdict == .refuted)
    }

    /// Broken: the backoff follows another rule, or has other jitter.
    @Test func `the article's waits equal those that it prints`() throws {
        #expect(try Self.report("B12").verdict == .confirmed)
        #expect(try Self.report("B13").verdict == .confirmed)
        #expect(try Self.report("B12").cells.map { $0.findings[1].figure.double } == [0.5, 1, 2, 4, 8, 16, 32, 32, 32])
    }

    @Test func `three flags make three categories`() throws {
        #expect(try Self.report("C5").verdict == .confirmed)
    }
}
