import DeadzoneNetwork
import DeadzonePrimitives
import DeadzoneTestKit
import Testing

@Suite struct MiddleboxTests {
    private func seconds(_ count: Int64) -> Instant { .zero + .seconds(count) }

    /// Broken: the timeouts and manners of the named boxes. The numbers are those of the table of middlebox timers seen in the
    /// field and of the pages that the presets name.
    @Test(
        arguments: [
            ("carrier-nat-30", 30, Middlebox.Manner.drop), ("carrier-nat-60", 60, .drop),
            ("carrier-nat-120", 120, .drop), ("carrier-nat-300", 300, .drop), ("carrier-nat-1800", 1_800, .drop),
            ("carrier-firewall-255", 255, .reset), ("carrier-one-way", 60, .oneWay), ("twilio-sim", 21_600, .drop),
            ("rfc-nat", 7_440, .drop), ("office-firewall", 120, .drop), ("aws-network-firewall", 350, .drop),
            ("gcp-firewall", 600, .drop), ("linux-conntrack", 432_000, .drop), ("aws-nlb", 350, .reset),
            ("aws-alb", 60, .close),
            ("aws-elb", 60, .close), ("gcp-lb", 600, .close), ("azure-lb", 240, .drop), ("azure-lb-reset", 240, .close),
            ("lvs", 90, .drop), ("cdn-websocket", 100, .close), ("stream-proxy", 600, .close),
            ("websocket-gateway", 600, .close),
        ] as [(String, Int64, Middlebox.Manner)])
    func namedBoxesForgetWhenTheySay(_ name: String, _ idle: Int64, _ manner: Middlebox.Manner) throws {
        let box = try #require(Middlebox.named(name))
        let path = MiddleboxPath([box])
        var mappings = Mappings()
        #expect(mappings.cross(.up, path, isUDP: false, begins: true, at: seconds(5)) == .passes)
        #expect(mappings.nextExpiry(path, isUDP: false) == seconds(5 + idle))
        #expect(mappings.cross(.down, path, isUDP: false, begins: false, at: seconds(5 + idle)) == .passes)
        // What comes for the phone keeps the mapping, too.
        #expect(mappings.nextExpiry(path, isUDP: false) == seconds(5 + 2 * idle))
        let late = seconds(5 + 2 * idle) + .nanoseconds(1)
        let down = mappings.cross(.down, path, isUDP: false, begins: false, at: late)
        #expect(down == (manner == .reset ? .isReset : .vanishes))
        #expect(mappings.standing(path, isUDP: false) == (manner == .oneWay ? .waitsForUplink : .cut))
        let up = mappings.cross(.up, path, isUDP: false, begins: false, at: late)
        #expect(up == (manner == .oneWay ? .passes : manner == .reset ? .isReset : .vanishes))
    }

    /// Broken: a preset that no test knows of.
    @Test func everyPresetHasARow() {
        #expect(Middlebox.presets.count == 23)
        #expect(Set(Middlebox.presets.map(\.name)).count == 23)
    }

    /// Broken: which timer of a path with several boxes counts, or that each is refreshed only by what reaches it.
    @Test func theShortestTimerOfAPathDecides() {
        let path = MiddleboxPath([
            Middlebox(tcp: .seconds(30)), Middlebox(tcp: .seconds(20), manner: .reset),
        ])
        var mappings = Mappings()
        #expect(mappings.cross(.up, path, isUDP: false, begins: true, at: seconds(0)) == .passes)
        #expect(mappings.nextExpiry(path, isUDP: false) == seconds(20))
        #expect(mappings.expire(at: seconds(20), path, isUDP: false) == 1)
        // The server's side is reset at the outer box; the inner one never hears of it and runs out by itself.
        #expect(mappings.cross(.down, path, isUDP: false, begins: false, at: seconds(25)) == .isReset)
        #expect(mappings.nextExpiry(path, isUDP: false) == seconds(30))
        // The phone's packet is counted by the inner box before the outer one resets it.
        #expect(mappings.cross(.up, path, isUDP: false, begins: false, at: seconds(28)) == .isReset)
        #expect(mappings.nextExpiry(path, isUDP: false) == seconds(58))
    }

