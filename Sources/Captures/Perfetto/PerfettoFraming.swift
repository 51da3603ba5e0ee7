import DeadzoneBase

/// Reads the packets of Android's data source `android.network_packets` from a Perfetto trace, in time order.
///
/// Android writes one record for each packet (`NetworkPacketEvent`), or bundles of packets with one context
/// (`NetworkPacketBundle`) if `intern_limit` or `aggregation_threshold` is set. Times are those of the kernel
/// (`bpf_ktime_get_boot_ns`), lengths are those of the IP packet. The rules follow trace_processor's
/// network_trace_module.cc and proto_trace_reader.cc of github.com/google/perfetto, except for packets without context,
/// which are left out here.
final class PerfettoFraming {
    private var reader = TraceRecordReader()
    private var sequences = TraceSequences()
    private var clocks = TraceClocks()
    private var sorter = TracePacketSorter()
    private var serial: UInt64 = 0
    private var isOver = false
    /// Index of each interface in the registry, by name.
    private var interfaces: [String: UInt32] = [:]
    private var loopback: Set<UInt32> = []
    private var packages: [UInt32: (name: String, more: Int)] = [:]
    private var found = TraceContents()
    private(set) var fault: CaptureFault?

    /// Counts of the records read up to now.
    var contents: TraceContents {
        var contents = found
        contents.records = reader.records
        contents.damagedRecords += reader.damaged
        contents.longRecords = reader.tooLong
        contents.zstandardRecords = reader.zstandard
        contents.recordsNotUnpacked = reader.notUnpacked
        contents.clockStep = .nanoseconds(clocks.largestStep)
        return contents
    }

    /// Returns the next packet; `nil` at the end of the trace, or at a fault after all packets before it.
    func next(_ window: inout ReadWindow, _ registry: inout CaptureRegistry) -> NetworkTracePacket? {
        while true {
            if let packet = sorter.take() { return packet }
            if isOver {
                sorter.release(keeping: 0)
                return sorter.take()
            }
            if sorter.isFull { sorter.release() } else { readRecord(&window, &registry) }
        }
    }

    private func readRecord(_ window: inout ReadWindow, _ registry: inout CaptureRegistry) {
        do throws(CaptureFault) {
            guard try reader.next(&window, { take($0, &registry) }) else {
                isOver = true
                fault = window.sourceFault()
                if serial == 0, fault == nil { fault = contents.noPackets(at: window.offset) }
                return
            }
        } catch {
            (isOver, fault) = (true, error)
        }
    }

    /// The time of a packet since 1970. The distance is fixed when the first packet is delivered.
    func timestamp(_ packet: NetworkTracePacket) -> Timestamp {
        if found.hasWallClock, !clocks.hasWallClock { found.hasWallClock = false }
        return found.hasWallClock ? clocks.timestamp(packet.at) : Timestamp(nanoseconds: Int128(packet.at))
    }

    private func take(_ record: TraceRecord, _ registry: inout CaptureRegistry) {
        if let snapshot = record.clockSnapshot { clocks.add(snapshot: snapshot) }
        if let list = record.packages { readPackages(list, &registry) }
        let isUsable = sequences.update(record) { context(of: $0, &registry) }
        guard record.networkPacket != nil || record.networkBundle != nil else { return }
        guard isUsable else { return found.lostRecords += 1 }
        if let event = record.networkPacket { add(event, record, &registry) }
        if let bundle = record.networkBundle { add(bundle: bundle, record, &registry) }
    }

    // MARK: Packets

    private func add(_ bytes: Bytes, _ record: TraceRecord, _ registry: inout CaptureRegistry) {
        guard let event = NetworkEvent(bytes) else { return found.damagedRecords += 1 }
        var context = event.context
        context.interface = interface(event.interfaceName, &registry)
        guard let start = clocks.traceTime(record.timestamp, clock: sequences.clock(record)) else {
            return found.packetsWithoutTime += 1
        }
        found.singlePackets += 1
        add(at: start, event.length, context)
    }

    private func add(bundle bytes: Bytes, _ record: TraceRecord, _ registry: inout CaptureRegistry) {
        guard let bundle = NetworkBundle(bytes) else { return found.damagedRecords += 1 }
        let isSummary = bundle.totalLength != nil
        let count = isSummary ? bundle.totalPackets : UInt64(min(bundle.offsets.count, bundle.lengths.count))
        let inner = bundle.context.flatMap { context(of: $0, &registry) }
        guard let context = bundle.iid.map({ sequences.context($0, record.sequence) }) ?? inner else {
            return found.packetsWithoutContext += min(count, TraceLimits.summarised)
        }
        guard let start = clocks.traceTime(record.timestamp, clock: sequences.clock(record)) else {
            return found.packetsWithoutTime += min(count, TraceLimits.summarised)
        }
        if isSummary { return add(summary: bundle, from: start, context) }
        if bundle.offsets.count != bundle.lengths.count { found.contradictoryBundles += 1 }
        for (offset, length) in zip(bundle.offsets, bundle.lengths) {
            guard let at = Self.time(start, plus: offset) else {
                found.packetsWithoutTime += 1
                continue
            }
            found.singlePackets += 1
            add(at: at, UInt32(truncatingIfNeeded: length), context)
        }
    }

