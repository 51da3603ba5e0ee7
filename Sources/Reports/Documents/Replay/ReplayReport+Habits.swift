import DeadzoneBase
package import DeadzoneCaptures
package import DeadzoneMetrics
package import DeadzoneReplay

extension ReplayReport {
    /// Formats a number with at most `places` decimals; `-` if it is not finite or at least 1e12.
    package static func decimal(_ number: Double, places: Int) -> String {
        guard number.isFinite, abs(number) < 1e12 else { return "-" }
        return NumberText.decimal(Billionths(count: Int128((number * 1e9).rounded())), places: places)
    }
}

private func optional(_ text: String?) -> JSON { text.map { .string($0) } ?? .null }

extension ReplayReport {
    /// Seconds from the earliest packet of the capture to this time.
    package func secondsFromStart(_ stamp: Timestamp) -> Billionths {
        Billionths(count: stamp.nanoseconds - (capture.counts.earliest ?? stamp).nanoseconds)
    }

    /// JSON members at the same level as `flows`.
    var habitMembers: [String: JSON] {
        [
            "bursts": .array(habits.bursts.map(json)), "unlisted_bursts": .integer(Int128(habits.unlistedBursts)),
            "periodic": .array(habits.periodic.map(\.json)), "transitions": .array(habits.transitions.map(json)),
            "habits": .array(habits.advice.map(json)), "remotes": .array(habits.remotes.map(\.json)),
            "apps": .array(habits.apps.map(\.json)), "calls": .array(habits.calls.map(json)),
        ]
    }

    /// Bursts printed below one habit on a terminal; the JSON has more.
    private static let shownOccasions = 3

    func habitText(_ style: Style) -> String {
        var text = ""
        let (advice, transitions, calls) = (habits.advice, habits.transitions, habits.calls)
        for advice in advice {
            let joules = ReplayReport.decimal(advice.joules, places: 2)
            let saves = ReplayReport.decimal(advice.saves, places: 2)
            text +=
                style.wrapped(
                    "- \(advice.habit.words.escapedForTerminal): \(joules) J. \(advice.habit.fix) would save at most \(saves) J.",
                    indent: 2)
                + "\n"
            for line in occasions(of: advice, atMost: Self.shownOccasions) {
                text += "    " + style.wrapped(line.escapedForTerminal, indent: 6, after: 4) + "\n"
            }
        }
        if !text.isEmpty { text = style.paint("most expensive habits", .bold) + "\n" + text }
        for call in calls { text += style.wrapped(words(call).escapedForTerminal, indent: 2) + "\n" }
        for transition in transitions.prefix(10) {
            text +=
                "transition at \(Self.seconds(secondsFromStart(transition.at))): \(transition.words.escapedForTerminal)\n"
        }
        return text
    }

    private static func seconds(_ time: Billionths) -> String { NumberText.decimal(time, places: 3) + " s" }

    /// Lines with the most expensive bursts of a habit: time, energy, flow and peer.
    ///
    /// - Parameter time: formats a time; by default in seconds from the earliest packet.
    package func occasions(
        of advice: Advice, atMost limit: Int, time: ((Timestamp) -> String)? = nil
    ) -> [String] {
        let dearest = advice.occasions.indices.sorted {
            (advice.occasions[$1].joules, $0) < (advice.occasions[$0].joules, $1)
        }.prefix(limit).sorted()
        let lines = dearest.map { index in
            let burst = advice.occasions[index]
            let flow = [burst.flow, burst.remoteName.map { "(\($0))" }].compactMap(\.self).joined(separator: " ")
            return "at \(time?(burst.at) ?? Self.seconds(secondsFromStart(burst.at))), "
                + "\(Self.decimal(burst.joules, places: 2)) J" + (flow.isEmpty ? "" : ": \(flow)")
        }
        let more = advice.occasions.count + advice.unlisted - lines.count
        guard more > 0 else { return lines }
        // A periodic flow also has bursts after other intervals.
        if case .periodic = advice.habit { return lines + ["and \(plural(more, "more burst")) of this flow"] }
        return lines + ["and \(more) more"]
    }

