import DeadzoneBase
import DeadzoneDevice
import DeadzoneSimulator
import DeadzoneTransport

/// The path between a random phone and its server, and the other apps on the phone.
extension RandomWorld {
    mutating func link(delay: TimeSpan, bitsPerSecond: Int64) -> LinkProfile {
        let loss: LossModel =
            once(in: 2)
            ? .independent(Probability(UInt64(below(20)), of: 100))
            : .gilbertElliott(
                goodMean: .seconds(20), badMean: .seconds(2), lossInGood: .zero, lossInBad: Probability(1, of: 2))
        var direction = LinkDirection(
            delay: .constant(delay.nanoseconds), floor: min(delay, .milliseconds(10)), bitsPerSecond: bitsPerSecond,
            loss: loss)
        if once(in: 3) { direction.queue = once(in: 2) ? .bytes(64_000) : .wait(.milliseconds(400)) }
        if once(in: 4) {
            direction.spikes = LatencySpikes(
                every: .exponential(mean: TimeSpan.seconds(20).nanoseconds),
                length: .uniform(0, TimeSpan.seconds(3).nanoseconds),
                extra: .uniform(0, TimeSpan.seconds(2).nanoseconds))
        }
        return LinkProfile(up: direction, down: direction)
    }

    /// A middlebox with short timeouts, because the random worlds are short.
    mutating func middlebox() -> Middlebox {
        Middlebox(
            tcp: seconds(5..<120), udp: seconds(5..<60), expiryAction: pick(Middlebox.ExpiryAction.allCases),
            adoptsMidstream: once(in: 4))
    }

    /// Adds a middlebox that blocks UDP to one or both interfaces, or to all paths.
    mutating func blockUDP(in world: inout World) {
        let box = Middlebox(udp: Middlebox.blocked, expiryAction: pick(Middlebox.ExpiryAction.allCases))
        let place = below(4)
        if place == 0 || place == 3 { world.middleboxes.wifi.insert(box, at: 0) }
        if place == 1 || place == 3 { world.middleboxes.cellular.append(box) }
        if place == 2 { world.middleboxes.server.append(box) }
    }

    mutating func middleboxes() -> Middleboxes {
        var boxes = Middleboxes()
        boxes.wifi = (0..<below(2)).map { _ in middlebox() }
        boxes.cellular = (0..<below(3)).map { _ in middlebox() }
        boxes.server = (0..<below(2)).map { _ in middlebox() }
        return boxes
    }

    mutating func resolver() -> Resolver {
        Resolver(
            ttl: seconds(0..<120), timeout: seconds(1..<6), attempts: UInt8(1 + below(3)),
            work: .milliseconds(Int64(below(200))), ipv4: pick(Resolver.AddressStatus.allCases),
            ipv6: pick(Resolver.AddressStatus.allCases), failureMode: pick(Resolver.FailureMode.allCases))
    }

    /// Lets packets of some directions overtake each other.
    mutating func reorderPackets(of world: inout World) {
        let reordering = Reordering(
            share: Probability(UInt64(1 + below(30)), of: 100), delay: .milliseconds(Int64(1 + below(500))))
        if once(in: 2) { world.wifiLink.up.reordering = reordering }
        if once(in: 2) { world.wifiLink.down.reordering = reordering }
        if once(in: 2) { world.cellularLink.up.reordering = reordering }
        if once(in: 2) { world.cellularLink.down.reordering = reordering }
    }

    /// Gives some networks other addresses of the server.
    mutating func divideAddresses(of world: inout World) {
        let usual = Resolver.NetworkDifference()
        world.resolver?.wifi = once(in: 4) ? usual : networkDifference()
        world.resolver?.cellular = once(in: 4) ? usual : networkDifference()
    }

    private mutating func networkDifference() -> Resolver.NetworkDifference {
        var own = Resolver.NetworkDifference()
        if once(in: 3) { own.ipv4 = pick(Resolver.AddressStatus.allCases) }
        if once(in: 3) { own.ipv6 = pick(Resolver.AddressStatus.allCases) }
        if once(in: 3) { own.translates = once(in: 2) }
        if once(in: 3) { own.privateAddress = pick(Resolver.PrivateAddress.allCases) }
        if once(in: 4) { own.reachesPublicAddress = once(in: 2) }
        return own
    }

    mutating func otherApp(_ number: Int) -> OtherApp {
        OtherApp(
            name: "other \(number)", gap: .exponential(mean: TimeSpan.seconds(Int64(20 + below(600))).nanoseconds),
            up: UInt32(below(1_000)), down: UInt32(below(5_000)), cause: .otherApps, wake: pick(WakePolicy.allCases),
            isExempt: once(in: 3))
    }
}
