/// The main loop of a capture reader: takes frames from the file, decodes them, assigns flow and direction, and fills
/// batches. All state is one struct, which needs no exclusive-access checks by the compiler.
struct ReaderEngine: ~Copyable {
    enum FileFraming {
        case pcap(PcapFraming)
        case pcapng(PcapngFraming)
        case perfetto(PerfettoFraming)
    }

    /// Packets in a batch: few enough to stay in the cache while they are counted and used.
    static let batchLength = 512
    /// Packets from which the device is inferred; they are held back until then.
    static let sampleLength = 4_096

    private var window: ReadWindow
    private var file: FileFraming
    /// `true` if the first part is compressed.
    let isCompressed: Bool
    fileprivate let filter: CaptureFilter?
    /// Default batch for callers that supply none.
    let ownBatch = PacketBatch()
    /// Destination of the next packets.
    private var buffer: UnsafeMutablePointer<CapturedPacket>
    private var used = 0
    /// The kinds of neighbour traffic of these packets.
    private var kinds = TrafficKinds()
    private var isOver = false
    /// Parts that follow, in reverse order, and the current part.
    private var following: [CapturePart]
    private var part: CapturePart
    /// The overlap if a part of the capture begins before the previous part ends; that part is not read. Otherwise
    /// `nil`.
    private(set) var overlap: CaptureOverlap?
    private var sample: [SampledPacket]? = []
    private var directionGuide: DirectionGuide

    private(set) var registry = CaptureRegistry()
    private(set) var flowTracker = FlowTracker()
    private(set) var names = AddressNames()
    private(set) var counts = CaptureCounts()
    private(set) var fault: CaptureFault?
    private(set) var filteredOut: UInt64 = 0
    /// `true` if frames of the sample have station addresses.
    private(set) var hasStations = false

    /// - Parameters:
    ///   - parts: Files in time order, at least one.
    ///   - contents: Contents of the first part.
    init(_ parts: [CapturePart], _ contents: CapturePart.Contents, device: [IPAddress], filter: CaptureFilter?)
        throws(CaptureFault)
    {
        window = ReadWindow(contents.source)
        following = parts.dropFirst().reversed()
        part = parts[0]
        isCompressed = contents.isCompressed
        self.filter = filter
        directionGuide = DirectionGuide(stated: device)
        file = try Self.begin(&window, &registry)
        buffer = ownBatch.packets
    }

    static func begin(_ window: inout ReadWindow, _ registry: inout CaptureRegistry) throws(CaptureFault) -> FileFraming
    {
        _ = window.ensureAvailable(FileFormat.headLength)
        let head = window.bytes
        if head.count >= 4, let order = PcapFraming.order(head) {
            return .pcap(try PcapFraming(&window, order, &registry))
        } else if head.count >= FileFormat.headLength, let order = PcapngFraming.order(head) {
            return .pcapng(PcapngFraming(order))
        }
        if TraceRecordReader.isTrace(&window) { return .perfetto(PerfettoFraming()) }
        if let fault = window.sourceFault() { throw fault }
        let first = window.bytes.prefix(FileFormat.headLength)
        let bytes = UnsafeRawBufferPointer(start: first.start, count: first.count)
        throw FileFormat.refusal(Array(bytes))
    }

    /// Opens the next part. Returns `false` if there is none. A part that is truncated or unreadable is a fault; the
    /// first fault is kept.
    private mutating func openNextPart() -> Bool {
        guard overlap == nil, let next = following.popLast() else { return false }
        let last = used > 0 ? buffer[used - 1].stamp : counts.last
        if let last, let first = next.first, first + CaptureOverlap.allowed < last {
            overlap = CaptureOverlap(earlier: part.name, later: next.name, span: last - first)
            return false
        }
        part = next
        registry.beginFile()
        do throws(CaptureFault) {
            window = ReadWindow(try next.contents().source)
            let isTrace = format == .perfetto
            let begun = try Self.begin(&window, &registry)
            if case .perfetto = begun { throw Self.mixedTrace }
            guard !isTrace else { throw Self.mixedTrace }
            file = begun
            isOver = false
        } catch {
            recordFault(error)
        }
        return true
    }

    /// Keeps the first fault; adds the part's name if there are several parts.
    private mutating func recordFault(_ new: CaptureFault?) {
        guard fault == nil, let new else { return }
        fault = part.isAlone ? new : CaptureFault(at: new.offset, "\(part.name): \(new.message)", help: new.help)
    }

    var format: CaptureFormat {
        switch file {
        case .pcap: .pcap
        case .pcapng: .pcapng
        case .perfetto: .perfetto
        }
    }

    var traceContents: TraceContents? { if case .perfetto(let framing) = file { framing.contents } else { nil } }

