import DeadzoneBase
import DeadzoneTransport
import Testing
@testable import DeadzoneSimulator

/// The tunnel against its plain second implementation, in random histories.
@Suite struct TunnelLawTests {
    private static func addressed(_ number: Int) -> Tunnel.OuterAddress {
        Tunnel.OuterAddress(number % 2 == 0 ? .wifi : .cellular, UInt16(number))
    }

    /// Broken: any decision of the phone's end: what passes or waits, when it sends a handshake or an empty packet,
    /// which answers count, how long a session lives.
    @Test(arguments: 0..<60) func thePhonesEndFollowsThePlainTunnel(seed: UInt64) {
        let history = RandomHistory(seed: seed, phone: PhoneID(9))
        defer { withExtendedLifetime(history) {} }
        var tunnel = Tunnel(history.rules, at: .zero)
        var plain = PlainTunnel(history.rules.pointee)
        var path = 1
        for second in 0..<900 {
            let now = Instant.zero + .seconds(Int64(second))
            var actions: [Tunnel.TunnelTask] = []
            while tunnel.phoneDeadline <= now { actions.append(tunnel.expirePhone(at: now)) }
            let note = "seed \(seed), second \(second)"
            #expect(actions.filter { $0 != .nothing } == plain.due(second).filter { $0 != .nothing }, "\(note)")
            #expect(tunnel.hasSession(at: now) == plain.hasSession(second), "\(note)")
            switch history.draw(18) {
            case 16:
                tunnel.acceptHandshakeOfGateway(at: now)
                plain.acceptHandshakeOfGateway(second)
            case 0, 1: #expect(tunnel.send(at: now) == plain.send(second), "\(note)")
            case 2, 3: #expect(tunnel.receive(isData: true, at: now) == plain.receive(isData: true, second), "\(note)")
            case 4: #expect(tunnel.receive(isData: false, at: now) == plain.receive(isData: false, second), "\(note)")
            case 5, 6:
                let number = plain.number &- UInt16(history.draw(4) == 0 ? 1 : 0)
                let took = tunnel.receiveAnswer(to: number, at: now)
                #expect(took == plain.answer(number, second).map { .seconds(Int64($0)) }, "\(note)")
            case 7:
                path += history.draw(2)
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
        let history = RandomHistory(seed: seed, phone: PhoneID(10))
        defer { withExtendedLifetime(history) {} }
        var tunnel = Tunnel(history.rules, at: .zero)
        var plain = PlainGateway(history.rules.pointee)
        for second in 0..<900 {
            let now = Instant.zero + .seconds(Int64(second))
            let note = "seed \(seed), second \(second)"
            var actions: [Tunnel.TunnelTask] = []
            while tunnel.gatewayDeadline <= now { actions.append(tunnel.expireGateway(at: now)) }
            #expect(actions.filter { $0 != .nothing } == plain.due(second), "\(note)")
            let address = history.draw(5)
            switch history.draw(20) {
            case 0:
                tunnel.acceptHandshake(from: Self.addressed(address), at: now)
                plain.shake(address, second)
            case 1, 2, 3:
                let isData = history.draw(3) > 0
                #expect(
                    tunnel.accept(isData: isData, from: Self.addressed(address), at: now)
                        == plain.accept(isData: isData, address, second), "\(note)")
            case 4, 5: #expect(tunnel.sendDown(at: now) == plain.sendDown(second), "\(note)")
            case 6:
                let number = plain.number &- UInt16(history.draw(4) == 0 ? 1 : 0)
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

@Suite struct TunnelQueueTests {
    /// Broken: the phone's or the gateway's queue holds more packets than it has room for, or both share their room.
    @Test func eachQueueHasItsOwnLimit() {
        let history = RandomHistory(seed: 1, phone: PhoneID(11))
        defer { withExtendedLifetime(history) {} }
        history.rules.pointee.queue = 3
        var tunnel = Tunnel(history.rules, at: .zero)
        for direction in Direction.allCases {
            let held = (0..<5).map { _ in tunnel.hold(direction) }
            #expect(held == [true, true, true, false, false], "\(direction)")
        }
        #expect(tunnel.held == 3 && tunnel.gatewayHeld == 3)
        let released = tunnel.releaseHeld(.up)
        #expect(released == 3 && tunnel.held == 0 && tunnel.gatewayHeld == 3)
        let (up, down) = (tunnel.hold(.up), tunnel.hold(.down))
        #expect(up && !down)
    }
}

/// Rules of a tunnel and numbers, both drawn from a seed.
private final class RandomHistory {
    private var dice: Dice
    let rules: UnsafeMutablePointer<TunnelRules>

    init(seed: UInt64, phone: PhoneID) {
        dice = Dice(seed: seed, phone: phone, purpose: .test)
        rules = .allocate(capacity: 1)
        rules.initialize(to: TunnelRules())
        if draw(2) == 0 { rules.pointee.keepalive = .seconds(Int64(1 + draw(30))) }
        rules.pointee.rekey = .seconds(Int64(5 + draw(60)))
        rules.pointee.retry = .seconds(Int64(1 + draw(6)))
        rules.pointee.giveUp = .seconds(Int64(1 + draw(40)))
        rules.pointee.deadAfter = .seconds(Int64(5 + draw(90)))
        if draw(2) == 0 { rules.pointee.onPathChange = draw(2) == 0 ? .keep : .renew }
    }

    deinit { rules.deallocate() }

    func draw(_ bound: Int) -> Int { Int(dice.next().scaled(below: UInt64(bound))) }
}
