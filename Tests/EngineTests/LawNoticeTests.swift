import DeadzoneClient
import DeadzoneEngine
import DeadzoneJournal
import DeadzonePrimitives
import DeadzoneTransport
import DeadzoneWorld
import Testing

@testable import DeadzoneLaws

/// Broken: a law of worlds that holds whatever happens. One record of a sound run is changed, left out or added, and the law that is
/// meant complains, in both directions where there are two.
struct LawNoticeTests {
    private static let world = Fixture.cellularWorld(
        Traffic(down: .every(.seconds(5)), up: .every(.seconds(7)), calls: .every(.seconds(3))), horizon: .minutes(2))
    private static let riding = records(AnyStrategy(Rider(.webSocket)))
    private static let asking = records(AnyStrategy(Asker()))

    private static func records(_ client: AnyStrategy) -> [Record] {
        var laws = WorldLaws()
        Simulation(world: world, strategy: client, seed: 1).run(0..<1, into: &laws)
        return laws.records
    }

    struct Change: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// What the law says of it.
        let words: String
        var asks = false
        let make: @Sendable (inout [Record]) -> Void
    }

    private static func without(_ kind: Kind, _ words: String, asks: Bool = false) -> Change {
        Change(testDescription: "without one \(kind)", words: words, asks: asks) { records in
            records.firstIndex { $0.kind == kind }.map { _ = records.remove(at: $0) }
        }
    }

    /// At the end, so that time goes on.
    private static func with(_ more: [(kind: Kind, tag: UInt16, value: TimeSpan)], _ words: String) -> Change {
        Change(testDescription: "with \(more.map { "\($0.kind)" })", words: words) { records in
            let end = records.last?.at ?? .zero
            records += more.map { Record(at: end, lane: 0, kind: $0.kind, tag: $0.tag, value: $0.value.nanoseconds) }
        }
    }

    private static func changed(
        _ kind: Kind, _ words: String, asks: Bool = false, _ change: @escaping @Sendable (Record) -> Record
    ) -> Change {
        Change(testDescription: "with another \(kind)", words: words, asks: asks) { records in
            records.firstIndex { $0.kind == kind }.map { records[$0] = change(records[$0]) }
        }
    }

    private static func timeless(_ record: Record) -> Record {
        Record(at: record.at, lane: 0, kind: record.kind, tag: record.tag)
    }

    private static let changes = [
        with([(.stopped, 1, .zero)], "the strategy was stopped"),
        changed(.finished, "time runs from") {
            Record(at: $0.at + .nanoseconds(1), lane: 0, kind: .finished, value: $0.value)
        },
        changed(.connecting, "time runs from") {
            Record(at: .zero + .minutes(1), lane: 0, kind: .connecting, tag: $0.tag)
        },
        changed(.connecting, "has the tag 9") { Record(at: $0.at, lane: 0, kind: .connecting, tag: 9) },
        without(.sentDown, "messages down have"), without(.deliveredDown, "messages down have"),
        without(.sentUp, "messages up have"), without(.deliveredUp, "messages up have"),
        with([(.waitedDown, 0, .seconds(1))], "messages pending have"),
        with([(.sentDown, 0, .zero), (.pendingDown, 0, .nanoseconds(1))], "messages pending have"),
        changed(.deliveredDown, "a message takes no time", timeless),
        changed(.deliveredUp, "a message takes no time", timeless),
        without(.called, "calls have", asks: true), without(.answered, "calls have", asks: true),
        changed(.answered, "a call takes no time", asks: true, timeless),
        with([(.zombie, 0, .seconds(1))], "ns on dead connections"),
        with([(.detected, 0, .seconds(1))], "ns on dead connections"),
        with(
            [
                (.zombie, 0, .seconds(5)), (.detected, 0, .seconds(5)),
                (.suspended, SuspensionCode.frozen.rawValue, .seconds(9)),
            ], "are those of an app that is stopped"),
    ]

    @Test(arguments: changes)
    func oneRecordIsEnough(_ change: Change) {
        let sound = change.asks ? Self.asking : Self.riding
        #expect(WorldLaws(sound).broken(in: Self.world) == [])
        var records = sound
        change.make(&records)
        let broken = WorldLaws(records).broken(in: Self.world)
        #expect(records != sound && broken.contains { $0.contains(change.words) }, "\(broken)")
    }
}
