import DeadzoneCaptures
import DeadzoneReplay
import DeadzoneReporting

extension ReplayRun {
    /// In what order: the user's word, the file's, then the guess, which says what it rests on.
    static func direction(_ report: DirectionReport, packets: UInt64) -> ReplayReport.Direction {
        let device = report.device.map(\.text)
        let named = device.prefix(4).joined(separator: ", ") + (device.count > 4 ? ", …" : "")
        if report.isDeviceTold {
            return .init(by: "device", reason: "what \(named) sends is up, as you say", device: device)
        }
        if report.packetsTold > 0, report.packetsTold >= packets {
            return .init(by: "file", reason: "the file says it of every packet", device: device)
        }
        let share = "\(report.explained) of the first \(report.sampled) IP packets"
        let guess =
            device.isEmpty
            ? "no address could be told to be the phone's; name it with --device"
            : "inferred: \(named) is the phone, an end of \(share)"
                + (report.hasStation ? "; all that its network card sends is up" : "")
        if report.packetsTold > 0 {
            return .init(
                by: "file", reason: "the file says it of \(report.packetsTold) packets; the rest is \(guess)",
                device: device)
        }
        return .init(by: device.isEmpty ? "unknown" : "inferred", reason: guess, device: device)
    }

    /// What a reader should know before he trusts a number.
    static func notes(_ reader: CaptureReader) -> [String] {
        let counts = reader.counts
        var notes: [String] = []
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
        let dropped = reader.interfaces.reduce(0) { $0 &+ $1.dropped }
        note(dropped) { "\($0) lost by the capturing system, by its own count" }
        for comment in reader.comments.prefix(3) { notes.append("the file says: " + comment) }
        if reader.commentCount > 3 { notes.append("and \(reader.commentCount - 3) more comments") }
        return notes
    }

    /// Of the radio.
    static func notes(_ bill: RadioBill?) -> [String] {
        guard let bill, bill.clamped > 0 else { return [] }
        return [
            "\(bill.clamped) packets stand more than \(RadioReplay.reorderBound) packets behind later ones; the radio took them "
                + "as if they had come then"
        ]
    }
}
