public import DeadzoneCompare
import DeadzoneMetrics
import DeadzonePrimitives

extension ScheduleReport {
    /// `deadzone/schedule/1`
    public var json: JSON {
        func seconds(_ span: TimeSpan?) -> JSON {
            span.map { .number(Billionths(count: Int128($0.nanoseconds)).double) } ?? .null
        }
        var members: [String: JSON] = [
            "schema": .string("deadzone/schedule/1"), "strategy": .string(strategy),
            "failure": .string(failing.rawValue), "gave_up": .bool(hasGivenUp),
            "attempts": .array(
                attempts.enumerated().map { index, attempt in
                    .object([
                        "n": .integer(Int128(index)), "at_s": seconds(attempt.at), "delay_s": seconds(attempt.delay),
                        "delay_min_s": seconds(attempt.lowest), "delay_max_s": seconds(attempt.highest),
                        "timeout_s": seconds(attempt.limit), "timeout_min_s": seconds(attempt.lowestLimit),
                        "timeout_max_s": seconds(attempt.highestLimit),
                    ])
                }),
        ]
        if let note { members["note"] = .string(note) }
        return .object(members)
    }

    public func text(_ style: Style) -> String {
        var text = style.paint(strategy.visible, .bold) + ": " + failing.words + "\n"
        if !attempts.isEmpty { text += "\n" + table.text(style) + "\n" + summary + "\n" }
        if let note { text += (attempts.isEmpty ? "\n" : "") + style.wrapped(note, indent: 0) + "\n" }
        return text
    }

    /// Of many rows that only repeat the one before, the last alone is printed: a wait at its cap goes on for ever.
    private var table: TextTable {
        var table = TextTable(leftAligned: [3])
        table.row(["try", "at", "wait", "with jitter", "gives up after"].map { TextTable.Cell($0, .bold) })
        for (index, attempt) in attempts.enumerated() {
            if isRepetition(index), isRepetition(index - 1), isRepetition(index + 1), isRepetition(index + 2) {
                if !isRepetition(index - 2) { table.row([TextTable.Cell("⋮"), TextTable.Cell("⋮")]) }
                continue
            }
            table.row([
                TextTable.Cell(String(index)), TextTable.Cell(Self.seconds(attempt.at)),
                TextTable.Cell(index == 0 ? "" : attempt.delay.map(Self.seconds) ?? "?"),
                TextTable.Cell(index == 0 ? "" : attempt.jitterText, .dim),
                TextTable.Cell(attempt.limit.map(Self.seconds) ?? failing.limit, attempt.limit == nil ? .dim : nil),
            ])
        }
        return table
    }

    private func isRepetition(_ index: Int) -> Bool {
        guard 2 <= index, index < attempts.count else { return false }
        let (before, this) = (attempts[index - 1], attempts[index])
        return (this.delay, this.lowest, this.highest) == (before.delay, before.lowest, before.highest)
            && this.limit == before.limit && this.at - before.at == before.at - attempts[index - 2].at
    }

    private var summary: String {
        let count = attempts.count == 1 ? "1 attempt" : "\(attempts.count) attempts"
        let span = DurationText.short(length)
        if hasGivenUp { return "\(count), and then none" + (note == nil ? ": it gives up." : ".") }
        return "\(count) in \(span); it goes on."
    }

    fileprivate static func seconds(_ span: TimeSpan) -> String {
        NumberText.decimal(Billionths(count: Int128(span.nanoseconds)), places: 3) + " s"
    }
}

extension ScheduleReport.Attempt {
    fileprivate var jitterText: String {
        guard let lowest, let highest, lowest != highest || lowest != delay else { return "" }
        return ScheduleReport.seconds(lowest) + " to " + ScheduleReport.seconds(highest)
    }
}

extension ScheduleReport.Failing {
    fileprivate var words: String {
        switch self {
        case .refused: "every attempt is refused at once"
        case .blackhole: "nobody ever answers"
        case .frozen: "the server's kernel accepts, and its program never says a word"
        }
    }

    /// Of an attempt without a limit of its own.
    fileprivate var limit: String {
        switch self {
        case .refused, .blackhole: "kernel's limit"
        case .frozen: "never"
        }
    }
}
