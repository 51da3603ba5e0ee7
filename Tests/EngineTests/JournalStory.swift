import DeadzoneBase
import DeadzoneClient
import DeadzoneDevice
import DeadzoneSimulator
import DeadzoneTransport
import Testing

/// A small world, and the complete journal of its phone, apart from residencies, bytes and acknowledgements: a line for each millisecond
/// with records, each with its tag and its value. Values of a million and more are written in units of a million.
struct JournalStory: Sendable, CustomTestStringConvertible {
    let name: String
    let settings: String
    let journal: String
    private let world: @Sendable () -> World

    var testDescription: String { name }

    init(
        _ name: String, _ settings: String, _ journal: String, seconds: Int64, _ traffic: Traffic = Traffic(),
        _ changes: [(Int64, ConditionChange)], _ change: @escaping @Sendable (inout World) -> Void = { _ in }
    ) {
        (self.name, self.settings, self.journal) = (name, settings, journal)
        world = {
            var world = World(
                horizon: .zero + .seconds(seconds), wifi: Fixture.wifi, cellular: Fixture.lte,
                wifiLink: Fixture.link(delay: .milliseconds(20)), cellularLink: Fixture.link(), traffic: traffic)
            world.timeline = changes.map { TimelineEntry(at: .zero + .milliseconds($0.0), $0.1) }
            change(&world)
            return world
        }
    }

    /// The journal of a run. Records of one kind that follow each other in one millisecond share its name.
    func run() -> String {
        let records = Simulation(world: world(), strategy: Fixture.composed(settings), seed: 1).allRecords().records
        var lines: [(at: Int64, entries: [(kind: RecordKind, values: [String])])] = []
        for record in records where ![.residency, .bytes, .weather, .acknowledgedUp].contains(record.kind) {
            let at = record.at.nanoseconds / 1_000_000
            if lines.last?.at != at { lines.append((at, [])) }
            let value = abs(record.value) >= 1_000_000 ? "\(record.value / 1_000_000)M" : "\(record.value)"
            let text = record.tag == 0 ? value : "\(record.tag):\(value)"
            let (line, last) = (lines.count - 1, lines[lines.count - 1].entries.count - 1)
            if last >= 0, lines[line].entries[last].kind == record.kind {
                lines[line].entries[last].values.append(text)
            } else {
                lines[line].entries.append((record.kind, [text]))
            }
        }
        return lines.map { line in
            "\(line.at) "
                + line.entries.map { "\($0.kind) \($0.values.joined(separator: " "))" }.joined(separator: ", ")
        }.joined(separator: "\n")
    }
}

@Suite struct JournalStoryTests {
    /// Broken: something happens at another time, for another reason or not at all, somewhere between the app, the
    /// system, the radio, the path and the server.
    @Test(arguments: JournalStories.all)
    func hasItsJournal(story: JournalStory) {
        let found = story.run().split(separator: "\n").map(String.init)
        let expected = story.journal.split(separator: "\n").map(String.init)
        #expect(expected.count > 10)
        let differences = zip(found, expected).filter { $0 != $1 }.prefix(40).map { "\($0.0)\n  for \($0.1)" }
        #expect(
            differences.isEmpty && found.count == expected.count,
            "\(story.name): \(found.count) lines for \(expected.count)\n\(differences.joined(separator: "\n"))")
    }
}
