import DeadzoneNetwork
import DeadzonePrimitives
import DeadzoneSettings

extension SettingsReader {
    /// `resolver: {ttl: 60s, timeout: 5s, attempts: 2, ipv6: broken}`
    mutating func resolver() -> Resolver? {
        section("resolver", "the server has a name that the phone must look up; without this, it knows the address") {
            $0.resolverMap()
        }
    }

    private mutating func resolverMap() -> Resolver {
        let usual = Resolver()
        return Resolver(
            ttl: span("ttl", default: usual.ttl, in: .zero ... .hours(24 * 366), "how long an answer is kept"),
            timeout: span(
                "timeout", default: usual.timeout, in: .milliseconds(1) ... .minutes(10),
                "before the question is asked again"),
            attempts: UInt8(
                count("attempts", default: Int64(usual.attempts), in: 1...32, "questions before it gives up")),
            work: span(
                "work", default: usual.work, in: .zero ... .minutes(1),
                "what the resolver takes beside the round trip of the link"),
            ipv4: word("ipv4", of: Resolver.families, default: usual.ipv4, "the server's IPv4 address"),
            ipv6: word("ipv6", of: Resolver.families, default: usual.ipv6, "its IPv6 address, tried first"),
            failing: word(
                "failing", of: Resolver.failings, default: usual.failing,
                "what it does while names do not resolve: stay silent, or refuse at once"))
    }
}

extension Resolver {
    fileprivate static let families: [(String, Family)] = [
        ("works", .works), ("broken", .broken), ("unanswered", .unanswered), ("absent", .absent),
    ]
    fileprivate static let failings: [(String, Failing)] = [("silent", .silent), ("refusing", .refusing)]

    var node: Node {
        let span = Form<TimeSpan>.span()
        func word<Value: Equatable>(_ value: Value, _ words: [(String, Value)]) -> Node {
            .text(words.first { $0.1 == value }?.0 ?? "")
        }
        return .map([
            .init(key: "attempts", value: .text(String(attempts))),
            .init(key: "failing", value: word(failing, Self.failings)),
            .init(key: "ipv4", value: word(ipv4, Self.families)),
            .init(key: "ipv6", value: word(ipv6, Self.families)),
            .init(key: "timeout", value: span.write(timeout)),
            .init(key: "ttl", value: span.write(ttl)),
            .init(key: "work", value: span.write(work)),
        ])
    }
}
