import DeadzoneClient
import DeadzoneDevice
import DeadzoneJournal
import DeadzoneMessages
import DeadzonePrimitives
import DeadzoneServer
import DeadzoneSystem
import DeadzoneTransport
import DeadzoneWorld

/// Where the next event of a lane comes from, its radios apart. The order of the cases is the order of events at one instant:
/// weather, (radios,) delivery, operating system, other programs, timers (the rank of the total order; see this target's
/// README). The three of a slot come together: those of slot 0 before those of slot 1.
private enum Source: Equatable {
    case timeline, networks, messageDown, messageUp, call, probe
    case deploy, stall, consumer
    case flight
    case phone, tenant(Int)
    /// A mapping of a box, or a step from a name to an address.
    case approach(Int)
    case clientTimer(Int), serverTimer(Int)
    case timer(TimerSlot)

    /// Before the radios, at one instant.
    var isWeather: Bool {
        switch self {
        case .timeline, .networks, .messageDown, .messageUp, .call, .probe, .deploy, .stall: true
        case .flight, .consumer, .phone, .tenant, .approach, .clientTimer, .serverTimer, .timer: false
        }
    }
}

extension Lane {
    /// The process starts, on whatever paths the first changes of the timeline give.
    mutating func start(_ stage: inout Stage) {
        while nextChangeAt == .zero {
            applyChange(&stage)
            // No one is there yet to be told.
            stage.notices.removeAll()
        }
        settleIn(stage)
        delivery.scheduleStall(after: .zero, at: now)
        delivery.askFirst(&session, &stage.news)
        settleDelivery(&stage)
        tell(.started, &stage)
        drainNotices(&stage)
    }

    /// Events between two looks at whether somebody wants no more: a few milliseconds.
    private static let patience = 1 << 14

    /// Handles every event before `limit`. Returns when the next one is; earlier, in the middle of the day, once nobody wants
    /// it any more.
    @discardableResult
    mutating func run(
        until limit: Instant, _ stage: inout Stage, isCancelled: () -> Bool = { false }
    ) -> Instant {
        var untilLook = Self.patience
        var next = nextEvent(stage)
        while !isStopped {
            let radio = nextRadio
            // Weather comes first, everything else after.
            let isRadio = radio.at < next.at || (radio.at == next.at && !next.source.isWeather)
            let at = isRadio ? radio.at : next.at
            guard at < limit else { return at }
            untilLook -= 1
            if untilLook == 0 {
                if isCancelled() { return at }
                untilLook = Self.patience
            }
            if now < at { advance(to: at) }
            countEvent(&stage)
            if isRadio {
                // Half of all events: a radio that changes by itself tells nobody, and moves nothing but its own next change.
                advanceRadio(radio.interface, &stage)
            } else {
                handle(next.source, &stage)
                drainNotices(&stage)
                next = nextEvent(stage)
            }
        }
        return .never
    }

    private mutating func advance(to at: Instant) {
        now = at
        session.now = at
        eventsNow = 0
        guard secondEnds <= at else { return }
        eventsInSecond = 0
        secondEnds = at + .seconds(1)
    }

    /// When the lane wants to be run again.
    func due(_ stage: borrowing Stage) -> Instant { isStopped ? .never : min(nextEvent(stage).at, nextRadio.at) }

    mutating func tell(_ event: Event, _ stage: inout Stage) { stage.notices.append(event) }

    private var nextRadio: (at: Instant, interface: Interface) {
        let (wifi, cellular) = (ports[Interface.wifi.port].radioAt, ports[Interface.cellular.port].radioAt)
        return cellular < wifi ? (cellular, .cellular) : (wifi, .wifi)
    }

