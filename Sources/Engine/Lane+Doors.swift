import DeadzoneClient
import DeadzoneJournal
import DeadzonePrimitives
import DeadzoneTransport

/// Sessions that the server does not open, or only once it knows who asks; and connections that a deploy ends.
extension Lane {
    /// Addresses of the dice that calls do not reach.
    private static let sessions: UInt64 = 1 << 40

    /// The server will not open the session, and says so.
    mutating func turnsAway(_ slot: Int, _ stage: inout Stage) -> Bool {
        let troubles = stage.world.server.troubles
        guard troubles.sessionTransient != .zero || troubles.sessionPermanent != .zero else { return false }
        let dice = stage.dice(.serverErrors, phone)
        sessionsAsked &+= 1
        let isPermanent = troubles.sessionPermanent.hits(dice.at(Self.sessions))
        guard isPermanent || troubles.sessionTransient.hits(dice.at(Self.sessions + UInt64(sessionsAsked))) else {
            return false
        }
        let code = isPermanent ? RejectionCode.permanent : .transient
        journal(.serverRejected, code, value: Int64(lines[slot].generation), &stage)
        sayDown(isPermanent ? .turnedAwayForGood : .turnedAway, slot)
        end(slot, &stage)
        return true
    }

    /// Makes sure of the client, and lets it in.
    mutating func authenticate(_ slot: Int, at now: Instant, _ stage: inout Stage) {
        let span = stage.world.server.authentication ?? .zero
        guard span > .zero else { return accept(slot, lines[slot].generation, at: now, &stage) }
        stage.flights.insert(
            Flight(
                at: now + span, packet: Packet(.hello, cause: .connect, bytes: 0, stamp: now), hop: .queued,
                interface: lines[slot].interface, slot: UInt8(slot), generation: lines[slot].generation,
                epoch: lines[slot].epoch), into: &flights)
    }

    /// At the phone.
    mutating func hearRefusal(isPermanent: Bool, _ slot: Int, _ stage: inout Stage) {
        let retryAfter = isPermanent ? nil : stage.world.server.troubles.retryAfter
        let name = ConnectionSlot(UInt8(slot))
        tell(.turnedAway(name, SessionRefusal(isPermanent: isPermanent, retryAfter: retryAfter)), &stage)
        if lines[slot].belief == .opening {
            lines[slot].client.close()
            fail(slot, .turnedAway, &stage)
        } else {
            become(.dead, slot, &stage)
            lose(slot, .ended, &stage)
            if lines[slot].belief == .closed { lines[slot].client.close() }
        }
    }

    // MARK: Deploys

    /// The deploy of this place in the timeline begins. Which instance holds the phone's connection is weather.
    mutating func beginDeploy(_ deploy: Deploy, _ stage: borrowing Stage) -> Bool {
        deployEntry = nextChange
        deployBegan = now
        deployInstance = instance(deploy, stage)
        deployAt = now + moment(of: deployInstance, deploy)
        return true
    }

    private func instance(_ deploy: Deploy, _ stage: borrowing Stage) -> UInt16 {
        let slot = UInt64(deployEntry) << 16 | UInt64(deployCuts)
        return UInt16(stage.dice(.deploy, phone).at(slot).scaled(below: UInt64(deploy.instances)))
    }

    private func moment(of instance: UInt16, _ deploy: Deploy) -> TimeSpan {
        deploy.over * Int64(instance) / Int64(deploy.instances)
    }

    /// The instance that holds the phone's connection goes. The next connection may be on one whose turn is to come.
    mutating func advanceDeploy(_ stage: inout Stage) {
        deployAt = .never
        guard case .deploy(let deploy) = stage.world.timeline[Int(deployEntry)].change else { return }
        if !serverIsDown {
            if deploy.isAbrupt {
                for slot in Self.slots where lines[slot].serverHolds && !lines[slot].isDatagram { reset(slot, &stage) }
            } else {
                _ = drain(&stage)
            }
        }
        deployCuts &+= 1
        let next = instance(deploy, stage)
        guard next > deployInstance else { return }
        deployInstance = next
        deployAt = deployBegan + moment(of: next, deploy)
    }
}
