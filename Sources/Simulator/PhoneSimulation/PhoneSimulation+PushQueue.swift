import DeadzoneBase
import DeadzoneClient
import DeadzoneTransport

extension PushQueueRules {
    var limits: PushLimits { PushLimits(pending: pendingLimit, keys: keyLimit) }
}

/// Pushes of a service that stores several of them, and the app's push token.
extension PhoneSimulation {
    /// Size in bytes of the request with which the app sends its push token, with TLS set-up (assumed). The answer
    /// and the TLS flights are not simulated separately.
    private static let registrationBytes: UInt32 = 1_500
    /// First address of the random collapse keys; beyond those of calls, sessions, tokens and refusals.
    private static let keyAddress: UInt64 = 1 << 43

    // MARK: The push service

    /// Requests a push for the server's message with this index.
    mutating func request(
        _ message: UInt32, isUrgent: Bool, _ queue: PushQueueMemory, _ context: inout WorkerContext
    ) {
        expirePushes(queue, &context)
        guard queue.queue.pointee.token == .valid else { return journal(.pushUnregistered, value: 1, &context) }
        let rules = context.pushRules
        let own = context.traffic.pointee.pushOptions(ofDown: message)
        let keys = own?.options.collapseKeys ?? rules.collapseKeys
        var key: UInt32 = 0
        if keys > 0 {
            let word = context.dice(.serverErrors, phone).at(Self.keyAddress + UInt64(message))
            key = UInt32(own.map { $0.stream + 1 } ?? 0) << 16 | UInt32(word.scaled(below: UInt64(keys)) + 1)
        }
        let push = StoredPush(
            key: key, isUrgent: isUrgent, timeToLive: own?.options.timeToLive ?? rules.timeToLive, at: now)
        if let dropped = queue.add(push, rules.limits) {
            journal(dropped.reason, value: Int64(dropped.count), &context)
        }
        advance(queue, &context)
    }

    /// Continues the delivery of pushes and of the app's token, as far as it is possible now.
    mutating func advance(_ queue: PushQueueMemory, _ context: inout WorkerContext) {
        guard !queue.queue.pointee.isHandingOver else { return }
        expirePushes(queue, &context)
        sendPushToken(queue, &context)
        if let path = networks.truePath, networks.isOnline(path, at: now) {
            while let push = queue.sendNext() {
                let packet = Packet(.push, cause: .push, bytes: PushService.bytes, number: push.number, stamp: now)
                sendDown(packet, slot: nil, over: path, epoch: networks.epoch(path), &context)
                // A packet that is dropped at once waits for its repeat.
                if queue.queue.pointee.due(after: now) != .never { break }
            }
        }
        handOver(queue, &context)
    }

    /// Passes the pushes at the phone to the app, in the order in which they were requested. The app gets one event for
    /// all of one instant.
    private mutating func handOver(_ queue: PushQueueMemory, _ context: inout WorkerContext) {
        queue.queue.pointee.isHandingOver = true
        var (isWoken, isBlocked, index) = (false, false, 0)
        while index < queue.queue.pointee.count {
            let push = queue[index]
            guard push.stage == .atPhone, push.isUrgent || !isBlocked else {
                index += 1
                continue
            }
            if push.isUrgent, !push.isDemoted, system.map({ $0.pointee.demotesUrgentPush(at: now) }) ?? false {
                queue[index].isDemoted = true
                journal(.pushDemoted, &context)
            }
            guard callSystem(&context, { $0.push(isUrgent: push.isUrgent, at: $1, &$2) }) ?? false else {
                isBlocked = isBlocked || !push.isUrgent
                index += 1
                continue
            }
            queue.finish(push.number)
            if push.isNotice {
                notifyStrategy(.pushesDiscarded, &context)
            } else {
                journal(.pushed, value: (now - push.askedAt).nanoseconds, &context)
                if !isWoken { notifyStrategy(.pushWoken, &context) }
                isWoken = true
            }
        }
        queue.queue.pointee.isHandingOver = false
    }

