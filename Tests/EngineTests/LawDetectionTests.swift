import DeadzoneBase
import DeadzoneClient
import DeadzoneSimulator
import DeadzoneTransport
import Testing

@testable import DeadzoneLaws

/// Broken: a law of worlds holds whatever happens. One record of a valid run is changed, removed or added, and the law
/// in question reports it, in both directions where there are two.
struct LawDetectionTests {
    private static let world = Fixture.cellularWorld(
        Traffic(down: .every(.seconds(5)), up: .every(.seconds(7)), calls: .every(.seconds(3))), horizon: .minutes(2))
    private static let messageRecords = records(AnyStrategy(SingleConnectionStrategy(.webSocket)))
    private static let callRecords = records(AnyStrategy(CallingStrategy()))

    private static func records(_ client: AnyStrategy) -> [Record] {
        var laws = WorldLaws()
        Simulation(world: world, strategy: client, seed: 1).run(0..<1, into: &laws)
        return laws.records
    }

    struct RecordChange: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// Text expected in the law's report.
        let expectedText: String
        var makesCalls = false
        let make: @Sendable (inout [Record]) -> Void
    }

    private static func without(_ kind: RecordKind, _ expectedText: String, makesCalls: Bool = false) -> RecordChange {
        RecordChange(testDescription: "without one \(kind)", expectedText: expectedText, makesCalls: makesCalls) {
            records in
            records.firstIndex { $0.kind == kind }.map { _ = records.remove(at: $0) }
        }
    }

    /// Appends records at the end, so that time does not run backwards.
    private static func with(_ more: [(kind: RecordKind, tag: UInt16, value: TimeSpan)], _ expectedText: String)
        -> RecordChange
    {
        RecordChange(testDescription: "with \(more.map { "\($0.kind)" })", expectedText: expectedText) { records in
            let end = records.last?.at ?? .zero
            records += more.map { Record(at: end, phone: 0, kind: $0.kind, tag: $0.tag, value: $0.value.nanoseconds) }
        }
    }

    private static func changed(
        _ kind: RecordKind, _ expectedText: String, makesCalls: Bool = false,
        _ change: @escaping @Sendable (Record) -> Record
    ) -> RecordChange {
        RecordChange(testDescription: "with another \(kind)", expectedText: expectedText, makesCalls: makesCalls) {
            records in
            records.firstIndex { $0.kind == kind }.map { records[$0] = change(records[$0]) }
        }
    }

    private static func timeless(_ record: Record) -> Record {
        Record(at: record.at, phone: 0, kind: record.kind, tag: record.tag)
    }

    private static let changes = [
        with([(.stopped, 1, .zero)], "the strategy was stopped"),
        changed(.finished, "invalid time ") {
            Record(at: $0.at + .nanoseconds(1), phone: 0, kind: .finished, value: $0.value)
        },
        changed(.connecting, "invalid time ") {
            Record(at: .zero + .minutes(1), phone: 0, kind: .connecting, tag: $0.tag)
        },
        changed(.connecting, "has the tag 9") { Record(at: $0.at, phone: 0, kind: .connecting, tag: 9) },
        without(.sentDown, "messages down have"), without(.deliveredDown, "messages down have"),
        without(.sentUp, "messages up have"), without(.deliveredUp, "messages up have"),
        with([(.waitedDown, 0, .seconds(1))], "messages pending have"),
        with([(.sentDown, 0, .zero), (.pendingDown, 0, .nanoseconds(1))], "messages pending have"),
        changed(.deliveredDown, "a message takes no time", timeless),
        changed(.deliveredUp, "a message takes no time", timeless),
        without(.called, "calls have", makesCalls: true), without(.answered, "calls have", makesCalls: true),
        changed(.answered, "a call takes no time", makesCalls: true, timeless),
        with([(.presenceAway, 0x7000, .zero)], "absences have"),
        with([(.presenceBack, 0, .seconds(1))], "absences have"),
        with(
            [(.presenceAway, 0x7000, .zero), (.presenceBack, 0, .seconds(1)), (.presenceMissed, 0, .seconds(2))],
            "missed for longer than away"),
        with([(.zombie, 0, .seconds(1))], " s on dead connections"),
        with([(.detected, 0, .seconds(1))], " s on dead connections"),
        with(
            [
                (.zombie, 0, .seconds(5)), (.detected, 0, .seconds(5)),
                (.suspended, SuspensionCode.frozen.rawValue, .seconds(9)),
            ], "belong to a stopped app"),
    ]

    @Test(arguments: changes)
    func oneRecordIsEnough(_ change: RecordChange) {
        let sound = change.makesCalls ? Self.callRecords : Self.messageRecords
        #expect(WorldLaws(sound).broken(in: Self.world) == [])
        var records = sound
        change.make(&records)
        let broken = WorldLaws(records).broken(in: Self.world)
        #expect(records != sound && broken.contains { $0.contains(change.expectedText) }, "\(broken)")
    }
}
