import DeadzoneBase
import DeadzoneTransport

extension SettingsReader {
    /// Reads the DNS resolver: `resolver: {ttl: 60s, timeout: 5s, attempts: 2, ipv6: broken}`.
    mutating func resolver() -> Resolver? {
        section("resolver", "name resolution of the server; without it the phone knows the address") {
            $0.resolverMap()
        }
    }

    private mutating func resolverMap() -> Resolver {
        let usual = Resolver()
        var resolver = Resolver(
            ttl: span("ttl", default: usual.ttl, in: .zero ... .hours(24 * 366), "time that an answer is cached"),
            negativeTTL: span(
                "negative-ttl", default: usual.negativeTTL, in: .zero ... .hours(24 * 366),
                "time that a refusal is cached"),
            timeout: span(
                "timeout", default: usual.timeout, in: .milliseconds(1) ... .minutes(10),
                "time until a query is repeated"),
            attempts: UInt8(
                count("attempts", default: Int64(usual.attempts), in: 1...32, "queries before the phone gives up")),
            work: span(
                "work", default: usual.work, in: .zero ... .minutes(1),
                "time of the resolver, in addition to the round trip of the link"),
            ipv4: word("ipv4", of: Resolver.families, default: usual.ipv4, "the server's IPv4 address"),
            ipv6: word("ipv6", of: Resolver.families, default: usual.ipv6, "the server's IPv6 address, tried first"),
            failureMode: word(
                "failing", of: Resolver.failings, default: usual.failureMode,
                "resolver while names do not resolve: no answer, or a refusal at once"))
        for interface in Interface.common {
            let own = section(interface.name, "differences on the networks of this interface") { $0.difference() }
            guard let own else { continue }
            if interface == .wifi { resolver.wifi = own } else { resolver.cellular = own }
        }
        return resolver
    }

    private mutating func difference() -> Resolver.NetworkDifference {
        var own = Resolver.NetworkDifference()
        own.ttl = span("ttl", in: .zero ... .hours(24 * 366), "time that an answer is cached")
        own.negativeTTL = span("negative-ttl", in: .zero ... .hours(24 * 366), "time that a refusal is cached")
        own.work = span("work", in: .zero ... .minutes(1), "time of the resolver")
        own.failureMode = word("failing", of: Resolver.failings, "resolver while names do not resolve")
        own.ipv4 = word("ipv4", of: Resolver.families, "the server's IPv4 address")
        own.ipv6 = word("ipv6", of: Resolver.families, "the server's IPv6 address")
        own.translates = word(
            "nat64", of: Resolver.translations,
            "the network has no IPv4, and DNS64 makes IPv6 addresses; broken: packets to them vanish")
        let isPrivate = word(
            "address", of: [("public", false), ("private", true)],
            "private: the answer is an address that only networks with such an answer reach")
        own.privateAddress = isPrivate == true ? .silent : nil
        if isPrivate == true || isDescribing {
            let outside = word(
                "outside", of: Resolver.reactions, default: .silent,
                "packets to the private address on other networks vanish, or meet another host")
            if isPrivate == true { own.privateAddress = outside }
        } else {
            refuse("outside", without: "address: private")
        }
        own.reachesPublicAddress = word(
            "hairpin", of: [("works", true), ("absent", false)],
            "absent: packets of this network to the public address vanish, for lack of NAT loopback")
        return own
    }
}

extension Resolver {
    fileprivate static let families: [(String, AddressStatus)] = [
        ("works", .works), ("broken", .broken), ("unanswered", .unanswered), ("absent", .absent),
    ]
    fileprivate static let translations: [(String, Bool)] = [("works", true), ("broken", false)]
    fileprivate static let reactions: [(String, PrivateAddress)] = [("silent", .silent), ("reset", .reset)]
    fileprivate static let failings: [(String, FailureMode)] = [("silent", .silent), ("refusing", .refusing)]

    fileprivate static func word<Value: Equatable>(_ value: Value, _ words: [(String, Value)]) -> Node? {
        words.first { $0.1 == value }.map { .text($0.0) }
    }

    var node: Node {
        let span = ValueFormat<TimeSpan>.span()
        func word<Value: Equatable>(_ value: Value, _ words: [(String, Value)]) -> Node {
            .text(words.first { $0.1 == value }?.0 ?? "")
        }
        // Without a cache for refusals the text is that of worlds before this setting, and so is their hash.
        let negative = negativeTTL == .zero ? [] : [Node.MapEntry(key: "negative-ttl", value: span.write(negativeTTL))]
        let networks: [Node.MapEntry] = [("cellular", cellular), ("wifi", wifi)].compactMap { key, own in
            own == NetworkDifference() ? nil : .init(key: key, value: own.node)
        }
        return .map(
            networks + negative + [
                .init(key: "attempts", value: .text(String(attempts))),
                .init(key: "failing", value: word(failureMode, Self.failings)),
                .init(key: "ipv4", value: word(ipv4, Self.families)),
                .init(key: "ipv6", value: word(ipv6, Self.families)),
                .init(key: "timeout", value: span.write(timeout)),
                .init(key: "ttl", value: span.write(ttl)),
                .init(key: "work", value: span.write(work)),
            ])
    }
}

extension Resolver.NetworkDifference {
    fileprivate var node: Node {
        let span = ValueFormat<TimeSpan>.span()
        let failing = failureMode.flatMap { mode in Resolver.failings.first { $0.1 == mode }?.0 }
        return .map(
            [
                ("address", privateAddress == nil ? nil : Node.text("private")),
                ("failing", failing.map { Node.text($0) }),
                ("hairpin", reachesPublicAddress.map { .text($0 ? "works" : "absent") }),
                ("ipv4", ipv4.flatMap { Resolver.word($0, Resolver.families) }),
                ("ipv6", ipv6.flatMap { Resolver.word($0, Resolver.families) }),
                ("nat64", translates.flatMap { Resolver.word($0, Resolver.translations) }),
                ("negative-ttl", negativeTTL.map { span.write($0) }),
                ("outside", privateAddress.flatMap { Resolver.word($0, Resolver.reactions) }),
                ("ttl", ttl.map { span.write($0) }), ("work", work.map { span.write($0) }),
            ].compactMap { key, value in value.map { .init(key: key, value: $0) } })
    }
}
