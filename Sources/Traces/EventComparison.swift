public import DeadzoneJournal
import DeadzonePrimitives

/// Walks through the events of a run beside those of one before, in the order in which `run --events` writes them, as far as
/// the first that is different.
public final class EventComparison {
    /// Of the file from before.
    public static let limit = 1 << 30

    private let old: [UInt8]
    private var next = 0
    private var line = 0
    private var difference: (line: Int, before: String?, now: String?)?

    public init(_ old: [UInt8]) { self.old = old }

    /// Nothing that comes now is looked at any more.
    public var isDecided: Bool { difference != nil }

    /// Compares what happens under one strategy in one replica.
    public func walker(_ line: EventLine) -> some Recorder { Walker(comparison: self, line: line) }

    /// What is left over from before is missing now.
    public func finish() {
        guard difference == nil, let before = takeLine() else { return }
        difference = (line, before, nil)
    }

    public var text: String {
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
