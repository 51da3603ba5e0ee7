import DeadzoneCompare
import DeadzoneJournal
import DeadzonePrimitives

/// What happened, as a trace for the Perfetto UI: a tree of tracks in the order of the page's lanes, slices for states, counters
/// for power, energy and messages on their way, an arrow from each message sent to where it is seen.
///
/// Numbers of fields are those of google/perfetto: `protos/perfetto/trace/trace_packet.proto`,
/// `protos/perfetto/trace/track_event/{track_descriptor,track_event,counter_descriptor,debug_annotation}.proto`.
public struct PerfettoTrace {
    private var trace = Protobuf()
    private var tracks: UInt64 = 0
    private var flows: UInt64 = 0

    /// Longer names are cut: nobody reads them.
    private static let longestName = 120
    private static let sequence: UInt64 = 1
    /// `SEQ_INCREMENTAL_STATE_CLEARED` on the first packet; nothing is interned.
    private static let cleared: UInt64 = 1
    /// `TrackDescriptor.ChildTracksOrdering.EXPLICIT`: the UI keeps our order.
    private static let explicit: UInt64 = 3
    /// `TrackDescriptor.SiblingMergeBehavior.NONE`: without it the UI makes one track of siblings with one name, as two
    /// scenarios have whose long names are cut alike.
    private static let unmerged: UInt64 = 2

    enum Event: UInt64 { case begin = 1, end, instant, counter }

    public static func bytes(_ exhibits: [Exhibit]) -> [UInt8] {
        var writer = PerfettoTrace()
        let root = writer.track("Deadzone", in: nil, rank: 0, isFirst: true)
        for (number, exhibit) in exhibits.enumerated() {
            let run = writer.track(exhibit.report.scenario.name, in: root, rank: number)
            for (rank, story) in exhibit.stories.enumerated() {
                let name = exhibit.report.strategies[rank].name
                let strategy = writer.track(name, in: run, rank: rank + 1)
                StoryTracks(story: story, parent: strategy).write(&writer)
            }
            if let first = exhibit.stories.first { writer.events(first, in: run) }
        }
        return writer.trace.bytes
    }

    /// The scenario's own events, above all strategies.
    private mutating func events(_ story: Story, in run: UInt64) {
        let track = track("Scenario", in: run, rank: 0)
        for change in story.changes where !change.value.title.isEmpty {
            instant(track, change.start, change.value.title)
        }
    }

    /// Names of users are cut and made visible here: no other text of theirs enters a trace.
    mutating func track(
        _ name: String, in parent: UInt64?, rank: Int, unit: String? = nil, isFirst: Bool = false
    ) -> UInt64 {
        tracks += 1
        let number = tracks
        packet(at: nil) { packet in
            if isFirst { packet.varint(13, Self.cleared) }
            packet.message(60) { descriptor in
                descriptor.varint(1, number)
                descriptor.string(2, String(name.visible.prefix(Self.longestName)))
                if let parent { descriptor.varint(5, parent) }
                if let unit {
                    descriptor.message(8) { counter in
                        counter.string(6, unit)
                        // One scale for the same counter of all strategies: heights can be compared.
                        counter.string(7, name)
                    }
                }
                descriptor.varint(11, Self.explicit)
                descriptor.varint(12, UInt64(rank))
                descriptor.varint(15, Self.unmerged)
            }
        }
        return number
    }

    mutating func slice(
        _ track: UInt64, _ start: Int64, _ end: Int64, _ name: String, _ notes: [(String, Double)] = []
    ) {
        event(track, start, .begin) { event in
            event.string(23, name)
            for (key, value) in notes {
                event.message(4) {
                    $0.double(5, value)
                    $0.string(10, key)
                }
            }
        }
        event(track, max(start, end), .end) { _ in }
    }

    mutating func instant(_ track: UInt64, _ at: Int64, _ name: String) {
        event(track, at, .instant) { $0.string(23, name) }
    }

    mutating func counter(_ track: UInt64, _ at: Int64, _ value: Double) {
        event(track, at, .counter) { $0.double(44, value) }
    }

    /// Two slices of no length and an arrow between them.
    mutating func arrow(_ from: (track: UInt64, at: Int64), _ to: (track: UInt64, at: Int64), _ name: String) {
        flows += 1
        let flow = flows
        event(from.track, from.at, .instant) {
            $0.string(23, name)
            $0.fixed64(47, flow)
        }
        event(to.track, to.at, .instant) {
            $0.string(23, name)
            $0.fixed64(48, flow)
        }
    }

    private mutating func event(_ track: UInt64, _ at: Int64, _ kind: Event, _ build: (inout Protobuf) -> Void) {
        packet(at: at) { packet in
            packet.message(11) { event in
                event.varint(9, kind.rawValue)
                event.varint(11, track)
                event.string(22, "deadzone")
                build(&event)
            }
        }
    }

    private mutating func packet(at: Int64?, _ build: (inout Protobuf) -> Void) {
        trace.message(1) { packet in
            if let at { packet.varint(8, UInt64(max(0, at))) }
            packet.varint(10, Self.sequence)
            build(&packet)
        }
    }
}
