import DeadzoneClient
import DeadzoneDevice
import DeadzoneJournal
import DeadzonePrimitives
import DeadzoneSystem
import Testing

/// The networks of one phone by hand, without radios, connections or an engine.
private final class Surroundings {
    private let rules: UnsafeMutablePointer<PathRules>
    var networks: Networks
    var steps = Steps<NetworksStep>()
    private(set) var told: [NetworkChange] = []
    private(set) var done: [String] = []
    private(set) var notes = 0

    init(_ platform: Platform?, has interfaces: [Interface] = Interface.allCases) {
        rules = .allocate(capacity: 1)
        rules.initialize(to: PathRules(platform))
        networks = Networks(rules) { interfaces.contains($0) }
    }

    deinit { rules.deinitialize(count: 1).deallocate() }

    /// One verb, and what is due up to a moment.
    @discardableResult
    func at(_ now: Instant, _ verb: (inout Networks, inout Steps<NetworksStep>) -> Bool) -> Bool {
        pass(until: now)
        let applied = verb(&networks, &steps)
        settle(at: now)
        return applied
    }

    func pass(until end: Instant) {
        var looks = 0
        while networks.dueAt <= end && looks < 1_000 {
            let now = networks.dueAt
            for interface in Interface.allCases {
                for matter in Networks.Matter.allCases { networks.advance(matter, of: interface, at: now, &steps) }
            }
            settle(at: now)
            looks += 1
        }
    }

    private func settle(at now: Instant) {
        networks.settle(at: now)
        let asked = steps.begin()
        for index in asked {
            switch steps[index] {
            case .note: notes += 1
            case .tell(let change): told.append(change)
            case .attached(let interface): done.append("+\(interface.name)")
            case .detached(let interface): done.append("-\(interface.name)")
            case .endSockets(let interface, let address, let manner, let isReplaced):
                done.append("end \(interface.name) \(address.map { "\($0)" } ?? "all") \(manner) \(isReplaced)")
            case .endStreams: done.append("end streams")
            }
        }
        steps.end(asked)
    }

    func isUsable(_ interface: Interface) -> Bool { networks.isUsable(interface) }
    func isPortal(at now: Instant) -> Bool { networks.isPortal(.wifi, at: now) }
    func holds(_ address: UInt16) -> Bool { networks.holds(.wifi, address) }
    func mayLeave(at now: Instant) -> Bool { networks.mayLeave(over: .wifi, ofApp: true, at: now) }
    func comesDown(ofPortal: Bool, at now: Instant) -> Bool {
        networks.passes(.down, .wifi, ofApp: true, isOfPortal: ofPortal, at: now)
    }
    var address: UInt16 { networks.epoch(.wifi) }
    var view: NetworkView { networks.view }

    /// Both networks, up since long before.
    func settleIn() {
        at(.zero) { $0.raise(.wifi, .plain, at: .zero, &$1) }
        at(.zero) { $0.raise(.cellular, .plain, at: .zero, &$1) }
    }
}

extension Platform {
    fileprivate static let android = Platform(
        name: "android", family: .android, release: 15,
        networks: NetworkRules(
            linger: .seconds(30), validation: .milliseconds(500), destroysSockets: true, leavesSocketsFrozen: false))
    fileprivate static let ios = Platform(
        name: "ios", family: .ios, release: 18,
        networks: NetworkRules(
            linger: .zero, validation: .zero, destroysSockets: false, leavesSocketsFrozen: true))
}

@Suite struct NetworksTests {
    private let later = Instant.zero + .seconds(100)

    @Test("Android keeps cellular down while Wi-Fi serves, and needs a second for it when that goes")
    func cellularWaits() {
        let phone = Surroundings(.android)
        phone.settleIn()
        #expect(phone.view.path == .wifi && !phone.isUsable(.cellular) && phone.told.isEmpty)
        phone.at(later) { $0.drop(.wifi, .error, at: later, &$1) }
        #expect(phone.view.path == nil && phone.done.last == "end wifi all error false")
        #expect(phone.told.map(\.kind) == [.lost] && phone.notes == 1)
        phone.pass(until: later + .milliseconds(999))
        #expect(!phone.isUsable(.cellular))
        phone.pass(until: later + .seconds(1))
        #expect(phone.view.path == .cellular && phone.done.last == "+cellular")
    }

    @Test("Without an operating system both are there at once, and Wi-Fi comes first")
    func nothingByItself() {
        let phone = Surroundings(nil)
        phone.settleIn()
        #expect(phone.isUsable(.cellular) && phone.view.path == .wifi)
        phone.at(later) { $0.drop(.wifi, .silent, at: later, &$1) }
        #expect(phone.view.path == .cellular)
        #expect(phone.told.map(\.kind) == [.available] && phone.told[0].replacesDefaultPath)
    }

