import DeadzoneCaptures
import DeadzoneMetrics
import DeadzoneReplay

extension ReplayResult {
    /// JSON document, `DocumentSchema.replay`.
    package var json: JSON {
        let members: [String: JSON] = [
            "schema": DocumentSchema.replay.json, "capture": report.capture.json,
            "direction": report.direction.json,
            "what_if": whatIf?.run.json ?? .null, "as_captured": whatIf?.captured.json ?? .null,
            "neighbours": report.neighbours?.json ?? .null, "radio": report.radio?.json ?? .null,
            "interfaces": .array(report.interfaces.map(\.json)),
            "flows": .array(report.flows.map(\.json)),
            "notes": .array(report.notes.map { .string($0) }), "complete": .bool(report.isComplete),
        ]
        return .object(members.merging(report.habitMembers) { own, _ in own })
    }
}

private func count(_ number: UInt64) -> JSON { .integer(Int128(number)) }

private func text(_ text: String?) -> JSON { text.map { .string($0) } ?? .null }

private func moment(_ stamp: Timestamp?) -> JSON { stamp.map { .decimal($0.seconds) } ?? .null }

extension ReplayReport.Capture {
    fileprivate var json: JSON {
        .object([
            "format": .string(format), "compression": text(compression), "packets": count(counts.packets),
            "bytes": count(counts.bytes), "captured_bytes": count(counts.capturedBytes),
            "clipped_packets": count(counts.clippedPackets),
            "first_s": moment(counts.first), "last_s": moment(counts.last), "duration_s": .decimal(counts.duration),
            "link_types": .array(linkTypes.map { .integer(Int128($0)) }), "time_reversals": count(counts.timeReversals),
            "unstamped_packets": count(counts.unstampedPackets), "filtered_out": count(filteredOut),
            "error": text(error),
            "medium": .string(medium),
            "ipv4_tcp": count(counts.ipv4TCP), "ipv6_tcp": count(counts.ipv6TCP), "ipv4_udp": count(counts.ipv4UDP),
            "ipv6_udp": count(counts.ipv6UDP), "later_fragments": count(counts.laterFragments),
            "tcp_flows": count(tcpFlows),
            "udp_flows": count(udpFlows), "up_packets": count(counts.upPackets),
            "down_packets": count(counts.downPackets),
            "up_bytes": count(counts.upBytes), "down_bytes": count(counts.downBytes),
        ])
    }
}

extension ReplayReport.DirectionBasis {
    fileprivate var json: JSON {
        .object([
            "by": .string(by), "reason": .string(reason), "device": .array(device.map { .string($0) }),
        ])
    }
}

extension CapturedInterface {
    fileprivate var json: JSON {
        .object([
            "name": text(name), "link_type": .string(linkTypeName), "packets": count(packets),
            "dropped": count(dropped),
        ])
    }
}

extension ReplayReport.FlowRow {
    fileprivate var json: JSON {
        .object([
            "flow": .string(name), "transport": .string(transport), "remote": .string(remote),
            "remote_name": text(remoteName), "app": text(app), "first_s": moment(first), "last_s": moment(last),
            "up_packets": count(upPackets), "down_packets": count(downPackets), "up_bytes": count(upBytes),
            "down_bytes": count(downBytes), "joules": joules.map { .number($0) } ?? .null,
            "neighbours": text(neighbourTraffic),
        ])
    }
}

extension ReplayReport.RadioCost {
    fileprivate var json: JSON {
        .object([
            "profile": .string(profile), "rules": .string(rules.rawValue), "stamps": .string(stamps.rawValue),
            "joules": .number(bill.joules), "seconds": .number(bill.seconds),
            "clamped_packets": .integer(Int128(bill.clamped)),
            "states": .array(bill.states.map(\.json)),
        ])
    }
}

extension StateBill {
    var json: JSON {
        .object([
            "state": .string(name), "count": .integer(Int128(count)), "seconds": .number(seconds),
            "joules": .number(joules),
        ])
    }
}
