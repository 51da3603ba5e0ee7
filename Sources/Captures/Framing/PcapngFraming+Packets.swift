extension PcapngFraming {
    /// Layout: interface, timestamp in two halves, captured and original length, data, options.
    @inline(__always) mutating func readEnhancedPacket(
        _ body: Bytes, _ offset: UInt64, _ frame: inout Frame, _ registry: inout CaptureRegistry
    ) throws(CaptureFault) {
        guard body.count >= 20 else { throw Self.tooShort("an enhanced packet block", offset) }
        let count = UInt64(order.u32(body, 4)) << 32 | UInt64(order.u32(body, 8))
        try readPacket(
            interface: Int(order.u32(body, 0)), count: count, captured: order.u32(body, 12), wire: order.u32(body, 16),
            body.dropFirst(20), offset, &frame, &registry)
    }

    /// Reads the obsolete packet block: a 16-bit interface number, and a drop count in place of the other half.
    mutating func readOldPacket(
        _ body: Bytes, _ offset: UInt64, _ frame: inout Frame, _ registry: inout CaptureRegistry
    ) throws(CaptureFault) {
        guard body.count >= 20 else { throw Self.tooShort("a packet block", offset) }
        let count = UInt64(order.u32(body, 4)) << 32 | UInt64(order.u32(body, 8))
        try readPacket(
            interface: Int(order.u16(body, 0)), count: count, captured: order.u32(body, 12), wire: order.u32(body, 16),
            body.dropFirst(20), offset, &frame, &registry)
    }

    /// Reads a simple packet block: the original length and data only. It belongs to the first interface, is cut to its
    /// snap length and has no timestamp.
    mutating func readSimplePacket(_ body: Bytes, _ offset: UInt64, _ frame: inout Frame) throws(CaptureFault) {
        guard body.count >= 4 else { throw Self.tooShort("a simple packet block", offset) }
        guard let local = sectionInterfaces.first else { throw Self.noInterface(0, offset) }
        let wire = order.u32(body, 0)
        let data = body.dropFirst(4)
        let allowed = local.snapLength == 0 ? wire : min(wire, local.snapLength)
        let captured = min(UInt64(allowed), UInt64(data.count))
        frame.stamp = .epoch
        frame.isStamped = false
        frame.wireLength = wire
        frame.capturedLength = UInt32(captured)
        frame.bytes = data.prefix(Int(captured))
        frame.interface = local.place
        frame.link = local.link
        frame.direction = .unknown
        frame.app = .none
    }

    @inline(__always) private mutating func readPacket(
        interface: Int, count: UInt64, captured: UInt32, wire: UInt32, _ data: Bytes, _ offset: UInt64,
        _ frame: inout Frame, _ registry: inout CaptureRegistry
    ) throws(CaptureFault) {
        guard interface < sectionInterfaces.count else { throw Self.noInterface(interface, offset) }
        let local = sectionInterfaces[interface]
        // A packet may be longer than the window; the bytes beyond it are never read.
        guard captured <= CaptureLimits.packet(local.linkType),
            captured <= data.count || data.count > CaptureLimits.packet
        else {
            throw CaptureFault(
                at: offset, "a packet block claims \(captured) captured bytes but contains \(data.count)",
                help: "the file is damaged here; everything before this byte is used")
        }
        frame.stamp = local.scale.stamp(count)
        frame.isStamped = true
        frame.wireLength = wire
        frame.capturedLength = captured
        frame.bytes = data.prefix(Int(captured))
        frame.interface = local.place
        frame.link = local.link
        frame.direction = .unknown
        frame.app = .none
        let padded = Int((captured + 3) & ~3)
        if data.count > padded { readPacketOptions(data.dropFirst(padded), &frame, &registry) }
    }

    private mutating func readPacketOptions(_ options: Bytes, _ frame: inout Frame, _ registry: inout CaptureRegistry) {
        eachOption(options) { code, value in
            switch code {
            case 1: readComment(value, &frame, &registry)
            // epb_flags: the lowest two bits are the direction.
            case 2 where value.count == 4:
                let flags = order.u32(value, 0) & 3
                frame.direction = flags == 1 ? .down : flags == 2 ? .up : .unknown
            // Apple captures: the process (32769) and the process it acts for (32771). The latter takes precedence.
            case 32_769 where value.count == 4:
                if frame.app == .none { frame.app = process(order.u32(value, 0)) }
            case 32_771 where value.count == 4: frame.app = process(order.u32(value, 0))
            default: break
            }
        }
    }

    private func process(_ index: UInt32) -> AppID { index < processes.count ? processes[Int(index)] : .none }

    /// PCAPdroid writes `u-10123` on each packet after a block that names the app.
    private func readComment(_ value: Bytes, _ frame: inout Frame, _ registry: inout CaptureRegistry) {
        if value.count > 2, value[0] == UInt8(ascii: "u"), value[1] == UInt8(ascii: "-"),
            let user = UInt32(value.text(2, atMost: CaptureLimits.text)),
            registry.knows(user: user)
        {
            frame.app = registry.id(ofUser: user)
        } else {
            registry.addComment(value)
        }
    }

    /// Calls `body` for each option. Returns `false` if an option claims more bytes than are left.
    @discardableResult
    func eachOption(_ options: Bytes, _ body: (_ code: UInt16, _ value: Bytes) -> Void) -> Bool {
        var rest = options
        while rest.count >= 4 {
            let (code, length) = (order.u16(rest, 0), Int(order.u16(rest, 2)))
            if code == 0 { return true }
            guard rest.count >= 4 + length else { return false }
            body(code, rest.dropFirst(4).prefix(length))
            rest = rest.dropFirst(4 + (length + 3) & ~3)
        }
        return rest.count == 0
    }

    static func tooShort(_ what: String, _ offset: UInt64) -> CaptureFault {
        CaptureFault(
            at: offset, "\(what) is too short",
            help: "the file is damaged here; everything before this byte is used")
    }

    private static func noInterface(_ index: Int, _ offset: UInt64) -> CaptureFault {
        CaptureFault(
            at: offset, "a packet belongs to interface \(index), which the section does not describe",
            help: "the file is damaged here; everything before this byte is used")
    }
}
