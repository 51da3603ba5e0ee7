import DeadzoneBase
import DeadzoneClient
import DeadzoneLaws
import DeadzoneSimulator
import DeadzoneTransport
import Testing

/// Recovery time of a client, measured from when service was possible again and not from the start of the outage.
@Suite struct OutageTests {
    struct OutageCause: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let begins: ConditionChange
        let ends: ConditionChange
    }

    static let troubles = [
        OutageCause(
            testDescription: "a dead zone", begins: .coverage(.cellular, false), ends: .coverage(.cellular, true)),
        OutageCause(testDescription: "a server that stands still", begins: .server(.frozen), ends: .server(.thawed)),
    ]
    private static let (begin, end) = (Instant.zero + .seconds(61), Instant.zero + .seconds(69))

    private func run(_ trouble: OutageCause, until horizon: Instant) -> AllRecords {
        var world = Fixture.cellularWorld(
            Traffic(down: .every(.seconds(5)), up: .every(.seconds(5))), horizon: horizon - .zero)
        world.timeline += [
            TimelineEntry(at: Self.begin, trouble.begins), TimelineEntry(at: Self.end, trouble.ends),
        ].filter { $0.at < horizon }
        return Simulation(world: world, strategy: AnyStrategy(SingleConnectionStrategy(.webSocket)), seed: 1)
            .allRecords()
    }

    /// Broken: a client is charged for time in which it could not be served. Or an outage that lasts to the end is not
    /// counted, or an outage counts while recovery is impossible.
    @Test(arguments: troubles)
    func recoveryIsMeasuredFromWhenItIsPossible(trouble: OutageCause) throws {
        let whole = run(trouble, until: .zero + .minutes(3))
        let recovery = try #require(whole.records.first { $0.kind == .recovered })
        #expect(whole.count(.recovered) == 1 && whole.count(.unrecovered) == 0)
        #expect(Self.end < recovery.at && recovery.value == (recovery.at - Self.end).nanoseconds)
        // Run that ends shortly before the recovery.
        let middle = Self.end + (recovery.at - Self.end) / 2
        let open = run(trouble, until: middle)
        #expect(open.count(.recovered) == 0 && open.values(.unrecovered) == [(middle - Self.end).nanoseconds])
        let dark = run(trouble, until: Self.begin + .seconds(4))
        #expect(dark.count(.recovered) == 0 && dark.count(.unrecovered) == 0)
    }
}
