import DeadzoneDocuments
import DeadzoneJournal
import DeadzoneTraces

/// What the scenario did at one moment, under one name.
struct EventMark {
    let at: Int64
    let title: String

    /// Changes of one moment are one event.
    static func marks(_ changes: [Story.Period<Scene>]) -> [EventMark] {
        var marks: [EventMark] = []
        for change in changes where !change.value.title.isEmpty {
            if let last = marks.last, last.at == change.start {
                guard !last.title.split(separator: " · ").contains(where: { $0 == change.value.title }) else {
                    continue
                }
                marks[marks.count - 1] = EventMark(at: last.at, title: last.title + " · " + change.value.title)
            } else {
                marks.append(EventMark(at: change.start, title: change.value.title))
            }
        }
        return marks
    }

    struct Place {
        let mark: EventMark
        let x: Int
        let row: Int
        /// Its text ends at the rule instead of beginning there.
        let isFlipped: Bool
    }

    /// Rows for the names, as long as they fit; the others are in the table.
    private static let mostRows = 4
    /// Pixels of one letter at the ruler's size, generously.
    private static let letter = 6

    static func placed(_ marks: [EventMark], _ axis: TimeAxis, width: Int) -> [Place] {
        var ends = [Int](repeating: -10, count: mostRows)
        var places: [Place] = []
        for mark in marks {
            let x = Int(axis(mark.at) * Int64(width) / axis.length)
            let length = min(mark.title.columns, 49) * letter + 8
            let isFlipped = x + length > width
            let start = isFlipped ? x - length : x
            guard start >= -100, let row = ends.firstIndex(where: { $0 <= start }) else { continue }
            ends[row] = start + length
            places.append(Place(mark: mark, x: x, row: row, isFlipped: isFlipped))
        }
        return places
    }
}

/// Times on an axis and lengths of time, in words.
enum TimeText {
    /// `0`, `12m`, `1h30m`, `45.5s`.
    static func text(_ nanoseconds: Int64) -> String {
        let tenths = (nanoseconds + 50_000_000) / 100_000_000
        let (hours, minutes) = (tenths / 36_000, tenths / 600 % 60)
        let rest = tenths % 600
        let seconds = rest == 0 ? "" : rest % 10 == 0 ? "\(rest / 10)s" : "\(rest / 10).\(rest % 10)s"
        let text = (hours > 0 ? "\(hours)h" : "") + (minutes > 0 ? "\(minutes)m" : "") + seconds
        return text.isEmpty ? "0" : text
    }

    /// Short lengths keep their milliseconds.
    static func span(_ nanoseconds: Int64) -> String {
        nanoseconds < 1_000_000_000 ? "\((nanoseconds + 500_000) / 1_000_000)ms" : text(nanoseconds)
    }

    private static let steps: [Int64] = [
        1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 10_800, 21_600, 43_200, 86_400,
    ]

    /// About ten, at round times.
    static func ticks(_ horizon: Int64) -> [Int64] {
        let seconds = max(1, horizon / 1_000_000_000)
        let step = (steps.first { seconds / $0 <= 10 } ?? (seconds / 10)) * 1_000_000_000
        return Array(stride(from: 0, through: horizon, by: Int64.Stride(step)))
    }
}
