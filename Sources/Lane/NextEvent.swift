import DeadzoneClient
import DeadzoneDevice
import DeadzoneMessages
import DeadzonePhoneEnd
package import DeadzonePrimitives
import DeadzoneServer
import DeadzoneSystem
import DeadzoneTransport
import DeadzoneWorld

/// Where the next event of a lane comes from, its radios apart. The order of the cases is the order of events at one instant:
/// weather, (radios,) delivery, operating system, other programs, timers (the rank of the total order; see this target's
/// README). The three of a slot come together: those of slot 0 before those of slot 1.
enum EventSource: UInt8, BitwiseCopyable {
    case timeline, networks, messageDown, messageUp, call, probe
    case deploy, stall
    case flight, consumer
    case phone, tenant
    /// A mapping of a box, or a step from a name to an address; the ends of a connection.
    case approach0, client0, server0
    case approach1, client1, server1
    case timer
    /// Nobody has looked since something changed.
    case unknown

    /// Before the radios, at one instant.
    var isWeather: Bool { rawValue < Self.flight.rawValue }
}

struct NextEvent: BitwiseCopyable {
    private(set) var at: Instant
    private(set) var source: EventSource

    static let unknown = NextEvent(at: .never, source: .unknown)

    /// What radios do before it: at its own instant, too, unless it is weather.
    var rolledBefore: Instant { source.isWeather ? at : at + .nanoseconds(1) }

    @inline(__always)
    fileprivate mutating func consider(_ candidate: Instant, _ from: EventSource) {
        if candidate < at { (at, source) = (candidate, from) }
    }
}

extension Lane {
    /// When the lane wants to be run again. Its radios can wait for that, or for the horizon.
    package mutating func due(_ stage: borrowing Stage) -> Instant {
        guard !isStopped else { return .never }
        known = upcoming(stage)
        return known.at
    }

    /// As it was found at the end of the last turn, unless something has come to the lane since.
    mutating func upcoming(_ stage: borrowing Stage) -> NextEvent {
        known.source == .unknown ? nextEvent(stage) : known
    }

    mutating func nextEvent(_ stage: borrowing Stage) -> NextEvent {
        guard !stage.isRestless else { return nextOfMany(stage) }
        if weather.source == .unknown { weather = nextWeather }
        var next = weather
        next.consider(stage.flights.nextAt(flights), .flight)
        considerEnds(0, false, serverDue.0, (.approach0, .client0, .server0), &next)
        considerEnds(1, false, serverDue.1, (.approach1, .client1, .server1), &next)
        next.consider(session.timers.earliest.at, .timer)
        return next
    }

    /// It changes only where some of it happens, and where the networks of a phone do something. Pushes are of phones with a system, which
    /// are asked each time.
    private var nextWeather: NextEvent {
        var next = NextEvent(at: nextChangeAt, source: .timeline)
        next.consider(min(networks.dueAt, pushes.due(after: now)), .networks)
        next.consider(server.written.at, .messageDown)
        next.consider(delivery.wanted.at, .messageUp)
        next.consider(phoneEnd.calls.wanted.at, .call)
        next.consider(probes.at, .probe)
        next.consider(server.deployAt, .deploy)
        return next
    }

    /// With all that a phone can have.
    private func nextOfMany(_ stage: borrowing Stage) -> NextEvent {
        var next = nextWeather
        if delivery.hasConsumer { next.consider(delivery.stallAt, .stall) }
        next.consider(stage.flights.nextAt(flights), .flight)
        if delivery.hasConsumer && appRuns { next.consider(delivery.consumptionAt(now), .consumer) }
        var kernelSleeps = false
        if let system {
            next.consider(system.pointee.deviceAt, .phone)
            kernelSleeps = !system.pointee.processorIsAwake
        }
        if stage.tenants.count > 0 { next.consider(tenants.next.at, .tenant) }
        considerEnds(0, kernelSleeps, serverDue.0, (.approach0, .client0, .server0), &next)
        considerEnds(1, kernelSleeps, serverDue.1, (.approach1, .client1, .server1), &next)
        next.consider(firstTimer.at, .timer)
        return next
    }

    /// The timer of the strategy that goes off first.
    var firstTimer: (at: Instant, slot: TimerSlot) { system?.pointee.timer ?? session.timers.earliest }

    @inline(__always)
    private func considerEnds(
        _ slot: Int, _ kernelSleeps: Bool, _ serverAt: Instant,
        _ sources: (approach: EventSource, client: EventSource, server: EventSource), _ next: inout NextEvent
    ) {
        guard phoneEnd[slot].belief != .closed || server.isHeld(slot) else { return }
        next.consider(networkDeadline(slot, kernelSleeps), sources.approach)
        // Timers of the phone's kernel wait while its processor sleeps, and are late when it wakes.
        if !kernelSleeps { next.consider(max(phoneEnd.deadline(slot), now), sources.client) }
        if serverAt != .never { next.consider(max(serverAt, now), sources.server) }
    }
}
