import DeadzoneBase
import DeadzoneSamples
import Testing

@testable import DeadzoneMetrics

/// The cause that `boundary` names, of two runs that differ in known records.
struct BoundaryCauseTests {
    /// The metric of the bound | what happened besides in the run that keeps it | and in the one that breaks it => kind
    /// and name of the cause, its values in both runs; events behind it. Both runs have 9 pings, 9 s on a dead
    /// connection and 53.4 J for keepalive (300 s at 178 mW).
    private static let table = """
        delivery.down.lost || lost-down no_path 3, lost-down packet_lost 5 => lost-down packet_lost 0 5
        delivery.down.lost || lost-down no_path 5, lost-down packet_lost 3 => lost-down no_path 0 5
        delivery.down.lost || lost-down packet_lost 4, lost-down no_path 4 => lost-down no_path 0 4
        delivery.down.lost | lost-down no_path 95 | lost-down no_path 100 => lost-down no_path 95 100
        delivery.down.lost | lost-down no_path 96 | lost-down no_path 100 => none
        delivery.down.lost | lost-down no_path 5, lost-down packet_lost 1 | lost-down packet_lost 7
            => lost-down packet_lost 1 7
        delivery.down.lost | lost-down no_path 5 | => lost-down no_path 5 0
        delivery.down.lost || lost-up no_path 3 => none
        delivery.down.lost || silence no_path 5 => silence no_path 0 5
        delivery.down.lost || silence no_path 5, silence not_connected 6 => silence not_connected 0 6
        delivery.down.lost || mapping 3 => metric middlebox.expired 0 3
        delivery.gaps || lost-down no_path 1, silence mapping_forgotten 60 => lost-down no_path 0 1
        delivery.up.lost || lost-up no_path 3, lost-down packet_lost 5 => lost-up no_path 0 3
        delivery.up.pending || lost-up no_path 3, lost-down no_path 9 => lost-up no_path 0 3
        delivery.up.lost || lost-down packet_lost 3, silence not_connected 2 => silence not_connected 0 2
        calls.failed || call deadline_exceeded 3, call unavailable 2, silence no_path 9
            => metric calls.deadline_exceeded 0 3
        calls.failed || call deadline_exceeded 1, call unavailable 2 => metric calls.unavailable 0 2
        calls.failed || call resource_exhausted 2, call unavailable 3, call permission_denied 2
            => metric calls.rejected 0 4
        calls.deadline_exceeded || call deadline_exceeded 3, call unavailable 1 => metric calls.unavailable 0 1
        calls.ok || lost-down no_path 3, silence no_path 9 => silence no_path 0 9
        dns.failed || silence no_path 5, lost-down no_path 9, lost-up no_path 9 => none
        dns.failed || mapping 3 => metric middlebox.expired 0 3
        dns.failed || mapping 1, goaway 1 => metric middlebox.expired 0 1
        dns.failed || goaway 1, ping 9 => metric connection.goaways 0 1
        dns.failed | mapping 5 | mapping 6, ping 9 => metric keepalive.pings 9 18
        middlebox.expired || mapping 3 => none
        middlebox.expired || mapping 3, ping 3 => metric keepalive.pings 9 12
        battery.joules || energy keepalive 100 => metric cause.keepalive 53 71
        battery.joules || energy keepalive 100, energy other_apps 120 => metric cause.other_apps 0 21
        battery.joules || energy keepalive 120, energy other_apps 100 => metric cause.keepalive 53 75
        battery.joules | energy other_apps 120 | energy keepalive 100 => metric cause.other_apps 21 0
        battery.joules || energy keepalive 100, lost-down no_path 9, silence no_path 9, mapping 9
            => metric cause.keepalive 53 71
        battery.above_idle_joules || energy keepalive 100 => metric cause.keepalive 53 71
        cause.keepalive || energy keepalive 100 => none
        battery.joules || mapping 3 => metric middlebox.expired 0 3
        delivery.down.lost || lost-down mapping_forgotten 3, mapping 4
            => lost-down mapping_forgotten 0 3; middlebox.expired 0 4
        delivery.up.lost || lost-up mapping_forgotten 3, goaway 4 => lost-up mapping_forgotten 0 3
        delivery.down.lost || lost-down no_path 3, mapping 4 => lost-down no_path 0 3
        delivery.down.lost || lost-down server_unavailable 3, goaway 2, mapping 9
            => lost-down server_unavailable 0 3; connection.goaways 0 2
        delivery.down.lost | kill 1 | lost-down process_ended 3, kill 2, crash 2
            => lost-down process_ended 0 3; app.crashes 0 2
        delivery.down.lost | crash 1 | lost-down process_ended 3, crash 2, kill 2
            => lost-down process_ended 0 3; app.kills 0 2
        availability.ratio || silence dead_connection 60, dead 60 => silence dead_connection 0 60; zombie.total 9 69
        """

