package import DeadzoneBase
import DeadzoneClient
import DeadzoneDevice
import DeadzoneTransport

/// The simulation of one phone: device, network paths, connections, packets in flight, and its ordered events.
///
/// Stored as plain bytes, without classes, strings, arrays or closures. It is noncopyable, so that the hot loop never
/// copies a kilobyte by accident.
package struct PhoneSimulation: ~Copyable {
    /// The app's process, and the operating system if the scenario simulates one. Declared before `phone`, which fills
    /// up its last word.
    var host: ClientHost
    let phone: PhoneID
    package internal(set) var now = Instant.zero
    var networks: Networks
    var packetNetwork: PacketNetwork
    var phoneEnd: PhoneEnd
    var server: Server
    /// Next deadline of the server's end of each connection. Cached here because every event reads it.
    var serverDue = (Instant.never, Instant.never)
    static let slots = 0..<ConnectionSlot.count

    /// The next timeline entry that takes effect on this phone.
    var nextChange: TimelinePosition
    var delivery: Delivery
    /// The true state of the phone's connections.
    var connections: Connections
    var isStopped = false
    var eventCounter = EventCounter()
    /// The next weather event (a change that no client influences), cached; `.unknown` after a weather event was
    /// handled or a network changed.
    var cachedWeather = NextEvent.unknown
    /// Next event, cached when the phone last stopped running; `.unknown` if it must be searched again.
    var cachedNext = NextEvent.unknown
    var serverLocation: ServerLocation
    var otherApps: OtherApps
    private let addressStable = AddressStable()

    /// Creates the simulation of one phone at time zero.
    /// - Parameter allocator: The arena allocator for the separate parts. `nil` allocates each part separately.
    package init(phone: PhoneID, context: borrowing WorkerContext, in allocator: ArenaAllocator? = nil) {
        self.phone = phone
        host = ClientHost(
            context.platforms.count > 0 ? context.platforms[0] : nil, privileges: context.client.strategy.privileges,
            dice: context.dice(.strategy, phone), doze: context.dice(.doze, phone), canBePushed: context.world.canPush,
            in: allocator)
        serverLocation = ServerLocation(dependsOnNetwork: context.addressesDependOnNetwork)
        packetNetwork = PacketNetwork(phone: phone, context.packets, in: allocator)
        networks = Networks(context.pathRules[0], in: allocator) { context.packets.has($0) }
        phoneEnd = PhoneEnd(
            unused: context.unopenedConnection, context.traffic, context.phoneEndRules[0], in: allocator)
        connections = Connections(unused: context.unusedTruth, hasPeer: context.peer != nil, in: allocator)
        server = Server(context.server[0], unused: context.unopenedEnd, context.traffic, in: allocator)
        delivery = Delivery(
            context.traffic, context.receivePolicy[0], context.consumers.count > 0 ? context.consumers[0] : nil,
            leavesOut: context.world.server.slowConsumers.conflates || context.traffic.pointee.subscriptions > 0)
        otherApps = OtherApps(context.otherApps, seed: context.seed, phone: phone)
        nextChange = TimelinePosition(
            in: context.world.timeline, maxDisplacement: context.maxDisplacement,
            TimelineDice(seed: context.seed, phone: phone))
    }
}
