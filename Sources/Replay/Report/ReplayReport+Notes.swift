import DeadzoneBase
package import DeadzoneCaptures
package import DeadzoneDevice

extension ReplayReport {
    /// Warnings about the capture that affect how to interpret the results.
    package static func notes(_ reader: CaptureReader, _ technology: Technology) -> [String] {
        let counts = reader.counts
        var notes = doubts(reader, technology) + (reader.traceContents?.notes ?? [])
        let interfaces = reader.interfaces.filter { $0.packets > 0 }.compactMap(\.name)
        func note(_ count: UInt64, _ text: (String) -> String) {
            if count > 0 { notes.append(text(count == 1 ? "1 packet" : "\(count) packets")) }
        }
        for unread in reader.unreadLinkTypes {
            note(unread.packets) {
                "\($0) of link type \(unread.name) counted, but not decoded: this link type is not supported"
            }
        }
        note(counts.timeReversals) { "\($0) with an earlier timestamp than the previous packet" }
        note(counts.unstampedPackets) { "\($0) without a timestamp: the previous timestamp is used" }
        note(reader.filteredOut) { "\($0) left out by the filter" }
        for linkType in reader.unfilteredLinkTypes {
            notes.append("libpcap cannot filter link type \(linkType), so none of its packets passes")
        }
        note(reader.flowCounts.overflowPackets) {
            "\($0) in flows after the first \(FlowCounts.maximum): the flow counts are lower bounds"
        }
        let undescribed = reader.flowCounts.tcp + reader.flowCounts.udp - UInt64(reader.describedFlows)
        if undescribed > 0 {
            notes.append("\(undescribed) flows after the first \(reader.describedFlows) are counted, but not listed")
        }
        if reader.isDeadzoneOutput, interfaces.count > 1 {
            notes.append(
                "\(interfaces.count) simulated radios are in this file (\(interfaces.prefix(4).joined(separator: ", "))): the "
                    + "joules are the sum; --interface INTERFACE selects one")
        }
        let dropped = reader.interfaces.reduce(0) { $0 &+ $1.dropped }
        note(dropped) { "\($0) lost by the capturing system, according to the file" }
        for comment in reader.comments.prefix(3) { notes.append("comment in the file: " + comment) }
        if reader.commentCount > 3 { notes.append("and \(reader.commentCount - 3) more comments") }
        return notes
    }

    /// Warnings that change the meaning of the joules.
    private static func doubts(_ reader: CaptureReader, _ technology: Technology) -> [String] {
        let counts = reader.counts
        var doubts: [String] = []
        if counts.packets > 0, counts.nonIPPackets == counts.packets {
            doubts.append("the capture has no IP packets: the joules do not stand for a phone's radio")
        } else if counts.packets > 0, reader.medium == .local, !technology.isLocal {
            doubts.append(
                "this was captured on Ethernet or Wi-Fi, not on a cellular interface: the joules are what a cellular radio would "
                    + "use for these packets, not what this phone used")
        }
        if reader.isFromPCAPdroid {
            doubts.append(
                "PCAPdroid recorded this above the phone's network: whether Wi-Fi or a cellular network carried the packets "
                    + "is unknown")
        }
        if let jump = counts.firstJump {
            let span = (jump.to.nanoseconds - jump.from.nanoseconds).magnitude / 1_000_000_000 / 86_400
            let way = jump.from < jump.to ? "forward" : "back"
            let more = counts.jumps > 1 ? ", and \(counts.jumps - 1) more" : ""
            doubts.append(
                "the time jumps \(way) by \(span) days at packet \(jump.packet), from \(jump.from.utc) to "
                    + "\(jump.to.utc)\(more): the radio is assumed idle in between; --from and --until "
                    + "select a part")
        }
        return doubts
    }

    /// Says that the packets of several interfaces of a phone are replayed on one radio.
    package static func notes(interfacesOf reader: CaptureReader) -> [String] {
        guard reader.traceContents != nil else { return [] }
        let used = reader.interfaces.filter { $0.packets > 0 }
        var notes: [String] = []
        if used.count > 1 {
            let names = used.prefix(4).map { $0.name ?? "-" }.joined(separator: ", ") + (used.count > 4 ? ", …" : "")
            notes.append(
                "the phone used \(used.count) interfaces (\(names)); here all their packets are on one radio: "
                    + "--interface NAME selects one")
        }
        return notes
    }

    /// Says whether loopback packets are in the result.
    /// - Parameter isLeftOut: `false` if the capture has no other traffic, so that they are replayed.
    package static func notes(loopbackOf reader: CaptureReader, isLeftOut: Bool) -> [String] {
        let packets = reader.counts.neighbourTraffic(.loopback).packets
        guard packets > 0 else { return [] }
        let subject = packets == 1 ? "1 loopback packet" : "\(packets) loopback packets"
        return [
            isLeftOut
                ? "\(subject) left out: no radio carries \(packets == 1 ? "it" : "them")"
                : "the phone's traffic is \(subject) alone, which no radio carries: the joules are what a radio would "
                    + "use if client and server were on two machines"
        ]
    }

    /// Says that the last tail is missing: a capture usually ends before the radio sleeps.
    package static func notes(_ window: ReplayWindow, _ reader: CaptureReader) -> [String] {
        guard window.until == .lastPacket, reader.counts.packets > 0 else { return [] }
        return ["the energy ends with the last packet; --until tail adds the tail after it"]
    }

    /// Warnings about the radio replay.
    package static func notes(_ bill: RadioBill?) -> [String] {
        guard let bill, bill.clamped > 0 else { return [] }
        return [
            "\(bill.clamped) packets are more than \(RadioReplay.reorderBound) packets behind later ones; they count "
                + "at the later time"
        ]
    }
}
