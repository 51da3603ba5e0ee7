import DeadzoneBase

/// The label on a time axis for the scenario's events at one instant.
struct EventMark {
    let at: Int64
    private(set) var title: String

    /// Merges the changes of one instant into one mark.
    static func marks(_ changes: [PhoneHistory.Period<TimelineMarker>]) -> [EventMark] {
        var marks: [EventMark] = []
        var titles: Set<String> = []
        for change in changes where !change.value.title.isEmpty {
            if marks.last?.at == change.start {
                guard titles.insert(change.value.title).inserted else { continue }
                marks[marks.count - 1].title += " · " + change.value.title
            } else {
                marks.append(EventMark(at: change.start, title: change.value.title))
                titles = [change.value.title]
            }
        }
        return marks
    }

    struct PlacedMark {
        let mark: EventMark
        let x: Int
        let row: Int
        /// `true` if the text ends at the vertical line instead of starting there.
        let isFlipped: Bool
    }

    /// Most rows of names; names that do not fit are only in the table.
    private static let maxRows = 4
    /// Generous width of one letter at the ruler's font size, in pixels.
    private static let letterWidth = 6

    static func layOut(_ marks: [EventMark], _ axis: TimeAxis, width: Int) -> [PlacedMark] {
        var ends = [Int](repeating: -10, count: maxRows)
        var places: [PlacedMark] = []
        for mark in marks {
            let x = Int(axis(mark.at) * Int64(width) / axis.length)
            let length = min(mark.title.columns, 49) * letterWidth + 8
            let isFlipped = x + length > width
            let start = isFlipped ? x - length : x
            guard start >= -100, let row = ends.firstIndex(where: { $0 <= start }) else { continue }
            ends[row] = start + length
            places.append(PlacedMark(mark: mark, x: x, row: row, isFlipped: isFlipped))
        }
        return places
    }
}

/// Formats times and durations as text, such as axis labels.
enum TimeText {
    /// Time on the axis, such as `0`, `12m`, `1h30m` or `45.5s`.
    static func text(_ nanoseconds: Int64) -> String {
        let tenths = nanoseconds / 100_000_000 + (nanoseconds % 100_000_000 >= 50_000_000 ? 1 : 0)
        let (hours, minutes) = (tenths / 36_000, tenths / 600 % 60)
        let rest = tenths % 600
        let seconds = rest == 0 ? "" : rest % 10 == 0 ? "\(rest / 10)s" : "\(rest / 10).\(rest % 10)s"
        let text = (hours > 0 ? "\(hours)h" : "") + (minutes > 0 ? "\(minutes)m" : "") + seconds
        return text.isEmpty ? "0" : text
    }

    /// Duration; below one second in milliseconds.
    static func span(_ nanoseconds: Int64) -> String {
        nanoseconds < 1_000_000_000 ? "\((nanoseconds + 500_000) / 1_000_000)ms" : text(nanoseconds)
    }

    private static let steps: [Int64] = [
        1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 10_800, 21_600, 43_200, 86_400,
    ]

    /// About ten ticks at round times.
    static func ticks(_ horizon: Int64) -> [Int64] {
        let seconds = max(1, horizon / 1_000_000_000)
        let step = (steps.first { seconds / $0 <= 10 } ?? (seconds / 10)) * 1_000_000_000
        return Array(stride(from: 0, through: horizon, by: Int64.Stride(step)))
    }
}
