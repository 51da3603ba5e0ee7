import struct DeadzoneCaptures.IPAddress
import DeadzoneNetwork
import DeadzonePrimitives

/// The resolver of the scenario, as packets ask it: DNS over UDP (RFC 1035).
struct NameServer: Sendable {
    /// From TEST-NET-3 (RFC 5737), as the server's; and one that nobody has.
    static let address = HostAddress(0xcb00_7135)
    static let nobody = HostAddress(0xcb00_7163)
    static let port: UInt16 = 53

    private enum Kind { static let a: UInt16 = 1, aaaa: UInt16 = 28 }
    private enum Code { static let failed: UInt8 = 2, noName: UInt8 = 3 }

    let resolver: Resolver
    /// In small letters.
    private let names: [String]
    private let server: HostAddress
    /// The scenario lets names resolve.
    var resolves = true

    init(_ resolver: Resolver, names: [String], server: HostAddress) {
        self.resolver = resolver
        self.names = names.map { $0.lowercased() }
        self.server = server
    }

    /// Nil: it says nothing.
    func answer(to question: ArraySlice<UInt8>) -> [UInt8]? {
        guard let asked = Asked(question) else { return nil }
        guard resolves else {
            return resolver.failing == .silent ? nil : asked.reply(Code.failed, [])
        }
        guard names.contains(asked.name.lowercased()) else { return asked.reply(Code.noName, []) }
        let family = asked.kind == Kind.aaaa ? resolver.ipv6 : resolver.ipv4
        if family == .unanswered { return nil }
        guard [Kind.a, Kind.aaaa].contains(asked.kind), family != .absent else { return asked.reply(0, []) }
        let ttl = UInt32(clamping: resolver.ttl.nanoseconds / 1_000_000_000)
        let host = family == .works ? server : Self.nobody
        let address: IPAddress = asked.kind == Kind.aaaa ? .ipv6(host.ipv6) : .ipv4(host.ipv4)
        var record: [UInt8] = [0xc0, 12, 0, UInt8(asked.kind), 0, 1]
        record.append(big: ttl)
        // A name that points to the question's, type, class and time to live; then the address.
        record += [0, UInt8(address.bytes.count)] + address.bytes
        return asked.reply(0, record)
    }

    /// One question.
    private struct Asked {
        /// Header and question, without what may follow.
        let bytes: [UInt8]
        let name: String
        let kind: UInt16

        init?(_ packet: ArraySlice<UInt8>) {
            let all = Array(packet)
            // A query, of one question.
            guard all.count > 16, all[2] & 0x80 == 0, all[4] == 0, all[5] == 1 else { return nil }
            var labels: [String] = []
            var place = 12
            while place < all.count, all[place] > 0 {
                let end = place + 1 + Int(all[place])
                guard all[place] < 64, end < all.count else { return nil }
                labels.append(String(decoding: all[(place + 1)..<end], as: UTF8.self))
                place = end
            }
            guard place + 4 < all.count else { return nil }
            name = labels.joined(separator: ".")
            kind = UInt16(all[place + 1]) << 8 | UInt16(all[place + 2])
            bytes = Array(all[...(place + 4)])
        }

        /// With the answer's record, if there is one.
        func reply(_ code: UInt8, _ record: [UInt8]) -> [UInt8] {
            var reply = bytes
            // An answer, of one that recurses, to what wanted or did not want it.
            reply[2] = 0x80 | bytes[2] & 0x79
            reply[3] = 0x80 | code
            for place in 6..<12 { reply[place] = 0 }
            reply[7] = record.isEmpty ? 0 : 1
            return reply + record
        }
    }
}
