import DeadzoneClient
import DeadzoneEngine
import DeadzoneJournal
import DeadzoneLaws
import DeadzonePrimitives
import DeadzoneServer
import DeadzoneTransport
import DeadzoneWorld
import Testing

/// How long a client takes to be served again: from when it could be, not from when it was cut off.
@Suite struct OutageTests {
    struct Trouble: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let begins: Change
        let ends: Change
    }

    static let troubles = [
        Trouble(
            testDescription: "a dead zone", begins: .coverage(.cellular, false), ends: .coverage(.cellular, true)),
        Trouble(testDescription: "a server that stands still", begins: .server(.frozen), ends: .server(.thawed)),
    ]
    private static let (begin, end) = (Instant.zero + .seconds(61), Instant.zero + .seconds(69))

    private func run(_ trouble: Trouble, until horizon: Instant) -> Everything {
        var world = Fixture.cellularWorld(
            Traffic(down: .every(.seconds(5)), up: .every(.seconds(5))), horizon: horizon - .zero)
        world.timeline += [
            TimelineEntry(at: Self.begin, trouble.begins), TimelineEntry(at: Self.end, trouble.ends),
        ].filter { $0.at < horizon }
        return Simulation(world: world, strategy: AnyStrategy(Rider(.webSocket)), seed: 1).everything()
    }

    /// Broken: a client is blamed for time in which nobody could have served it, an outage that lasts to the end is none, or one is open
    /// in which nothing could be mended.
    @Test(arguments: troubles)
    func anOutageCountsFromWhenItCouldBeMended(trouble: Trouble) throws {
        let whole = run(trouble, until: .zero + .minutes(3))
        let recovery = try #require(whole.records.first { $0.kind == .recovered })
        #expect(whole.count(.recovered) == 1 && whole.count(.unrecovered) == 0)
        #expect(Self.end < recovery.at && recovery.value == (recovery.at - Self.end).nanoseconds)
        // Seen up to a moment before.
        let middle = Self.end + (recovery.at - Self.end) / 2
        let open = run(trouble, until: middle)
        #expect(open.count(.recovered) == 0 && open.values(.unrecovered) == [(middle - Self.end).nanoseconds])
        let dark = run(trouble, until: Self.begin + .seconds(4))
        #expect(dark.count(.recovered) == 0 && dark.count(.unrecovered) == 0)
    }
}
