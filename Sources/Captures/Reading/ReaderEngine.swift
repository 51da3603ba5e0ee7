/// The reader's state, as one value: inside of it the compiler needs no checks of exclusive access.
struct ReaderEngine: ~Copyable {
    private enum File {
        case classic(ClassicFraming)
        case sections(SectionFraming)
    }

    /// Packets that are handed over at once: few enough to stay in the cache while they are counted and used.
    static let batchLength = 512
    /// Packets from which the device is inferred; they are held back until then.
    static let sampleLength = 4_096

    private var window: Window
    private var file: File
    fileprivate let filter: CaptureFilter?
    /// For who has no other.
    let own = PacketBatch()
    /// Where the next packets go.
    private var buffer: UnsafeMutablePointer<Packet>
    private var used = 0
    private var isOver = false
    private var sample: [SampledPacket]? = []
    private var guide: DirectionGuide

    private(set) var roster = Roster()
    private(set) var book = FlowBook()
    private(set) var names = NameBook()
    private(set) var counts = CaptureCounts()
    private(set) var fault: CaptureFault?
    private(set) var filteredOut: UInt64 = 0
    /// Frames say which station has sent them: those of the sample.
    private(set) var hasStations = false

    init(_ source: @escaping ByteSource, device: [Address], filter: CaptureFilter?) throws(CaptureFault) {
        window = Window(source)
        self.filter = filter
        guide = DirectionGuide(told: device)
        _ = window.hold(FileFormat.headLength)
        let head = window.bytes
        if head.count >= 4, let order = ClassicFraming.order(head) {
            file = .classic(try ClassicFraming(&window, order, &roster))
        } else if head.count >= FileFormat.headLength, let order = SectionFraming.order(head) {
            file = .sections(SectionFraming(order))
        } else {
            if let fault = window.sourceFault() { throw fault }
            let bytes = UnsafeRawBufferPointer(start: head.start, count: min(head.count, FileFormat.headLength))
            throw FileFormat.refusal(Array(bytes))
        }
        buffer = own.packets
    }

    var format: CaptureFormat { if case .classic = file { .pcap } else { .pcapng } }

    /// Makes the next batch; false where there is none.
    mutating func fill(_ batch: PacketBatch) -> Bool {
        buffer = batch.packets
        used = 0
        batch.count = 0
        batch.outages = []
        guard !isOver else { return false }
        let most = sample == nil ? Self.batchLength : Self.sampleLength
        switch file {
        case .classic(var framing):
            read(most) { frame, window, roster throws(CaptureFault) in try framing.next(&frame, &window, &roster) }
            file = .classic(framing)
        case .sections(var framing):
            read(most) { frame, window, roster throws(CaptureFault) in try framing.next(&frame, &window, &roster) }
            for record in framing.nameRecords.takeAll() { names.add(record.address, record.name) }
            file = .sections(framing)
        }
        if sample != nil { settleSample() }
        batch.count = used
        batch.outages = roster.takeOutages()
        guard used > 0 else { return !batch.outages.isEmpty }
        let made = UnsafeBufferPointer(start: buffer, count: used)
        counts.add(made)
        roster.count(made)
        return true
    }

    /// Whatever comes first: so many packets, the end, a fault.
    @inline(__always) private mutating func read(
        _ most: Int, _ next: (inout Frame, inout Window, inout Roster) throws(CaptureFault) -> Bool
    ) {
        var frame = Frame(bytes: window.bytes)
        while used < most {
            do throws(CaptureFault) {
                guard try next(&frame, &window, &roster) else {
                    fault = window.sourceFault()
                    isOver = true
                    return
                }
            } catch {
                fault = error
                isOver = true
                return
            }
            if let filter, !filter.accepts(frame, roster.interfaces[frame.interface].linkType) {
                filteredOut += 1
                continue
            }
            take(&frame)
        }
    }

    /// The packet is made where it stays: copying it would wait for each of its small fields to arrive.
    @inline(__always) private mutating func take(_ frame: inout Frame) {
        let packet = buffer + used
        packet.initialize(
            to: Packet(stamp: frame.stamp, wireLength: frame.wireLength, capturedLength: frame.capturedLength))
        if !frame.isStamped { stamp(&packet.pointee) }
        packet.pointee.interface = UInt32(truncatingIfNeeded: frame.interface)
        packet.pointee.app = frame.app
        var result = Dissection()
        Decoder.decode(frame.bytes, roster.links[frame.interface], &roster, &packet.pointee, &result)
        if frame.direction != .unknown { result.direction = frame.direction }
        packet.pointee.talk = NeighbourTalk.of(packet.pointee, result, roster.links[frame.interface])
        if packet.pointee.talk != .none, roster.areCellular[Int(packet.pointee.interface)] {
            packet.pointee.talk = .none
        }
        var place: FlowBook.Place?
        if result.hasPorts {
            place = book.place(&packet.pointee, &result)
            if result.payloadCaptured > 0 { readNames(frame.bytes, packet, result) }
        }
        if sample == nil {
            if let known = place?.direction, result.direction == .unknown {
                packet.pointee.direction = known
            } else {
                packet.pointee.direction = guide.direction(packet.pointee, result, place, book)
            }
        } else {
            sample?.append(SampledPacket(result: result, place: place, isStamped: frame.isStamped))
        }
        used &+= 1
    }

    /// A simple packet block has no time: it was captured after the packet before it.
    private mutating func stamp(_ packet: inout Packet) {
        counts.unstampedPackets += 1
        packet.stamp = used > 0 ? buffer[used - 1].stamp : counts.last ?? .epoch
    }

    @inline(__always) private mutating func readNames(
        _ bytes: Bytes, _ packet: UnsafeMutablePointer<Packet>, _ result: Dissection
    ) {
        if packet.pointee.transport == .tcp {
            if book.expectsHello(packet) {
                book.readHello(
                    packet.pointee, bytes.dropFirst(result.payloadOffset).prefix(result.payloadCaptured))
            }
        } else if result.sourcePort == 53 {
            DNS.readAnswer(bytes.dropFirst(result.payloadOffset).prefix(result.payloadCaptured), &names)
        }
    }

    /// The first packets are all there is to infer the device from: then they get their directions.
    private mutating func settleSample() {
        guard let sample else { return }
        self.sample = nil
        if let index = sample.firstIndex(where: \.isStamped), index > 0 {
            // What came before the first time that is known came no later.
            for early in 0..<index { buffer[early].stamp = buffer[index].stamp }
        }
        hasStations = sample.contains { $0.result.sourceStation != 0 }
        guide.infer(sample, UnsafeBufferPointer(start: buffer, count: used))
        for (index, sampled) in sample.enumerated() {
            buffer[index].direction = guide.direction(buffer[index], sampled.result, sampled.place, book)
        }
    }
}

/// What a held-back packet needs for its direction.
struct SampledPacket {
    var result: Dissection
    var place: FlowBook.Place?
    var isStamped: Bool
}

extension ReaderEngine {
    var directionReport: DirectionReport { guide.report }

    var linkTypes: [UInt32] {
        roster.interfaces.filter { !$0.isInner }.map(\.linkType).reduce(into: []) { known, type in
            if !known.contains(type) { known.append(type) }
        }
    }

    var unfilteredLinkTypes: [String] { filter?.refusedLinkTypes.map(LinkKind.name) ?? [] }

    var unreadLinkTypes: [(name: String, packets: UInt64)] {
        zip(roster.counted, roster.links).reduce(into: []) { found, pair in
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
