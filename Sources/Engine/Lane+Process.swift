import DeadzoneClient
import DeadzoneDevice
import DeadzoneJournal
import DeadzoneMessages
import DeadzonePrimitives

/// What the timeline says of the phone and the app, and the app's process: when it is seen, when it ends, when a new one starts.
extension Lane {
    /// Returns false when nothing was there to change.
    mutating func applyToPhone(_ change: Change, _ stage: inout Stage) -> Bool {
        if case .app(let front) = change { return bring(toFront: front, &stage) }
        guard let device = system?.pointee.device else { return false }
        let isDozer = stage.platforms[0].pointee.doze.inactive != .longest
        switch change {
        case .screen(let on):
            drive(&stage) { phone, platform, now in phone.setScreen(on, at: now, platform) }
            return device.screenIsOn != on
        case .charging(let on):
            drive(&stage) { phone, platform, now in phone.setCharging(on, at: now, platform) }
            return device.isCharging != on
        case .moving(let moving):
            drive(&stage) { phone, platform, now in phone.setMoving(moving, at: now, platform) }
            return isDozer && device.isMoving != moving
        case .saving(let on):
            drive(&stage) { phone, platform, now in phone.setSaving(on, at: now, platform) }
            return device.isSaving != on
        case .alarmClock(let at):
            drive(&stage) { phone, platform, now in phone.setAlarmClock(at, at: now, platform) }
            return isDozer
        case .kill:
            drive(&stage) { phone, platform, now in phone.kill(at: now, platform) }
            return device.appLives
        case .forceStop:
            drive(&stage) { phone, platform, now in phone.kill(byUser: true, at: now, platform) }
            session.restart(keepsAlarms: false)
            rearm(stage)
            return device.appLives || device.appMayStart
        case .clockSet(let span):
            session.wallShift += span
            rearm(stage)
        case .push(let urgent): return requestPush(urgent: urgent, &stage)
        default: return false
        }
        return true
    }

    private mutating func bring(toFront front: Bool, _ stage: inout Stage) -> Bool {
        guard let device = system?.pointee.device else {
            guard session.isForeground != front else { return false }
            session.isForeground = front
            tell(.app(front ? .foreground : .background), &stage)
            if front { beginFreshness(&stage) } else { endFreshness(&stage) }
            return true
        }
        drive(&stage) { phone, platform, now in phone.setForeground(front, at: now, platform) }
        return device.isForeground != front
    }

    /// The app hears when the user sees it, or no longer does. The phone alone knows.
    mutating func tellFront(_ stage: inout Stage) {
        guard let system, system.pointee.device.appLives else { return }
        let isInFront = system.pointee.device.appIsInFront
        guard session.isForeground != isInFront else { return }
        session.isForeground = isInFront
        tell(.app(isInFront ? .foreground : .background), &stage)
        if isInFront { beginFreshness(&stage) } else { endFreshness(&stage) }
    }

    /// The app can ask the system whether to spare the battery, and hears when that changes, if it has a process.
    mutating func tellSaving(_ stage: inout Stage) {
        guard let system, session.isSaving != system.pointee.device.isSaving else { return }
        session.isSaving = system.pointee.device.isSaving
        if system.pointee.device.appLives { tell(.app(.batterySaver), &stage) }
    }

    /// The app's own doing. What starts it again is the platform's business; without one it is there again at once.
    mutating func crash(_ stage: inout Stage) {
        stage.outbox.removeAll()
        guard let system else {
            endProcess(.crashed, &stage)
            return startProcess(&stage)
        }
        system.pointee.endsBy = .crashed
        drive(&stage) { phone, platform, now in phone.kill(at: now, platform) }
        system.pointee.endsBy = .killed
    }

    /// The process is gone: its memory with it, its calls fail, and the kernel ends its sockets in order. Android's alarms and
    /// jobs are the system's, and outlive it, unless somebody has stopped the app for good.
    mutating func endProcess(_ kind: Kind, _ stage: inout Stage) {
        for slot in Self.slots { abandon(slot, &stage) }
        failCalls(&stage)
        forgetNews(&stage)
        let mayStart = system.map { $0.pointee.device.appMayStart } ?? false
        session.restart(keepsAlarms: mayStart && stage.pathRules.system == .android)
        delivery.emptyBuffer(&session, &stage.news)
        delivery.forgetShown(&session, &stage.news)
        settleDelivery(&stage)
        if system != nil {
            session.isForeground = false
            endFreshness(&stage)
        }
        journal(kind, &stage)
    }

    mutating func startProcess(_ stage: inout Stage) {
        // Nobody was there to be told.
        forgetNews(&stage)
        stage.strategy.initialize(stage.state)
        if let system { session.isForeground = system.pointee.device.appIsInFront }
        journal(.relaunched, &stage)
        if system != nil && session.isForeground { beginFreshness(&stage) }
        tell(.started, &stage)
    }

    private func forgetNews(_ stage: inout Stage) {
        stage.notices.removeAll()
        guard let system else { return }
        system.pointee.inbox.removeAll()
    }
}
