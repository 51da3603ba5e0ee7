/// The reader's state, as one value: inside of it the compiler needs no checks of exclusive access.
struct ReaderEngine: ~Copyable {
    enum File {
        case classic(ClassicFraming)
        case sections(SectionFraming)
    }

    /// Packets that are handed over at once: few enough to stay in the cache while they are counted and used.
    static let batchLength = 512
    /// Packets from which the device is inferred; they are held back until then.
    static let sampleLength = 4_096

    private var window: Window
    private var file: File
    /// Of the first part.
    let isCompressed: Bool
    fileprivate let filter: CaptureFilter?
    /// For who has no other.
    let own = PacketBatch()
    /// Where the next packets go.
    private var buffer: UnsafeMutablePointer<Packet>
    private var used = 0
    private var isOver = false
    /// Those that follow, the next one last, and the one that is being read.
    private var following: [CapturePart]
    private var part: CapturePart
    /// A part that begins before the one in front of it ends: nothing of it is read.
    private(set) var overlap: CaptureOverlap?
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

    /// - Parameters:
    ///   - parts: in the order of time, at least one.
    ///   - contents: of the first.
    init(_ parts: [CapturePart], _ contents: CapturePart.Contents, device: [IPAddress], filter: CaptureFilter?)
        throws(CaptureFault)
    {
        window = Window(contents.source)
        following = parts.dropFirst().reversed()
        part = parts[0]
        isCompressed = contents.isCompressed
        self.filter = filter
        guide = DirectionGuide(told: device)
        file = try Self.begin(&window, &roster)
        buffer = own.packets
    }

    static func begin(_ window: inout Window, _ roster: inout Roster) throws(CaptureFault) -> File {
        _ = window.hold(FileFormat.headLength)
        let head = window.bytes
        if head.count >= 4, let order = ClassicFraming.order(head) {
            return .classic(try ClassicFraming(&window, order, &roster))
        } else if head.count >= FileFormat.headLength, let order = SectionFraming.order(head) {
            return .sections(SectionFraming(order))
        }
        if let fault = window.sourceFault() { throw fault }
        let bytes = UnsafeRawBufferPointer(start: head.start, count: min(head.count, FileFormat.headLength))
        throw FileFormat.refusal(Array(bytes))
    }

    /// Goes on with the next part; false where there is none. A part that breaks off or cannot be read is a fault, and the
    /// first of them is kept.
    private mutating func beginNext() -> Bool {
        guard overlap == nil, let next = following.popLast() else { return false }
        let last = used > 0 ? buffer[used - 1].stamp : counts.last
        if let last, let first = next.first, first + CaptureOverlap.allowed < last {
            overlap = CaptureOverlap(earlier: part.name, later: next.name, span: last - first)
            return false
        }
        part = next
        roster.beginFile()
        do throws(CaptureFault) {
            window = Window(try next.contents().source)
            file = try Self.begin(&window, &roster)
            isOver = false
        } catch {
            note(error)
        }
        return true
    }

    /// The first is told, with the part that it is of where there are several.
    private mutating func note(_ new: CaptureFault?) {
        guard fault == nil, let new else { return }
        fault = part.isAlone ? new : CaptureFault(at: new.offset, "\(part.name): \(new.message)", help: new.help)
    }

    var format: CaptureFormat { if case .classic = file { .pcap } else { .pcapng } }

    /// Makes the next batch; false where there is none.
    mutating func fill(_ batch: PacketBatch) -> Bool {
        buffer = batch.packets
        used = 0
        batch.count = 0
        batch.outages = []
        batch.remarks = []
        guard !isOver else { return false }
        let most = sample == nil ? Self.batchLength : Self.sampleLength
        repeat { if !isOver { readPart(most) } } while isOver && beginNext()
        if sample != nil { settleSample() }
        batch.count = used
        batch.outages = roster.takeOutages()
        batch.remarks = roster.takeRemarks()
        guard used > 0 else { return !batch.outages.isEmpty || !batch.remarks.isEmpty }
        let made = UnsafeBufferPointer(start: buffer, count: used)
        counts.add(made)
        roster.count(made)
        return true
    }

    private mutating func readPart(_ most: Int) {
        switch file {
        case .classic(var framing):
            read(most, on: framing.interface) { frame, window, roster throws(CaptureFault) in
                try framing.next(&frame, &window, &roster)
            }
            file = .classic(framing)
        case .sections(var framing):
            read(most, on: 0) { frame, window, roster throws(CaptureFault) in
                try framing.next(&frame, &window, &roster)
            }
            for record in framing.nameRecords.takeAll() { names.add(record.address, record.name) }
            file = .sections(framing)
        }
    }

    /// Whatever comes first: so many packets, the end, a fault.
    @inline(__always) private mutating func read(
        _ most: Int, on interface: Int, _ next: (inout Frame, inout Window, inout Roster) throws(CaptureFault) -> Bool
    ) {
        var frame = Frame(bytes: window.bytes)
        frame.interface = interface
        while used < most {
            do throws(CaptureFault) {
                guard try next(&frame, &window, &roster) else {
                    note(window.sourceFault())
                    isOver = true
                    return
                }
            } catch {
                note(error)
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

    @inline(__always) private mutating func take(_ frame: inout Frame) {
        let link = roster.links[frame.interface]
        if sample != nil || !takeKnown(&frame, link) { takeAny(&frame, link) }
    }

    /// The packet is made where it stays: copying it would wait for each of its small fields to arrive.
    @inline(never) private mutating func takeAny(_ frame: inout Frame, _ link: LinkKind) {
        let packet = buffer + used
        packet.initialize(
            to: Packet(stamp: frame.stamp, wireLength: frame.wireLength, capturedLength: frame.capturedLength))
        if !frame.isStamped { stamp(&packet.pointee) }
        packet.pointee.interface = UInt32(truncatingIfNeeded: frame.interface)
        packet.pointee.app = frame.app
        var result = Dissection()
        Decoder.decode(frame.bytes, link, &roster, &packet.pointee, &result)
        if frame.direction != .unknown { result.direction = frame.direction }
        packet.pointee.talk = NeighbourTalk.of(&packet.pointee, &result, link)
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

    /// Most packets have plain headers and are of a flow that is known: they need no more than is read here.
    @inline(__always) private mutating func takeKnown(_ frame: inout Frame, _ link: LinkKind) -> Bool {
        guard frame.isStamped, let head = PlainHead(frame.bytes, link), let flow = book.knownFlow(head) else {
            return false
        }
        let told = frame.direction == .unknown ? head.direction : frame.direction
        if told != .unknown, !guide.confirms(flow.direction, told: told, source: head.source >> 16) { return false }
        let packet = buffer + used
        packet.initialize(
            to: Packet(stamp: frame.stamp, wireLength: frame.wireLength, capturedLength: frame.capturedLength))
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
            IPHeader.readSign(frame.bytes, head.payloadOffset, head.payloadCaptured, &packet.pointee)
        }
        book.record(&packet.pointee)
        used &+= 1
        return true
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
