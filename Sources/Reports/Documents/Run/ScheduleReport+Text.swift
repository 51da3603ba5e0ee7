import DeadzoneBase
package import DeadzoneMetrics

extension ScheduleReport {
    /// JSON document, `DocumentSchema.schedule`.
    package var json: JSON {
        func seconds(_ span: TimeSpan?) -> JSON {
            span.map { .number(Billionths(count: Int128($0.nanoseconds)).double) } ?? .null
        }
        var members: [String: JSON] = [
            "schema": DocumentSchema.schedule.json, "strategy": .string(strategy),
            "failure": .string(failing.rawValue), "gave_up": .bool(hasGivenUp),
            "attempts": .array(
                attempts.enumerated().map { index, attempt in
                    .object([
                        "n": .integer(Int128(index)), "at_s": seconds(attempt.at), "delay_s": seconds(attempt.delay),
                        "delay_min_s": seconds(attempt.lowest), "delay_max_s": seconds(attempt.highest),
                        "timeout_s": seconds(attempt.limit ?? attempt.kernelLimit),
                        "timeout_min_s": seconds(attempt.lowestLimit ?? attempt.kernelLimit),
                        "timeout_max_s": seconds(attempt.highestLimit ?? attempt.kernelLimit),
                    ])
                }),
        ]
        if let note { members["note"] = .string(note) }
        return .object(members)
    }

    package func text(_ style: Style) -> String {
        var text = style.paint(strategy.escapedForTerminal, .bold) + ": " + failing.words + "\n"
        if !attempts.isEmpty { text += "\n" + table.text(style) + "\n" + summary + "\n" }
        if let note { text += (attempts.isEmpty ? "\n" : "") + style.wrapped(note, indent: 0) + "\n" }
        return text
    }

    /// Table of attempts. A wait at its cap repeats for ever. So in a long run of rows that repeat the row before, only
    /// the first and the last two are printed, with `⋮` between them.
    private var table: TextTable {
        var table = TextTable(leftAligned: [3])
        table.row(["try", "at", "wait", "with jitter", "gives up after"].map { TextTable.TextCell($0, .bold) })
        for (index, attempt) in attempts.enumerated() {
            if isRepetition(index), isRepetition(index - 1), isRepetition(index + 1), isRepetition(index + 2) {
                if !isRepetition(index - 2) { table.row([TextTable.TextCell("⋮"), TextTable.TextCell("⋮")]) }
                continue
            }
            table.row([
                TextTable.TextCell(String(index)), TextTable.TextCell(Self.seconds(attempt.at)),
                TextTable.TextCell(index == 0 ? "" : attempt.delay.map(Self.seconds) ?? "?"),
                TextTable.TextCell(index == 0 ? "" : attempt.jitterText, .dim),
                TextTable.TextCell(attempt.limit.map(Self.seconds) ?? failing.limit, attempt.limit == nil ? .dim : nil),
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
        if hasGivenUp { return "\(count), then no more" + (note == nil ? ": the client gives up." : ".") }
        return "\(count) in \(span); it continues."
    }

    fileprivate static func seconds(_ span: TimeSpan) -> String {
        NumberText.decimal(Billionths(count: Int128(span.nanoseconds)), places: 3) + " s"
    }
}

extension ScheduleReport.ScheduledAttempt {
    fileprivate var jitterText: String {
        guard let lowest, let highest, lowest != highest || lowest != delay else { return "" }
        return ScheduleReport.seconds(lowest) + " to " + ScheduleReport.seconds(highest)
    }
}

extension ScheduleReport.AttemptFailure {
    fileprivate var words: String {
        switch self {
        case .refused: "every attempt is refused at once"
        case .blackhole: "no packet is ever answered"
        case .frozen: "the server's kernel accepts, but the server program never answers"
        }
    }

    /// Text for an attempt without its own timeout.
    fileprivate var limit: String {
        switch self {
        case .refused, .blackhole: "kernel limit"
        case .frozen: "never"
        }
    }
}
