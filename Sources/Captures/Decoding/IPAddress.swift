/// An IPv4 or IPv6 address.
package struct IPAddress: Hashable, Sendable, BitwiseCopyable {
    package let bits: UInt128
    package let isIPv6: Bool

    /// The halves of an address of IPv6, else the one half that differs.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(UInt64(truncatingIfNeeded: bits))
        if isIPv6 { hasher.combine(UInt64(truncatingIfNeeded: bits >> 64)) }
    }

    package static func ipv4(_ bits: UInt32) -> Self { Self(bits: UInt128(bits), isIPv6: false) }
    package static func ipv6(_ bits: UInt128) -> Self { Self(bits: bits, isIPv6: true) }

    /// Stands for an address that the file does not contain. The number separates hosts; bits above the lowest 32 mark
    /// it, which an IPv4 address cannot have.
    static func unstated(_ number: UInt64) -> Self { Self(bits: 1 << 127 | UInt128(number), isIPv6: false) }

    /// `false` if the file does not contain the address.
    package var isStated: Bool { isIPv6 || bits >> 32 == 0 }

    init(bits: UInt128, isIPv6: Bool) {
        self.bits = bits
        self.isIPv6 = isIPv6
    }

    /// `true` if the address belongs to one host: not multicast, broadcast or zero. An address that is not stated
    /// counts as one host's.
    package var isUnicast: Bool {
        guard isStated else { return true }
        return isIPv6 ? bits >> 120 != 0xff && bits != 0 : bits >> 28 < 0xe && bits != 0
    }

    /// `true` for addresses of a home, office or carrier network, not of the open Internet: RFC 1918, 6598, 3927, 4193,
    /// 4291.
    var isPrivate: Bool {
        guard !isIPv6 else { return bits >> 121 == 0xfc >> 1 || bits >> 118 == 0xfe80 >> 6 }
        let first = bits >> 24
        return first == 10 || bits >> 20 == 0xac1 || bits >> 16 == 0xc0a8 || bits >> 22 == 0x6440 >> 6
            || bits >> 16 == 0xa9fe
    }

    /// `true` for 127.0.0.0/8 (RFC 1122), `::1` (RFC 4291), and 127.0.0.0/8 in IPv6 notation (`::ffff:127.0.0.1`).
    @inline(__always) var isLoopback: Bool {
        isIPv6 ? bits == 1 || bits >> 24 == 0xffff_7f : bits >> 24 == 0x7f
    }

    /// `*` if the address is not stated.
    package var text: String { !isStated ? "*" : isIPv6 ? Self.ipv6Text(bits) : Self.ipv4Text(bits) }

    private static func ipv4Text(_ bits: UInt128) -> String {
        let bits = UInt32(truncatingIfNeeded: bits)
        return "\(bits >> 24).\(bits >> 16 & 0xff).\(bits >> 8 & 0xff).\(bits & 0xff)"
    }

    /// RFC 5952: the longest run of at least two zero groups is replaced by `::`; the first one if several are equally
    /// long.
    private static func ipv6Text(_ bits: UInt128) -> String {
        let groups = (0..<8).map { UInt16(truncatingIfNeeded: bits >> UInt128(112 - 16 * $0)) }
        var (best, bestLength, start) = (0, 1, 0)
        while start < 8 {
            let length = groups[start...].prefix { $0 == 0 }.count
            if length > bestLength { (best, bestLength) = (start, length) }
            start += length + 1
        }
        func join(_ part: ArraySlice<UInt16>) -> String { part.map { String($0, radix: 16) }.joined(separator: ":") }
        guard bestLength > 1 else { return join(groups[...]) }
        return join(groups[..<best]) + "::" + join(groups[(best + bestLength)...])
    }
}

extension IPAddress {
    /// Parses `192.0.2.1` and `2001:db8::1`; rejects looser notations.
    package init?(_ text: String) {
        if text.contains(":") {
            guard let bits = Self.readIPv6(text) else { return nil }
            self = .ipv6(bits)
        } else {
            guard let bits = Self.readIPv4(text) else { return nil }
            self = .ipv4(bits)
        }
    }

    private static func readIPv4(_ text: String) -> UInt32? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        var bits: UInt32 = 0
        for part in parts {
            guard part.utf8.allSatisfy({ (48...57).contains($0) }), let byte = UInt8(part) else { return nil }
            bits = bits << 8 | UInt32(byte)
        }
        return bits
    }

    private static func readIPv6(_ text: String) -> UInt128? {
        // No zone suffix: `fe80::1%en0` names an interface of one machine.
        let sides = splitAtDoubleColon(text)
        guard sides.count <= 2, let head = groups(sides[0]), let tail = sides.count == 2 ? groups(sides[1]) : [] else {
            return nil
        }
        guard sides.count == 2 ? head.count + tail.count < 8 : head.count == 8 else { return nil }
        let middle = [UInt16](repeating: 0, count: 8 - head.count - tail.count)
        return (head + middle + tail).reduce(0) { $0 << 16 | UInt128($1) }
    }

    private static func splitAtDoubleColon(_ text: String) -> [String] {
        var sides: [String] = [""]
        var rest = text[...]
        while let character = rest.first {
            if rest.hasPrefix("::") {
                sides.append("")
                rest = rest.dropFirst(2)
            } else {
                sides[sides.count - 1].append(character)
                rest = rest.dropFirst()
            }
        }
        return sides
    }

    private static func groups(_ text: String) -> [UInt16]? {
        guard !text.isEmpty else { return [] }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        var groups: [UInt16] = []
        for (index, part) in parts.enumerated() {
            if index == parts.count - 1, part.contains(".") {
                guard let bits = readIPv4(String(part)) else { return nil }
                groups += [UInt16(bits >> 16), UInt16(truncatingIfNeeded: bits)]
            } else {
                guard (1...4).contains(part.utf8.count), let group = UInt16(part, radix: 16), part.first != "+" else {
                    return nil
                }
                groups.append(group)
            }
        }
        return groups
    }
}