    @Test(
        "A network that goes and leaves its sockets half open is said to be lost",
        arguments: [nil, Platform.android, .ios])
    func halfOpen(platform: Platform?) {
        let phone = Surroundings(platform, has: [.wifi])
        phone.at(.zero) { $0.raise(.wifi, .plain, at: .zero, &$1) }
        phone.at(later) { $0.drop(.wifi, .halfOpen, at: later, &$1) }
        #expect(phone.told.map(\.kind).contains(.lost) && phone.view.path == nil)
        #expect(phone.done.last == "end wifi all halfOpen false")
    }

    @Test("A network that was there before it could reach the internet is not the default of Android until it does")
    func validation() {
        let phone = Surroundings(.android, has: [.wifi])
        phone.at(.zero + .seconds(1)) { $0.raise(.wifi, Attachment(portal: .minutes(1)), at: .zero + .seconds(1), &$1) }
        #expect(!phone.view.isValidated && phone.isPortal(at: .zero + .seconds(2)))
        #expect(!phone.comesDown(ofPortal: false, at: .zero + .seconds(2)))
        #expect(phone.comesDown(ofPortal: true, at: .zero + .seconds(2)))
        phone.pass(until: .zero + .seconds(70))
        #expect(phone.view.isValidated && !phone.isPortal(at: .zero + .seconds(70)))
        #expect(phone.told.map(\.kind) == [.available, .unvalidated, .validated])
    }

    @Test(
        "A socket of the old address works until the time of grace is over",
        arguments: [OldPath.error, .silent, .reset])
    func grace(manner: OldPath) {
        let phone = Surroundings(.android, has: [.wifi])
        phone.at(.zero) { $0.raise(.wifi, .plain, at: .zero, &$1) }
        let old = phone.address
        phone.at(later) { $0.readdress(.wifi, manner, at: later, &$1) }
        #expect(phone.holds(phone.address))
        #expect(phone.holds(old) == (manner != .silent))
        phone.pass(until: later + Platform.android.networks.linger)
        #expect(!phone.holds(old))
        #expect(phone.done.last == "end wifi \(old) \(manner) false")
    }

    @Test("What nothing was there to change for is said to have changed nothing")
    func nothingChanged() {
        let phone = Surroundings(.ios, has: [.wifi])
        #expect(!phone.at(.zero) { $0.raise(.cellular, .plain, at: .zero, &$1) })
        #expect(!phone.at(.zero) { $0.drop(.wifi, .error, at: .zero, &$1) })
        #expect(phone.at(.zero) { $0.raise(.wifi, .plain, at: .zero, &$1) })
        #expect(!phone.at(later) { $0.raise(.wifi, .plain, at: later, &$1) })
        #expect(!phone.at(later) { networks, _ in networks.cover(.wifi, true) })
        #expect(phone.at(later) { networks, _ in networks.cover(.wifi, false) } && !phone.isUsable(.wifi))
        #expect(!phone.at(later) { networks, _ in networks.pass(.up, true, over: .wifi) })
        #expect(!phone.at(later) { $0.admit(.open, to: .wifi, at: later, &$1) })
    }

    @Test("Where a connection is needed first, what wants to leave sets it up")
    func onDemand() {
        let phone = Surroundings(.ios, has: [.wifi])
        phone.at(.zero) { $0.raise(.wifi, .plain, at: .zero, &$1) }
        phone.at(later) { $0.admit(.needsConnection(.seconds(2)), to: .wifi, at: later, &$1) }
        #expect(phone.view.needsConnection && phone.told.map(\.kind) == [.lost])
        #expect(!phone.mayLeave(at: later + .seconds(5)))
        phone.pass(until: later + .seconds(7))
        #expect(phone.mayLeave(at: later + .seconds(7)))
        #expect(!phone.view.needsConnection && phone.told.map(\.kind) == [.lost, .available])
    }

    @Test("A network that went takes with it what was known of it: what comes back under its name has to be asked anew")
    func forgotten() {
        let phone = Surroundings(.android, has: [.wifi])
        phone.at(.zero) { $0.raise(.wifi, .plain, at: .zero, &$1) }
        phone.pass(until: later)
        #expect(phone.view.isValidated)
        phone.at(later) { $0.drop(.wifi, .error, at: later, &$1) }
        let back = later + .seconds(10)
        phone.at(back) { $0.raise(.wifi, Attachment(portal: .minutes(1)), at: back, &$1) }
        #expect(!phone.view.isValidated && phone.isPortal(at: back + .seconds(1)))
        phone.pass(until: back + .seconds(70))
        #expect(phone.view.isValidated)
        #expect(phone.told.suffix(4).map(\.kind) == [.lost, .available, .unvalidated, .validated])
    }
}
