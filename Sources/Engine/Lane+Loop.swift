import DeadzoneClient
import DeadzoneDevice
import DeadzoneJournal
import DeadzonePrimitives
import DeadzoneTransport

/// Where the next event of a lane comes from. The order of the cases is the order of events at one instant: weather, radio,
/// delivery, timer (the rank of the total order; see this target's README).
private enum Source {
    case timeline, messageDown, messageUp, probe
    case radio(Interface)
    case flight
    case clientTimer(Int), serverTimer(Int)
    case timer(TimerSlot)
}

extension Lane {
    /// The process starts, on whatever paths the first changes of the timeline give.
    mutating func start(_ stage: inout Stage) {
        while nextChangeAt == .zero {
            applyChange(&stage)
            // No one is there yet to be told.
            stage.notices.removeAll()
        }
        tell(.started, &stage)
        drainNotices(&stage)
    }

    /// Handles every event before `limit`. Returns when the next one is.
    @discardableResult
    mutating func run(until limit: Instant, _ stage: inout Stage) -> Instant {
        while !isStopped {
            let (at, source) = nextEvent(stage)
            guard at < limit else { return at }
            if at == now {
                countEvent(&stage)
            } else {
                now = at
                session.now = at
                eventsNow = 0
            }
            handle(source, &stage)
            drainNotices(&stage)
        }
        return .never
    }

    /// When the lane wants to be run again.
    func due(_ stage: borrowing Stage) -> Instant { isStopped ? .never : nextEvent(stage).at }

    mutating func tell(_ event: Event, _ stage: inout Stage) { stage.notices.append(event) }

    private func nextEvent(_ stage: borrowing Stage) -> (at: Instant, source: Source) {
        var at = nextChangeAt
        var source = Source.timeline
        func consider(_ candidate: Instant, _ from: @autoclosure () -> Source) {
            if candidate < at {
                at = candidate
                source = from()
            }
        }
        consider(writtenDown.at, .messageDown)
        consider(wantedUp.at, .messageUp)
        consider(probes.at, .probe)
        consider(ports[Interface.wifi.port].radioAt, .radio(.wifi))
        consider(ports[Interface.cellular.port].radioAt, .radio(.cellular))
        consider(stage.flights.nextAt(flights), .flight)
        for slot in Self.slots where lines[slot].belief != .closed || lines[slot].serverHolds {
            consider(clientDeadline(slot), .clientTimer(slot))
            if lines[slot].serverHolds { consider(lines[slot].server.timer.deadline, .serverTimer(slot)) }
        }
        let timer = session.deadlines.earliest
        consider(timer.at, .timer(timer.slot))
        return (at, source)
    }

    private mutating func handle(_ source: Source, _ stage: inout Stage) {
        switch source {
        case .timeline: applyChange(&stage)
        case .messageDown: writeDown(&stage)
        case .messageUp: wantUp(&stage)
        case .probe: sendProbe(&stage)
        case .radio(let interface): advanceRadio(interface, &stage)
        case .flight: land(&stage)
        case .clientTimer(let slot): expireClient(slot, &stage)
        case .serverTimer(let slot): expireServer(slot, &stage)
        case .timer(let slot):
            session.disarm(slot)
            journal(.timerFired, tag: UInt16(slot.index), &stage)
            tell(.fired(slot), &stage)
        }
    }

    /// Lets the strategy answer what it was told, and what follows from its answers, until it is silent.
    mutating func drainNotices(_ stage: inout Stage) {
        while !isStopped, let event = stage.notices.next() {
            countEvent(&stage)
            stage.outbox.removeAll()
            let strategy = stage.strategy
            strategy.handle(event, stage.state, &session, &stage.outbox)
            if stage.outbox.overflow > 0 {
                stop(.tooManyActions, value: Int64(Outbox.capacity + stage.outbox.overflow), &stage)
            }
            for index in 0..<stage.outbox.count where !isStopped { perform(stage.outbox[index], &stage) }
        }
        if isStopped { stage.notices.removeAll() }
    }

    private mutating func countEvent(_ stage: inout Stage) {
        eventsNow += 1
        if eventsNow > Limits.eventsPerInstant { stop(.tooManyEventsAtOnce, value: Int64(eventsNow), &stage) }
    }

    mutating func stop(_ code: StopCode, value: Int64, _ stage: inout Stage) {
        guard !isStopped else { return }
        isStopped = true
        journal(.stopped, tag: code.rawValue, value: value, &stage)
    }

    func journal(_ kind: Kind, tag: UInt16 = 0, value: Int64 = 0, _ stage: inout Stage) {
        stage.journal.append(Record(at: now, lane: phone.index, kind: kind, tag: tag, value: value))
    }
}