    /// One sentence about a call.
    package func words(_ call: Call, time: ((Timestamp) -> String)? = nil) -> String {
        let peer = [call.flow, call.remoteName.map { "(\($0))" }].compactMap(\.self).joined(separator: " ")
        return "voice call or similar stream at \(time?(call.at) ?? Self.seconds(secondsFromStart(call.at))) for "
            + "\(Self.decimal(call.seconds, places: 1)) s: \(call.packets) packets, "
            + "\(Self.decimal(call.joules, places: 2)) J, \(peer). "
            + "Its packets are no chat messages: no compared strategy sends them"
    }
}

extension ReplayReport.Transition {
    /// The transition as text.
    package var words: String {
        if kind == "upheaval" { return "silence, then new connections" }
        let ends = [from, to].compactMap(\.self).joined(separator: " → ")
        return ends.isEmpty ? kind : "\(kind) \(ends)"
    }
}

extension ReplayReport.Advice.Habit {
    package var words: String {
        switch self {
        case .periodic(let flow, let remoteName, let interval, let count):
            "\(remoteName.map { "\($0), \(flow)," } ?? flow) repeats every "
                + "\(ReplayReport.decimal(interval, places: 1)) s in \(plural(count, "interval"))"
        case .control(let count): "the radio woke \(Self.times(count)) only to open or close connections"
        case .keepalives(let count): "TCP's own keepalives woke the radio \(Self.times(count))"
        case .retransmissions(let count): "\(plural(count, "burst")) began with a retransmission"
        case .isolated(let count):
            "\(plural(count, "burst")) of less than 1 KiB came within a minute after another burst"
        }
    }

    private static func times(_ count: Int) -> String { count == 1 ? "once" : "\(count) times" }

    /// The better habit as text, such as `Once every 15 min`.
    package var fix: String {
        switch self {
        case .periodic: "One request every 15 min"
        case .control: "Closing connections together with the last data"
        case .keepalives: "Only pings of the application, no TCP keepalives,"
        case .retransmissions: "A path without packet loss"
        case .isolated: "Sending them together with the burst before"
        }
    }
}

extension ReplayReport {
    fileprivate func json(_ burst: BurstRow) -> JSON {
        .object([
            "at_s": .decimal(burst.at.seconds), "from_start_s": .decimal(secondsFromStart(burst.at)),
            "seconds": .number(burst.seconds), "packets": .integer(Int128(burst.packets)),
            "bytes": .integer(Int128(burst.bytes)), "cause": .string(burst.cause), "flow": optional(burst.flow),
            "remote_name": optional(burst.remoteName), "joules": .number(burst.joules),
        ])
    }

    fileprivate func json(_ transition: Transition) -> JSON {
        .object([
            "at_s": .decimal(transition.at.seconds), "from_start_s": .decimal(secondsFromStart(transition.at)),
            "kind": .string(transition.kind), "from": optional(transition.from), "to": optional(transition.to),
        ])
    }

    fileprivate func json(_ advice: Advice) -> JSON {
        .object([
            "habit": .string(advice.habit.words), "fix": .string(advice.habit.fix), "joules": .number(advice.joules),
            "saves_joules": .number(advice.saves), "bursts": .array(advice.occasions.map(json)),
            "unlisted_bursts": .integer(Int128(advice.unlisted)),
        ])
    }

    fileprivate func json(_ call: Call) -> JSON {
        .object([
            "flow": .string(call.flow), "remote_name": optional(call.remoteName), "at_s": .decimal(call.at.seconds),
            "from_start_s": .decimal(secondsFromStart(call.at)), "seconds": .number(call.seconds),
            "packets": .integer(Int128(call.packets)), "joules": .number(call.joules),
        ])
    }
}

extension ReplayReport.Periodic {
    fileprivate var json: JSON {
        .object([
            "flow": .string(flow), "remote_name": optional(remoteName), "interval_s": .number(interval),
            "jitter_s": .number(jitter), "count": .integer(Int128(count)), "joules": .number(joules),
        ])
    }
}

extension ReplayReport.CostEntry {
    fileprivate var json: JSON {
        .object(["name": .string(name), "flows": .integer(Int128(flows)), "joules": .number(joules)])
    }
}
