extension SectionFraming {
    /// PCAPdroid's number among private enterprises.
    private static let pcapdroid: UInt32 = 62_652

    mutating func readOther(
        _ type: UInt32, _ body: Bytes, _ offset: UInt64, _ roster: inout Roster
    ) throws(CaptureFault) {
        switch type {
        case Block.section: try readSection(body, offset, &roster)
        case Block.interface: try readInterface(body, offset, &roster)
        case Block.names: readNames(body)
        case Block.statistics: readStatistics(body, &roster)
        case Block.appleProcess: readAppleProcess(body, &roster)
        default: readCustom(body, &roster)
        }
    }

    private mutating func readSection(
        _ body: Bytes, _ offset: UInt64, _ roster: inout Roster
    ) throws(CaptureFault) {
        guard body.count >= 16 else { throw Self.tooShort("a section header", offset) }
        let (major, minor) = (order.u16(body, 4), order.u16(body, 6))
        guard major == 1 else {
            throw CaptureFault(at: offset, "pcapng version \(major).\(minor) is not known", help: "version 1 is read")
        }
        locals = []
        processes = []
        eachOption(body.dropFirst(16)) { code, value in
            if code == 1 { roster.remark(value.text(0, atMost: Limits.text)) }
            // `shb_userappl`, as this program signs what it has simulated.
            if code == 4, value.text(0, atMost: Limits.text) == "deadzone" { roster.isOfDeadzone = true }
        }
    }

    private mutating func readInterface(
        _ body: Bytes, _ offset: UInt64, _ roster: inout Roster
    ) throws(CaptureFault) {
        guard body.count >= 8 else { throw Self.tooShort("an interface description", offset) }
        var interface = CapturedInterface(linkType: UInt32(order.u16(body, 0)), snapLength: order.u32(body, 4))
        var (resolution, seconds): (UInt8, Int64) = (6, 0)
        let isWhole = eachOption(body.dropFirst(8)) { code, value in
            switch code {
            case 1: roster.remark(value.text(0, atMost: Limits.text))
            case 2: interface.name = value.text(0, atMost: Limits.text)
            case 3: interface.about = value.text(0, atMost: Limits.text)
            case 9 where value.count >= 1: resolution = value[0]
            case 14 where value.count == 8: seconds = Int64(bitPattern: order.u64(value, 0))
            default: break
            }
        }
        // Without its options, the interface might count time in other units.
        guard isWhole else { throw Self.tooShort("an option of an interface", offset) }
        let place = try roster.add(interface, order, at: offset)
        locals.append(
            Local(
                scale: StampScale(resolution: resolution, offset: seconds), snapLength: interface.snapLength,
                linkType: interface.linkType, place: place))
    }

    /// Interface, stamp, then options: 1 a comment, 2 `isb_starttime`, 3 `isb_endtime`, 5 `isb_ifdrop`.
    private func readStatistics(_ body: Bytes, _ roster: inout Roster) {
        guard body.count >= 12, order.u32(body, 0) < locals.count else { return }
        let local = locals[Int(order.u32(body, 0))]
        let interface = local.place
        func stamp(_ value: Bytes) -> Stamp {
            local.scale.stamp(UInt64(order.u32(value, 0)) << 32 | UInt64(order.u32(value, 4)))
        }
        var (end, restart): (Stamp?, Stamp?)
        var isOutage = false
        eachOption(body.dropFirst(12)) { code, value in
            switch code {
            case 1:
                let text = value.text(0, atMost: Limits.text)
                isOutage = isOutage || text.hasPrefix(Outage.mark)
                if text.hasPrefix(InterfaceRemark.mark) {
                    let whole = value.text(InterfaceRemark.mark.utf8.count, atMost: InterfaceRemark.longest)
                    roster.add(InterfaceRemark(interface: UInt32(interface), text: whole))
                }
            case 2 where value.count == 8: restart = stamp(value)
            case 3 where value.count == 8: end = stamp(value)
            case 5 where value.count == 8: roster.drop(order.u64(value, 0), on: interface)
            default: break
            }
        }
        if isOutage, let end, let restart, end < restart {
            roster.add(Outage(interface: UInt32(interface), from: end, until: restart))
        }
    }

    /// Records of type, length and value; 1 is an IPv4, 2 an IPv6 address with its names.
    private mutating func readNames(_ body: Bytes) {
        eachOption(body) { code, value in
            switch code {
            case 1 where value.count > 4:
                nameRecords.add(.ipv4(value.big32(0)), value.text(4, atMost: Limits.text))
            case 2 where value.count > 16:
                nameRecords.add(.ipv6(value.big128(0)), value.text(16, atMost: Limits.text))
            default: break
            }
        }
    }

    /// As Apple's tcpdump writes it: the number of the process, then options, 2 is its name. Packets mean it by its place.
    private mutating func readAppleProcess(_ body: Bytes, _ roster: inout Roster) {
        guard body.count >= 4, processes.count < Limits.apps else { return }
        var name = ""
        eachOption(body.dropFirst(4)) { code, value in
            if code == 2 { name = value.text(0, atMost: Limits.text) }
        }
        processes.append(roster.id(of: App(name: name)))
    }

    /// Of PCAPdroid: version 1, kind 1, then the number of an app, the lengths of its two names, and these. As its own
    /// Wireshark plug-in reads it (emanuele-f/PCAPdroid, tools/pcapdroid.lua).
    private func readCustom(_ body: Bytes, _ roster: inout Roster) {
        guard body.count >= 14, order.u32(body, 0) == Self.pcapdroid, order.u16(body, 4) == 1, body[6] == 1 else {
            return
        }
        let user = order.u32(body, 8)
        let (packageLength, nameLength) = (Int(body[12]), Int(body[13]))
        let package = body.text(14, atMost: packageLength)
        let name = body.text(14 + packageLength, atMost: nameLength)
        roster.map(user: user, to: App(name: name.isEmpty ? package : name, user: user))
    }
}

/// Names that the capturing program had looked up, until the reader takes them.
struct NameRecords {
    private(set) var items: [(address: IPAddress, name: String)] = []

    mutating func add(_ address: IPAddress, _ name: String) {
        guard items.count < Limits.comments * Limits.comments, !name.isEmpty else { return }
        items.append((address, name))
    }

    mutating func takeAll() -> [(address: IPAddress, name: String)] {
        defer { items = [] }
        return items
    }
}
