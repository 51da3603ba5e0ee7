import DeadzoneBase
import DeadzoneClient
import DeadzoneTransport

/// Queues of the effects that the components of a phone request.
///
/// Only this file can change a queue. A component that needs one is therefore called through `callServer` and the
/// similar functions below, which apply all effects of the call. No caller can forget to apply them.
struct EffectQueues: ~Copyable {
    fileprivate(set) var server = EffectQueue<ServerEffect>()
    fileprivate(set) var phoneEnd = EffectQueue<PhoneEndEffect>()
    fileprivate(set) var delivery = EffectQueue<DeliveryEffect>()
    fileprivate(set) var networks = EffectQueue<NetworksEffect>()
    fileprivate(set) var system = EffectQueue<SystemEffect>()
    fileprivate(set) var connections = EffectQueue<ConnectionsEffect>()
}

/// Calls of components. Each function passes the component, the time and the effect queue to `call`, and then applies
/// the effects. The effects that follow from one effect are applied before the next one.
extension PhoneSimulation {
    @discardableResult @inline(__always)
    mutating func callServer<Result>(
        _ context: inout WorkerContext, _ call: (inout Server, Instant, inout EffectQueue<ServerEffect>) -> Result
    ) -> Result {
        let result = call(&server, now, &context.effects.server)
        applyEffects(ServerEffect.self, &context)
        serverDue = (server.deadline(0), server.deadline(1))
        return result
    }

    @discardableResult @inline(__always)
    mutating func callPhoneEnd<Result>(
        _ context: inout WorkerContext, _ call: (inout PhoneEnd, Instant, inout EffectQueue<PhoneEndEffect>) -> Result
    ) -> Result {
        let result = call(&phoneEnd, now, &context.effects.phoneEnd)
        applyEffects(PhoneEndEffect.self, &context)
        return result
    }

    /// Calls the message ledger. It takes the time from the session.
    @discardableResult @inline(__always)
    mutating func callDelivery<Result>(
        _ context: inout WorkerContext,
        _ call: (inout Delivery, inout Session, inout EffectQueue<DeliveryEffect>) -> Result
    ) -> Result {
        let result = call(&delivery, &host.session, &context.effects.delivery)
        applyEffects(DeliveryEffect.self, &context)
        return result
    }

    @discardableResult
    mutating func callNetworks<Result>(
        _ context: inout WorkerContext, _ call: (inout Networks, Instant, inout EffectQueue<NetworksEffect>) -> Result
    ) -> Result {
        let result = call(&networks, now, &context.effects.networks)
        host.session.network = networks.view
        cachedWeather = .unknown
        applyEffects(NetworksEffect.self, &context)
        if let system = host.system, system.pointee.needsDefaultNetwork, let path = host.session.path {
            let isMetered = networks.isMetered(path)
            callHost(&context) { $0.system?.pointee.setDefaultNetwork(isMetered: isMetered, at: $1, &$2) }
        }
        return result
    }

    /// Calls the app's process, or the operating system (`system`) that runs it.
    @discardableResult
    mutating func callHost<Result>(
        _ context: inout WorkerContext,
        _ call: (inout ClientHost, Instant, inout EffectQueue<SystemEffect>) -> Result
    ) -> Result {
        let result = call(&host, now, &context.effects.system)
        host.systemWasCalled = true
        applyEffects(SystemEffect.self, &context)
        return result
    }

    /// Calls the push service, which has the effects of the operating system. Returns `nil` if the phone has none.
    @discardableResult
    mutating func callPushes<Result>(
        _ context: inout WorkerContext, _ call: (inout Pushes, Instant, inout EffectQueue<SystemEffect>) -> Result
    ) -> Result? {
        guard let pushes = context.pushes else { return nil }
        let result = call(&pushes.pointee, now, &context.effects.system)
        applyEffects(SystemEffect.self, &context)
        return result
    }

    /// Calls the true state of connections. `isStopped`: `true` if the system prevents the app from running.
    @inline(__always)
    mutating func callConnections(
        _ context: inout WorkerContext,
        _ call: (inout Connections, _ isStopped: Bool, Instant, inout EffectQueue<ConnectionsEffect>) -> Void
    ) {
        call(&connections, host.appIsStopped, now, &context.effects.connections)
        applyEffects(ConnectionsEffect.self, &context)
    }

    /// Calls the network that carries the phone's packets. Its effect queue is in the resources of the worker.
    @discardableResult @inline(__always)
    mutating func callPacketNetwork<Result>(
        _ context: inout WorkerContext,
        _ call: (inout PacketNetwork, Instant, inout Networks, inout PacketResources) -> Result
    ) -> Result {
        let result = call(&packetNetwork, now, &networks, &context.packets)
        applyEffects(PacketEffect.self, &context)
        return result
    }

