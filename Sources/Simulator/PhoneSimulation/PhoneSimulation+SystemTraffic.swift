import DeadzoneBase
import DeadzoneClient
import DeadzoneTransport

/// Sends the packets beside those of the app's connections: of the platform's push service and of other apps.
extension PhoneSimulation {
    // MARK: The push service

    /// Requests a push that wakes the app. Returns `false` on a platform without a push service.
    /// - Parameter message: Index of the server's message for which it is requested.
    mutating func requestPush(isUrgent: Bool, for message: UInt32 = .max, _ context: inout WorkerContext) -> Bool {
        let own = context.traffic.pointee.pushOptions(ofDown: message)
        let (key, timeToLive) = context.pushRules.options(of: message, own, context.dice(.serverErrors, phone))
        let push = StoredPush(key: key, isUrgent: isUrgent, timeToLive: timeToLive, at: now)
        guard let isStored = callPushes(&context, { $0.request(push, at: $1, &$2) }) else { return false }
        if isStored { advancePushes(&context) }
        return true
    }

    /// Continues the delivery of pushes and of the app's token, as far as it is possible now. Call it after every
    /// change that they may have waited for.
    mutating func advancePushes(_ context: inout WorkerContext) {
        guard let pushes = context.pushes, pushes.pointee.hasWork else { return }
        callPushes(&context) { $0.expire(at: $1, &$2) }
        sendPushToken(&context)
        if let path = networks.truePath, networks.isOnline(path, at: now) {
            while let push = pushes.pointee.sendNext() {
                sendDown(
                    Packet(.push, push, at: now), slot: nil, over: path, addressNumber: networks.addressNumber(path),
                    &context)
                // A packet that is dropped at once waits for its repeat.
                if pushes.pointee.due(after: now) != .never { break }
            }
        }
        while let push = pushes.pointee.nextAtPhone() {
            let isReceived = callHost(&context) { host, now, out in
                guard let system = host.system else { return false }
                return pushes.pointee.offer(push, to: &system.pointee, at: now, &out)
            }
            callPushes(&context) { $0.endOffer(of: push, isReceived: isReceived, at: $1, &$2) }
        }
    }

    /// Sends the app's new push token to the server, if it waits and the app has a network.
    mutating func sendPushToken(_ context: inout WorkerContext) {
        guard host.appRuns, host.networkIsAllowed, let path = host.session.path, networks.isUsable(path),
            let message = context.pushes?.pointee.sendToken()
        else { return }
        transmit(
            PacketInFlight(
                Packet(.tokenRequest, message, at: now), over: path, addressNumber: networks.addressNumber(path),
                at: now), &context)
    }

    // MARK: Other apps

    /// Runs another app: it wakes the phone, and sends a request to its server. It sends nothing without a path, or
    /// while the firewall blocks it. (A job waits until the firewall opens; an alarm does not.)
    mutating func runOtherApp(_ context: inout WorkerContext) {
        let message = otherApps.runNext(on: networks.truePath, at: now)
        let otherApp = context.otherApps[Int(message.number)]
        callHost(&context) { $0.system?.pointee.wake(for: otherApp.pointee, at: $1, &$2) }
        guard let path = networks.truePath, networks.isUsable(path),
            host.system.map({ $0.pointee.lets(otherApp.pointee) }) ?? true
        else { return }
        transmit(
            PacketInFlight(
                Packet(.systemRequest, message, at: now), over: path, addressNumber: networks.addressNumber(path),
                at: now), &context)
    }
}

extension Packet {
    init(_ content: PacketContent, _ message: SystemMessage, at now: Instant, answering question: Packet? = nil) {
        self.init(
            content, cause: message.cause, bytes: message.bytes, number: message.number, stamp: now,
            answering: question)
    }
}
