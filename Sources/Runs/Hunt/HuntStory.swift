import DeadzoneBase
import DeadzoneLaws
import DeadzoneMetrics
import DeadzoneScenarios
import DeadzoneSimulator

/// Tells what each entry of a world meant for the client: what the app was told, what the client believed, and what was
/// true.
struct HuntStory {
    private let records: [Record]
    private let scenario: Scenario

    /// Runs the world once more and keeps its records.
    init(_ scenario: Scenario, strategy subject: NamedStrategy, seed: UInt64) {
        var kept = KeptRecords()
        Simulation(world: scenario.world, strategy: subject.strategy, seed: seed).run(0..<1, into: &kept)
        self.init(scenario, kept.records)
    }

    /// - Parameter records: The records of the world's phone, in the order of time.
    init(_ scenario: Scenario, _ records: [Record]) {
        self.records = records
        self.scenario = scenario
    }

    /// One sentence for each line of the timeline, in the order of the scenario's conditions.
    var entries: [HuntReport.HuntEntry] {
        let lines = scenario.timelineLines
        let starts = lines.map { line in line.changes.map { scenario.world.timeline[$0].at }.min() ?? .zero }
        return lines.enumerated().map { index, line in
            let end = starts.filter { $0 > starts[index] }.min() ?? scenario.world.horizon
            return HuntReport.HuntEntry(text: line.text, story: sentence(line, from: starts[index], to: end))
        }
    }

    private func sentence(_ line: DeclaredCondition, from start: Instant, to end: Instant) -> String {
        let title = line.changes.prefix(1).map { scenario.world.timeline[$0].change.labels.scene.title }.joined()
        let networks = news(from: start, to: end) { record in
            record.kind == .networkTold
                ? NetworkCode(bits: record.tag).map { "network \($0.name.replacing("_", with: " "))" } : nil
        }
        let told = [visibilityNews(line), networks].compactMap(\.self).filter { !$0.isEmpty }.joined(separator: ", ")
        let seen = news(from: start, to: end, Self.connectionNews)
        let client = seen.isEmpty ? "the client believed \(belief(at: start))" : "the client: \(seen)"
        return
            "\(title)\(silence(from: start, to: end)); the app was told \(told.isEmpty ? "nothing" : told); \(client)."
    }

    /// The news of an entry that brings the running app to the foreground or to the background; `nil` for any other
    /// entry. No record has this news.
    private func visibilityNews(_ line: DeclaredCondition) -> String? {
        var wasInFront = true
        for (index, entry) in scenario.world.timeline.enumerated() {
            guard case .app(let isInFront) = entry.change else { continue }
            if line.changes.contains(index), entry.at > .zero, isInFront != wasInFront, isRunning(before: entry.at) {
                return "\(isInFront ? "foreground" : "background") after 0s"
            }
            wasInFront = isInFront
        }
        return nil
    }

    /// `true` if the app has a process just before an instant.
    private func isRunning(before instant: Instant) -> Bool {
        let last = records.last { $0.at < instant && [.killed, .relaunched].contains($0.kind) }
        return last?.kind != .killed
    }

    /// Events in order, each with its time after the start.
    private func news(from start: Instant, to end: Instant, _ word: (Record) -> String?) -> String {
        var words: [String] = []
        var last = ""
        for record in records where record.at >= start && record.at < end {
            guard let word = word(record), word != last else { continue }
            last = word
            words.append("\(word) after \(Self.text(record.at - start))")
            if words.count == Self.mostNews { break }
        }
        return words.joined(separator: ", ")
    }

    /// News that one sentence names.
    private static let mostNews = 3

    private static func connectionNews(_ record: Record) -> String? {
        switch record.kind {
        case .closed: CloseCode(bits: record.tag).map { "closed (\($0.name.replacing("_", with: " ")))" }
        case .failed: "attempt failed"
        case .opened: "open"
        case .killed: "process ended"
        default: nil
        }
    }

    private func belief(at instant: Instant) -> String {
        var belief = "that it had no connection"
        for record in records where record.at <= instant {
            switch record.kind {
            case .opened: belief = "that its connection was open"
            case .closed, .failed, .killed: belief = "that it had no connection"
            default: break
            }
        }
        return belief
    }

    /// The longest time that a connection was dead and believed open, if it overlaps the entry.
    private func silence(from start: Instant, to end: Instant) -> String {
        var longest = TimeSpan.zero
        for record in records where [.zombie, .undetected, .zombieFrozen].contains(record.kind) {
            let length = TimeSpan.nanoseconds(record.value)
            let begin = record.at - length
            if begin < end, record.at > start, begin >= start - .seconds(1) { longest = max(longest, length) }
        }
        return longest > .seconds(1)
            ? ": the connection was dead for \(Self.text(longest)), and the client did not notice" : ""
    }

    private static func text(_ span: TimeSpan) -> String {
        let rounded =
            span < .seconds(1)
            ? TimeSpan.milliseconds(span.nanoseconds / 1_000_000) : .seconds(span.nanoseconds / 1_000_000_000)
        return rounded.compoundText
    }
}

/// Records without those of the radio.
private struct KeptRecords: Recorder {
    private(set) var records: [Record] = []

    mutating func record(_ batch: UnsafeBufferPointer<Record>) {
        for record in batch where record.kind != .residency && record.kind != .bytes { records.append(record) }
    }

    mutating func merge(_ other: Self) { records += other.records }
}

extension Scenario {
    /// The lines of the timeline, with those of the start.
    var timelineLines: [DeclaredCondition] { conditions.filter { $0.origin == .timeline } }
}