    /// Broken: UDP and adopted TCP come back with the phone's next packet, other TCP does not.
    @Test func whatThePhoneSendsRenews() {
        let strict = MiddleboxPath([Middlebox(tcp: .seconds(30), udp: .seconds(30))])
        let loose = MiddleboxPath([Middlebox(tcp: .seconds(30), udp: .seconds(30), adoptsMidstream: true)])
        for (path, isUDP, isRenewed) in [(strict, false, false), (strict, true, true), (loose, false, true)] {
            var mappings = Mappings()
            _ = mappings.cross(.up, path, isUDP: isUDP, begins: true, at: .zero)
            #expect(mappings.cross(.down, path, isUDP: isUDP, begins: false, at: seconds(31)) == .vanishes)
            let up = mappings.cross(.up, path, isUDP: isUDP, begins: false, at: seconds(32))
            let down = mappings.cross(.down, path, isUDP: isUDP, begins: false, at: seconds(33))
            #expect((up == .passes, down == .passes) == (isRenewed, isRenewed))
        }
    }

    /// Broken: the timer that a path waits for is not the earliest of the boxes that know the connection; a box forgets what it never
    /// knew, or knows what it has forgotten.
    @Test func eachBoxForgetsByItself() {
        let spaces = withEvery { choose in
            let timers = (0..<3).map { _ in choose.one(of: [20, 30, 40] as [Int64]) }
            let path = MiddleboxPath(timers.map { Middlebox(tcp: .seconds($0)) })
            var mappings = Mappings()
            let isForgottenBefore = mappings.forget(1)
            #expect(!isForgottenBefore && mappings.nextExpiry(path, isUDP: false) == .never)
            #expect(mappings.cross(.up, path, isUDP: false, begins: true, at: seconds(1)) == .passes)
            var known: Set = [0, 1, 2]
            for _ in 0..<3 {
                let next = known.map { seconds(1 + timers[$0]) }.min() ?? .never
                #expect(mappings.nextExpiry(path, isUDP: false) == next)
                #expect(mappings.standing(path, isUDP: false) == (known.count == 3 ? .whole : .cut))
                let place = choose.number(below: 3)
                let (isForgotten, wasKnown) = (mappings.forget(place), known.remove(place) != nil)
                #expect(isForgotten == wasKnown)
            }
            #expect(mappings.cross(.up, path, isUDP: false, begins: false, at: seconds(2)) == .vanishes)
        }
        #expect(spaces == 27 * 27)
    }

    /// Broken: boxes know a connection on one address by another, or what they know is looked at no more once it was.
    @Test func memoryIsOfOneAddress() {
        let path = UnsafeMutablePointer<MiddleboxPath>.allocate(capacity: 1)
        path.initialize(to: MiddleboxPath([Middlebox(tcp: .seconds(30), manner: .oneWay)]))
        defer { path.deinitialize(count: 1).deallocate() }
        var memory = BoxMemory()
        #expect(memory.endsAt == .never && memory.standing == .whole)
        #expect(memory.cross(.up, under: 1, path, isUDP: false, begins: true, at: seconds(0)) == .passes)
        #expect(memory.endsAt == seconds(30))
        #expect(memory.cross(.down, under: 1, path, isUDP: false, begins: false, at: seconds(20)) == .passes)
        #expect(memory.endsAt == seconds(50))
        #expect(memory.cross(.down, under: 2, path, isUDP: false, begins: false, at: seconds(21)) == .vanishes)
        #expect(memory.endsAt == .never && memory.standing == .waitsForUplink)
        #expect(memory.cross(.up, under: 2, path, isUDP: false, begins: false, at: seconds(22)) == .passes)
        #expect(memory.standing == .whole && memory.expire(at: seconds(52), path, isUDP: false) == 0)
        #expect(memory.standing == .waitsForUplink && !memory.forget(0, path, isUDP: false))
        // Who has met no box yet loses nothing by one that starts anew.
        var fresh = BoxMemory()
        #expect(!fresh.forget(0, path, isUDP: true) && fresh.standing == .whole && fresh.endsAt == .never)
        #expect(memory.cross(.up, under: 3, path, isUDP: true, begins: true, at: seconds(60)) == .passes)
        #expect(memory.forget(0, path, isUDP: true) && memory.standing == .waitsForUplink && memory.endsAt == .never)
    }

    /// Broken: a datagram is answered with a word of TCP's, or a manner with that of another.
    @Test(arguments: Middlebox.Manner.allCases, [false, true])
    func onlyTCPIsReset(manner: Middlebox.Manner, isUDP: Bool) {
        let path = MiddleboxPath([Middlebox(tcp: .seconds(30), udp: .seconds(30), manner: manner)])
        var mappings = Mappings()
        #expect(mappings.cross(.up, path, isUDP: isUDP, begins: true, at: .zero) == .passes)
        let late = mappings.cross(.down, path, isUDP: isUDP, begins: false, at: seconds(31))
        #expect(late == (manner == .reset && !isUDP ? .isReset : .vanishes))
    }
}
