import DeadzoneBase
package import DeadzoneCaptures

/// An application message found in a capture: the data that one end sent to the other at once.
package struct RecordedMessage: Sendable {
    package let at: Timestamp
    /// Transport payload of the message.
    package internal(set) var bytes: Int
    /// Number of earlier messages of this flow and direction.
    package let ordinal: Int
    package let flow: FlowID
    package let isUp: Bool
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
        var ups = 0
        var downs = 0

        @inline(__always) func continues(_ replayPacket: ReplayPacket) -> Bool {
            message >= 0 && isUp == replayPacket.isUp && replayPacket.at &- last <= thinkTime
        }
    }

    private var open: [OpenMessage] = []
    private var messages: [RecordedMessage] = []
    private var unkept = 0

    mutating func reserve(_ flows: Int) {
        guard open.count < flows else { return }
        let missing = max(flows, min(2 * open.count, FlowCosts.bound)) - open.count
        open.append(contentsOf: repeatElement(OpenMessage(), count: missing))
    }

    mutating func add(_ replayPackets: Span<ReplayPacket>, since origin: Timestamp) {
        Self.add(replayPackets, since: origin, to: &open, &messages, &unkept)
    }

    private static func add(
        _ replayPackets: Span<ReplayPacket>, since origin: Timestamp, to open: inout [OpenMessage],
        _ messages: inout [RecordedMessage], _ unkept: inout Int
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
                    begin(replayPacket, since: origin, in: &open[flow], &messages, &unkept)
                }
                open[flow].last = replayPacket.at
            } else if replayPacket.kind == .opening {
                end(open[Int(replayPacket.flow)], &messages)
                open[Int(replayPacket.flow)] = OpenMessage(hasOpening: true)
            }
        }
    }

    private static func end(_ open: OpenMessage, _ messages: inout [RecordedMessage]) {
        if open.message >= 0 { messages[Int(open.message)].bytes = open.bytes }
    }

    @inline(never)
    private static func begin(
        _ replayPacket: ReplayPacket, since origin: Timestamp, in open: inout OpenMessage,
        _ messages: inout [RecordedMessage], _ unkept: inout Int
    ) {
        end(open, &messages)
        let ordinal = replayPacket.isUp ? open.ups : open.downs
        if replayPacket.isUp { open.ups &+= 1 } else { open.downs &+= 1 }
        guard messages.count < bound else {
            unkept += 1
            open.message = -1
            return
        }
        open.message = Int32(messages.count)
        open.isUp = replayPacket.isUp
        open.bytes = Int(replayPacket.payload)
        let at = Timestamp(nanoseconds: origin.nanoseconds &+ Int128(replayPacket.at))
        messages.append(
            RecordedMessage(
                at: at, bytes: 0, ordinal: ordinal, flow: FlowID(replayPacket.flow), isUp: replayPacket.isUp,
                isFromBeginning: open.hasOpening))
    }

    mutating func finish() -> ([RecordedMessage], unkept: Int) {
        for open in open { Self.end(open, &messages) }
        return (messages, unkept)
    }
}
