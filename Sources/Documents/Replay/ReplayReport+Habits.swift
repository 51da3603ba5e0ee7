import DeadzoneCaptures
import DeadzoneMetrics
import DeadzonePrimitives
public import DeadzoneReplay

extension ReplayReport {
    /// A number for people.
    public static func decimal(_ number: Double, places: Int) -> String {
        guard number.isFinite, abs(number) < 1e12 else { return "-" }
        return NumberText.decimal(Billionths(count: Int128((number * 1e9).rounded())), places: places)
    }
}

private func text(_ text: String?) -> JSON { text.map { .string($0) } ?? .null }

extension ReplayReport.Habits {
    /// The members that stand beside `flows`.
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
                    "- \(advice.habit.words.visible): \(joules) J. \(advice.habit.fix) saves at most \(saves) J.",
                    indent: 2)
                + "\n"
        }
        if !text.isEmpty { text = style.paint("dearest habits", .bold) + "\n" + text }
        for transition in transitions.prefix(10) {
            text +=
                "transition at \(NumberText.decimal(transition.at.seconds, places: 3)): \(transition.words.visible)\n"
        }
        return text
    }
}

extension ReplayReport.Transition {
    /// As people say it.
    public var words: String {
        if kind == "upheaval" { return "silence, then new connections" }
        let ends = [from, to].compactMap(\.self).joined(separator: " → ")
        return ends.isEmpty ? kind : "\(kind) \(ends)"
    }
}

extension ReplayReport.Advice.Habit {
    public var words: String {
        switch self {
        case .comesRound(let remote, let interval, let count):
            "\(remote) comes round every \(ReplayReport.decimal(interval, places: 1)) s, \(count) times"
        case .control(let count):
            "the radio worked \(count == 1 ? "once" : "\(count) times") for connections that were only opened or closed"
        case .keepalives(let count): "TCP's own keepalives woke the radio \(count) times"
        case .retransmissions(let count): "\(count) bursts began with something sent again"
        case .lonely(let count): "\(count) bursts of less than 1 KiB came within a minute of the burst before"
        }
    }

    /// What another would be.
    public var fix: String {
        switch self {
        case .comesRound: "Once every 15 min"
        case .control: "Closing together with the last data"
        case .keepalives: "Leaving them to the application's pings"
        case .retransmissions: "A path without loss"
        case .lonely: "Sending them together"
        }
    }
}

extension ReplayReport.Burst {
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

extension ReplayReport.Payer {
    fileprivate var json: JSON {
        .object(["name": .string(name), "flows": .integer(Int128(flows)), "joules": .number(joules)])
    }
}
