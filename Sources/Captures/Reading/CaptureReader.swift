/// Reads a capture once, from its first byte to its last or to where it breaks, in memory that does not grow with it.
///
///     let capture = try CaptureReader(source)
///     while capture.next({ packets in for index in packets.indices { radio.take(packets[index]) } }) {}
///
/// Packets come in the order of the file. What is asked of the reader (counts, flows, names) is that of the packets handed over
/// so far, and final once `next` has returned false.
public final class CaptureReader {
    private var engine: ReaderEngine
    public let format: CaptureFormat
    public let isCompressed: Bool

    /// - Parameter device: the addresses whose traffic is up; inferred where there are none.
    /// - Throws: where nothing can be read at all.
    public convenience init(
        _ source: @escaping ByteSource, device: [IPAddress] = [], filter: CaptureFilter? = nil
    ) throws(CaptureFault) {
        let part = CapturePart(name: "", isAlone: true) { () throws(SourceFailure) in source }
        try self.init([part], device: device, filter: filter)
    }

    /// - Parameter parts: files of one capture in the order of time, at least one.
    public init(
        _ parts: [CapturePart], device: [IPAddress] = [], filter: CaptureFilter? = nil
    ) throws(CaptureFault) {
        engine = try ReaderEngine(parts, parts[0].contents(), device: device, filter: filter)
        isCompressed = engine.isCompressed
        format = engine.format
    }

    /// Hands over the next packets; false when there are no more. They are gone when the body returns.
    public func next(_ body: (Span<Packet>) -> Void) -> Bool {
        guard engine.fill(engine.own) else { return false }
        engine.own.read(body)
        return true
    }

    /// Puts the next packets into the batch, instead of what was in it; false when there are no more.
    public func next(_ batch: PacketBatch) -> Bool { engine.fill(batch) }

    public var counts: CaptureCounts { engine.counts }
    /// Where the file broke, if it did.
    public var fault: CaptureFault? { engine.fault }
    /// Two of its files that cannot be of one capture: reading ends between them.
    public var overlap: CaptureOverlap? { engine.overlap }
    public var interfaces: [CapturedInterface] { engine.roster.counted }
    public var apps: [App] { engine.roster.apps }
    /// What people or programs wrote into the file, the first of it, and how much there was.
    public var comments: [String] { engine.roster.comments }
    public var commentCount: Int { engine.roster.commentCount }
    /// This program has simulated it.
    public var isOfDeadzone: Bool { engine.roster.isOfDeadzone }
    /// Packets that the filter has left out.
    public var filteredOut: UInt64 { engine.filteredOut }

    /// Flows told apart, and those described one by one.
    public var flowCounts: FlowCounts { engine.book.counts }
    public var describedFlows: Int { engine.book.described }

    public func flow(_ id: FlowID) -> Flow { engine.book.flow(id) }

    /// The server name of the flow, or else the name that its remote address was last asked for under.
    public func remoteName(_ flow: Flow) -> String? {
        flow.serverName ?? engine.names.name(of: flow.remote.address)
    }

    public func name(of address: IPAddress) -> String? { engine.names.name(of: address) }

    /// How directions were told.
    public var directions: DirectionReport { engine.directionReport }

    /// Where it was captured, as far as it tells.
    public var medium: CaptureMedium {
        if interfaces.contains(where: { $0.isCellular && $0.packets > 0 }) { return .cellular }
        return engine.hasStations || counts.talk(.frames).packets + counts.talk(.dhcp).packets > 0 ? .local : .unknown
    }

    /// LINKTYPE_ values of the file, each once, in the order in which its interfaces use them.
    public var linkTypes: [UInt32] { engine.linkTypes }

    /// Link types that libpcap has no filter for.
    public var unfilteredLinkTypes: [String] { engine.unfilteredLinkTypes }

    /// What was counted and not looked into: link types that are not read, and how many packets they had.
    public var unreadLinkTypes: [(name: String, packets: UInt64)] { engine.unreadLinkTypes }
}

public enum CaptureFormat: String, Sendable { case pcap, pcapng }

public enum CaptureMedium: String, Sendable {
    /// At least one interface is named as modems are.
    case cellular
    /// Ethernet or Wi-Fi, by its stations or by what only such networks carry.
    case local
    /// Neither is told: raw IP, a tunnel, what an app on the phone has written.
    case unknown
}

public struct FlowCounts: Equatable, Sendable {
    public var tcp: UInt64 = 0
    public var udp: UInt64 = 0
    /// Packets of flows beyond what the table holds: the counts are lower bounds then.
    public var packetsBeyond: UInt64 = 0
    /// The most flows that are told apart.
    public static let most = FlowTable.capacity

    public init(tcp: UInt64 = 0, udp: UInt64 = 0, packetsBeyond: UInt64 = 0) {
        self.tcp = tcp
        self.udp = udp
        self.packetsBeyond = packetsBeyond
    }
}

/// By what up was told from down.
public struct DirectionReport: Equatable, Sendable {
    public var device: [IPAddress] = []
    public var isDeviceTold = false
    /// Packets whose direction the file itself says: flags of pcapng, PKTAP, cooked headers.
    public var packetsTold: UInt64 = 0
    /// Packets of the sample that the device was inferred from, and those that it explains.
    public var sampled = 0
    public var explained = 0
    public var hasStation = false
}
