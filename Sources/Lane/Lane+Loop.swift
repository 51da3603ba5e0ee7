import DeadzoneClient
import DeadzoneDevice
import DeadzoneJournal
import DeadzoneMessages
import DeadzonePhoneEnd
package import DeadzonePrimitives
import DeadzoneServer
import DeadzoneSystem
import DeadzoneTransport
import DeadzoneWorld

/// The loop: what is next happens, and the strategy answers.
extension Lane {
    /// The process starts, on whatever paths the first changes of the timeline give.
    package mutating func start(_ stage: inout Stage) {
        while nextChangeAt == .zero {
            applyChange(&stage)
            // No one is there yet to be told.
            stage.notices.removeAll()
        }
        settleIn(stage)
        delivery.scheduleStall(after: .zero, at: now)
        delivery.askFirst(&session, &stage.deliverySteps)
        settleDelivery(&stage)
        tell(.started, &stage)
        drainNotices(&stage)
    }

    /// Events between two looks at whether somebody wants no more: a few milliseconds.
    private static let patience = 1 << 14

    /// Handles every event before `end`, or before the stage stands still. Returns when the next one is; earlier, in the middle of
    /// the day, once nobody wants it any more.
    @discardableResult
    package mutating func run(
        until end: Instant, _ stage: inout Stage, isCancelled: () -> Bool = { false }
    ) -> Instant {
        var untilLook = Self.patience
        var next = upcoming(stage)
        known = .unknown
        while !isStopped {
            let limit = min(end, stage.standstill)
            let rolled = next.at < limit ? next.rolledBefore : limit
            if radioAt < rolled {
                rollRadios(before: rolled, &stage)
                guard !isStopped else { break }
            }
            guard next.at < limit else {
                known = next
                return next.at
            }
            untilLook -= 1
            if untilLook == 0 {
                if isCancelled() { return next.at }
                untilLook = Self.patience
            }
            if now < next.at { advance(to: next.at) }
            countEvent(&stage)
            handle(next.source, &stage)
            drainNotices(&stage)
            next = nextEvent(stage)
        }
        return .never
    }

    /// When the first of the radios changes by itself.
    @inline(__always)
    private var radioAt: Instant { min(ports[Interface.wifi.port].radioAt, ports[Interface.cellular.port].radioAt) }

    /// What the radios did by themselves before that moment, in its order. A radio that changes by itself tells nobody, and moves
    /// nothing but its own next change: no event is made of it, and nobody is asked what is due after it.
    mutating func rollRadios(before limit: Instant, _ stage: inout Stage) {
        while !isStopped {
            let (wifi, cellular) = (ports[Interface.wifi.port].radioAt, ports[Interface.cellular.port].radioAt)
            let at = min(wifi, cellular)
            guard at < limit else { return }
            if now < at { advance(to: at) }
            countEvent(&stage)
            advanceRadio(cellular < wifi ? .cellular : .wifi, &stage)
        }
    }

    /// An instance of the server that left ends, and resets what it has of this phone.
    package mutating func lose(_ instance: UInt8, at: Instant, _ stage: inout Stage) {
        guard !isStopped, server.isOn(instance) else { return }
        rollRadios(before: at, &stage)
        guard !isStopped else { return }
        advance(to: at)
        somethingHappens(&stage)
        known = .unknown
        _ = applyToInstance(instance, .down, &stage)
        drainNotices(&stage)
    }

    private mutating func advance(to at: Instant) {
        now = at
        session.now = at
        if secondEnds <= at {
            eventsInSecond = 0
            secondEnds = at + .seconds(1)
        }
        eventsBefore = eventsInSecond
    }

    mutating func tell(_ event: Event, _ stage: inout Stage) { stage.notices.append(event) }

    @inline(__always)
    private mutating func handle(_ source: EventSource, _ stage: inout Stage) {
        // A look at this very instant comes after weather and before what ranks behind packets.
        if source != .flight { somethingHappens(isLate: !source.isWeather, &stage) }
        if source.isWeather { weather = .unknown }
        switch source {
        case .timeline: applyChange(&stage)
        case .networks: advanceNetworks(&stage)
        case .messageDown: writeDown(&stage)
        case .messageUp: wantUp(&stage)
        case .call:
            phoneEnd.wantCall(at: now, &stage.phoneEndSteps)
            settlePhoneEnd(&stage)
        case .probe: sendProbe(&stage)
        case .flight: land(&stage)
        case .approach0: advanceNetwork(0, &stage)
        case .client0: expireClient(0, &stage)
        case .server0: expireServer(0, &stage)
        case .approach1: advanceNetwork(1, &stage)
        case .client1: expireClient(1, &stage)
        case .server1: expireServer(1, &stage)
        case .timer: fire(firstTimer.slot, &stage)
        case .phone: advancePhone(&stage)
        case .tenant: runTenant(tenants.next.index, &stage)
        case .deploy: advanceDeploy(&stage)
        case .stall:
            delivery.advanceStall(&session, &stage.deliverySteps)
            settleDelivery(&stage)
        case .consumer: advanceConsumption(&stage)
        case .unknown: preconditionFailure("an event that nobody has looked for")
        }
    }

    /// Lets the strategy answer what it was told, and what follows from its answers, until it is silent.
    @inline(__always)
    mutating func drainNotices(_ stage: inout Stage) {
        // Without a system that may hold something back, mostly there is nothing to tell.
        if system == nil && stage.notices.isEmpty && !delivery.hasWish && !phoneEnd.calls.hasUntold { return }
        tellNotices(&stage)
    }

    private mutating func tellNotices(_ stage: inout Stage) {
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

    @inline(__always)
    private mutating func countEvent(_ stage: inout Stage) {
        eventsInSecond += 1
        // An instant has no more events than its second.
        if eventsInSecond > Limits.eventsPerInstant { judgeEvents(&stage) }
    }

    private mutating func judgeEvents(_ stage: inout Stage) {
        let eventsNow = eventsInSecond - eventsBefore
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
