import DeadzoneClient
import DeadzoneDevice
import DeadzoneJournal
import DeadzonePrimitives
import DeadzoneServer
import DeadzoneTransport

/// The other programs of the phone. Their gaps are weather; when the system lets them run is not.
extension Lane {
    mutating func settleIn(_ stage: borrowing Stage) {
        for index in stage.world.tenants.indices { wish(index, stage) }
    }

    func nextTenant(_ stage: borrowing Stage) -> (at: Instant, index: Int) {
        var first = (at: Instant.never, index: 0)
        for index in 0..<stage.tenants.count where tenancies[index].firesAt < first.at {
            first = (tenancies[index].firesAt, index)
        }
        return first
    }

    /// When the system lets each of them run: after each turn, and after every verb of the phone, which alone can move it.
    func remindTenants(_ stage: borrowing Stage) {
        guard let system else { return }
        for index in 0..<stage.tenants.count {
            let tenant = stage.tenants[index]
            let wished = tenancies[index].wishedAt
            if tenant.pointee.isExempt {
                tenancies[index].firesAt = wished
            } else if tenant.pointee.wake == .none {
                tenancies[index].firesAt = processorIsAwake ? max(wished, now) : .never
            } else {
                let at = system.pointee.device.firesForOthers(
                    wished, tenant.pointee.wake, at: now, stage.platforms[0].pointee)
                tenancies[index].firesAt = max(at, now)
            }
        }
    }

    /// A tenant's turn: it wakes the phone, asks its server, and makes its next wish. Without a path, or behind a closed firewall
    /// (a job waits for that to open, an alarm does not), there is nothing to ask.
    mutating func runTenant(_ index: Int, _ stage: inout Stage) {
        let tenant = stage.tenants[index]
        wish(index, stage)
        drive(&stage) { phone, platform, now in phone.wake(for: tenant.pointee.cause, at: now, platform) }
        guard let path = truePath, ports[path.port].isUsable, tenant.pointee.isExempt || othersMayTalk else {
            return
        }
        let question = Packet(
            .errand, cause: tenant.pointee.cause, bytes: tenant.pointee.up, number: UInt16(index), stamp: now)
        leave(
            Flight(
                at: now, packet: question, hop: .heldByPhone, interface: path, slot: .max, generation: 0,
                epoch: ports[path.port].epoch), &stage)
    }

    private var othersMayTalk: Bool { system.map { $0.pointee.device.isOpenToOthers } ?? true }

    /// At the tenant's server.
    mutating func answerErrand(_ flight: Flight, _ stage: inout Stage) {
        let packet = flight.packet
        let tenant = stage.tenants[Int(packet.number)]
        let answer = Packet(
            .errandAnswer, cause: tenant.pointee.cause, bytes: tenant.pointee.down, number: packet.number, stamp: now,
            answering: packet)
        launchDown(answer, slot: nil, over: flight.interface, epoch: flight.epoch, &stage)
    }

    private func wish(_ index: Int, _ stage: borrowing Stage) {
        let tenant = stage.tenants[index]
        let count = tenancies[index].count
        let dice = Dice(
            seed: stage.seed, phone: phone, purpose: Purpose.tenant(index))
        let gap = truePath == .cellular ? tenant.pointee.cellularGap ?? tenant.pointee.gap : tenant.pointee.gap
        let at = now + TimeSpan(nanoseconds: max(gap.draw(dice.at(UInt64(count))), 1))
        tenancies[index] = Tenancy(count: count + 1, wishedAt: at, firesAt: at)
    }
}
