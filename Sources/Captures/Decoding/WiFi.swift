/// Decodes unencrypted 802.11 (Wi-Fi) data frames, with or without a radiotap header.
enum WiFi {
    /// Follows a radiotap header (radiotap.org): version, padding, length, bit mask of present fields.
    static func followRadiotap(_ bytes: Bytes, _ result: inout Dissection) -> LinkPayload {
        guard bytes.holds(8, at: 0), bytes[0] == 0 else { return .nothing }
        let length = Int(bytes.little16(2))
        guard length >= 8, bytes.holds(length, at: 0) else { return .nothing }
        return follow(bytes, length, isPadded: flags(bytes.prefix(length)) & 0x20 != 0, &result)
    }

    /// Reads the flags field, which is first or after the eight aligned bytes of the clock.
    private static func flags(_ header: Bytes) -> UInt8 {
        let present = header.little32(4)
        guard present & 2 != 0 else { return 0 }
        var at = 8
        var word = present
        // Bit 31 means that another presence word follows.
        while word >> 31 == 1 {
            guard header.holds(4, at: at) else { return 0 }
            word = header.little32(at)
            at += 4
        }
        if present & 1 != 0 { at = (at + 7) & ~7 + 8 }
        return header.holds(1, at: at) ? header[at] : 0
    }

    /// Follows an 802.11 header (IEEE 802.11-2020, 9.2.3): frame control, duration, three or four addresses, sequence,
    /// then the optional fields that the flags announce.
    static func follow(_ bytes: Bytes, _ start: Int, isPadded: Bool = false, _ result: inout Dissection) -> LinkPayload
    {
        guard bytes.holds(24, at: start) else { return .nothing }
        let control = bytes.little16(start)
        let (kind, subtype) = (control >> 2 & 3, control >> 4 & 0xf)
        let isEncrypted = control & 0x4000 != 0
        // In data frames, the third subtype bit means that the frame carries no data.
        guard kind == 2, subtype & 4 == 0, !isEncrypted else { return .nothing }
        let (toDistribution, fromDistribution) = (control & 0x100 != 0, control & 0x200 != 0)
        var length = toDistribution && fromDistribution ? 30 : 24
        var isAggregate = false
        if subtype & 8 != 0 {
            guard bytes.holds(2, at: start + length) else { return .nothing }
            isAggregate = bytes[start + length] & 0x80 != 0
            length += 2
            if control & 0x8000 != 0 { length += 4 }
        }
        if isPadded { length = (length + 3) & ~3 }
        result.sourceStation = station(bytes, start + (fromDistribution ? toDistribution ? 24 : 16 : 10))
        result.destinationStation = station(bytes, start + (toDistribution ? 16 : 4))
        // In an aggregate only the first packet is read: destination, source, length, then LLC as usual.
        return LLC.follow(bytes, start + length + (isAggregate ? 14 : 0))
    }

    static func station(_ bytes: Bytes, _ offset: Int) -> UInt64 {
        guard bytes.holds(6, at: offset) else { return 0 }
        return UInt64(bytes.big16(offset)) << 32 | UInt64(bytes.big32(offset + 2))
    }
}
