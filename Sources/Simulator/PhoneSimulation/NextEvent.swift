package import DeadzoneBase
import DeadzoneClient
import DeadzoneDevice
import DeadzoneTransport

/// Names the component of a simulated phone that causes its next event, such as the timeline or a timer.
///
/// Radio state changes are not events and have no case. At one instant the source that is considered first wins: weather,
/// (radios,) packets and consumer, operating system, other apps, tunnel, subscriptions, presence, timers. The cases have
/// the same order. See "The total order" in the README of this part. The three sources of a connection slot are adjacent:
/// those of slot 0 precede those of slot 1.
enum EventSource: UInt8, BitwiseCopyable {
    case timeline, networks, messageDown, messageUp, call, probe
    case deploy, stall
    case flight, consumer
    case operatingSystem, otherApp
    case tunnel
    /// The server ends one of the phone's subscriptions.
    case subscription
    case presence
    /// Connection slot 0: a middlebox mapping or an address resolution step (`mapping0`), the client's end, the
    /// server's end.
    case mapping0, client0, server0
    /// Connection slot 1: the same three sources.
    case mapping1, client1, server1
    case timer
    /// The next event has not been searched since the last change.
    case unknown

    /// `true` if the event is weather: a change that no client influences. It precedes radio changes at the same
    /// instant.
    var isWeather: Bool { rawValue < Self.flight.rawValue }
}

struct NextEvent: BitwiseCopyable {
    private(set) var at: Instant
    private(set) var source: EventSource

    static let unknown = NextEvent(at: .never, source: .unknown)

    /// Radio state changes before this instant are applied before the event. Those at the event's own instant are
    /// included, unless the event is weather.
    var radioLimit: Instant { source.isWeather ? at : at + .nanoseconds(1) }

    @inline(__always)
    fileprivate mutating func consider(_ candidate: Instant, _ from: EventSource) {
        if candidate < at { (at, source) = (candidate, from) }
    }
}

extension PhoneSimulation {
    /// Returns the instant of the phone's next event, at which it must run again; `.never` if the phone was stopped.
    /// Radio state changes alone never require a run: they are applied at the next event, or at the horizon.
    package mutating func due(_ context: borrowing WorkerContext) -> Instant {
        guard !isStopped else { return .never }
        if cachedNext.source == .unknown { cachedNext = nextEvent(context) }
        return cachedNext.at
    }

    mutating func nextEvent(_ context: borrowing WorkerContext) -> NextEvent {
        guard !context.hasExtraEventSources else { return nextOfAllSources(context) }
        if cachedWeather.source == .unknown { cachedWeather = nextWeather(pushAt: .never) }
        var next = cachedWeather
        next.consider(packetNetwork.nextAt(context.packets), .flight)
        considerConnection(0, false, serverDue.0, (.mapping0, .client0, .server0), &next)
        considerConnection(1, false, serverDue.1, (.mapping1, .client1, .server1), &next)
        next.consider(host.session.timers.earliest.at, .timer)
        return next
    }

    /// The next weather event (a change that no client influences). Phones without an operating system cache it: it
    /// changes only after a weather event or after a change of the phone's networks. Pushes change it too, but need an
    /// operating system.
    /// - Parameter pushAt: Instant at which the push service sends a lost push again.
    private func nextWeather(pushAt: Instant) -> NextEvent {
        var next = NextEvent(at: nextChange.at, source: .timeline)
        next.consider(min(networks.dueAt, pushAt), .networks)
        next.consider(server.written.time, .messageDown)
        next.consider(delivery.wanted.time, .messageUp)
        next.consider(phoneEnd.calls.nextCall.time, .call)
        next.consider(server.probes.time, .probe)
        next.consider(server.deployAt, .deploy)
        return next
    }

    /// Searches all event sources. Used for phones with an operating system, a consumer, other apps,
    /// a tunnel, subscriptions or a presence.
    private mutating func nextOfAllSources(_ context: borrowing WorkerContext) -> NextEvent {
        // Only a call of the operating system can change when it lets another app run.
        if host.updateTimers(at: now), let system = host.system {
            otherApps.reschedule { [now] in system.pointee.runTime($0, wishedAt: $1, at: now) }
        }
        let pushAt = context.pushes?.pointee.due(after: now) ?? .never
        // At one instant, the repeats of a service that stores several pushes follow the other weather.
        let storesSeveral = context.pushes?.pointee.storesSeveral ?? false
        var next = nextWeather(pushAt: storesSeveral ? .never : pushAt)
        if storesSeveral { next.consider(pushAt, .networks) }
        if delivery.hasConsumer { next.consider(delivery.stallAt, .stall) }
        next.consider(packetNetwork.nextAt(context.packets), .flight)
        if delivery.hasConsumer && host.appRuns { next.consider(delivery.consumptionAt(now), .consumer) }
        let kernelSleeps = host.processorSleeps
        if let system = host.system { next.consider(system.pointee.deviceAt, .operatingSystem) }
        if context.otherApps.count > 0 { next.consider(otherApps.next.at, .otherApp) }
        if packetNetwork.tunnel != nil { next.consider(packetNetwork.tunnelDeadline(packetSender), .tunnel) }
        if let subscriptions = context.subscriptions {
            next.consider(subscriptions.server.pointee.nextEnd, .subscription)
        }
        if let presence = context.presence {
            next.consider(max(presence.pointee.deadline(context.presenceRules), now), .presence)
        }
        considerConnection(0, kernelSleeps, serverDue.0, (.mapping0, .client0, .server0), &next)
        considerConnection(1, kernelSleeps, serverDue.1, (.mapping1, .client1, .server1), &next)
        next.consider(host.firstTimer.at, .timer)
        return next
    }

    @inline(__always)
    private func considerConnection(
        _ slot: Int, _ kernelSleeps: Bool, _ serverAt: Instant,
        _ sources: (approach: EventSource, client: EventSource, server: EventSource), _ next: inout NextEvent
    ) {
        guard phoneEnd[slot].belief != .closed || server.isHeld(slot) else { return }
        next.consider(packetNetwork.mappingEndsAt(slot), sources.approach)
        // Timers of the phone's kernel and library wait while its processor sleeps, and fire late when it wakes.
        if !kernelSleeps {
            next.consider(max(phoneEnd.resolutionDeadline(slot), now), sources.approach)
            next.consider(max(phoneEnd.deadline(slot), now), sources.client)
        }
        if serverAt != .never { next.consider(max(serverAt, now), sources.server) }
    }
}
