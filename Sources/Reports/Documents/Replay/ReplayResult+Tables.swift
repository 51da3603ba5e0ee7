import DeadzoneBase
import DeadzoneCaptures
import DeadzoneMetrics
import DeadzoneReplay

extension ReplayResult {
    /// CSV in long form: one line for each number. RFC 4180; lines end in CR LF.
    package var csv: String {
        var lines = ["capture,of,name,metric,unit,value"]
        func line(_ of: String, _ name: String, _ metric: String, _ unit: String, _ value: JSON) {
            let words = [report.name, of, name, metric, unit].map { CSV.quoted($0.escapedForTerminal) }
            lines.append((words + [value.text(.line)]).joined(separator: ","))
        }
        func count(_ of: String, _ name: String, _ metric: String, _ value: UInt64) {
            line(of, name, metric, metric.hasSuffix("bytes") ? "B" : "", .integer(Int128(value)))
        }
        count("capture", "", "packets", report.capture.counts.packets)
        count("capture", "", "bytes", report.capture.counts.bytes)
        count("capture", "", "tcp_flows", report.capture.tcpFlows)
        count("capture", "", "udp_flows", report.capture.udpFlows)
        line("capture", "", "duration", "s", .decimal(report.capture.counts.duration))
        if let radio = report.radio {
            line("radio", radio.profile, "joules", "J", .number(radio.bill.joules))
            line("radio", radio.profile, "clamped_packets", "", .integer(Int128(radio.bill.clamped)))
            for state in radio.bill.states {
                line("state", state.name, "count", "", .integer(Int128(state.count)))
                line("state", state.name, "seconds", "s", .number(state.seconds))
                line("state", state.name, "joules", "J", .number(state.joules))
            }
        }
        for flow in report.flows {
            count("flow", flow.name, "up_packets", flow.upPackets)
            count("flow", flow.name, "up_bytes", flow.upBytes)
            count("flow", flow.name, "down_packets", flow.downPackets)
            count("flow", flow.name, "down_bytes", flow.downBytes)
            if let joules = flow.joules { line("flow", flow.name, "joules", "J", .number(joules)) }
        }
        for flow in report.habits.periodic {
            line("periodic", flow.flow, "interval", "s", .number(flow.interval))
            line("periodic", flow.flow, "jitter", "s", .number(flow.jitter))
            line("periodic", flow.flow, "count", "", .integer(Int128(flow.count)))
            line("periodic", flow.flow, "joules", "J", .number(flow.joules))
        }
        if let neighbours = report.neighbours {
            for kind in neighbours.kinds { count("neighbours", kind.word, "packets", kind.packets) }
            line("neighbours", "", "joules", "J", .number(neighbours.added))
            line("neighbours", "", "joules_without", "J", .number(neighbours.joulesWithout))
        }
        if let whatIf {
            line("what_if", "as captured", "joules", "J", .number(whatIf.captured.bill.joules))
            for strategy in whatIf.run.strategies {
                let joules = strategy.measurement.figure("battery.joules")?.double ?? 0
                line("what_if", strategy.name, "joules", "J", .number(joules))
            }
        }
        for payer in report.habits.remotes { line("remote", payer.name, "joules", "J", .number(payer.joules)) }
        for payer in report.habits.apps { line("app", payer.name, "joules", "J", .number(payer.joules)) }
        for advice in report.habits.advice {
            line("habit", advice.habit.words, "joules", "J", .number(advice.joules))
            line("habit", advice.habit.words, "saves", "J", .number(advice.saves))
        }
        return lines.map { $0 + "\r\n" }.joined()
    }

    /// Most characters of a sentence in Markdown, which is longer than a name.
    private static let maxSentenceLength = 2_000

    /// Markdown for a step summary or a pull request comment.
    package var markdown: String {
        func joules(_ number: Double) -> String { ReplayReport.decimal(number, places: 2) }
        func sentence(_ text: String) -> String { Markdown.escaped(text, atMost: Self.maxSentenceLength) }
        var text = "## Deadzone replay: \(Markdown.escaped(report.name))\n\n"
        text +=
            "\(report.capture.counts.packets) packets in \(NumberText.decimal(report.capture.counts.duration, places: 1)) s, "
        text +=
            "\(report.capture.tcpFlows + report.capture.udpFlows) flows. Direction: \(sentence(report.direction.reason))\n\n"
        if let radio = report.ownRadio {
            let local =
                report.neighbours.map { " for the phone's own traffic; \(sentence($0.addedWords))" } ?? ""
            text += "Radio energy on **\(Markdown.escaped(radio.profile))** with \(radio.rules.rawValue) rules: "
            text += "**\(joules(radio.bill.joules)) J**\(local)\n\n"
            let states = radio.bill.states.map {
                [
                    Markdown.escaped($0.name), "\($0.count)", ReplayReport.decimal($0.seconds, places: 1),
                    joules($0.joules),
                ]
            }
            text += Markdown.table(["state", "times", "seconds", "joules"], states) + "\n"
        }
        if let neighbours = report.neighbours { text += sentence(neighbours.words) + ".\n\n" }
        if let whatIf {
            text += "### \(WhatIf.title)\n\n\(sentence(whatIfWords)).\n\n"
            text += Markdown.table(
                [""] + whatIf.columns.map { Markdown.escaped($0) }, whatIf.rows.map { [$0.title] + $0.cells })
            text += "\n"
        }
        if !report.habits.advice.isEmpty { text += "### Most expensive habits\n\n" }
        for advice in report.habits.advice {
            text += "- \(Markdown.escaped(advice.habit.words)): \(joules(advice.joules)) J. "
            text += "\(Markdown.escaped(advice.habit.fix)) would save at most \(joules(advice.saves)) J.\n"
            for line in report.occasions(of: advice, atMost: 3) { text += "  - \(Markdown.escaped(line))\n" }
        }
        for call in report.habits.calls { text += "\n\(sentence(report.words(call))).\n" }
        if !report.habits.remotes.isEmpty {
            let rows = report.habits.remotes.prefix(10).map {
                [Markdown.escaped($0.name), "\($0.flows)", joules($0.joules)]
            }
            text += "\n### Peers with the most energy\n\n" + Markdown.table(["name", "flows", "joules"], rows)
        }
        if !report.ownFlows.isEmpty {
            let isDivided = report.dividesEnergy
            let rows = report.ownFlows.prefix(10).map {
                [
                    Markdown.escaped($0.name), Markdown.escaped($0.remoteName ?? ""),
                    "\($0.upPackets + $0.downPackets)", isDivided ? joules($0.joules ?? 0) : "\($0.bytes)",
                ]
            }
            text += "\n### Flows with the most \(isDivided ? "energy" : "bytes")\n\n"
            text += Markdown.table(["flow", "to", "packets", isDivided ? "joules" : "bytes"], rows)
        }
        if !report.notes.isEmpty { text += "\n" + report.notes.map { "- \(sentence($0))\n" }.joined() }
        return text
    }
}