    /// Spreads the packets of a bundle with totals evenly over its duration. The first and the last packet are at the
    /// ends, as they were; the times between are not known. Lengths differ by one byte at most, and their sum is exact.
    private func add(summary bundle: NetworkBundle, from start: Int64, _ context: NetworkContext) {
        let (count, total) = (bundle.totalPackets, bundle.totalLength ?? 0)
        guard (1...TraceLimits.summarised).contains(count),
            (count * TraceLimits.shortest...count * UInt64(CaptureLimits.packet)).contains(total),
            Self.time(start, plus: bundle.totalDuration) != nil, count > 1 || bundle.totalDuration == 0
        else { return found.contradictoryBundles += 1 }
        let duration = bundle.totalDuration
        for place in 0..<count {
            let share = count > 1 ? duration.multipliedFullWidth(by: place) : (0, 0)
            let offset = count > 1 ? (count - 1).dividingFullWidth(share).quotient : 0
            guard let at = Self.time(start, plus: offset) else { continue }
            add(at: at, UInt32(total / count + (place < total % count ? 1 : 0)), context)
        }
        found.summarisedBundles += 1
        found.summarisedPackets += count
        found.longestSummary = max(found.longestSummary, .nanoseconds(Int64(clamping: duration)))
    }

    private static func time(_ start: Int64, plus offset: UInt64) -> Int64? {
        guard let offset = Int64(exactly: offset) else { return nil }
        let (sum, isOverflown) = start.addingReportingOverflow(offset)
        return isOverflown ? nil : sum
    }

    private func add(at time: Int64, _ length: UInt32, _ context: NetworkContext) {
        if length > TraceContents.longestFrame { found.mergedPackets += 1 }
        if context.transport == .tcp, context.flags.isEmpty { found.tcpPacketsWithoutFlags += 1 }
        if context.hasFlow, context.localPort == 0 { found.packetsWithoutLocalPort += 1 }
        sorter.add(
            NetworkTracePacket(at: time, serial: serial, length: min(length, CaptureLimits.packet), context: context))
        serial += 1
    }

    // MARK: Interfaces and apps

    func isLoopback(_ interface: UInt32) -> Bool { loopback.contains(interface) }

    private func context(of bytes: Bytes, _ registry: inout CaptureRegistry) -> NetworkContext? {
        guard let event = NetworkEvent(bytes) else { return nil }
        var context = event.context
        context.interface = interface(event.interfaceName, &registry)
        return context
    }

    private func interface(_ name: Bytes?, _ registry: inout CaptureRegistry) -> UInt32 {
        let text = name?.text(0, atMost: CaptureLimits.text) ?? ""
        if let known = interfaces[text] { return known }
        let index = UInt32(registry.interface(named: text.isEmpty ? nil : text))
        if interfaces.count < CaptureLimits.interfaces { interfaces[text] = index }
        if text == "lo" { loopback.insert(index) }
        return index
    }

    /// `PackagesList` of the data source `android.packages_list`: names and user ids. Several packages can share an id.
    private func readPackages(_ bytes: Bytes, _ registry: inout CaptureRegistry) {
        var reader = ProtobufReader(bytes)
        while let (field, value) = reader.next() {
            guard field == 1, let part = value.bytes else { continue }
            var package = ProtobufReader(part)
            var (name, user): (String?, UInt32?) = (nil, nil)
            while let (field, value) = package.next() {
                if field == 1 { name = value.bytes?.text(0, atMost: CaptureLimits.text) }
                if field == 2 { user = value.number32 }
            }
            guard let name, !name.isEmpty, let user, packages[user] != nil || packages.count < CaptureLimits.apps else {
                continue
            }
            let known = packages[user]
            guard known?.name != name else { continue }
            packages[user] = (known?.name ?? name, known.map { $0.more + 1 } ?? 0)
            let more = packages[user]?.more ?? 0
            registry.name(
                user: user, (known?.name ?? name) + (more > 0 ? " and \(plural(more, "other")) of uid \(user)" : ""))
        }
    }
}
