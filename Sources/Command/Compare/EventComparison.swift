import DeadzoneEngine
import DeadzoneJournal
import DeadzonePrimitives
import DeadzoneScenarios
import DeadzoneTraces

/// Walks through the events of a run beside those of one before, in the order in which `run --events` writes them, as far as
/// the first that is different.
final class EventComparison {
    /// Of the file from before.
    static let limit = 1 << 30

    private let old: [UInt8]
    private var next = 0
    private var line = 0
    private var difference: (line: Int, before: String?, now: String?)?

    init(_ old: [UInt8]) { self.old = old }

    func go(through part: ComparePlan.Part, isStopped: @escaping @Sendable () -> Bool) {
        var lines: [Int: String] = [:]
        for condition in part.scenario.conditions {
            for change in condition.changes { lines[change] = condition.text }
        }
        for replica in 0..<part.replicas {
            for contender in part.contenders where difference == nil {
                var walker = Walker(
                    comparison: self, line: EventLine(strategy: contender.name, replica: replica, conditions: lines))
                let simulation = Simulation(
                    world: part.scenario.world, strategy: contender.strategy, seed: part.seed.seed(ofReplica: replica))
                for phones in simulation.shards() where difference == nil {
                    simulation.run(phones, into: &walker, isCancelled: isStopped)
                }
            }
        }
    }

    /// What is left over from before is missing now.
    func finish() {
        guard difference == nil, let before = takeLine() else { return }
        difference = (line, before, nil)
    }

    var text: String {
        guard let difference else { return "every event is as it was" }
        return "the first event that is different is line \(difference.line)\n"
            + "  before: \((difference.before ?? "nothing more").visible)\n"
            + "  now:    \((difference.now ?? "nothing more").visible)"
    }

    private func meet(_ now: String) {
        guard difference == nil else { return }
        let before = takeLine()
        if before != now { difference = (line, before, now) }
    }

    private func takeLine() -> String? {
        guard next < old.count else { return nil }
        let end = old[next...].firstIndex(of: UInt8(ascii: "\n")) ?? old.count
        let text = String(decoding: old[next..<end], as: UTF8.self)
        next = end + 1
        line += 1
        return text
    }

    private struct Walker: Recorder {
        // One thread walks; `Recorder` is sendable for those that run on several.
        nonisolated(unsafe) let comparison: EventComparison
        let line: EventLine

        mutating func record(_ batch: UnsafeBufferPointer<Record>) {
            for record in batch where comparison.difference == nil { comparison.meet(line.text(record)) }
        }

        mutating func merge(_ other: Walker) {}
    }
}
