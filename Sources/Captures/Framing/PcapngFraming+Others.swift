extension PcapngFraming {
    /// PCAPdroid's private enterprise number.
    private static let pcapdroid: UInt32 = 62_652

    mutating func readOther(
        _ type: UInt32, _ body: Bytes, _ offset: UInt64, _ registry: inout CaptureRegistry
    ) throws(CaptureFault) {
        switch type {
        case BlockType.section: try readSection(body, offset, &registry)
        case BlockType.interface: try readInterface(body, offset, &registry)
        case BlockType.names: readNames(body)
        case BlockType.statistics: readStatistics(body, &registry)
        case BlockType.appleProcess: readAppleProcess(body, &registry)
        default: readCustom(body, &registry)
        }
    }

    private mutating func readSection(
        _ body: Bytes, _ offset: UInt64, _ registry: inout CaptureRegistry
    ) throws(CaptureFault) {
        guard body.count >= 16 else { throw Self.tooShort("a section header", offset) }
        let (major, minor) = (order.u16(body, 4), order.u16(body, 6))
        guard major == 1 else {
            throw CaptureFault(at: offset, "pcapng version \(major).\(minor) is not known", help: "version 1 is read")
        }
        sectionInterfaces = []
        processes = []
        eachOption(body.dropFirst(16)) { code, value in
            if code == 1 { registry.addComment(value) }
            // `shb_userappl`, the name with which this program marks its simulated captures.
            if code == 4, value.text(0, atMost: CaptureLimits.text) == "deadzone" { registry.isDeadzoneOutput = true }
        }
    }

    private mutating func readInterface(
        _ body: Bytes, _ offset: UInt64, _ registry: inout CaptureRegistry
    ) throws(CaptureFault) {
        guard body.count >= 8 else { throw Self.tooShort("an interface description", offset) }
        var interface = CapturedInterface(linkType: UInt32(order.u16(body, 0)), snapLength: order.u32(body, 4))
        var (resolution, seconds): (UInt8, Int64) = (6, 0)
        let isWhole = eachOption(body.dropFirst(8)) { code, value in
            switch code {
            case 1: registry.addComment(value)
            case 2: interface.name = value.text(0, atMost: CaptureLimits.text)
            case 3: interface.about = value.text(0, atMost: CaptureLimits.text)
            case 9 where value.count >= 1: resolution = value[0]
            case 14 where value.count == 8: seconds = Int64(bitPattern: order.u64(value, 0))
            default: break
            }
        }
        // The options may set another time resolution, so a truncated option is an error.
        guard isWhole else { throw Self.tooShort("an option of an interface", offset) }
        let place = try registry.add(interface, order, at: offset)
        sectionInterfaces.append(
            SectionInterface(
                scale: TimestampScale(resolution: resolution, offset: seconds), snapLength: interface.snapLength,
                linkType: interface.linkType, place: place, link: registry.links[place]))
    }

    /// Reads a statistics block: interface, timestamp, then options. Option 1 is a comment, 2 `isb_starttime`, 3
    /// `isb_endtime`, 5 `isb_ifdrop`.
    private func readStatistics(_ body: Bytes, _ registry: inout CaptureRegistry) {
        guard body.count >= 12, order.u32(body, 0) < sectionInterfaces.count else { return }
        let local = sectionInterfaces[Int(order.u32(body, 0))]
        let interface = local.place
        func stamp(_ value: Bytes) -> Timestamp {
            local.scale.stamp(UInt64(order.u32(value, 0)) << 32 | UInt64(order.u32(value, 4)))
        }
        var (end, restart): (Timestamp?, Timestamp?)
        var isOutage = false
        eachOption(body.dropFirst(12)) { code, value in
            switch code {
            case 1:
                let text = value.text(0, atMost: CaptureLimits.text)
                isOutage = isOutage || text.hasPrefix(Outage.commentPrefix)
                if text.hasPrefix(InterfaceRemark.commentPrefix) {
                    let whole = value.text(
                        InterfaceRemark.commentPrefix.utf8.count, atMost: InterfaceRemark.maximumBytes)
                    registry.add(InterfaceRemark(interface: UInt32(interface), text: whole))
                }
            case 2 where value.count == 8: restart = stamp(value)
            case 3 where value.count == 8: end = stamp(value)
            case 5 where value.count == 8: registry.recordDropped(order.u64(value, 0), on: interface)
            default: break
            }
        }
        if isOutage, let end, let restart, end < restart {
            registry.add(Outage(interface: UInt32(interface), from: end, until: restart))
        }
    }

    /// Records of type, length and value. Type 1 is an IPv4 address with its names, type 2 an IPv6 address.
    private mutating func readNames(_ body: Bytes) {
        eachOption(body) { code, value in
            switch code {
            case 1 where value.count > 4:
                nameRecords.add(.ipv4(value.big32(0)), value.text(4, atMost: CaptureLimits.text))
            case 2 where value.count > 16:
                nameRecords.add(.ipv6(value.big128(0)), value.text(16, atMost: CaptureLimits.text))
            default: break
            }
        }
    }

    /// Reads Apple's process block: the process number, then options; option 2 is the name. Packets refer to a process
    /// by its index.
    private mutating func readAppleProcess(_ body: Bytes, _ registry: inout CaptureRegistry) {
        guard body.count >= 4, processes.count < CaptureLimits.apps else { return }
        var name = ""
        eachOption(body.dropFirst(4)) { code, value in
            if code == 2 { name = value.text(0, atMost: CaptureLimits.text) }
        }
        processes.append(registry.id(of: App(name: name)))
    }

    /// Reads PCAPdroid's block: version 1, kind 1, app number, lengths of its two names, and the names.
    ///
    /// The layout follows PCAPdroid's own Wireshark plug-in (emanuele-f/PCAPdroid, tools/pcapdroid.lua).
    private func readCustom(_ body: Bytes, _ registry: inout CaptureRegistry) {
        guard body.count >= 14, order.u32(body, 0) == Self.pcapdroid, order.u16(body, 4) == 1, body[6] == 1 else {
            return
        }
        registry.isFromPCAPdroid = true
        let user = order.u32(body, 8)
        let (packageLength, nameLength) = (Int(body[12]), Int(body[13]))
        let package = body.text(14, atMost: packageLength)
        let name = body.text(14 + packageLength, atMost: nameLength)
        registry.register(user: user, to: App(name: name.isEmpty ? package : name, user: user))
    }
}

/// Host names that the capture file itself contains, kept until the reader collects them. The capturing program
/// resolved them.
struct NameRecords {
    private(set) var items: [(address: IPAddress, name: String)] = []

    mutating func add(_ address: IPAddress, _ name: String) {
        guard items.count < CaptureLimits.comments * CaptureLimits.comments, !name.isEmpty else { return }
        items.append((address, name))
    }

    mutating func takeAll() -> [(address: IPAddress, name: String)] {
        defer { items = [] }
        return items
    }
}