    private static func records(_ text: Substring) -> [Record] {
        text.split(separator: ",").flatMap { (part: Substring) -> [Record] in
            let words: [Substring] = part.split(separator: " ")
            guard let last = words.last, let number = Int64(last) else { return [] }
            func many(_ kind: RecordKind, tag: UInt16 = 0) -> [Record] {
                (0..<number).map { _ in Sample.record(kind, tag: tag) }
            }
            let cause = LossCause.allCases.first { $0.name == words[1] }
            switch words[0] {
            case "lost-down": return [FullRun.lost(.down, cause!, .connection, UInt32(number))]
            case "lost-up": return [FullRun.lost(.up, cause!, .connection, UInt32(number))]
            case "silence": return [FullRun.silent(cause!, .seconds(number))]
            case "call": return many(.callFailed, tag: CallCode.allCases.first { $0.name == words[1] }!.rawValue)
            case "energy": return [Sample.radio(.tail, Cause.allCases.first { "\($0.name)" == words[1] }!, number)]
            case "dead": return [Sample.record(.zombie, .seconds(number))]
            case "mapping": return many(.mappingExpired)
            case "goaway": return many(.goAway)
            case "kill": return many(.killed)
            case "crash": return many(.crashed)
            default: return many(.pinged)
            }
        }
    }

    private static func reason(_ metric: String, _ kept: Substring, _ broken: Substring) -> String {
        func measured(_ text: Substring) -> Measurement {
            Sample.measurement(
                replicas: 1, tail: 300, pings: 9, isZombie: false, delivered: 21, extra: records(text))
        }
        func text(_ change: BoundaryReason.CauseChange) -> String {
            let numbers = [change.kept, change.broken].map { String(Int($0.double.rounded())) }
            return ([change.name] + numbers).joined(separator: " ")
        }
        guard let reason = BoundaryReason(kept: measured(kept), broken: measured(broken), metric: metric) else {
            return "none"
        }
        return reason.change.kind.rawValue + " " + text(reason.change) + (reason.events.map { "; " + text($0) } ?? "")
    }

    @Test func theCauseIsTheLargestChangeOfTheNearestKind() {
        // Broken: a smaller change is named, one of the other direction, one that did not change, or one of another
        // kind than the metric's.
        for row in Self.table.replacing("\n    =>", with: "=>").split(separator: "\n") {
            let (question, expected) = (row.split(separator: "=>")[0], row.split(separator: "=>")[1])
            let parts = question.split(separator: "|", omittingEmptySubsequences: false)
            let found = Self.reason(parts[0].trimmed, parts[1], parts[2])
            #expect(found == expected.trimmed, "\(row)")
        }
    }

    @Test(arguments: [
        "latency.down.p95", "zombie.max", "recovery.p95", "detection.max", "availability.ratio", "silence.total",
        "outage.calls.max_s", "push.woken", "herd.attempts",
    ])
    func aTimeIsExplainedBySilence(_ metric: String) {
        // Broken: a latency or an outage is explained by lost messages, or by counts of events although a silence is
        // known.
        #expect(Self.reason(metric, "", "silence no_path 5, lost-down no_path 9, goaway 9") == "silence no_path 0 5")
        #expect(Self.reason(metric, "", "lost-down no_path 9, lost-up no_path 9") == "none")
        #expect(Self.reason(metric, "", "lost-down no_path 9, goaway 9") == "metric connection.goaways 0 9")
    }
}

extension Substring {
    fileprivate var trimmed: String { split(separator: " ").joined(separator: " ") }
}