    /// Fills the batch with the next packets. Returns `false` if there are none.
    mutating func fill(_ batch: PacketBatch) -> Bool {
        buffer = batch.packets
        used = 0
        kinds = TrafficKinds()
        batch.count = 0
        batch.outages = []
        batch.remarks = []
        guard !isOver else { return false }
        let most = sample == nil ? Self.batchLength : Self.sampleLength
        repeat { if !isOver { readPart(most) } } while isOver && openNextPart()
        if sample != nil { resolveSample() }
        batch.count = used
        batch.outages = registry.takeOutages()
        batch.remarks = registry.takeRemarks()
        guard used > 0 else { return !batch.outages.isEmpty || !batch.remarks.isEmpty }
        let made = UnsafeBufferPointer(start: buffer, count: used)
        counts.add(made)
        batch.summary = PacketSummary(kinds: kinds, flows: flowTracker.described, interface: registry.count(made))
        return true
    }

    private mutating func readPart(_ most: Int) {
        switch file {
        case .pcap(var framing):
            read(most, on: framing.interface) { frame, window, registry throws(CaptureFault) in
                try framing.next(&frame, &window, &registry)
            }
            file = .pcap(framing)
        case .pcapng(var framing):
            read(most, on: 0) { frame, window, registry throws(CaptureFault) in
                try framing.next(&frame, &window, &registry)
            }
            for record in framing.nameRecords.takeAll() { names.add(record.address, record.name) }
            file = .pcapng(framing)
        case .perfetto(let framing): readTrace(most, framing)
        }
    }

    /// Reads packets of a Perfetto trace: they have a direction, but no bytes.
    private mutating func readTrace(_ most: Int, _ framing: PerfettoFraming) {
        while used < most {
            guard let traced = framing.next(&window, &registry) else {
                recordFault(framing.fault)
                isOver = true
                return
            }
            // User 0 is the kernel, for packets without a socket.
            var packet = CapturedPacket(traced, at: framing.timestamp(traced))
            if let user = traced.context.user, user != 0 { packet.app = registry.id(ofAndroidUser: user) }
            if framing.isLoopback(traced.context.interface) { packet.neighbourTraffic = .loopback }
            kinds.insert(packet.neighbourTraffic)
            if packet.direction != .unknown { directionGuide.countStated() }
            if traced.context.hasFlow {
                var ends = Dissection(traced.context)
                flowTracker.add(&packet, &ends)
            }
            (buffer + used).initialize(to: packet)
            used &+= 1
        }
    }

    /// Reads up to `most` packets, to the end of the part, or to a fault.
    @inline(__always) private mutating func read(
        _ most: Int, on interface: Int,
        _ next: (inout Frame, inout ReadWindow, inout CaptureRegistry) throws(CaptureFault) -> Bool
    ) {
        var frame = Frame(bytes: window.bytes)
        frame.interface = interface
        if interface < registry.links.count { frame.link = registry.links[interface] }
        while used < most {
            do throws(CaptureFault) {
                guard try next(&frame, &window, &registry) else {
                    recordFault(window.sourceFault())
                    isOver = true
                    return
                }
            } catch {
                recordFault(error)
                isOver = true
                return
            }
            if let filter, !filter.accepts(frame, registry.interfaces[frame.interface].linkType) {
                filteredOut += 1
                continue
            }
            decode(&frame)
        }
    }

    @inline(__always) private mutating func decode(_ frame: inout Frame) {
        if sample != nil || !decodeKnownFlow(&frame) { decodeFully(&frame) }
    }

    /// Decodes any packet, in place: copying it would stall on its small fields.
    @inline(never) private mutating func decodeFully(_ frame: inout Frame) {
        let packet = buffer + used
        packet.initialize(
            to: CapturedPacket(stamp: frame.stamp, wireLength: frame.wireLength, capturedLength: frame.capturedLength))
        if !frame.isStamped { stamp(&packet.pointee) }
        packet.pointee.interface = UInt32(truncatingIfNeeded: frame.interface)
        packet.pointee.app = frame.app
        var result = Dissection()
        Decoder.decode(frame.bytes, frame.link, &registry, &packet.pointee, &result)
        if frame.direction != .unknown { result.direction = frame.direction }
        let traffic = NeighbourTraffic.of(&packet.pointee, &result, frame.link)
        if traffic != .none, !registry.cellularFlags[Int(packet.pointee.interface)] {
            packet.pointee.neighbourTraffic = traffic
            kinds.insert(traffic)
        }
        var flowLookup: FlowTracker.FlowLookup?
        if result.hasPorts {
            flowLookup = flowTracker.flowLookup(&packet.pointee, &result)
            if result.payloadCaptured > 0 { readNames(frame.bytes, packet, result) }
        }
        if sample == nil {
            if let known = flowLookup?.direction, result.direction == .unknown {
                packet.pointee.direction = known
            } else {
                packet.pointee.direction = directionGuide.direction(packet.pointee, result, flowLookup, flowTracker)
            }
            if let flowLookup, traffic == .none, packet.pointee.network == .ipv4 {
                flowTracker.allowFastPath(packet.pointee, result, flowLookup)
            }
        } else {
            sample?.append(SampledPacket(result: result, flowLookup: flowLookup, isStamped: frame.isStamped))
        }
        used &+= 1
    }

