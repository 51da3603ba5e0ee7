import DeadzoneBase
package import DeadzoneCaptures

/// An application message found in a capture: the data that one end sent to the other at once.
package struct RecordedMessage: Sendable {
    package let at: Timestamp
    package let flow: FlowID
    package let isUp: Bool
    /// Transport payload of the message.
    package internal(set) var bytes: Int
    /// Number of earlier messages of this flow and direction.
    package let ordinal: Int
    /// `true` if the capture contains the beginning of the connection.
    package let isFromBeginning: Bool
}

/// Joins the captured transport segments of a flow to application messages.
///
/// A message consists of segments in one direction with gaps of at most `thinkTime` and no segment of the other
/// direction in between. Retransmissions, probes and empty segments are not messages.
struct MessageAssembler: Sendable {
    /// Longer than a round trip, shorter than a human reaction.
    static let thinkTime: Int64 = 250_000_000
    /// Limit of recorded messages.
    static let bound = 100_000

    private struct OpenMessage: Sendable, BitwiseCopyable {
        /// Index of the record; negative if there is none.
        var message: Int32 = -1
        var isUp = false
        var hasOpening = false
        var last: Int64 = 0
        /// Payload up to now. It gets into the record when the message ends.
        var bytes = 0
        var ups: Int32 = 0
        var downs: Int32 = 0

        @inline(__always) func continues(_ replayPacket: ReplayPacket) -> Bool {
            message >= 0 && isUp == replayPacket.isUp && replayPacket.at &- last <= thinkTime
        }
    }

    private struct MessageRecord: Sendable, BitwiseCopyable {
        var at: Int64
        var flow: UInt32
        var isUp: Bool
        var bytes: Int
        var ordinal: Int32
        var isFromBeginning: Bool
    }

    private var open: [OpenMessage] = []
    private var entries: [MessageRecord] = []
    private var unkept = 0

    mutating func reserve(_ flows: Int) {
        guard open.count < flows else { return }
        let missing = max(flows, min(2 * open.count, FlowCosts.bound)) - open.count
        open.append(contentsOf: repeatElement(OpenMessage(), count: missing))
    }

    mutating func add(_ replayPackets: Span<ReplayPacket>) { Self.add(replayPackets, to: &open, &entries, &unkept) }

    private static func add(
        _ replayPackets: Span<ReplayPacket>, to open: inout [OpenMessage], _ entries: inout [MessageRecord],
        _ unkept: inout Int
    ) {
        var open = open.mutableSpan
        for index in replayPackets.indices {
            let replayPacket = replayPackets[index]
            guard Int(replayPacket.flow) < open.count else { continue }
            if replayPacket.kind == .data, replayPacket.payload > 0 {
                let flow = Int(replayPacket.flow)
                if open[flow].continues(replayPacket) {
                    open[flow].bytes &+= Int(replayPacket.payload)
                } else {
                    begin(replayPacket, in: &open[flow], &entries, &unkept)
                }
                open[flow].last = replayPacket.at
            } else if replayPacket.kind == .opening {
                end(open[Int(replayPacket.flow)], &entries)
                open[Int(replayPacket.flow)] = OpenMessage(hasOpening: true)
            }
        }
    }

    private static func end(_ open: OpenMessage, _ entries: inout [MessageRecord]) {
        if open.message >= 0 { entries[Int(open.message)].bytes = open.bytes }
    }

    @inline(never)
    private static func begin(
        _ replayPacket: ReplayPacket, in open: inout OpenMessage, _ entries: inout [MessageRecord],
        _ unkept: inout Int
    ) {
        end(open, &entries)
        let ordinal = replayPacket.isUp ? open.ups : open.downs
        if replayPacket.isUp { open.ups &+= 1 } else { open.downs &+= 1 }
        guard entries.count < bound else {
            unkept += 1
            open.message = -1
            return
        }
        open.message = Int32(entries.count)
        open.isUp = replayPacket.isUp
        open.bytes = Int(replayPacket.payload)
        entries.append(
            MessageRecord(
                at: replayPacket.at, flow: replayPacket.flow, isUp: replayPacket.isUp, bytes: 0, ordinal: ordinal,
                isFromBeginning: open.hasOpening))
    }

    func finish(origin: Timestamp) -> ([RecordedMessage], unkept: Int) {
        var entries = entries
        for open in open { Self.end(open, &entries) }
        let messages = entries.map {
            RecordedMessage(
                at: origin + .nanoseconds($0.at), flow: FlowID($0.flow), isUp: $0.isUp, bytes: $0.bytes,
                ordinal: Int($0.ordinal), isFromBeginning: $0.isFromBeginning)
        }
        return (messages, unkept)
    }
}
