extension SectionFraming {
    /// Interface, stamp in two halves, captured and original length, data, options.
    @inline(__always) mutating func readEnhancedPacket(
        _ body: Bytes, _ offset: UInt64, _ frame: inout Frame, _ roster: inout Roster
    ) throws(CaptureFault) {
        guard body.count >= 20 else { throw Self.tooShort("an enhanced packet block", offset) }
        let count = UInt64(order.u32(body, 4)) << 32 | UInt64(order.u32(body, 8))
        try readPacket(
            interface: Int(order.u32(body, 0)), count: count, captured: order.u32(body, 12), wire: order.u32(body, 16),
            body.dropFirst(20), offset, &frame, &roster)
    }

    /// The same before it was enhanced: half as many bytes for the interface, and a count of drops.
    mutating func readOldPacket(
        _ body: Bytes, _ offset: UInt64, _ frame: inout Frame, _ roster: inout Roster
    ) throws(CaptureFault) {
        guard body.count >= 20 else { throw Self.tooShort("a packet block", offset) }
        let count = UInt64(order.u32(body, 4)) << 32 | UInt64(order.u32(body, 8))
        try readPacket(
            interface: Int(order.u16(body, 0)), count: count, captured: order.u32(body, 12), wire: order.u32(body, 16),
            body.dropFirst(20), offset, &frame, &roster)
    }

    /// Only the original length, then data: of the first interface, cut to its snap length, without a time.
    mutating func readSimplePacket(_ body: Bytes, _ offset: UInt64, _ frame: inout Frame) throws(CaptureFault) {
        guard body.count >= 4 else { throw Self.tooShort("a simple packet block", offset) }
        guard let local = locals.first else { throw Self.noInterface(0, offset) }
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
        frame.direction = .unknown
        frame.app = .none
    }

    @inline(__always) private mutating func readPacket(
        interface: Int, count: UInt64, captured: UInt32, wire: UInt32, _ data: Bytes, _ offset: UInt64,
        _ frame: inout Frame, _ roster: inout Roster
    ) throws(CaptureFault) {
        guard interface < locals.count else { throw Self.noInterface(interface, offset) }
        let local = locals[interface]
        // A packet may be longer than the window; what is beyond it is never looked at.
        guard captured <= Limits.packet(local.linkType), captured <= data.count || data.count > Limits.packet else {
            throw CaptureFault(
                at: offset, "a packet block claims \(captured) captured bytes and holds \(data.count)",
                help: "the file is damaged here; everything before this byte is used")
        }
        frame.stamp = local.scale.stamp(count)
        frame.isStamped = true
        frame.wireLength = wire
        frame.capturedLength = captured
        frame.bytes = data.prefix(Int(captured))
        frame.interface = local.place
        frame.direction = .unknown
        frame.app = .none
        let padded = Int((captured + 3) & ~3)
        if data.count > padded { readPacketOptions(data.dropFirst(padded), &frame, &roster) }
    }

    private mutating func readPacketOptions(_ options: Bytes, _ frame: inout Frame, _ roster: inout Roster) {
        eachOption(options) { code, value in
            switch code {
            case 1: readComment(value, &frame, &roster)
            // epb_flags: the lowest two bits are the direction.
            case 2 where value.count == 4:
                let flags = order.u32(value, 0) & 3
                frame.direction = flags == 1 ? .down : flags == 2 ? .up : .unknown
            // Of an Apple capture: the process, and the one it works for, which counts.
            case 32_769 where value.count == 4:
                if frame.app == .none { frame.app = process(order.u32(value, 0)) }
            case 32_771 where value.count == 4: frame.app = process(order.u32(value, 0))
            default: break
            }
        }
    }

    private func process(_ index: UInt32) -> AppID { index < processes.count ? processes[Int(index)] : .none }

    /// PCAPdroid writes `u-10123` on each packet, once it has written which app that is.
    private func readComment(_ value: Bytes, _ frame: inout Frame, _ roster: inout Roster) {
        let text = value.text(0, atMost: Limits.text)
        if text.hasPrefix("u-"), let user = UInt32(text.dropFirst(2)), roster.knows(user: user) {
            frame.app = roster.id(ofUser: user)
        } else {
            roster.remark(text)
        }
    }

    /// Options up to their end or to the first that claims more than is there: false then.
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
            at: offset, "\(what) is too short to be one",
            help: "the file is damaged here; everything before this byte is used")
    }

    private static func noInterface(_ index: Int, _ offset: UInt64) -> CaptureFault {
        CaptureFault(
            at: offset, "a packet is of interface \(index), which the section does not describe",
            help: "the file is damaged here; everything before this byte is used")
    }
}
