import DeadzoneCaptures
import DeadzoneMetrics
import DeadzonePrimitives
public import DeadzoneReplay

extension ReplayReport {
    /// Formats a number with at most `places` decimals; `-` if it is not finite or at least 1e12.
    public static func decimal(_ number: Double, places: Int) -> String {
        guard number.isFinite, abs(number) < 1e12 else { return "-" }
        return NumberText.decimal(Billionths(count: Int128((number * 1e9).rounded())), places: places)
    }
}

private func text(_ text: String?) -> JSON { text.map { .string($0) } ?? .null }

extension ReplayReport.Habits {
    /// JSON members at the same level as `flows`.
    var members: [String: JSON] {
        [
            "bursts": .array(bursts.map(\.json)), "unlisted_bursts": .integer(Int128(unlistedBursts)),
            "periodic": .array(periodic.map(\.json)), "transitions": .array(transitions.map(\.json)),
            "habits": .array(advice.map(\.json)), "remotes": .array(remotes.map(\.json)),
            "apps": .array(apps.map(\.json)),
        ]
    }

    func text(_ style: Style) -> String {
        var text = ""
        for advice in advice {
            let joules = ReplayReport.decimal(advice.joules, places: 2)
            let saves = ReplayReport.decimal(advice.saves, places: 2)
            text +=
                style.wrapped(
                    "- \(advice.habit.words.escapedForTerminal): \(joules) J. \(advice.habit.fix) would save at most \(saves) J.",
                    indent: 2)
                + "\n"
        }
        if !text.isEmpty { text = style.paint("most expensive habits", .bold) + "\n" + text }
        for transition in transitions.prefix(10) {
            text +=
                "transition at \(NumberText.decimal(transition.at.seconds, places: 3)): \(transition.words.escapedForTerminal)\n"
        }
        return text
    }
}

extension ReplayReport.Transition {
    /// The transition as text.
    public var words: String {
        if kind == "upheaval" { return "silence, then new connections" }
        let ends = [from, to].compactMap(\.self).joined(separator: " → ")
        return ends.isEmpty ? kind : "\(kind) \(ends)"
    }
}

extension ReplayReport.Advice.Habit {
    public var words: String {
        switch self {
        case .periodic(let remote, let interval, let count):
            "\(remote) repeats every \(ReplayReport.decimal(interval, places: 1)) s, \(count) times"
        case .control(let count):
            "the radio woke \(count == 1 ? "once" : "\(count) times") only to open or close connections"
        case .keepalives(let count): "TCP's own keepalives woke the radio \(count) times"
        case .retransmissions(let count): "\(count) bursts began with a retransmission"
        case .isolated(let count): "\(count) bursts of less than 1 KiB came within a minute after another burst"
        }
    }

    /// The better habit as text, such as `Once every 15 min`.
    public var fix: String {
        switch self {
        case .periodic: "One request every 15 min"
        case .control: "Closing connections together with the last data"
        case .keepalives: "Only pings of the application, no TCP keepalives,"
        case .retransmissions: "A path without packet loss"
        case .isolated: "Sending them in one burst"
        }
    }
}

extension ReplayReport.BurstRow {
    fileprivate var json: JSON {
        .object([
            "at_s": .decimal(at.seconds), "seconds": .number(seconds), "packets": .integer(Int128(packets)),
            "bytes": .integer(Int128(bytes)), "cause": .string(cause), "flow": text(flow), "joules": .number(joules),
        ])
    }
}

extension ReplayReport.Periodic {
    fileprivate var json: JSON {
        .object([
            "flow": .string(flow), "remote_name": text(remoteName), "interval_s": .number(interval),
            "jitter_s": .number(jitter), "count": .integer(Int128(count)), "joules": .number(joules),
        ])
    }
}

extension ReplayReport.Transition {
    fileprivate var json: JSON {
        .object(["at_s": .decimal(at.seconds), "kind": .string(kind), "from": text(from), "to": text(to)])
    }
}

extension ReplayReport.Advice {
    fileprivate var json: JSON {
        .object([
            "habit": .string(habit.words), "fix": .string(habit.fix), "joules": .number(joules),
            "saves_joules": .number(saves),
        ])
    }
}

extension ReplayReport.CostEntry {
    fileprivate var json: JSON {
        .object(["name": .string(name), "flows": .integer(Int128(flows)), "joules": .number(joules)])
    }
}
