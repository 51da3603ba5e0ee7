public import DeadzoneCaptures
public import DeadzoneDevice

extension ReplayReport {
    /// What a reader should know before he trusts a number.
    public static func notes(_ reader: CaptureReader, _ technology: Technology) -> [String] {
        let counts = reader.counts
        var notes = doubts(reader, technology)
        let interfaces = reader.interfaces.filter { $0.packets > 0 }.compactMap(\.name)
        func note(_ count: UInt64, _ text: (String) -> String) {
            if count > 0 { notes.append(text(count == 1 ? "1 packet" : "\(count) packets")) }
        }
        for unread in reader.unreadLinkTypes {
            note(unread.packets) { "\($0) of link type \(unread.name) counted, not looked into: it is not read here" }
        }
        note(counts.timeReversals) { "\($0) stamped before the packet in front: time runs backwards there" }
        note(counts.unstampedPackets) { "\($0) without a time of their own: they take that of the packet before" }
        note(reader.filteredOut) { "\($0) left out by the filter" }
        for linkType in reader.unfilteredLinkTypes {
            notes.append("libpcap cannot filter link type \(linkType): none of its packets passes")
        }
        note(reader.flowCounts.packetsBeyond) {
            "\($0) of flows beyond the first \(FlowCounts.most): the counts of flows are lower bounds"
        }
        let undescribed = reader.flowCounts.tcp + reader.flowCounts.udp - UInt64(reader.describedFlows)
        if undescribed > 0 {
            notes.append("\(undescribed) flows beyond the first \(reader.describedFlows) are counted, not described")
        }
        if reader.isOfDeadzone, interfaces.count > 1 {
            notes.append(
                "\(interfaces.count) simulated radios stand in this file (\(interfaces.prefix(4).joined(separator: ", "))): the "
                    + "joules are of all of them at once; --interface INTERFACE prices one")
        }
        let dropped = reader.interfaces.reduce(0) { $0 &+ $1.dropped }
        note(dropped) { "\($0) lost by the capturing system, by its own count" }
        for comment in reader.comments.prefix(3) { notes.append("the file says: " + comment) }
        if reader.commentCount > 3 { notes.append("and \(reader.commentCount - 3) more comments") }
        return notes
    }

    /// What makes the joules mean something else than they say.
    private static func doubts(_ reader: CaptureReader, _ technology: Technology) -> [String] {
        let counts = reader.counts
        var doubts: [String] = []
        if counts.packets > 0, counts.nonIPPackets == counts.packets {
            doubts.append("there is no IP in it: no phone's radio was asked for what the joules stand for")
        } else if counts.packets > 0, reader.medium == .local, technology != .wifi {
            doubts.append(
                "this was captured on Ethernet or Wi-Fi, on no cellular interface: the joules are what such a radio would "
                    + "take for its packets, not what this phone took")
        }
        if let jump = counts.firstJump {
            let span = abs(Int64(clamping: jump.to.nanoseconds - jump.from.nanoseconds)) / 1_000_000_000 / 86_400
            let way = jump.from < jump.to ? "forward" : "back"
            let more = counts.jumps > 1 ? ", and \(counts.jumps - 1) more" : ""
            doubts.append(
                "time jumps \(way) by \(span) days at packet \(jump.packet), from \(jump.from.utc) to "
                    + "\(jump.to.utc)\(more): the radio is taken to be idle meanwhile; --from and --until "
                    + "cut it off")
        }
        return doubts
    }

    /// Of the radio.
    public static func notes(_ bill: RadioBill?) -> [String] {
        guard let bill, bill.clamped > 0 else { return [] }
        return [
            "\(bill.clamped) packets stand more than \(RadioReplay.reorderBound) packets behind later ones; the radio took them "
                + "as if they had come then"
        ]
    }
}