    /// The radios apart.
    private func nextEvent(_ stage: borrowing Stage) -> (at: Instant, source: Source) {
        var at = nextChangeAt
        var source = Source.timeline
        func consider(_ candidate: Instant, _ from: @autoclosure () -> Source) {
            if candidate < at {
                at = candidate
                source = from()
            }
        }
        consider(min(networks.dueAt, pushes.due(after: now)), .networks)
        consider(server.written.at, .messageDown)
        consider(delivery.wanted.at, .messageUp)
        consider(calls.wanted.at, .call)
        consider(probes.at, .probe)
        consider(server.deployAt, .deploy)
        if delivery.hasConsumer { consider(delivery.stallAt, .stall) }
        consider(stage.flights.nextAt(flights), .flight)
        if delivery.hasConsumer && appRuns { consider(delivery.consumptionAt(now), .consumer) }
        var kernelSleeps = false
        if let system {
            consider(system.pointee.deviceAt, .phone)
            kernelSleeps = !system.pointee.processorIsAwake
        }
        if stage.tenants.count > 0 {
            let tenant = tenants.next
            consider(tenant.at, .tenant(tenant.index))
        }
        for slot in Self.slots where lines[slot].belief != .closed || server.isHeld(slot) {
            consider(networkDeadline(slot, kernelSleeps), .approach(slot))
            // Timers of the phone's kernel wait while its processor sleeps, and are late when it wakes.
            if !kernelSleeps { consider(max(clientDeadline(slot), now), .clientTimer(slot)) }
            let due = slot == 0 ? serverDue.0 : serverDue.1
            if due != .never { consider(max(due, now), .serverTimer(slot)) }
        }
        let timer = system?.pointee.timer ?? session.timers.earliest
        consider(timer.at, .timer(timer.slot))
        return (at, source)
    }

    private mutating func handle(_ source: Source, _ stage: inout Stage) {
        // A look at this very instant comes after weather and before what ranks behind packets.
        if source != .flight { somethingHappens(isLate: !source.isWeather, &stage) }
        switch source {
        case .timeline: applyChange(&stage)
        case .networks: advanceNetworks(&stage)
        case .messageDown: writeDown(&stage)
        case .messageUp: wantUp(&stage)
        case .call: wantCall(&stage)
        case .probe: sendProbe(&stage)
        case .flight: land(&stage)
        case .approach(let slot): advanceNetwork(slot, &stage)
        case .clientTimer(let slot): expireClient(slot, &stage)
        case .serverTimer(let slot): expireServer(slot, &stage)
        case .timer(let slot): fire(slot, &stage)
        case .phone: advancePhone(&stage)
        case .tenant(let index): runTenant(index, &stage)
        case .deploy: advanceDeploy(&stage)
        case .stall:
            delivery.advanceStall(&session, &stage.news)
            settleDelivery(&stage)
        case .consumer: advanceConsumption(&stage)
        }
    }

    /// Lets the strategy answer what it was told, and what follows from its answers, until it is silent.
    mutating func drainNotices(_ stage: inout Stage) {
        while !isStopped, let event = nextNotice(&stage) {
            countEvent(&stage)
            stage.outbox.removeAll()
            stage.strategy.handle(event, stage.state, &session, &stage.outbox)
            if stage.outbox.overflow > 0 {
                stop(.tooManyActions, value: Int64(Outbox.capacity + stage.outbox.overflow), &stage)
            }
            var index = 0
            // A crash empties the outbox.
            while index < stage.outbox.count && !isStopped {
                perform(stage.outbox[index], &stage)
                index += 1
            }
        }
        if isStopped { stage.notices.removeAll() }
        if timersChanged() { rearm() }
    }

    private mutating func countEvent(_ stage: inout Stage) {
        eventsNow += 1
        eventsInSecond += 1
        if eventsNow > Limits.eventsPerInstant { stop(.tooManyEventsAtOnce, value: Int64(eventsNow), &stage) }
        if eventsInSecond > Limits.eventsPerSecond {
            stop(.tooManyEventsInASecond, value: Int64(eventsInSecond), &stage)
        }
    }

    mutating func stop(_ code: StopCode, value: Int64, _ stage: inout Stage) {
        guard !isStopped else { return }
        isStopped = true
        journal(.stopped, code.rawValue, value: value, &stage)
    }

    /// Of a kind whose tag says nothing.
    func journal(_ kind: Kind, value: Int64 = 0, _ stage: inout Stage) {
        stage.journal.append(Record(at: now, lane: phone.index, kind: kind, value: value))
    }

    func write(_ note: Note, _ stage: inout Stage) {
        stage.journal.append(
            Record(at: now, lane: phone.index, kind: note.kind, tag: note.tag, value: note.value))
    }

    func journal<Tag>(_ tagged: Tagged<Tag>, _ tag: Tag, value: Int64 = 0, _ stage: inout Stage) {
        stage.journal.append(Record(at: now, lane: phone.index, kind: tagged.kind, tag: tag.bits, value: value))
    }
}
