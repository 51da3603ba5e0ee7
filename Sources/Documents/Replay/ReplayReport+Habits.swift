public import DeadzoneMetrics
import DeadzonePrimitives

extension ReplayReport {
    /// What the traffic does again and again.
    public struct Habits: Sendable {
        public var bursts: [Burst] = []
        /// Bursts beyond those that are listed.
        public var unlistedBursts = 0
        public var periodic: [Periodic] = []
        public var transitions: [Transition] = []
        /// The most expensive first.
        public var advice: [Advice] = []
        /// What each remote name (or address) cost, and each app; the dearest first.
        public var remotes: [Payer] = []
        public var apps: [Payer] = []

        public init() {}
    }

    public struct Burst: Sendable {
        public var at: Billionths
        public var seconds: Double
        public var packets: Int
        public var bytes: Int
        public var cause: String
        public var flow: String?
        public var joules: Double

        public init(
            at: Billionths, seconds: Double, packets: Int, bytes: Int, cause: String, flow: String?, joules: Double
        ) {
            self.at = at
            self.seconds = seconds
            self.packets = packets
            self.bytes = bytes
            self.cause = cause
            self.flow = flow
            self.joules = joules
        }
    }

    public struct Periodic: Sendable {
        public var flow: String
        public var remoteName: String?
        public var interval: Double
        public var jitter: Double
        public var count: Int
        public var joules: Double

        public init(
            flow: String, remoteName: String?, interval: Double, jitter: Double, count: Int, joules: Double
        ) {
            self.flow = flow
            self.remoteName = remoteName
            self.interval = interval
            self.jitter = jitter
            self.count = count
            self.joules = joules
        }
    }

    public struct Transition: Sendable {
        public var at: Billionths
        /// interface, address or upheaval
        public var kind: String
        public var from: String?
        public var to: String?

        public init(at: Billionths, kind: String, from: String?, to: String?) {
            self.at = at
            self.kind = kind
            self.from = from
            self.to = to
        }

        /// As people say it.
        public var words: String {
            if kind == "upheaval" { return "silence, then new connections" }
            let ends = [from, to].compactMap(\.self).joined(separator: " → ")
            return ends.isEmpty ? kind : "\(kind) \(ends)"
        }
    }

    /// A habit in plain words, what it cost, and what another would save.
    public struct Advice: Sendable {
        public var habit: String
        public var fix: String
        public var joules: Double
        public var saves: Double

        public init(habit: String, fix: String, joules: Double, saves: Double) {
            self.habit = habit
            self.fix = fix
            self.joules = joules
            self.saves = saves
        }
    }

    public struct Payer: Sendable {
        public var name: String
        public var flows: Int
        public var joules: Double

        public init(name: String, flows: Int, joules: Double) {
            self.name = name
            self.flows = flows
            self.joules = joules
        }
    }
}

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
                    "- \(advice.habit.visible): \(joules) J. \(advice.fix) saves at most \(saves) J.", indent: 2)
                + "\n"
        }
        if !text.isEmpty { text = style.paint("dearest habits", .bold) + "\n" + text }
        for transition in transitions.prefix(10) {
            text += "transition at \(NumberText.decimal(transition.at, places: 3)): \(transition.words.visible)\n"
        }
        return text
    }
}

extension ReplayReport.Burst {
    fileprivate var json: JSON {
        .object([
            "at_s": .decimal(at), "seconds": .number(seconds), "packets": .integer(Int128(packets)),
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
        .object(["at_s": .decimal(at), "kind": .string(kind), "from": text(from), "to": text(to)])
    }
}

extension ReplayReport.Advice {
    fileprivate var json: JSON {
        .object([
            "habit": .string(habit), "fix": .string(fix), "joules": .number(joules), "saves_joules": .number(saves),
        ])
    }
}

extension ReplayReport.Payer {
    fileprivate var json: JSON {
        .object(["name": .string(name), "flows": .integer(Int128(flows)), "joules": .number(joules)])
    }
}
