import DeadzoneBase
import DeadzoneTransport
import Testing
@testable import DeadzoneSimulator

/// The tunnel against its plain second implementation, in random histories.
@Suite struct TunnelLawTests {
    private static func rules(_ draw: (Int) -> Int) -> TunnelRules {
        var rules = TunnelRules()
        if draw(2) == 0 { rules.keepalive = .seconds(Int64(1 + draw(30))) }
        rules.rekey = .seconds(Int64(5 + draw(60)))
        rules.retry = .seconds(Int64(1 + draw(6)))
        rules.giveUp = .seconds(Int64(1 + draw(40)))
        rules.deadAfter = .seconds(Int64(5 + draw(90)))
        if draw(2) == 0 { rules.onPathChange = .keep }
        return rules
    }

    private static func addressed(_ number: Int) -> Tunnel.OuterAddress {
        Tunnel.OuterAddress(number % 2 == 0 ? .wifi : .cellular, UInt16(number))
    }

    /// Broken: any decision of the phone's end: what passes or waits, when it sends a handshake or an empty packet,
    /// which answers count, how long a session lives.
    @Test(arguments: 0..<60) func thePhonesEndFollowsThePlainTunnel(seed: UInt64) {
        var dice = Dice(seed: seed, phone: PhoneID(9), purpose: .test)
        func draw(_ bound: Int) -> Int { Int(dice.next().scaled(below: UInt64(bound))) }
        let rules = Self.rules(draw)
        let place = UnsafeMutablePointer<TunnelRules>.allocate(capacity: 1)
        place.initialize(to: rules)
        defer { place.deallocate() }
        var tunnel = Tunnel(place, at: .zero)
        var plain = PlainTunnel(rules)
        var path = 1
        for second in 0..<900 {
            let now = Instant.zero + .seconds(Int64(second))
            var actions: [Tunnel.TunnelTask] = []
            while tunnel.phoneDeadline <= now { actions.append(tunnel.expirePhone(at: now)) }
            let note = "seed \(seed), second \(second)"
            #expect(actions.filter { $0 != .nothing } == plain.due(second).filter { $0 != .nothing }, "\(note)")
            #expect(tunnel.hasSession(at: now) == plain.hasSession(second), "\(note)")
            switch draw(18) {
            case 16:
                tunnel.acceptHandshakeOfGateway(at: now)
                plain.acceptHandshakeOfGateway(second)
            case 0, 1: #expect(tunnel.send(at: now) == plain.send(second), "\(note)")
            case 2, 3: #expect(tunnel.receive(isData: true, at: now) == plain.receive(isData: true, second), "\(note)")
            case 4: #expect(tunnel.receive(isData: false, at: now) == plain.receive(isData: false, second), "\(note)")
            case 5, 6:
                let number = plain.number &- UInt16(draw(4) == 0 ? 1 : 0)
                let took = tunnel.receiveAnswer(to: number, at: now)
                #expect(took == plain.answer(number, second).map { .seconds(Int64($0)) }, "\(note)")
            case 7:
                path += draw(2)
                #expect(
                    tunnel.usePath(Self.addressed(path), at: now) == plain.use(path: path, second), "\(note)")
                #expect(tunnel.outer == plain.outer.map(Self.addressed), "\(note)")
            default: break
            }
            #expect(tunnel.handshakeNumber == plain.number, "\(note)")
        }
    }

    /// Broken: the gateway accepts a dead session, answers another address than that of the latest packet, or sends an
    /// empty packet too early, too late or never.
    @Test(arguments: 0..<30) func theGatewayFollowsThePlainGateway(seed: UInt64) {
        var dice = Dice(seed: seed, phone: PhoneID(10), purpose: .test)
        func draw(_ bound: Int) -> Int { Int(dice.next().scaled(below: UInt64(bound))) }
        let rules = Self.rules(draw)
        let place = UnsafeMutablePointer<TunnelRules>.allocate(capacity: 1)
        place.initialize(to: rules)
        defer { place.deallocate() }
        var tunnel = Tunnel(place, at: .zero)
        var plain = PlainGateway(rules)
        for second in 0..<900 {
            let now = Instant.zero + .seconds(Int64(second))
            let note = "seed \(seed), second \(second)"
            var actions: [Tunnel.TunnelTask] = []
            while tunnel.gatewayDeadline <= now { actions.append(tunnel.expireGateway(at: now)) }
            #expect(actions.filter { $0 != .nothing } == plain.due(second), "\(note)")
            let address = draw(5)
            switch draw(20) {
            case 0:
                tunnel.acceptHandshake(from: Self.addressed(address), at: now)
                plain.shake(address, second)
            case 1, 2, 3:
                let isData = draw(3) > 0
                #expect(
                    tunnel.accept(isData: isData, from: Self.addressed(address), at: now)
                        == plain.accept(isData: isData, address, second), "\(note)")
            case 4, 5: #expect(tunnel.sendDown(at: now) == plain.sendDown(second), "\(note)")
            case 6:
                let number = plain.number &- UInt16(draw(4) == 0 ? 1 : 0)
                #expect(
                    tunnel.acceptAnswer(to: number, from: Self.addressed(address), at: now)
                        == plain.answer(number, address, second), "\(note)")
            default: break
            }
            #expect(tunnel.gatewayNumber == plain.number && tunnel.gatewayAccepts(at: now) == plain.accepts(second))
            #expect(tunnel.endpoint == plain.endpoint.map(Self.addressed), "\(note)")
        }
    }
}