    /// Lets a packet cross the middleboxes on its path. The closure of `callPacketNetwork` would copy each packet.
    @inline(__always)
    mutating func crossMiddleboxes(
        _ flight: PacketInFlight, _ direction: Direction, at sentAt: Instant, _ context: inout WorkerContext
    ) -> MiddleboxMappings.CrossingResult? {
        let crossing = packetNetwork.crossMiddleboxes(
            flight, direction, sentAt: sentAt, at: now, networks, &context.packets)
        applyEffects(PacketEffect.self, &context)
        return crossing
    }

    /// Lets the network end the hop of a packet, without a closure, too.
    @inline(__always)
    mutating func endHop(_ flight: PacketInFlight, _ context: inout WorkerContext) -> PacketArrival {
        let arrival = packetNetwork.finishHop(flight, at: now, networks, &context.packets)
        applyEffects(PacketEffect.self, &context)
        return arrival
    }

    @inline(__always)
    private mutating func applyEffects<Effect: ComponentEffect>(_: Effect.Type, _ context: inout WorkerContext) {
        if Effect.withQueue(&context, { $0.hasMore }) { applyBatch(Effect.self, &context) }
    }

    private mutating func applyBatch<Effect: ComponentEffect>(_: Effect.Type, _ context: inout WorkerContext) {
        let batch = Effect.withQueue(&context) { $0.begin() }
        for index in batch {
            Effect.apply(index, on: &self, &context)
            applyEffects(Effect.self, &context)
        }
        Effect.withQueue(&context) { $0.end(batch) }
    }
}

/// The effects of one component: their queue, and how a phone applies one of them.
private protocol ComponentEffect: BitwiseCopyable {
    static func withQueue<Result>(
        _ context: inout WorkerContext, _ access: (inout EffectQueue<Self>) -> Result
    ) -> Result
    /// Applies the effect at this index of the queue.
    static func apply(_ index: Int, on phone: inout PhoneSimulation, _ context: inout WorkerContext)
}

extension ServerEffect: ComponentEffect {
    @inline(__always)
    fileprivate static func withQueue<Result>(
        _ context: inout WorkerContext, _ access: (inout EffectQueue<Self>) -> Result
    ) -> Result { access(&context.effects.server) }

    @inline(__always)
    fileprivate static func apply(_ index: Int, on phone: inout PhoneSimulation, _ context: inout WorkerContext) {
        phone.applyServerEffect(index, &context)
    }
}

extension PhoneEndEffect: ComponentEffect {
    @inline(__always)
    fileprivate static func withQueue<Result>(
        _ context: inout WorkerContext, _ access: (inout EffectQueue<Self>) -> Result
    ) -> Result { access(&context.effects.phoneEnd) }

    @inline(__always)
    fileprivate static func apply(_ index: Int, on phone: inout PhoneSimulation, _ context: inout WorkerContext) {
        phone.applyPhoneEndEffect(index, &context)
    }
}

extension DeliveryEffect: ComponentEffect {
    @inline(__always)
    fileprivate static func withQueue<Result>(
        _ context: inout WorkerContext, _ access: (inout EffectQueue<Self>) -> Result
    ) -> Result { access(&context.effects.delivery) }

    @inline(__always)
    fileprivate static func apply(_ index: Int, on phone: inout PhoneSimulation, _ context: inout WorkerContext) {
        phone.applyDeliveryEffect(index, &context)
    }
}

extension NetworksEffect: ComponentEffect {
    @inline(__always)
    fileprivate static func withQueue<Result>(
        _ context: inout WorkerContext, _ access: (inout EffectQueue<Self>) -> Result
    ) -> Result { access(&context.effects.networks) }

    @inline(__always)
    fileprivate static func apply(_ index: Int, on phone: inout PhoneSimulation, _ context: inout WorkerContext) {
        phone.applyNetworksEffect(index, &context)
    }
}

extension SystemEffect: ComponentEffect {
    @inline(__always)
    fileprivate static func withQueue<Result>(
        _ context: inout WorkerContext, _ access: (inout EffectQueue<Self>) -> Result
    ) -> Result { access(&context.effects.system) }

    @inline(__always)
    fileprivate static func apply(_ index: Int, on phone: inout PhoneSimulation, _ context: inout WorkerContext) {
        phone.applySystemEffect(index, &context)
    }
}

extension ConnectionsEffect: ComponentEffect {
    @inline(__always)
    fileprivate static func withQueue<Result>(
        _ context: inout WorkerContext, _ access: (inout EffectQueue<Self>) -> Result
    ) -> Result { access(&context.effects.connections) }

    @inline(__always)
    fileprivate static func apply(_ index: Int, on phone: inout PhoneSimulation, _ context: inout WorkerContext) {
        phone.applyConnectionsEffect(index, &context)
    }
}

extension PacketEffect: ComponentEffect {
    @inline(__always)
    fileprivate static func withQueue<Result>(
        _ context: inout WorkerContext, _ access: (inout EffectQueue<Self>) -> Result
    ) -> Result { access(&context.packets.effects) }

    @inline(__always)
    fileprivate static func apply(_ index: Int, on phone: inout PhoneSimulation, _ context: inout WorkerContext) {
        phone.applyPacketEffect(index, &context)
    }
}
