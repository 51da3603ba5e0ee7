import DeadzoneBase
import DeadzoneClient
import DeadzoneDevice
import DeadzoneSimulator
import DeadzoneTestKit
import Testing

/// Makes random calls to `Networks` and to the naive model, and compares both after each call.
private final class NetworksDriver {
    private let rules: UnsafeMutablePointer<PathRules>
    private let platform: Platform?
    private var networks: Networks
    private var model: ReferenceNetworks
    private let interfaces: [Interface]
    private var queue = EffectQueue<NetworksEffect>()
    private var dice: Dice
    private var now = Instant.zero
    private var calls: [String] = []
    private(set) var kinds: Set<NetworkChange.NetworkEventKind> = []
    private(set) var signals: Set<PathLossSignal> = []

    init(_ seed: UInt64, _ platform: Platform?) {
        self.platform = platform
        var dice = Dice(seed: seed, phone: PhoneID(0), purpose: .test)
        func draw(_ below: Int) -> Int { Int(dice.next().scaled(below: UInt64(below))) }
        // Half of the phones have the common networks in the usual order.
        let worlds: [[Interface]] = [
            Interface.common, [.wifi], [.cellular], Interface.allCases, [.bluetooth, .wifi, .sim2],
        ]
        let own = draw(2) == 0 ? Interface.common : worlds[draw(5)]
        let chosen = Interfaces(including: own)
        var rest = own
        var order: [Interface] = []
        while !rest.isEmpty && draw(3) > 0 { order.append(rest.remove(at: draw(rest.count))) }
        let requested = draw(4) == 0 ? own[draw(own.count)] : nil
        self.dice = dice
        interfaces = Array(chosen)
        rules = .allocate(capacity: 1)
        rules.initialize(to: PathRules(platform, NetworkPreference(order).requesting(requested), chosen))
        networks = Networks(rules) { own.contains($0) }
        let usual: [Interface] = [.ethernet, .wifi, .bluetooth, .cellular, .sim2]
        model = ReferenceNetworks(
            platform, interfaces, has: own, order: order + usual.filter { !order.contains($0) }, requested: requested)
    }

    deinit { rules.deinitialize(count: 1).deallocate() }

    private func draw(_ below: Int) -> Int { Int(dice.next().scaled(below: UInt64(below))) }
    private func pick<Item>(_ items: [Item]) -> Item { items[draw(items.count)] }
    private func flip() -> Bool { draw(2) == 0 }

    func run(_ steps: Int) {
        for _ in 0..<steps {
            step()
            settle()
            let spans: [TimeSpan] = [
                .zero, .milliseconds(499), .milliseconds(500), .seconds(1), .seconds(2), .seconds(8), .seconds(30),
                .minutes(1), .minutes(20),
            ]
            let end = networks.dueAt != .never && flip() ? max(networks.dueAt, now) : now + pick(spans)
            wait(until: end)
        }
    }

    private func wait(until end: Instant) {
        var looks = 0
        while networks.dueAt <= end && looks < 2_000 {
            now = networks.dueAt
            for interface in interfaces {
                for action in Networks.PendingAction.allCases {
                    networks.advance(action, of: interface, at: now, &queue)
                }
            }
            model.advance(at: now)
            calls.append("\(now)")
            settle()
            looks += 1
        }
        now = max(now, end)
    }

    private func step() {
        let interface = pick(interfaces)
        let signal = pick([PathLossSignal.error, .silent, .halfOpen, .reset, .ended])
        let isOn = flip()
        var (result, expected) = (true, true)
        let turn = draw(13)
        calls.append("step \(turn) \(interface) \(signal) \(isOn) at \(now)")
        switch turn {
        case 0...2:
            let attachment = Attachment(
                usableAfter: pick([.zero, .zero, .seconds(3)]), portal: pick([nil, nil, .seconds(12), .minutes(2)]),
                announcedAfter: pick([nil, nil, .seconds(2)]),
                reach: pick([.all, .all, .internet, .server, .nothing]))
            result = networks.raise(interface, attachment, at: now, &queue)
            expected = model.raise(interface, attachment, at: now)
        case 3:
            result = networks.drop(interface, signal, at: now, &queue)
            expected = model.drop(interface, signal, at: now)
        case 4:
            result = networks.fade(interface, at: now, &queue)
            expected = model.fade(interface, at: now)
        case 5...6:
            result = networks.readdress(interface, signal, at: now, &queue)
            expected = model.readdress(interface, signal, at: now)
        case 7 where isOn:
            networks.announceCapabilities(of: interface, at: now, &queue)
            model.announceCapabilities(of: interface, at: now)
        case 7:
            let event = pick(SpuriousEvent.allCases)
            result = networks.announceSpurious(event, of: interface, at: now, &queue)
            expected = model.announceSpurious(event, of: interface, at: now)
        case 8:
            networks.block(isOn, at: now, &queue)
            model.block(isOn, at: now)
        case 9:
            let access: Access = pick([.open, .refused, .needsConnection(nil), .needsConnection(.seconds(4))])
            result = networks.setAccess(access, to: interface, at: now, &queue)
            expected = model.setAccess(access, to: interface, at: now)
        case 10:
            let isOfApp = flip()
            result = networks.maySend(over: interface, ofApp: isOfApp, at: now)
            expected = model.maySend(over: interface, ofApp: isOfApp, at: now)
            #expect(networks.dueAt == model.due(after: now), "\(calls.suffix(5))")
        case 11:
            result = networks.setCoverage(interface, isOn)
            expected = model[interface].exists && model[interface].hasCoverage != isOn
            if expected { model[interface].hasCoverage = isOn }
        default: (result, expected) = direct(interface, isOn)
        }
        #expect(result == expected, "\(calls.suffix(6))")
    }

