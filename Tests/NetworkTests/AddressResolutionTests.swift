import DeadzoneBase
import DeadzoneTransport
import Testing

@Suite struct AddressResolutionTests {
    /// Runs an address resolution to its end, with answers after 100 ms or none, and records each step with its time.
    private func timeline(
        _ resolver: Resolver, races: Bool, addressTimeout: TimeSpan? = nil, answers: Bool = true, isKnown: Bool = false
    ) -> [String] {
        var approach = AddressResolution(races: races, addressTimeout: addressTimeout, at: .zero)
        var lines: [String] = []
        var answerAt = Instant.never
        var now = Instant.zero
        var step = approach.start(resolver, isKnown: isKnown, at: .zero)
        while true {
            if step != .wait { lines.append("\(step) \(now.nanoseconds / 1_000_000)") }
            switch step {
            case .ask: if answers { answerAt = min(answerAt, now + .milliseconds(100)) }
            case .go, .unresolved, .timedOut: return lines
            default: break
            }
            now = min(answerAt, approach.deadline)
            guard now != .never else { return lines + ["stuck"] }
            if now == answerAt {
                answerAt = .never
                step = approach.receiveAnswer(resolver, at: now)
            } else {
                step = approach.expire(resolver, at: now)
            }
        }
    }

    /// Broken: the DNS queries, their retries, and the failure of a name that does not resolve (5 s × 2,
    /// resolv.conf(5)).
    @Test func dnsQueries() {
        #expect(timeline(Resolver(), races: true) == ["ask 0", "go 100"])
        #expect(timeline(Resolver(), races: true, isKnown: true) == ["go 0"])
        #expect(timeline(Resolver(), races: true, answers: false) == ["ask 0", "ask 5000", "unresolved 10000"])
        #expect(
            timeline(Resolver(timeout: .seconds(1), attempts: 3), races: false, answers: false)
                == ["ask 0", "ask 1000", "ask 2000", "unresolved 3000"])
        #expect(timeline(Resolver(ipv4: .absent), races: true) == ["ask 0", "unresolved 100"])
    }

    /// Broken: the cost of broken IPv6. With a race it is 250 ms (RFC 8305 §5). Without one it is the timeout per
    /// address: 10 s in one field report, 60 s in another, or the kernel's 127 s with its SYNs.
    @Test func aBrokenFirstAddress() {
        let broken = Resolver(ipv6: .broken)
        #expect(timeline(broken, races: true) == ["ask 0", "knock 100", "go 350"])
        #expect(
            timeline(broken, races: false, addressTimeout: .seconds(10))
                == ["ask 0", "knock 100", "knock 1100", "knock 3100", "knock 7100", "go 10100"])
        #expect(timeline(broken, races: false, addressTimeout: .seconds(60)).last == "go 60100")
        #expect(
            timeline(broken, races: false)
                == ["ask 0"] + [0, 1, 3, 7, 15, 31, 63].map { "knock \($0 * 1_000 + 100)" } + ["go 127100"])
        #expect(timeline(Resolver(ipv4: .broken, ipv6: .works), races: false) == ["ask 0", "go 100"])
    }

    /// Broken: an attempt on a name without any reachable address never ends.
    @Test func noAddressAnswers() {
        let none = Resolver(ipv4: .broken, ipv6: .broken)
        #expect(
            timeline(none, races: true, addressTimeout: .seconds(2))
                == ["ask 0", "knock 100", "knock 350", "knock 1350", "timedOut 2350"])
        #expect(timeline(none, races: false, addressTimeout: .seconds(2)).last == "timedOut 4100")
        #expect(
            timeline(Resolver(ipv4: .absent, ipv6: .broken), races: true, addressTimeout: .seconds(2)).last
                == "timedOut 2100"
        )
        #expect(timeline(Resolver(ipv4: .broken), races: true).last == "timedOut 127100")
    }

    /// Broken: an unanswered AAAA query. A racing client waits 50 ms for it (RFC 8305 §3); another one waits until
    /// its resolver gives up.
    @Test func anUnansweredQuestion() {
        let lacking = Resolver(ipv6: .unanswered)
        #expect(timeline(lacking, races: true) == ["ask 0", "go 150"])
        #expect(timeline(lacking, races: false) == ["ask 0", "ask 5000", "go 10000"])
    }

    /// Broken: the resolver of a network has the settings of another one.
    @Test func networksDiffer() {
        var resolver = Resolver(ttl: .seconds(1), negativeTTL: .seconds(2), work: .seconds(3))
        resolver.wifi.ttl = .seconds(4)
        resolver.cellular.negativeTTL = .seconds(5)
        resolver.cellular.work = .seconds(6)
        resolver.wifi.failureMode = .refusing
        let (wifi, cellular) = (resolver.on(.wifi), resolver.on(.cellular))
        #expect([wifi.ttl, wifi.negativeTTL, wifi.work] == [.seconds(4), .seconds(2), .seconds(3)])
        #expect([cellular.ttl, cellular.negativeTTL, cellular.work] == [.seconds(1), .seconds(5), .seconds(6)])
        #expect(wifi.failureMode == .refusing && cellular.failureMode == .silent)
    }

    /// Broken: which names the phone has cached, for how long, and on which network.
    @Test func eachNetworkHasItsOwnCache() {
        var cache = DNSCache()
        #expect(cache.response(at: .zero, on: 1) == nil)
        cache.store(7, Resolver(ttl: .seconds(60)), at: .zero + .seconds(5), on: 1)
        #expect(cache.response(at: .zero + .seconds(64), on: 1) == 7)
        #expect(cache.response(at: .zero + .seconds(65), on: 1) == nil)
        #expect(cache.response(at: .zero + .seconds(6), on: 2) == nil)
        // A refusal is kept for a time of its own; with no time, it does not replace an answer.
        cache.store(Resolver.failure, Resolver(), at: .zero + .seconds(6), on: 1)
        #expect(cache.response(at: .zero + .seconds(7), on: 1) == 7)
        cache.store(Resolver.failure, Resolver(negativeTTL: .seconds(9)), at: .zero + .seconds(6), on: 1)
        #expect(cache.response(at: .zero + .seconds(14), on: 1) == Resolver.failure)
        #expect(cache.response(at: .zero + .seconds(15), on: 1) == nil)
    }
}
