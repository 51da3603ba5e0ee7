import DeadzoneBase
import DeadzoneClient
import DeadzoneTransport

/// Simulates traffic beside the app under test: the platform's push service and other apps.
extension PhoneSimulation {
    // MARK: The push service

    /// Requests a push that wakes the app. Returns `false` on a platform without a push service.
    /// - Parameter message: Index of the server's message for which it is requested.
    mutating func askForPush(isUrgent: Bool, for message: UInt32 = .max, _ context: inout WorkerContext) -> Bool {
        guard system != nil else { return false }
        if let queue = context.pushQueue {
            request(message, isUrgent: isUrgent, queue, &context)
            return true
        }
        pushes.request(isUrgent: isUrgent, at: now)
        advancePush(&context)
        return true
    }

    /// Continues the delivery of a pending push, if it is possible now. Call it after every change that the push may
    /// have waited for.
    mutating func advancePush(_ context: inout WorkerContext) {
        if let queue = context.pushQueue { return advance(queue, &context) }
        switch pushes.nextAction {
        case .nothing: break
        case .send:
            guard let path = networks.truePath, networks.isOnline(path, at: now) else { return }
            pushes.sent()
            sendDown(
                Packet(.push, cause: .push, bytes: PushService.bytes, stamp: now), slot: nil, over: path,
                epoch: networks.epoch(path), &context)
        case .handOver:
            let isUrgent = pushes.isUrgent
            guard callSystem(&context, { $0.push(isUrgent: isUrgent, at: $1, &$2) }) ?? false else { return }
            journal(.pushed, value: pushes.finish(at: now).nanoseconds, &context)
            notifyStrategy(.pushWoken, &context)
        }
    }

    mutating func receivePush(_ flight: PacketInFlight, _ context: inout WorkerContext) {
        if let queue = context.pushQueue { queue.arrive(flight.packet.number, at: now) } else { pushes.arrive() }
        advancePush(&context)
    }

    // MARK: Other apps

    mutating func scheduleOtherApps(_ context: borrowing WorkerContext) {
        for index in context.world.otherApps.indices { scheduleNextExchange(index, context) }
    }

    /// Recomputes when the system lets each other app run. Call it after each turn and after every OS call, because
    /// only these can change it.
    mutating func rescheduleOtherApps(_ context: borrowing WorkerContext) {
        guard let system else { return }
        for index in 0..<context.otherApps.count {
            let otherApp = context.otherApps[index]
            otherApps.reschedule(index) { system.pointee.runTime(otherApp.pointee, wishedAt: $0, at: now) }
        }
    }

    /// Runs another app: it wakes the phone, sends a request to its server, and schedules its next exchange. It sends
    /// nothing without a path or while the firewall blocks it. (A job waits until the firewall opens; an alarm does
    /// not.)
    mutating func runOtherApp(_ index: Int, _ context: inout WorkerContext) {
        let otherApp = context.otherApps[index]
        scheduleNextExchange(index, context)
        let isAlarm = otherApp.pointee.wake != .none
        callSystem(&context) { $0.wake(for: otherApp.pointee.cause, isAlarm: isAlarm, at: $1, &$2) }
        let mayTalk = otherApp.pointee.isExempt || (system.map { $0.pointee.isOpenToOthers } ?? true)
        guard let path = networks.truePath, networks.isUsable(path), mayTalk else { return }
        let question = Packet(
            .systemRequest, cause: otherApp.pointee.cause, bytes: otherApp.pointee.up, number: UInt16(index), stamp: now
        )
        transmit(
            PacketInFlight(
                at: now, packet: question, location: .heldByPhone, interface: path, slot: .max, generation: 0,
                epoch: networks.epoch(path)), &context)
    }

    /// Sends the response of the other app's server to the phone.
    mutating func answerOtherApp(_ flight: PacketInFlight, _ context: inout WorkerContext) {
        let packet = flight.packet
        let otherApp = context.otherApps[Int(packet.number)]
        let answer = Packet(
            .systemResponse, cause: otherApp.pointee.cause, bytes: otherApp.pointee.down, number: packet.number,
            stamp: now,
            answering: packet)
        sendDown(answer, slot: nil, over: flight.interface, epoch: flight.epoch, &context)
    }

    private mutating func scheduleNextExchange(_ index: Int, _ context: borrowing WorkerContext) {
        let dice = Dice(seed: context.seed, phone: phone, purpose: Purpose.otherApp(index))
        otherApps.scheduleNext(index, context.otherApps[index].pointee, on: networks.truePath, dice: dice, at: now)
    }
}
