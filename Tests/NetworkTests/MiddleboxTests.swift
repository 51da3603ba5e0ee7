import DeadzoneBase
import DeadzoneTestKit
import DeadzoneTransport
import Testing

@Suite struct MiddleboxTests {
    private func seconds(_ count: Int64) -> Instant { .zero + .seconds(count) }

    /// Broken: timeouts and expiry actions of the named middleboxes. The numbers are from the table of middlebox
    /// timers observed in the field, and from the pages that the presets cite.
    @Test(
        arguments: [
            ("carrier-nat-30", 30, Middlebox.ExpiryAction.drop), ("carrier-nat-60", 60, .drop),
            ("carrier-nat-120", 120, .drop), ("carrier-nat-300", 300, .drop), ("carrier-nat-1800", 1_800, .drop),
            ("carrier-firewall-255", 255, .reset), ("carrier-one-way", 60, .oneWay), ("twilio-sim", 21_600, .drop),
            ("rfc-nat", 7_440, .drop), ("office-firewall", 120, .drop), ("udp-blocked", 120, .drop),
            ("aws-network-firewall", 350, .drop),
            ("gcp-firewall", 600, .drop), ("linux-conntrack", 432_000, .drop), ("aws-nlb", 350, .reset),
            ("aws-alb", 60, .close),
            ("aws-elb", 60, .close), ("gcp-lb", 600, .close), ("azure-lb", 240, .drop), ("azure-lb-reset", 240, .close),
            ("lvs", 90, .drop), ("cdn-websocket", 100, .close), ("stream-proxy", 600, .close),
            ("websocket-gateway", 600, .close),
        ] as [(String, Int64, Middlebox.ExpiryAction)])
    func namedBoxesExpireAtTheirTimeouts(_ name: String, _ idle: Int64, _ expiryAction: Middlebox.ExpiryAction) throws {
        let box = try #require(Middlebox.named(name))
        let path = MiddleboxPath([box])
        var mappings = MiddleboxMappings()
        #expect(mappings.cross(.up, path, isUDP: false, opensConnection: true, at: seconds(5)) == .passes)
        #expect(mappings.nextExpiry(path, isUDP: false) == seconds(5 + idle))
        #expect(mappings.cross(.down, path, isUDP: false, opensConnection: false, at: seconds(5 + idle)) == .passes)
        // A packet to the phone refreshes the mapping, too.
        #expect(mappings.nextExpiry(path, isUDP: false) == seconds(5 + 2 * idle))
        let late = seconds(5 + 2 * idle) + .nanoseconds(1)
        let down = mappings.cross(.down, path, isUDP: false, opensConnection: false, at: late)
        #expect(down == (expiryAction == .reset ? .isReset : .vanishes))
        #expect(mappings.status(path, isUDP: false) == (expiryAction == .oneWay ? .waitsForUplink : .cut))
        let up = mappings.cross(.up, path, isUDP: false, opensConnection: false, at: late)
        #expect(up == (expiryAction == .oneWay ? .passes : expiryAction == .reset ? .isReset : .vanishes))
    }

    /// Broken: a preset has no row in the table above.
    @Test func everyPresetHasARow() {
        #expect(Middlebox.presets.count == 24)
        #expect(Set(Middlebox.presets.map(\.name)).count == 24)
    }

    /// Broken: the wrong timer of a path with several boxes applies, or a packet refreshes boxes that it does not
    /// reach.
    @Test func theShortestTimerOfAPathDecides() {
        let path = MiddleboxPath([
            Middlebox(tcp: .seconds(30)), Middlebox(tcp: .seconds(20), expiryAction: .reset),
        ])
        var mappings = MiddleboxMappings()
        #expect(mappings.cross(.up, path, isUDP: false, opensConnection: true, at: seconds(0)) == .passes)
        #expect(mappings.nextExpiry(path, isUDP: false) == seconds(20))
        #expect(mappings.expire(at: seconds(20), path, isUDP: false) == 1)
        // The server's side is reset at the outer box. The inner box receives nothing and expires by itself.
        #expect(mappings.cross(.down, path, isUDP: false, opensConnection: false, at: seconds(25)) == .isReset)
        #expect(mappings.nextExpiry(path, isUDP: false) == seconds(30))
        // The phone's packet refreshes the inner box before the outer one resets it.
        #expect(mappings.cross(.up, path, isUDP: false, opensConnection: false, at: seconds(28)) == .isReset)
        #expect(mappings.nextExpiry(path, isUDP: false) == seconds(58))
    }

    /// Broken: the phone's next packet does not restore the mapping of UDP or adopted TCP, or restores that of other
    /// TCP.
    @Test func aPacketFromThePhoneRestoresTheMapping() {
        let strict = MiddleboxPath([Middlebox(tcp: .seconds(30), udp: .seconds(30))])
        let loose = MiddleboxPath([Middlebox(tcp: .seconds(30), udp: .seconds(30), adoptsMidstream: true)])
        for (path, isUDP, isRenewed) in [(strict, false, false), (strict, true, true), (loose, false, true)] {
            var mappings = MiddleboxMappings()
            _ = mappings.cross(.up, path, isUDP: isUDP, opensConnection: true, at: .zero)
            #expect(mappings.cross(.down, path, isUDP: isUDP, opensConnection: false, at: seconds(31)) == .vanishes)
            let up = mappings.cross(.up, path, isUDP: isUDP, opensConnection: false, at: seconds(32))
            let down = mappings.cross(.down, path, isUDP: isUDP, opensConnection: false, at: seconds(33))
            #expect((up == .passes, down == .passes) == (isRenewed, isRenewed))
        }
    }

