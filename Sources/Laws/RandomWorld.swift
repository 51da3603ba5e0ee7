import DeadzoneBase
package import DeadzoneDevice
package import DeadzoneSimulator
import DeadzoneTransport

/// Generates a random simulated environment (world) from a seed, to test invariants. Together the random worlds cover
/// everything that a scenario can express.
package struct RandomWorld {
    /// The radio profiles from which a random phone gets its Wi-Fi and cellular radio.
    package struct RadioChoices: Sendable {
        var wifi: [RadioProfile]
        var cellular: [RadioProfile]
        /// Radios of small devices, with PSM or eDRX.
        var small: [RadioProfile]
        /// Radios of Bluetooth and cables.
        var local: [RadioProfile]

        /// - Precondition: At least one Wi-Fi and one cellular profile.
        package init(_ profiles: [RadioProfile]) {
            wifi = profiles.filter { $0.technology == .wifi }
            cellular = profiles.filter { $0.interface == .cellular && !$0.savesPower }
            small = profiles.filter(\.savesPower)
            local = profiles.filter { $0.technology.isLocal && $0.technology != .wifi }
            precondition(!wifi.isEmpty && !cellular.isEmpty, "a random phone needs a Wi-Fi and a cellular radio")
        }
    }

    var dice: Dice
    /// Dice for middleboxes that block a protocol.
    private var pathDice: Dice
    /// Dice for tunnels and metered networks.
    private var tunnelDice: Dice
    /// Dice for the radios of small devices.
    private var radioDice: Dice
    /// Dice for servers that refuse messages.
    private var refusalDice: Dice
    /// Dice for push services that store pushes.
    private var pushDice: Dice
    /// Dice for servers that end streams.
    private var streamDice: Dice
    /// Dice for networks beyond the common two.
    private var networkDice: Dice
    /// Dice for the limits of clients.
    var clientDice: Dice
    let radios: RadioChoices
    /// `false` for worlds in which every packet reaches a resting phone within a second.
    var hasSmallDevices = true
    /// `false` for phones of one population, which share the radio of each further network.
    package var hasFurtherNetworks = true
    /// `true` if the second cellular profile is the first one in a weak signal.
    private(set) var hasWeakSignal = false

    package init(seed: UInt64, radios: RadioChoices) {
        dice = Dice(seed: seed, phone: PhoneID(0), purpose: .test)
        pathDice = Dice(seed: seed, phone: PhoneID(1), purpose: .test)
        tunnelDice = Dice(seed: seed, phone: PhoneID(2), purpose: .test)
        radioDice = Dice(seed: seed, phone: PhoneID(3), purpose: .test)
        refusalDice = Dice(seed: seed, phone: PhoneID(4), purpose: .test)
        pushDice = Dice(seed: seed, phone: PhoneID(5), purpose: .test)
        streamDice = Dice(seed: seed, phone: PhoneID(6), purpose: .test)
        networkDice = Dice(seed: seed, phone: PhoneID(7), purpose: .test)
        clientDice = Dice(seed: seed, phone: PhoneID(8), purpose: .test)
        self.radios = radios
    }

    package mutating func below(_ bound: Int) -> Int { Int(dice.next().scaled(below: UInt64(bound))) }

    /// `true` with probability 1 / `count`.
    mutating func once(in count: Int) -> Bool { below(count) == 0 }

    package mutating func pick<Choice>(_ choices: [Choice]) -> Choice { choices[below(choices.count)] }

    mutating func seconds(_ range: Range<Int>) -> TimeSpan { .seconds(Int64(range.lowerBound + below(range.count))) }

    package mutating func world() -> World {
        // Doze takes hours.
        let isLong = once(in: 12)
        let horizon = isLong ? seconds(1_800..<12_000) : seconds(30..<630)
        var world = World(
            horizon: .zero + horizon, wifi: pick(radios.wifi), cellular: pick(radios.cellular),
            wifiLink: link(delay: .milliseconds(10), bitsPerSecond: 20_000_000),
            cellularLink: link(delay: .milliseconds(35), bitsPerSecond: 2_000_000), traffic: traffic(isSparse: isLong))
        if once(in: 2) {
            world.cellularAlternates = (0...below(2)).map { _ in pick(radios.cellular) }
        } else {
            // The same radio in a weak signal, as in a profile with such a measurement.
            hasWeakSignal = true
            world.cellularAlternates = [Self.weakened(world.cellular ?? radios.cellular[0])]
        }
        if once(in: 3) { world.wifiConditions = [link(delay: .milliseconds(80), bitsPerSecond: 500_000)] }
        if once(in: 3) { world.cellularConditions = [link(delay: .milliseconds(300), bitsPerSecond: 60_000)] }
        if once(in: 2) { world.middleboxes = middleboxes() }
        if once(in: 3) { world.resolver = resolver() }
        if isLong || once(in: 2) {
            world.platform = pick(ShippedPlatform.all).platform
            world.otherApps = (0..<below(3)).map { otherApp($0) }
        }
        world.server = server()
        world.timeline = timeline(until: horizon, in: world)
        if once(in: 4) { world.consumer = consumer() }
        if world.resolver != nil, once(in: 2) {
            if once(in: 2) { world.resolver?.negativeTTL = seconds(0..<60) }
            move(in: &world, until: horizon)
        }
        // With dice of its own, the rest of a world stays as it was.
        swap(&dice, &pathDice)
        if once(in: 4) { blockUDP(in: &world) }
        swap(&dice, &pathDice)
        swap(&dice, &tunnelDice)
        if once(in: 4) { world.tunnel = tunnel(in: world) }
        if once(in: 4) { meterNetworks(of: &world) }
        if world.resolver != nil, world.tunnel == nil, once(in: 2) { divideAddresses(of: &world) }
        if once(in: 4) { reorderPackets(of: &world) }
        swap(&dice, &tunnelDice)
        swap(&dice, &radioDice)
        if hasSmallDevices, !radios.small.isEmpty, once(in: 8) { makeSmall(&world) }
        swap(&dice, &radioDice)
        swap(&dice, &pushDice)
        if world.platform != nil, once(in: 3) { storePushes(in: &world, until: horizon) }
        swap(&dice, &pushDice)
        swap(&dice, &networkDice)
        if once(in: 4), hasFurtherNetworks { addNetworks(to: &world) }
        roam(in: &world)
        swap(&dice, &networkDice)
        return world
    }

    /// Gives the phone the radio of a small device, with intervals that are short enough for a random world.
    private mutating func makeSmall(_ world: inout World) {
        var profile = pick(radios.small)
        guard case .cellular(var timers) = profile.machine else { return }
        let sleeps = once(in: 2)
        timers.saving.activeTime = seconds(0..<20)
        timers.saving.updateInterval = sleeps ? timers.saving.activeTime + seconds(1..<240) : .zero
        timers.saving.extendedCycle = !sleeps || once(in: 2) ? .milliseconds(20_480) : .zero
        timers.saving.window = .milliseconds(2_560)
        timers.saving.heldPackets = UInt32(below(70))
        profile.machine = .cellular(timers)
        world.cellular = profile
        if hasWeakSignal { world.cellularAlternates = [Self.weakened(profile)] }
    }

    /// `true` for a client that uses one family of addresses. With dice of its own, other draws stay as they were.
    mutating func pinsFamily() -> Bool {
        swap(&dice, &pathDice)
        defer { swap(&dice, &pathDice) }
        return once(in: 4)
    }

    /// Refuses messages in some of the worlds in which the server confirms them. With dice of its own, the rest of a
    /// world stays as it was.
    mutating func refuseMessages(in world: inout World) {
        guard world.server.receipts != nil else { return }
        swap(&dice, &refusalDice)
        if once(in: 3) { world.server.faults.messages = messageFaults(hasPermanent: true) }
        swap(&dice, &refusalDice)
    }

    /// Lets the server end streams in some of the worlds. With dice of its own, the rest of a world stays as it was.
    mutating func endStreams(in world: inout World) {
        swap(&dice, &streamDice)
        defer { swap(&dice, &streamDice) }
        guard once(in: 3), !world.server.slowConsumers.conflates else { return }
        var rules = SubscriptionRules()
        if once(in: 2) { rules.endsEvery = seconds(5..<300) }
        rules.silent = Probability(UInt64(below(100)), of: 100)
        rules.refused = Probability(UInt64(below(40)), of: 100)
        rules.unanswered = Probability(UInt64(below(40)), of: 100)
        world.server.streams = rules
    }

    /// A client that sends refused messages again, and the server that refuses them; `nil` for most clients.
    /// - Parameter isLossless: `true` if the client may not drop a message.
    mutating func refusals(isLossless: Bool) -> (queue: [Node.MapEntry], MessageFaults)? {
        swap(&dice, &refusalDice)
        defer { swap(&dice, &refusalDice) }
        guard once(in: 3) else { return nil }
        let triggers = ["next-message", "path", "foreground"].filter { _ in once(in: 2) }
        var policy: [Node.MapEntry] = [
            .init(key: "retry", value: .entries([("base", "\(1 + below(9))s"), ("cap", "20s")]))
        ]
        if !triggers.isEmpty { policy.append(.init(key: "also", value: .list(triggers.map { .text($0) }))) }
        if isLossless { policy.append(.init(key: "permanent", value: .text("retry"))) }
        var queue = [Node.MapEntry(key: "on-refusal", value: .map(policy))]
        if once(in: 2) { queue.append(.init(key: "chunks", value: .entries([("size", "\(1 + below(300))B")]))) }
        return (queue, messageFaults(hasPermanent: !isLossless))
    }

    private mutating func messageFaults(hasPermanent: Bool) -> MessageFaults {
        var faults = MessageFaults()
        faults.transient = Probability(UInt64(below(50)), of: 100)
        if hasPermanent { faults.permanent = Probability(UInt64(below(20)), of: 100) }
        if once(in: 2) { faults.lock = seconds(1..<60) }
        return faults
    }

    private static func weakened(_ usual: RadioProfile) -> RadioProfile {
        var weak = usual
        (weak.powers[.activeDown], weak.powers[.activeUp]) = (.milliwatts(2_900), .milliwatts(3_700))
        return weak
    }

    /// A consumer that is faster than the messages arrive, except while it stalls.
    private mutating func consumer() -> Consumer {
        let second = TimeSpan.seconds(1).nanoseconds
        return Consumer(
            service: .uniform(0, second / 4), stallGap: once(in: 2) ? .exponential(mean: 20 * second) : nil,
            stall: .uniform(0, 5 * second))
    }

    private mutating func traffic(isSparse: Bool) -> Traffic {
        let stretch = isSparse ? 30 : 1
        var traffic = Traffic(
            down: stream(every: (1 + below(20)) * stretch, bytes: below(3_000)),
            up: stream(every: (1 + below(30)) * stretch, bytes: below(500)),
            probe: once(in: 3) ? stream(every: 7 * stretch, bytes: 300) : nil)
        if once(in: 3) {
            traffic.calls = stream(every: (1 + below(12)) * stretch, bytes: 400)
            traffic.answer = .uniform(0, 20_000)
        }
        return traffic
    }

    func stream(every mean: Int, bytes: Int) -> TrafficStream {
        TrafficStream(
            gap: .exponential(mean: TimeSpan.seconds(Int64(mean)).nanoseconds), size: .constant(Int64(bytes)))
    }

    private mutating func server() -> ServerProfile {
        var server = ServerProfile(thinkTime: .milliseconds(Int64(below(3_000))))
        if once(in: 2) { server.pingFloor = seconds(1..<60) }
        if once(in: 4) { server.idleLimit = seconds(10..<90) }
        server.grace = seconds(0..<20)
        server.longPollTimeout = seconds(1..<60)
        server.allowsMigration = !once(in: 3)
        server.push = pick(PushPolicy.allCases)
        if once(in: 3) { server.faults = troubles() }
        if once(in: 3) {
            for kind in EndCodes.kinds { server.codes[kind] = UInt16(1 + below(4_999)) }
        }
        if once(in: 4) { server.credentials = credentials() }
        if once(in: 4) { server.peer = PeerRules(relayDelay: .milliseconds(Int64(below(200)))) }
        if once(in: 4) { server.presence = PresenceRules(grace: seconds(0..<60)) }
        return server
    }

    /// Credentials with a short life, because the random worlds are short.
    private mutating func credentials() -> CredentialRules {
        var rules = CredentialRules(life: seconds(5..<300))
        rules.leeway = seconds(0..<3)
        rules.checksSessions = !once(in: 4)
        rules.checksCalls = !once(in: 4)
        rules.issueTime = .milliseconds(Int64(below(2_000)))
        rules.isSingleUse = once(in: 2)
        rules.grace = seconds(0..<3)
        rules.replayRevokes = once(in: 2)
        rules.roundTrips = UInt8(1 + below(4))
        return rules
    }

    private mutating func troubles() -> ServerFaults {
        var troubles = ServerFaults()
        troubles.transient = Probability(UInt64(below(50)), of: 100)
        troubles.afterHeaders = Probability(1, of: 2)
        troubles.permanent = Probability(UInt64(below(10)), of: 100)
        troubles.unprocessed = Probability(UInt64(below(10)), of: 100)
        if once(in: 2) { troubles.rateLimit = RateLimit(every: seconds(1..<3), burst: 3) }
        return troubles
    }
}
