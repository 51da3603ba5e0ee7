import DeadzoneBase
import DeadzoneMetrics

/// Writes simulation runs as a trace for the Perfetto UI (a timeline viewer). The trace is a tree of tracks in the
/// order of the page's lanes. Slices are states. Counters are power, energy and pending messages. An arrow leads from
/// each sent message to its delivery.
///
/// Field numbers are those of google/perfetto: `protos/perfetto/trace/trace_packet.proto`,
/// `protos/perfetto/trace/track_event/{track_descriptor,track_event,counter_descriptor,debug_annotation}.proto`.
package struct PerfettoTrace {
    private var trace = Protobuf()
    private var tracks: UInt64 = 0
    private var flows: UInt64 = 0

    /// Most characters of a track's name; longer names are cut.
    private static let maxNameLength = 120
    private static let sequence: UInt64 = 1
    /// `SEQ_INCREMENTAL_STATE_CLEARED` on the first packet; nothing is interned.
    private static let incrementalStateCleared: UInt64 = 1
    /// `TrackDescriptor.ChildTracksOrdering.EXPLICIT`: the UI keeps the order of this file.
    private static let explicitOrdering: UInt64 = 3
    /// `TrackDescriptor.SiblingMergeBehavior.NONE`: otherwise the UI merges siblings with equal names. Two scenarios
    /// can have equal names when long names are cut.
    private static let noSiblingMerge: UInt64 = 2

    enum TrackEventType: UInt64 { case begin = 1, end, instant, counter }

    package static func bytes(_ tracedRuns: [RunWithTraces]) -> [UInt8] {
        var writer = PerfettoTrace()
        let root = writer.track("Deadzone", in: nil, rank: 0, isFirst: true)
        for (number, tracedRun) in tracedRuns.enumerated() {
            let run = writer.track(tracedRun.report.scenario.name, in: root, rank: number)
            for (rank, history) in tracedRun.histories.enumerated() {
                let name = tracedRun.report.strategies[rank].name
                let strategy = writer.track(name, in: run, rank: rank + 1)
                StrategyTracks(history: history, parent: strategy).write(&writer)
            }
            if let first = tracedRun.histories.first { writer.writeScenarioEvents(first, in: run) }
        }
        return writer.trace.bytes
    }

    /// Writes the scenario's own events as a track above all strategies.
    private mutating func writeScenarioEvents(_ history: PhoneHistory, in run: UInt64) {
        let track = track("Scenario", in: run, rank: 0)
        for change in history.changes where !change.value.title.isEmpty {
            instant(track, change.start, change.value.title)
        }
    }

    /// Adds a track. Names from users' files are cut and made visible here; a trace contains no other text of users.
    mutating func track(
        _ name: String, in parent: UInt64?, rank: Int, unit: String? = nil, isFirst: Bool = false
    ) -> UInt64 {
        tracks += 1
        let number = tracks
        packet(at: nil) { packet in
            if isFirst { packet.varint(13, Self.incrementalStateCleared) }
            packet.message(60) { descriptor in
                descriptor.varint(1, number)
                descriptor.string(2, String(name.escapedForTerminal.prefix(Self.maxNameLength)))
                if let parent { descriptor.varint(5, parent) }
                if let unit {
                    descriptor.message(8) { counter in
                        counter.string(6, unit)
                        // The same counter of all strategies shares one scale, so that heights are comparable.
                        counter.string(7, name)
                    }
                }
                descriptor.varint(11, Self.explicitOrdering)
                descriptor.varint(12, UInt64(rank))
                descriptor.varint(15, Self.noSiblingMerge)
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

    /// Writes two instants and an arrow between them.
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

    private mutating func event(_ track: UInt64, _ at: Int64, _ kind: TrackEventType, _ build: (inout Protobuf) -> Void)
    {
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
