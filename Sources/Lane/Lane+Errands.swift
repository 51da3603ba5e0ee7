import DeadzoneClient
import DeadzoneJournal
import DeadzonePrimitives
import DeadzoneSystem
import DeadzoneTransport
import DeadzoneWorld

/// What else the phone has to do beside the app: the platform's push service, and other programs.
extension Lane {
    // MARK: The push service

    /// The server asks the service to wake the app. Returns false without a platform that has one.
    mutating func askForPush(isUrgent: Bool, _ stage: inout Stage) -> Bool {
        guard system != nil else { return false }
        pushes.ask(isUrgent: isUrgent, at: now)
        servePush(&stage)
        return true
    }

    /// Something has changed that a push may have waited for.
    mutating func servePush(_ stage: inout Stage) {
        switch pushes.wish {
        case .nothing: break
        case .send:
            guard let path = networks.truePath, networks.serves(path) else { return }
            pushes.sent()
            launchDown(
                Packet(.push, cause: .push, bytes: PushService.bytes, stamp: now), slot: nil, over: path,
                epoch: networks.epoch(path), &stage)
        case .handOver:
            let isUrgent = pushes.isUrgent
            guard drive(&stage, { $0.push(isUrgent: isUrgent, at: $1, &$2) }) ?? false else { return }
            journal(.pushed, value: pushes.finish(at: now).nanoseconds, &stage)
            tell(.pushWoken, &stage)
        }
    }

    mutating func receivePush(_ stage: inout Stage) {
        pushes.arrive()
        servePush(&stage)
    }

    // MARK: Other programs

    mutating func settleIn(_ stage: borrowing Stage) {
        for index in stage.world.tenants.indices { wish(index, stage) }
    }

    /// When the system lets each of them run: after each turn, and after every verb of the phone, which alone can move it.
    mutating func remindTenants(_ stage: borrowing Stage) {
        guard let system else { return }
        for index in 0..<stage.tenants.count {
            let tenant = stage.tenants[index]
            tenants.allow(index) { system.pointee.lets(tenant.pointee, wishedAt: $0, at: now) }
        }
    }

    /// A tenant's turn: it wakes the phone, asks its server, and makes its next wish. Without a path, or behind a closed firewall
    /// (a job waits for that to open, an alarm does not), there is nothing to ask.
    mutating func runTenant(_ index: Int, _ stage: inout Stage) {
        let tenant = stage.tenants[index]
        wish(index, stage)
        drive(&stage) { $0.wake(for: tenant.pointee.cause, at: $1, &$2) }
        let mayTalk = tenant.pointee.isExempt || (system.map { $0.pointee.isOpenToOthers } ?? true)
        guard let path = networks.truePath, networks.isUsable(path), mayTalk else { return }
        let question = Packet(
            .errand, cause: tenant.pointee.cause, bytes: tenant.pointee.up, number: UInt16(index), stamp: now)
        leave(
            Flight(
                at: now, packet: question, hop: .heldByPhone, interface: path, slot: .max, generation: 0,
                epoch: networks.epoch(path)), &stage)
    }

    /// At the tenant's server.
    mutating func answerErrand(_ flight: Flight, _ stage: inout Stage) {
        let packet = flight.packet
        let tenant = stage.tenants[Int(packet.number)]
        let answer = Packet(
            .errandAnswer, cause: tenant.pointee.cause, bytes: tenant.pointee.down, number: packet.number, stamp: now,
            answering: packet)
        launchDown(answer, slot: nil, over: flight.interface, epoch: flight.epoch, &stage)
    }

    private mutating func wish(_ index: Int, _ stage: borrowing Stage) {
        let dice = Dice(seed: stage.seed, phone: phone, purpose: Purpose.tenant(index))
        tenants.wish(index, stage.tenants[index].pointee, on: networks.truePath, dice: dice, at: now)
    }
}
