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
        return Resolver(
            ttl: span("ttl", default: usual.ttl, in: .zero ... .hours(24 * 366), "time that an answer is cached"),
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
    }
}

extension Resolver {
    fileprivate static let families: [(String, AddressStatus)] = [
        ("works", .works), ("broken", .broken), ("unanswered", .unanswered), ("absent", .absent),
    ]
    fileprivate static let failings: [(String, FailureMode)] = [("silent", .silent), ("refusing", .refusing)]

    var node: Node {
        let span = ValueFormat<TimeSpan>.span()
        func word<Value: Equatable>(_ value: Value, _ words: [(String, Value)]) -> Node {
            .text(words.first { $0.1 == value }?.0 ?? "")
        }
        return .map([
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
