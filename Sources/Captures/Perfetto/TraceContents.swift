package import DeadzoneBase

/// Counts of a Perfetto trace: packets that are estimated, and records that are left out.
package struct TraceContents: Equatable, Sendable {
    /// Records of all data sources.
    package var records: UInt64 = 0
    /// Packets with their own time and length.
    package var singlePackets: UInt64 = 0
    /// Packets of which the trace has only totals. They are spread evenly over the time of their bundle.
    package var summarisedPackets: UInt64 = 0
    package var summarisedBundles: UInt64 = 0
    package var longestSummary = TimeSpan.zero
    /// Packets longer than `longestFrame`: the kernel merged several segments, before sending or after receiving.
    package var mergedPackets: UInt64 = 0
    package var tcpPacketsWithoutFlags: UInt64 = 0
    package var packetsWithoutLocalPort: UInt64 = 0

    /// Packets that refer to a lost interned context.
    package var packetsWithoutContext: UInt64 = 0
    /// Records that a loss made useless.
    package var lostRecords: UInt64 = 0
    /// Packets with a clock that no snapshot explains.
    package var packetsWithoutTime: UInt64 = 0
    /// Bundles with impossible totals, or with more lengths than times.
    package var contradictoryBundles: UInt64 = 0
    package var damagedRecords: UInt64 = 0
    package var longRecords: UInt64 = 0
    package var zstandardRecords: UInt64 = 0
    package var recordsNotUnpacked: UInt64 = 0

    /// `false` if times are since boot, because the trace has no wall clock before its first packets.
    package var hasWallClock = true
    /// How far the wall clock was set during the trace.
    package var clockStep = TimeSpan.zero

    /// Longest IP packet of Ethernet and of nearly all modems, in bytes.
    static let longestFrame: UInt32 = 1_500
    /// Difference between clock snapshots that only comes from a clock that was set.
    private static let leastClockStep = TimeSpan.seconds(1)

    /// Sentences for the notes of a result.
    package var notes: [String] {
        var notes = [
            "a Perfetto trace has no addresses, names or payloads: a flow is an interface, a protocol and two ports, and * "
                + "stands for the addresses; payload sizes are estimates"
        ]
        func note(_ count: UInt64, _ noun: String = "packet", _ text: String) {
            if count > 0 { notes.append("\(count) \(noun)\(count == 1 ? "" : "s") \(text)") }
        }
        note(
            summarisedPackets, "packet",
            "in \(plural(Int(clamping: summarisedBundles), "bundle")) with totals only (aggregation_threshold): spread "
                + "evenly over the time of each bundle, at most \(Self.milliseconds(longestSummary)) ms")
        note(
            mergedPackets, "packet",
            "longer than \(Self.longestFrame) bytes: the kernel merged segments, so more packets were on the air"
        )
        note(tcpPacketsWithoutFlags, "TCP packet", "without flags: connections, and their ends, cannot be recognised")
        note(packetsWithoutLocalPort, "packet", "without a local port: connections of one app look like one flow")
        note(packetsWithoutContext, "packet", "left out: the record with their interface and ports is lost")
        note(lostRecords, "record", "left out after a loss in the trace's buffer")
        note(packetsWithoutTime, "packet", "left out: no clock snapshot explains their time")
        note(
            contradictoryBundles, "bundle",
            "left out, or used in part: the totals are impossible, or times and lengths differ in number")
        note(damagedRecords, "record", "left out: damaged")
        note(longRecords, "record", "left out: longer than \(TraceLimits.record) bytes")
        note(zstandardRecords, "record", "left out: compressed with Zstandard, which is not supported")
        note(recordsNotUnpacked, "compressed record", "damaged or too long: used up to the damage")
        if !hasWallClock {
            notes.append(
                "no clock snapshot with the time of day before the first packets: times count from the phone's start")
        }
        if Self.leastClockStep < clockStep {
            notes.append(
                "the phone's clock was set by \(Self.milliseconds(clockStep)) ms during the trace: times continue with the "
                    + "first setting"
            )
        }
        return notes
    }

    private static func milliseconds(_ span: TimeSpan) -> Int64 { span.nanoseconds / 1_000_000 }

    /// The fault of a trace without packets.
    func noPackets(at offset: UInt64) -> CaptureFault {
        let unread = zstandardRecords + recordsNotUnpacked + longRecords + damagedRecords
        return CaptureFault(
            at: offset,
            "the Perfetto trace has no network packets in its \(records) records"
                + (unread > 0 ? ", of which \(unread) could not be read" : ""),
            help: zstandardRecords > 0
                ? "record it with the compression deflate, or none; Zstandard is not supported"
                : "record the data source android.network_packets (Android 14 or newer): deadzone guide perfetto")
    }
}
