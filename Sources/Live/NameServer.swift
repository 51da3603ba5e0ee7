import DeadzoneBase
import struct DeadzoneCaptures.IPAddress
import DeadzoneTransport

/// A DNS server over UDP (RFC 1035) that answers as the scenario's resolver does.
struct NameServer: Sendable {
    /// Both from TEST-NET-3 (RFC 5737), like the server's address. No host has `unassignedAddress`.
    static let address = HostAddress(0xcb00_7135)
    static let unassignedAddress = HostAddress(0xcb00_7163)
    static let port: UInt16 = 53

    private enum QueryType { static let a: UInt16 = 1, aaaa: UInt16 = 28 }
    private enum ResponseCode { static let failed: UInt8 = 2, noName: UInt8 = 3 }

    let resolver: Resolver
    /// In lower case.
    private let names: [String]
    private let server: HostAddress
    /// `false` while the scenario makes name resolution fail.
    var resolves = true

    init(_ resolver: Resolver, names: [String], server: HostAddress) {
        self.resolver = resolver
        self.names = names.map { $0.lowercased() }
        self.server = server
    }

    /// `nil` if the server stays silent. Networks of this interface may have an answer of their own.
    func answer(to question: ArraySlice<UInt8>, on interface: Interface = .wifi) -> [UInt8]? {
        let resolver = resolver.on(interface)
        guard let query = DNSQuery(question) else { return nil }
        guard resolves else {
            return resolver.failureMode == .silent ? nil : query.reply(ResponseCode.failed, [])
        }
        guard names.contains(query.name.lowercased()) else { return query.reply(ResponseCode.noName, []) }
        let family = query.type == QueryType.aaaa ? resolver.ipv6 : resolver.ipv4
        if family == .unanswered { return nil }
        guard [QueryType.a, QueryType.aaaa].contains(query.type), family != .absent else { return query.reply(0, []) }
        let ttl = UInt32(clamping: resolver.ttl.nanoseconds / 1_000_000_000)
        let host = family == .works ? server : Self.unassignedAddress
        let address: IPAddress = query.type == QueryType.aaaa ? .ipv6(host.ipv6) : .ipv4(host.ipv4)
        var record: [UInt8] = [0xc0, 12, 0, UInt8(query.type), 0, 1]
        record.append(big: ttl)
        // The record: a pointer to the name in the question, type, class and TTL, then the address.
        record += [0, UInt8(address.bytes.count)] + address.bytes
        return query.reply(0, record)
    }

    /// A parsed DNS query with one question.
    private struct DNSQuery {
        /// Header and question, without the sections that may follow.
        let bytes: [UInt8]
        let name: String
        let type: UInt16

        init?(_ packet: ArraySlice<UInt8>) {
            let all = Array(packet)
            // Accepts only a query with one question.
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
            type = UInt16(all[place + 1]) << 8 | UInt16(all[place + 2])
            bytes = Array(all[...(place + 4)])
        }

        /// Builds the response. An empty `record` means that it has no answer section.
        func reply(_ code: UInt8, _ record: [UInt8]) -> [UInt8] {
            var reply = bytes
            // QR and RA bits: a response from a recursive server, whether or not recursion was desired.
            reply[2] = 0x80 | bytes[2] & 0x79
            reply[3] = 0x80 | code
            for place in 6..<12 { reply[place] = 0 }
            reply[7] = record.isEmpty ? 0 : 1
            return reply + record
        }
    }
}