    private func direct(_ interface: Interface, _ isOn: Bool) -> (Bool, Bool) {
        let path = pick([\ReferenceNetworks.Network.passesUp, \.passesDown, \.hasUplink])
        let result =
            switch path {
            case \.passesUp: networks.setDirection(.up, isOn, over: interface)
            case \.passesDown: networks.setDirection(.down, isOn, over: interface)
            default: networks.connectUplink(isOn, of: interface)
            }
        guard model[interface].exists, model[interface][keyPath: path] != isOn else { return (result, false) }
        model[interface][keyPath: path] = isOn
        return (result, true)
    }

    /// Drains both queues, and compares everything that can be asked.
    private func settle() {
        networks.reschedule(at: now)
        model.reschedule(at: now)
        var effects: [ReferenceNetworks.Effect] = []
        let batch = queue.begin()
        for index in batch {
            switch queue[index] {
            case .note(let entry): effects.append(.note(entry))
            case .notifyApp(let change):
                effects.append(.told(change))
                kinds.insert(change.kind)
            case .attached(let interface): effects.append(.attached(interface))
            case .detached(let interface): effects.append(.detached(interface))
            case .endSockets(let interface, let address, let signal, let isReplaced):
                effects.append(.endSockets(interface, address, signal, isReplaced: isReplaced))
                signals.insert(signal)
            case .endStreams: effects.append(.endStreams)
            }
        }
        queue.end(batch)
        #expect(effects == model.effects, "\(calls.suffix(8))")
        model.effects = []
        #expect(networks.view == model.view && networks.truePath == model.truePath, "\(calls.suffix(8))")
        #expect(
            networks.dueAt == model.due(after: now),
            "due \(networks.dueAt) and \(model.due(after: now)) after \(calls.suffix(8))")
        for interface in interfaces { #expect(isSame(interface), "\(interface) after \(calls.suffix(8))") }
    }

    private func isSame(_ interface: Interface) -> Bool {
        let network = model[interface]
        let isOnline = network.isOnline(now)
        for address in 0...(network.address + 1) {
            guard networks.holds(interface, address) == network.holds(address),
                networks.reaches(interface, address) == (network.holds(address) && network.hasCoverage)
            else { return false }
        }
        for direction in [Direction.up, .down] {
            for (isOfApp, isOfPortal) in [(false, false), (false, true), (true, false), (true, true)] {
                for target in Reach.RemoteHost.allCases {
                    let passes = networks.passes(
                        direction, interface, ofApp: isOfApp, isOfPortal: isOfPortal, target: target, at: now)
                    let expected = model.passes(
                        direction, interface, ofApp: isOfApp, isOfPortal: isOfPortal, target: target, at: now)
                    guard passes == expected else { return false }
                }
            }
        }
        return networks.addressNumber(interface) == network.address
            && networks.hasCoverage(interface) == network.hasCoverage
            && networks.isUsable(interface) == (network.hasAddress && network.hasCoverage)
            && networks.isWorking(interface) == (network.hasCoverage && network.reachesServer(now))
            && networks.isWorkingWithAddress(interface)
                == (network.hasAddress && network.hasCoverage && network.reachesServer(now))
            && networks.isOnline(interface, at: now) == (network.hasAddress && network.hasCoverage && isOnline)
            && networks.isPortal(interface, at: now) == (now < network.portalUntil)
    }
}

/// `Networks` and a naive model agree in every order of calls.
@Suite struct NetworksLawTests {
    static let platforms: [Platform?] = [
        nil,
        Platform(
            name: "android", family: .android, release: 15,
            networks: NetworkRules(
                linger: .seconds(30), validation: .milliseconds(500), destroysSockets: true, leavesSocketsFrozen: false)
        ),
        Platform(
            name: "frozen", family: .android, release: 15,
            networks: NetworkRules(
                linger: .zero, validation: .seconds(3), destroysSockets: false, leavesSocketsFrozen: true)),
        Platform(
            name: "ios", family: .ios, release: 18,
            networks: NetworkRules(
                linger: .zero, validation: .seconds(5), destroysSockets: false, leavesSocketsFrozen: true)),
        Platform(
            name: "lingering", family: .ios, release: 18,
            networks: NetworkRules(
                linger: .seconds(8), validation: .zero, destroysSockets: true, leavesSocketsFrozen: false)),
    ]

    @Test("Networks behave as a naive model in every order of calls", arguments: 0..<platforms.count)
    func naiveModel(row: Int) {
        let platform = Self.platforms[row]
        var kinds: Set<NetworkChange.NetworkEventKind> = []
        var signals: Set<PathLossSignal> = []
        seedSweep(150) { seed in
            let driver = NetworksDriver(seed, platform)
            driver.run(25)
            kinds.formUnion(driver.kinds)
            signals.formUnion(driver.signals)
        }
        let android: Set<NetworkChange.NetworkEventKind> = [
            .available, .losing, .lost, .validated, .unvalidated, .blocked, .unblocked, .capabilities,
        ]
        let others: Set<NetworkChange.NetworkEventKind> = [.available, .lost, .blocked, .unblocked, .capabilities]
        let expected = platform?.family == .android ? android : platform == nil ? others.union([.validated]) : others
        #expect(kinds == expected && signals.count == 5)
    }
}