    private func expirePushes(_ queue: PushQueueMemory, _ context: inout WorkerContext) {
        let count = queue.expire(at: now)
        if count > 0 { journal(.pushExpired, value: Int64(count), &context) }
    }

    // MARK: The token

    /// Makes the app's push token void. Returns `false` if it is void already.
    mutating func endPushToken(_ context: inout WorkerContext) -> Bool {
        guard let queue = context.pushQueue, queue.queue.pointee.token == .valid else { return false }
        queue.queue.pointee.token = .void
        queue.queue.pointee.tokenVoidSince = now
        let dropped = queue.dropStored()
        if dropped > 0 { journal(.pushUnregistered, value: Int64(dropped), &context) }
        if system.map({ $0.pointee.appLives && $0.pointee.appRuns }) ?? false { continuePushToken(queue, &context) }
        return true
    }

    /// Notifies an app that runs of its new push token, and sends a token that had to wait.
    mutating func continuePushToken(_ queue: PushQueueMemory, _ context: inout WorkerContext) {
        if queue.queue.pointee.token == .void {
            queue.queue.pointee.token = .changed
            notifyStrategy(.pushTokenChanged, &context)
        }
        sendPushToken(queue, &context)
    }

    /// Sends the app's new token to the server, now or as soon as the app has a network.
    mutating func registerPushToken(_ context: inout WorkerContext) {
        guard let queue = context.pushQueue else { return }
        let token = queue.queue.pointee.token
        guard token == .void || token == .changed else { return }
        queue.queue.pointee.token = .toSend
        sendPushToken(queue, &context)
    }

    /// The process that wanted to send its token is gone. The system notifies the next one again (assumed).
    func forgetPushToken(_ context: borrowing WorkerContext) {
        guard let queue = context.pushQueue else { return }
        let token = queue.queue.pointee.token
        if token == .changed || token == .toSend { queue.queue.pointee.token = .void }
    }

    private mutating func sendPushToken(_ queue: PushQueueMemory, _ context: inout WorkerContext) {
        guard queue.queue.pointee.token == .toSend, appRuns, networkIsAllowed, let path = session.path,
            networks.isUsable(path)
        else { return }
        queue.queue.pointee.token = .onItsWay
        let packet = Packet(.tokenRequest, cause: .push, bytes: Self.registrationBytes, stamp: now)
        transmit(
            PacketInFlight(
                at: now, packet: packet, location: .heldByPhone, interface: path, slot: .max, generation: 0,
                epoch: networks.epoch(path)), &context)
    }

    /// Handles the app's token at the server. Pushes that were dropped meanwhile are not repeated.
    mutating func receivePushToken(_ context: inout WorkerContext) {
        guard let queue = context.pushQueue, queue.queue.pointee.token == .onItsWay else { return }
        guard !server.isDown, !server.isFrozen else { return losePushToken(queue) }
        endPushTokenGap(queue, &context)
        queue.queue.pointee.token = .valid
    }

    /// Schedules another attempt to send the token.
    func losePushToken(_ queue: PushQueueMemory) {
        guard queue.queue.pointee.token == .onItsWay else { return }
        queue.queue.pointee.token = .toSend
        queue.queue.pointee.scheduleRepeat(at: now)
    }

    private func endPushTokenGap(_ queue: PushQueueMemory, _ context: inout WorkerContext) {
        guard queue.queue.pointee.token != .valid else { return }
        journal(.pushTokenVoid, value: (now - queue.queue.pointee.tokenVoidSince).nanoseconds, &context)
    }

    /// Accounts for pushes that wait or have expired, and for a token that is still void, at the horizon.
    func finishPushes(_ context: inout WorkerContext) {
        guard let queue = context.pushQueue else {
            if let age = pushes.age(at: now) { journal(.waitedPush, value: age.nanoseconds, &context) }
            return
        }
        expirePushes(queue, &context)
        for index in 0..<queue.queue.pointee.count where !queue[index].isNotice {
            journal(.waitedPush, value: (now - queue[index].askedAt).nanoseconds, &context)
        }
        endPushTokenGap(queue, &context)
    }
}
