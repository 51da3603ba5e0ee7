package import DeadzoneBase

/// Finds the first event in which a run differs from an earlier run. It compares the events in the order in which `run
/// --events` writes them.
package final class EventComparison {
    /// Largest size of the earlier file, in bytes.
    package static let limit = 1 << 30

    private let old: [UInt8]
    private var next = 0
    private var line = 0
    private var difference: (line: Int, before: String?, now: String?)?

    package init(_ old: [UInt8]) { self.old = old }

    /// `true` once a difference is found; later events are ignored.
    package var hasDifference: Bool { difference != nil }

    /// Recorder that compares the events of one strategy in one replica.
    package func recorder(_ line: EventLineFormatter) -> some Recorder {
        ComparingRecorder(comparison: self, line: line)
    }

    /// Records a difference if the earlier file has lines left.
    package func finish() {
        guard difference == nil, let before = nextLine() else { return }
        difference = (line, before, nil)
    }

    package var text: String {
        guard let difference else { return "all events are identical" }
        return "the first different event is in line \(difference.line)\n"
            + "  before: \((difference.before ?? "no more events").escapedForTerminal)\n"
            + "  now:    \((difference.now ?? "no more events").escapedForTerminal)"
    }

    private func compareLine(_ now: String) {
        guard difference == nil else { return }
        let before = nextLine()
        if before != now { difference = (line, before, now) }
    }

    private func nextLine() -> String? {
        guard next < old.count else { return nil }
        let end = old[next...].firstIndex(of: UInt8(ascii: "\n")) ?? old.count
        let text = String(decoding: old[next..<end], as: UTF8.self)
        next = end + 1
        line += 1
        return text
    }

    private struct ComparingRecorder: Recorder {
        // Used on one thread; `Recorder` is `Sendable` for recorders that run on several.
        nonisolated(unsafe) let comparison: EventComparison
        let line: EventLineFormatter

        mutating func record(_ batch: UnsafeBufferPointer<Record>) {
            for record in batch where comparison.difference == nil { comparison.compareLine(line.text(record)) }
        }

        mutating func merge(_ other: ComparingRecorder) {}
    }
}
