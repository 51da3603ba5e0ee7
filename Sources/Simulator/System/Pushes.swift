package import DeadzoneBase
import DeadzoneClient

/// The push service of one phone, and the push token of its app.
///
/// The service stores one push (`PushService`) or several (`PushQueue`). The first is not a queue for one push, because
/// they answer a request differently while a push is on its way: the first joins the two, and the queue stores both. A
/// single push also never expires, its token cannot become void, and a firewall that opens does not repeat a lost push.
package struct Pushes: BitwiseCopyable {
    /// State of the present hand-over: the loop that offers the pushes at the phone to the app.
    private struct HandOver: BitwiseCopyable {
        var isActive = false
        /// Index of the push that is offered.
        var index = 0
        /// `true` once the system has refused a push that is not urgent. It refuses all others, too.
        var isBlocked = false
        /// `true` once the app has its event. It gets one event for all pushes of one instant.
        var isAppNotified = false
    }

    private var service = PushService()
    /// Pushes of a service that stores several, and the app's token; `nil` if the service stores one push.
    private let queue: PushQueueMemory?
    private var handOver = HandOver()

    /// - Parameter queue: Memory for a service that stores several pushes, which this call initialises.
    package init(_ queue: PushQueueMemory?) {
        self.queue = queue
        queue?.queue.initialize(to: PushQueue())
    }

    /// `true` if the service stores several pushes, and has a token that can become void.
    package var storesSeveral: Bool { queue != nil }

    /// `true` if there is anything to send or to pass to the app. `false` during a hand-over, which continues with all
    /// pushes that are at the phone.
    package var hasWork: Bool {
        guard !handOver.isActive else { return false }
        guard let queue else { return service.nextAction != .nothing }
        return queue.queue.pointee.count > 0 || queue.queue.pointee.token.state == .toSend
    }

    /// The instant at which a lost push or token is sent again; `.never` if none is scheduled.
    package func due(after now: Instant) -> Instant {
        queue.map { $0.queue.pointee.due(after: now) } ?? service.due(after: now)
    }

    // MARK: From the server to the phone

    /// Stores a push that the server requests. Returns `false` if the server's token is void.
    package mutating func request(
        _ push: StoredPush, at now: Instant, _ out: inout EffectQueue<SystemEffect>
    ) -> Bool {
        guard let queue else {
            service.request(isUrgent: push.isUrgent, at: now)
            return true
        }
        expire(at: now, &out)
        guard queue.queue.pointee.token.state == .valid else {
            out.note(.pushUnregistered, value: 1)
            return false
        }
        if let dropped = queue.add(push) { out.note(dropped.reason, value: Int64(dropped.count)) }
        return true
    }

    /// Drops the pushes with a time to live that is over.
    package func expire(at now: Instant, _ out: inout EffectQueue<SystemEffect>) {
        guard let queue else { return }
        let count = queue.expire(at: now)
        if count > 0 { out.note(.pushExpired, value: Int64(count)) }
    }

    /// The next push to send to the phone, which is on its way from now on; `nil` if none waits.
    package mutating func sendNext() -> SystemMessage? {
        var number: UInt16 = 0
        if let queue {
            guard let push = queue.sendNext() else { return nil }
            number = push.number
        } else {
            guard service.nextAction == .send else { return nil }
            service.sent()
        }
        return SystemMessage(cause: .push, bytes: PushService.bytes, number: number)
    }

    /// Handles a push that reaches the phone.
    package mutating func arrive(_ number: UInt16, at now: Instant) {
        if let queue { queue.arrive(number, at: now) } else { service.arrive() }
    }

    /// Schedules another attempt to send a push that did not arrive.
    package mutating func lose(_ number: UInt16, at now: Instant) {
        if let queue { queue.lose(number, at: now) } else { service.scheduleRepeat(at: now) }
    }

    // MARK: From the phone to the app

    /// The next push at the phone to offer to the app, in the order of the requests. `nil` ends the hand-over.
    package mutating func nextAtPhone() -> StoredPush? {
        handOver.isActive = true
        if let queue {
            while handOver.index < queue.queue.pointee.count {
                let push = queue[handOver.index]
                if push.stage == .atPhone, push.isUrgent || !handOver.isBlocked { return push }
                handOver.index += 1
            }
        } else if handOver.index == 0, let push = service.atPhone {
            return push
        }
        handOver = HandOver()
        return nil
    }

    /// Offers a push to the app through the operating system. Returns `true` if the app may receive it now.
    package func offer(
        _ push: StoredPush, to system: inout OperatingSystem, at now: Instant, _ out: inout EffectQueue<SystemEffect>
    ) -> Bool {
        if let queue, push.isUrgent, !push.isDemoted, system.demotesUrgentPush(at: now) {
            queue.demote(handOver.index)
            out.note(.pushDemoted)
        }
        return system.push(isUrgent: push.isUrgent, at: now, &out)
    }

    /// Ends a push after the app has received it, and notifies the app. A push that the system refused stays.
    package mutating func endOffer(
        of push: StoredPush, isReceived: Bool, at now: Instant, _ out: inout EffectQueue<SystemEffect>
    ) {
        guard isReceived else {
            if !push.isUrgent { handOver.isBlocked = true }
            handOver.index += 1
            return
        }
        if let queue { queue.finish(push.number) } else { _ = service.finish(at: now) }
        guard !push.isNotice else { return out.append(.notifyApp(.pushesDiscarded)) }
        out.note(.pushed, value: (now - push.askedAt).nanoseconds)
        if !handOver.isAppNotified { out.append(.notifyApp(.pushWoken)) }
        handOver.isAppNotified = true
    }

    // MARK: The token

    /// Makes the app's token void. Returns `false` if it is void already, or if it cannot become void.
    package func endToken(appRuns: Bool, at now: Instant, _ out: inout EffectQueue<SystemEffect>) -> Bool {
        guard let queue, queue.queue.pointee.token.end(at: now) else { return false }
        let dropped = queue.dropStored()
        if dropped > 0 { out.note(.pushUnregistered, value: Int64(dropped)) }
        if appRuns { announceToken(&out) }
        return true
    }

    /// Notifies an app that runs of its new token.
    package func announceToken(_ out: inout EffectQueue<SystemEffect>) {
        if let queue, queue.queue.pointee.token.announce() { out.append(.notifyApp(.pushTokenChanged)) }
    }

    /// Handles the app's request to send its new token. Returns `false` if there is none to send.
    package func registerToken() -> Bool { queue.map { $0.queue.pointee.token.register() } ?? false }

    /// The request with the app's new token, which is on its way from now on; `nil` if none waits.
    package func sendToken() -> SystemMessage? {
        guard let queue, queue.queue.pointee.token.send() else { return nil }
        return SystemMessage(cause: .push, bytes: PushToken.registrationBytes)
    }

    /// Schedules another attempt to send the token.
    package func loseToken(at now: Instant) {
        guard let queue, queue.queue.pointee.token.lose() else { return }
        queue.queue.pointee.scheduleRepeat(at: now)
    }

    /// Handles the app's token at the server. Pushes that were dropped meanwhile are not repeated.
    /// - Parameter isServed: `true` if the server works.
    package func receiveToken(isServed: Bool, at now: Instant, _ out: inout EffectQueue<SystemEffect>) {
        guard isServed else { return loseToken(at: now) }
        guard let queue, let time = queue.queue.pointee.token.voidTime(at: now),
            queue.queue.pointee.token.receive()
        else { return }
        out.note(.pushTokenVoid, value: time.nanoseconds)
    }

    /// The app's process has ended.
    package func endProcess() { queue?.queue.pointee.token.forget() }

    // MARK: Accounting

    /// Accounts for pushes that wait or have expired, and for a token that is still void, at the horizon.
    package func finish(at now: Instant, _ out: inout EffectQueue<SystemEffect>) {
        guard let queue else {
            if let age = service.age(at: now) { out.note(.waitedPush, value: age.nanoseconds) }
            return
        }
        expire(at: now, &out)
        for index in 0..<queue.queue.pointee.count where !queue[index].isNotice {
            out.note(.waitedPush, value: (now - queue[index].askedAt).nanoseconds)
        }
        if let time = queue.queue.pointee.token.voidTime(at: now) { out.note(.pushTokenVoid, value: time.nanoseconds) }
    }
}
