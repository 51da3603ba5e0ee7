import DeadzoneMetrics

extension ReplayReport {
    /// `deadzone/replay/1`
    public var json: JSON {
        let members: [String: JSON] = [
            "schema": .string("deadzone/replay/1"), "capture": capture.json, "direction": direction.json,
            "what_if": whatIf?.run.json ?? .null, "as_captured": whatIf?.captured.json ?? .null,
            "neighbours": neighbours?.json ?? .null, "radio": radio?.json ?? .null,
            "interfaces": .array(interfaces.map(\.json)),
            "flows": .array(flows.map(\.json)),
            "notes": .array(notes.map { .string($0) }), "complete": .bool(isComplete),
        ]
        return .object(members.merging(habits.members) { own, _ in own })
    }
}

private func count(_ number: UInt64) -> JSON { .integer(Int128(number)) }

private func text(_ text: String?) -> JSON { text.map { .string($0) } ?? .null }

private func moment(_ seconds: Billionths?) -> JSON { seconds.map { .decimal($0) } ?? .null }

extension ReplayReport.Capture {
    fileprivate var json: JSON {
        .object([
            "format": .string(format), "compression": text(compression), "packets": count(packets),
            "bytes": count(bytes), "captured_bytes": count(capturedBytes), "clipped_packets": count(clippedPackets),
            "first_s": moment(first), "last_s": moment(last), "duration_s": moment(duration),
            "link_types": .array(linkTypes.map { .integer(Int128($0)) }), "time_reversals": count(timeReversals),
            "unstamped_packets": count(unstampedPackets), "filtered_out": count(filteredOut), "error": text(error),
            "medium": .string(medium),
            "ipv4_tcp": count(ipv4TCP), "ipv6_tcp": count(ipv6TCP), "ipv4_udp": count(ipv4UDP),
            "ipv6_udp": count(ipv6UDP), "later_fragments": count(laterFragments), "tcp_flows": count(tcpFlows),
            "udp_flows": count(udpFlows), "up_packets": count(upPackets), "down_packets": count(downPackets),
            "up_bytes": count(upBytes), "down_bytes": count(downBytes),
        ])
    }
}

extension ReplayReport.Direction {
    fileprivate var json: JSON {
        .object([
            "by": .string(by), "reason": .string(reason), "device": .array(device.map { .string($0) }),
        ])
    }
}

extension ReplayReport.Interface {
    fileprivate var json: JSON {
        .object([
            "name": text(name), "link_type": .string(linkType), "packets": count(packets), "dropped": count(dropped),
        ])
    }
}

extension ReplayReport.Flow {
    fileprivate var json: JSON {
        .object([
            "flow": .string(name), "transport": .string(transport), "remote": .string(remote),
            "remote_name": text(remoteName), "app": text(app), "first_s": moment(first), "last_s": moment(last),
            "up_packets": count(upPackets), "down_packets": count(downPackets), "up_bytes": count(upBytes),
            "down_bytes": count(downBytes), "joules": .number(joules), "neighbours": text(talk),
        ])
    }
}

extension ReplayReport.Radio {
    fileprivate var json: JSON {
        .object([
            "profile": .string(profile), "rules": .string(rules), "stamps": .string(stamps),
            "joules": .number(joules), "seconds": .number(seconds), "clamped_packets": .integer(Int128(clamped)),
            "states": .array(
                states.map { state in
                    .object([
                        "state": .string(state.name), "count": .integer(Int128(state.count)),
                        "seconds": .number(state.seconds), "joules": .number(state.joules),
                    ])
                }),
        ])
    }
}
