import DeadzoneClient
import DeadzoneDevice
import DeadzoneJournal
import DeadzonePrimitives
import DeadzoneTransport

/// The push service of the platform: a connection of the system's own, which the app has no part in. At most one push waits
/// for a phone, as services collapse those that say the same.
///
///     asked ──path──▶ on its way ──▶ at the phone ──▶ now: the app is woken
///       └─ no path: waits for one        └─ not now (Doze, budget): waits for the system's leave
struct PendingPush: BitwiseCopyable, Sendable {
    /// When the server asked for it; `.never` for none.
    var askedAt = Instant.never
    var isUrgent = false
    /// It has reached the phone and waits there.
    var isHere = false
    var isOnItsWay = false
    /// The service has not heard of its arrival: when it sends it again, and how often it did.
    var repeatAt = Instant.never
    var repeats: UInt8 = 0
}

extension Lane {
    /// A push with a few hundred bytes of payload over the service's own connection (assumed: services allow 4 KiB).
    private static let pushBytes: UInt32 = 52 + 22 + 300

    /// The server asks the service to wake the app. Returns false without a platform that has one.
    mutating func requestPush(urgent: Bool, _ stage: inout Stage) -> Bool {
        guard system != nil else { return false }
        if pushed.askedAt == .never { pushed = PendingPush(askedAt: now) }
        if urgent { pushed.isUrgent = true }
        retryPush(&stage)
        return true
    }

    /// Something has changed that a push may have waited for.
    mutating func retryPush(_ stage: inout Stage) {
        guard pushed.askedAt != .never, !pushed.isOnItsWay else { return }
        if pushed.isHere { return handOverPush(&stage) }
        guard let path = truePath, ports[path.port].isUsable && !ports[path.port].isTroubled else { return }
        pushed.isOnItsWay = true
        pushed.repeatAt = .never
        launchDown(
            Packet(.push, cause: .push, bytes: Self.pushBytes, stamp: now), slot: nil, over: path,
            epoch: ports[path.port].epoch, &stage)
    }

    /// It did not arrive: the service keeps it, and its TCP repeats it after a second and twice as long each time. Assumed: no
    /// longer than a minute, for the phone's end of the service says something now and then.
    mutating func losePush() {
        pushed.isOnItsWay = false
        pushed.repeatAt = now + min(.seconds(1) * (1 << Int64(pushed.repeats)), .minutes(1))
        if pushed.repeats < 6 { pushed.repeats += 1 }
        pathsAt = min(pathsAt, pushed.repeatAt)
    }

    mutating func receivePush(_ stage: inout Stage) {
        pushed.isOnItsWay = false
        pushed.isHere = true
        handOverPush(&stage)
    }

    private mutating func handOverPush(_ stage: inout Stage) {
        var isNow = false
        let urgent = pushed.isUrgent
        drive(&stage) { phone, platform, now in
            let verdict = phone.push(urgent: urgent, at: now, platform)
            isNow = verdict.isNow
            return verdict.changes
        }
        guard isNow else { return }
        journal(.pushed, value: (now - pushed.askedAt).nanoseconds, &stage)
        pushed = PendingPush()
        tell(.pushWoken, &stage)
    }
}
