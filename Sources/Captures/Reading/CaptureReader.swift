/// Reads a capture file once, from its first byte to its last or to the first fault, in constant memory.
///
///     let capture = try CaptureReader(source)
///     while capture.next({ packets in for index in packets.indices { radio.add(packets[index]) } }) {}
///
/// Packets are delivered in file order. Counts, flows and names cover the packets delivered up to now; they are final
/// after `next` has returned `false`.
package final class CaptureReader {
    private var engine: ReaderEngine
    package let format: CaptureFormat
    package let isCompressed: Bool

    /// - Parameter device: The addresses that send uplink traffic; inferred if empty.
    /// - Throws: An error if nothing can be read at all.
    package convenience init(
        _ source: @escaping ByteSource, device: [IPAddress] = [], filter: CaptureFilter? = nil
    ) throws(CaptureFault) {
        let part = CapturePart(name: "", isAlone: true) { () throws(SourceFailure) in source }
        try self.init([part], device: device, filter: filter)
    }

    /// - Parameter parts: Files of one capture in time order, at least one.
    package init(
        _ parts: [CapturePart], device: [IPAddress] = [], filter: CaptureFilter? = nil
    ) throws(CaptureFault) {
        engine = try ReaderEngine(parts, parts[0].contents(), device: device, filter: filter)
        isCompressed = engine.isCompressed
        format = engine.format
        if format == .perfetto { try Self.refuseSelection(device, filter) }
    }

    /// A Perfetto trace has neither addresses nor bytes to select packets by.
    private static func refuseSelection(_ device: [IPAddress], _ filter: CaptureFilter?) throws(CaptureFault) {
        guard filter != nil || !device.isEmpty else { return }
        throw CaptureFault(
            at: 0,
            filter != nil
                ? "a Perfetto trace has no packet bytes for a filter expression"
                : "a Perfetto trace has no addresses; it states the direction of each packet",
            help: "--interface NAME selects the packets of one interface")
    }

    /// Calls `body` with the next packets. Returns `false` at the end. The packets are valid only during the call.
    package func next(_ body: (Span<CapturedPacket>) -> Void) -> Bool {
        guard engine.fill(engine.ownBatch) else { return false }
        engine.ownBatch.read(body)
        return true
    }

    /// Replaces the contents of the batch by the next packets. Returns `false` at the end.
    package func next(_ batch: PacketBatch) -> Bool { engine.fill(batch) }

    package var counts: CaptureCounts { engine.counts }
    /// The fault that ended reading, if any.
    package var fault: CaptureFault? { engine.fault }
    /// Two files that cannot belong to one capture; reading ends between them.
    package var overlap: CaptureOverlap? { engine.overlap }
    package var interfaces: [CapturedInterface] { engine.registry.interfacesWithCounts }
    package var apps: [App] { engine.registry.apps }
    /// The first comments in the file, up to a limit, and the total number of comments.
    package var comments: [String] { engine.registry.comments }
    package var commentCount: Int { engine.registry.commentCount }
    /// `true` if this program wrote the capture.
    package var isDeadzoneOutput: Bool { engine.registry.isDeadzoneOutput }
    /// `true` if PCAPdroid wrote the capture. It records above the phone's network, whatever link type the file has.
    package var isFromPCAPdroid: Bool { engine.registry.isFromPCAPdroid }
    /// Special contents, and losses, of a Perfetto trace; `nil` for packet captures.
    package var traceContents: TraceContents? { engine.traceContents }
    /// Packets that the filter rejected.
    package var filteredOut: UInt64 { engine.filteredOut }

    /// Numbers of distinguished flows and of described flows.
    package var flowCounts: FlowCounts { engine.flowTracker.counts }
    package var describedFlows: Int { engine.flowTracker.described }

    package func flow(_ id: FlowID) -> Flow { engine.flowTracker.flow(id) }

    /// The flow's TLS server name, else the name that its remote address was last resolved from.
    package func remoteName(_ flow: Flow) -> String? {
        flow.serverName ?? engine.names.name(of: flow.remote.address)
    }

    package func name(of address: IPAddress) -> String? { engine.names.name(of: address) }

    /// Report on how directions were determined.
    package var directions: DirectionReport { engine.directionReport }

    /// The kind of network it was captured on, if recognisable.
    package var medium: CaptureMedium {
        if interfaces.contains(where: { $0.isCellular && $0.packets > 0 }) { return .cellular }
        if isFromPCAPdroid { return .unknown }
        if traceContents != nil, interfaces.contains(where: { $0.isWiFi && $0.packets > 0 }) { return .local }
        return engine.hasStations
            || counts.neighbourTraffic(.frames).packets + counts.neighbourTraffic(.dhcp).packets > 0 ? .local : .unknown
    }

    /// LINKTYPE_ values of the file without duplicates, in the order of its interfaces.
    package var linkTypes: [UInt32] { engine.linkTypes }

    /// Link types that libpcap cannot filter.
    package var unfilteredLinkTypes: [String] { engine.unfilteredLinkTypes }

    /// Link types that were counted but not decoded, with their packet counts.
    package var unreadLinkTypes: [(name: String, packets: UInt64)] { engine.unreadLinkTypes }
}

package enum CaptureFormat: String, Sendable { case pcap, pcapng, perfetto }

package enum CaptureMedium: String, Sendable {
    /// At least one interface with packets has the name of a modem.
    case cellular
    /// Ethernet or Wi-Fi, recognised by station addresses or by packets that only such networks carry.
    case local
    /// The medium is not recognisable: raw IP, a tunnel, or a file written by an app on the phone.
    case unknown
}

package struct FlowCounts: Equatable, Sendable {
    package var tcp: UInt64 = 0
    package var udp: UInt64 = 0
    /// Packets of flows beyond the table's capacity. If not zero, the flow counts are lower bounds.
    package var overflowPackets: UInt64 = 0
    /// The most flows that are distinguished.
    package static let maximum = FlowTable.capacity

    package init(tcp: UInt64 = 0, udp: UInt64 = 0, overflowPackets: UInt64 = 0) {
        self.tcp = tcp
        self.udp = udp
        self.overflowPackets = overflowPackets
    }
}

/// Reports how uplink and downlink packets of a capture were distinguished.
package struct DirectionReport: Equatable, Sendable {
    package var device: [IPAddress] = []
    package var isDeviceStated = false
    /// Packets with a direction in the file: pcapng flags, PKTAP, cooked headers.
    package var packetsWithStatedDirection: UInt64 = 0
    /// Packets of the sample that the device was inferred from, and how many of them have it at one end.
    package var sampled = 0
    package var explained = 0
    package var hasStation = false
}
