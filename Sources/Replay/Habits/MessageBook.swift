public import DeadzoneCaptures
import DeadzonePrimitives

/// What one end said to the other at once.
public struct RecordedMessage: Sendable {
    public let at: Stamp
    public let flow: FlowID
    public let isUp: Bool
    /// What the transport carried of it.
    public internal(set) var bytes: Int
    /// How many messages of this flow and direction came before.
    public let ordinal: Int
    /// The capture holds the beginning of its connection.
    public let isFromBeginning: Bool
}

/// Joins the segments of a flow to messages: those of one direction with no more than `thinkTime` between and nothing of
/// the other direction in between. What was sent again, probes and what carries nothing are no messages.
struct MessageBook: Sendable {
    /// Longer than a round trip, shorter than a thought.
    static let thinkTime: Int64 = 250_000_000
    /// Messages that are kept.
    static let bound = 100_000

    private struct Open: Sendable, BitwiseCopyable {
        var message: Int32 = -1
        var isUp = false
        var last: Int64 = 0
        var ups: Int32 = 0
        var downs: Int32 = 0
        var hasOpening = false
    }

    private struct Entry: Sendable, BitwiseCopyable {
        var at: Int64
        var flow: UInt32
        var isUp: Bool
        var bytes: Int
        var ordinal: Int32
        var isFromBeginning: Bool
    }

    private var open: [Open] = []
    private var entries: [Entry] = []
    private var unkept = 0

    mutating func hold(_ flows: Int) {
        guard open.count < flows else { return }
        let missing = max(flows, min(2 * open.count, FlowShares.bound)) - open.count
        open.append(contentsOf: repeatElement(Open(), count: missing))
    }

    mutating func add(_ blips: Span<Blip>) { Self.add(blips, to: &open, &entries, &unkept) }

    private static func add(
        _ blips: Span<Blip>, to open: inout [Open], _ entries: inout [Entry], _ unkept: inout Int
    ) {
        var open = open.mutableSpan
        for index in blips.indices {
            let blip = blips[index]
            guard Int(blip.flow) < open.count else { continue }
            if blip.kind == .data, blip.payload > 0 {
                add(blip, to: &open[Int(blip.flow)], &entries, &unkept)
            } else if blip.kind == .opening {
                open[Int(blip.flow)] = Open(hasOpening: true)
            }
        }
    }

    private static func add(_ blip: Blip, to open: inout Open, _ entries: inout [Entry], _ unkept: inout Int) {
        defer { open.last = blip.at }
        if open.message >= 0, open.isUp == blip.isUp, blip.at - open.last <= thinkTime {
            entries[Int(open.message)].bytes += Int(blip.payload)
            return
        }
        let ordinal = blip.isUp ? open.ups : open.downs
        if blip.isUp { open.ups &+= 1 } else { open.downs &+= 1 }
        guard entries.count < bound else {
            unkept += 1
            open.message = -1
            return
        }
        open.message = Int32(entries.count)
        open.isUp = blip.isUp
        entries.append(
            Entry(
                at: blip.at, flow: blip.flow, isUp: blip.isUp, bytes: Int(blip.payload), ordinal: ordinal,
                isFromBeginning: open.hasOpening))
    }

    func finish(origin: Stamp) -> ([RecordedMessage], unkept: Int) {
        let messages = entries.map {
            RecordedMessage(
                at: origin + .nanoseconds($0.at), flow: FlowID($0.flow), isUp: $0.isUp, bytes: $0.bytes,
                ordinal: Int($0.ordinal), isFromBeginning: $0.isFromBeginning)
        }
        return (messages, unkept)
    }
}