    /// Broken: the expiry of a path is not the earliest of the boxes that have the mapping. Or a box drops a mapping
    /// that it never had, or has one that it dropped.
    @Test func eachBoxExpiresByItself() {
        let spaces = withEvery { choose in
            let timers = (0..<3).map { _ in choose.one(of: [20, 30, 40] as [Int64]) }
            let path = MiddleboxPath(timers.map { Middlebox(tcp: .seconds($0)) })
            var mappings = MiddleboxMappings()
            let isForgottenBefore = mappings.forget(1)
            #expect(!isForgottenBefore && mappings.nextExpiry(path, isUDP: false) == .never)
            #expect(mappings.cross(.up, path, isUDP: false, opensConnection: true, at: seconds(1)) == .passes)
            var known: Set = [0, 1, 2]
            for _ in 0..<3 {
                let next = known.map { seconds(1 + timers[$0]) }.min() ?? .never
                #expect(mappings.nextExpiry(path, isUDP: false) == next)
                #expect(mappings.status(path, isUDP: false) == (known.count == 3 ? .intact : .cut))
                let place = choose.number(below: 3)
                let (isForgotten, wasKnown) = (mappings.forget(place), known.remove(place) != nil)
                #expect(isForgotten == wasKnown)
            }
            #expect(mappings.cross(.up, path, isUDP: false, opensConnection: false, at: seconds(2)) == .vanishes)
        }
        #expect(spaces == 27 * 27)
    }

    /// Broken: boxes find the mapping of one address under another, or the state is not updated after the first read.
    @Test func stateBelongsToOneAddress() {
        let path = UnsafeMutablePointer<MiddleboxPath>.allocate(capacity: 1)
        path.initialize(to: MiddleboxPath([Middlebox(tcp: .seconds(30), expiryAction: .oneWay)]))
        defer { path.deinitialize(count: 1).deallocate() }
        var memory = MiddleboxState()
        #expect(memory.endsAt == .never && memory.status == .intact)
        #expect(memory.cross(.up, under: 1, path, isUDP: false, opensConnection: true, at: seconds(0)) == .passes)
        #expect(memory.endsAt == seconds(30))
        #expect(memory.cross(.down, under: 1, path, isUDP: false, opensConnection: false, at: seconds(20)) == .passes)
        #expect(memory.endsAt == seconds(50))
        #expect(memory.cross(.down, under: 2, path, isUDP: false, opensConnection: false, at: seconds(21)) == .vanishes)
        #expect(memory.endsAt == .never && memory.status == .waitsForUplink)
        #expect(memory.cross(.up, under: 2, path, isUDP: false, opensConnection: false, at: seconds(22)) == .passes)
        #expect(memory.status == .intact && memory.expire(at: seconds(52), path, isUDP: false) == 0)
        #expect(memory.status == .waitsForUplink && !memory.forget(0, path, isUDP: false))
        // A connection that has not crossed any box loses nothing if a box restarts.
        var fresh = MiddleboxState()
        #expect(!fresh.forget(0, path, isUDP: true) && fresh.status == .intact && fresh.endsAt == .never)
        #expect(memory.cross(.up, under: 3, path, isUDP: true, opensConnection: true, at: seconds(60)) == .passes)
        #expect(memory.forget(0, path, isUDP: true) && memory.status == .waitsForUplink && memory.endsAt == .never)
    }

    /// Broken: a box that blocks UDP lets a packet of it through, blocks TCP, answers, or reports one connection twice.
    @Test(arguments: Middlebox.ExpiryAction.allCases)
    func aBlockedProtocolNeverPasses(expiryAction: Middlebox.ExpiryAction) {
        let path = UnsafeMutablePointer<MiddleboxPath>.allocate(capacity: 1)
        path.initialize(
            to: MiddleboxPath([
                Middlebox(udp: .seconds(30)), Middlebox(udp: Middlebox.blocked, expiryAction: expiryAction),
            ]))
        defer { path.deinitialize(count: 1).deallocate() }
        var state = MiddleboxState()
        func cross(_ direction: Direction, _ address: UInt64, _ second: Int64) -> MiddleboxMappings.CrossingResult {
            state.cross(direction, under: address, path, isUDP: true, opensConnection: true, at: seconds(second))
        }
        #expect(cross(.up, 1, 0) == .isBlocked && state.status == .cut)
        #expect(cross(.up, 1, 1) == .vanishes && cross(.down, 1, 2) == .vanishes && state.status == .cut)
        // The box before it keeps its mapping until the mapping expires.
        #expect(state.endsAt == seconds(31) && state.expire(at: seconds(31), path, isUDP: true) == 0)
        #expect(state.status == .cut && cross(.up, 2, 40) == .isBlocked && state.status == .cut)
        var tcp = MiddleboxState()
        let crossing = tcp.cross(.up, under: 1, path, isUDP: false, opensConnection: true, at: seconds(0))
        #expect(crossing == .passes && tcp.status == .intact && tcp.endsAt == .never)
    }

    /// Broken: a datagram is answered with a TCP reset, or an expiry action behaves like another.
    @Test(arguments: Middlebox.ExpiryAction.allCases, [false, true])
    func onlyTCPIsReset(expiryAction: Middlebox.ExpiryAction, isUDP: Bool) {
        let path = MiddleboxPath([Middlebox(tcp: .seconds(30), udp: .seconds(30), expiryAction: expiryAction)])
        var mappings = MiddleboxMappings()
        #expect(mappings.cross(.up, path, isUDP: isUDP, opensConnection: true, at: .zero) == .passes)
        let late = mappings.cross(.down, path, isUDP: isUDP, opensConnection: false, at: seconds(31))
        #expect(late == (expiryAction == .reset && !isUDP ? .isReset : .vanishes))
    }
}