    /// Fast path: decodes packets with plain headers in known flows.
    @inline(__always) private mutating func decodeKnownFlow(_ frame: inout Frame) -> Bool {
        guard frame.isStamped, let head = FastPathHeader(frame.bytes, frame.link),
            let flow = flowTracker.knownFlow(head)
        else {
            return false
        }
        let stated = frame.direction == .unknown ? head.direction : frame.direction
        if stated != .unknown, !directionGuide.confirms(flow.direction, stated: stated, source: head.source >> 16) {
            return false
        }
        let packet = buffer + used
        packet.initialize(
            to: CapturedPacket(stamp: frame.stamp, wireLength: frame.wireLength, capturedLength: frame.capturedLength))
        packet.pointee.linkHeaderLength = UInt32(truncatingIfNeeded: head.start)
        packet.pointee.payloadLength = head.payloadLength
        packet.pointee.sequence = head.sequence
        packet.pointee.acknowledgement = UInt32(truncatingIfNeeded: head.back >> 32)
        packet.pointee.window = UInt16(truncatingIfNeeded: head.back)
        packet.pointee.flags = TCPFlags(rawValue: UInt8(truncatingIfNeeded: head.back >> 16) & 0x3f)
        packet.pointee.network = .ipv4
        packet.pointee.transport = head.isUDP ? .udp : .tcp
        packet.pointee.direction = flow.direction
        packet.pointee.side = flow.side
        packet.pointee.flow = flow.id
        packet.pointee.interface = UInt32(truncatingIfNeeded: frame.interface)
        packet.pointee.app = frame.app
        if !head.isUDP {
            IPHeader.readPayload(frame.bytes, head.payloadOffset, head.payloadCaptured, &packet.pointee)
        }
        flowTracker.record(flow.id, flow.side, packet.pointee)
        used &+= 1
        return true
    }

    /// A simple packet block has no timestamp; it takes the previous packet's.
    private mutating func stamp(_ packet: inout CapturedPacket) {
        counts.unstampedPackets += 1
        packet.stamp = used > 0 ? buffer[used - 1].stamp : counts.last ?? .epoch
    }

    @inline(__always) private mutating func readNames(
        _ bytes: Bytes, _ packet: UnsafeMutablePointer<CapturedPacket>, _ result: Dissection
    ) {
        if packet.pointee.transport == .tcp {
            if flowTracker.expectsHello(packet) {
                flowTracker.readHello(
                    packet.pointee, bytes.dropFirst(result.payloadOffset).prefix(result.payloadCaptured))
            }
        } else if result.sourcePort == 53 {
            DNS.readAnswer(bytes.dropFirst(result.payloadOffset).prefix(result.payloadCaptured), &names)
        }
    }

    /// Infers the device from the sample, then sets the directions of the sampled packets.
    private mutating func resolveSample() {
        guard let sample else { return }
        self.sample = nil
        if let index = sample.firstIndex(where: \.isStamped), index > 0 {
            // Packets before the first known timestamp take that timestamp, as an upper bound.
            for early in 0..<index { buffer[early].stamp = buffer[index].stamp }
        }
        hasStations = sample.contains { $0.result.sourceStation != 0 }
        directionGuide.infer(sample, UnsafeBufferPointer(start: buffer, count: used))
        for (index, sampled) in sample.enumerated() {
            buffer[index].direction = directionGuide.direction(
                buffer[index], sampled.result, sampled.flowLookup, flowTracker)
        }
    }
}

/// The packet fields that are needed to find its direction, kept for the first packets until the phone's address is
/// known.
struct SampledPacket {
    var result: Dissection
    var flowLookup: FlowTracker.FlowLookup?
    var isStamped: Bool
}

extension ReaderEngine {
    fileprivate static var mixedTrace: CaptureFault {
        CaptureFault(
            at: 0, "a Perfetto trace cannot be one of several files of a capture", help: "read each trace by itself")
    }

    var directionReport: DirectionReport { directionGuide.report }

    var linkTypes: [UInt32] {
        registry.interfaces.filter { !$0.isInner }.map(\.linkType).reduce(into: []) { known, type in
            if !known.contains(type) { known.append(type) }
        }
    }

    var unfilteredLinkTypes: [String] { filter?.refusedLinkTypes.map(LinkKind.name) ?? [] }

    var unreadLinkTypes: [(name: String, packets: UInt64)] {
        zip(registry.interfacesWithCounts, registry.links).reduce(into: []) { found, pair in
            guard pair.1.isUnread, pair.0.packets > 0 else { return }
            let name = LinkKind.name(pair.0.linkType)
            if let index = found.firstIndex(where: { $0.name == name }) {
                found[index].packets += pair.0.packets
            } else {
                found.append((name, pair.0.packets))
            }
        }
    }
}
