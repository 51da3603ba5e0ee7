import DeadzoneClient
import DeadzoneDevice
import DeadzoneNetwork
import DeadzonePhoneEnd
import DeadzonePrimitives
import DeadzoneSystem

/// What networks that come and go ask for, done in its order; and what the timeline says of them.
extension Lane {
    /// To be called after each verb of the networks.
    mutating func settleNetworks(_ stage: inout Stage) {
        session.network = networks.view
        weather = .unknown
        follow(&stage)
    }

    private mutating func follow(_ stage: inout Stage) {
        let asked = stage.networksSteps.begin()
        for index in asked {
            perform(stage.networksSteps[index], &stage)
            if stage.networksSteps.hasMore { follow(&stage) }
        }
        stage.networksSteps.end(asked)
    }

    private mutating func perform(_ step: NetworksStep, _ stage: inout Stage) {
        switch step {
        case .note(let note): write(note, &stage)
        case .tell(let change): tell(.network(change), &stage)
        case .attached(let interface): attach(interface, &stage)
        case .detached(let interface):
            dropHeld(interface, &stage)
            if interface == .wifi { spend(ports[interface.port].radio?.setAssociated(false, at: now), .wifi, &stage) }
        case .endSockets(let interface, let address, let manner, let isReplaced):
            endSockets(on: interface, of: address, manner, isReplaced: isReplaced, &stage)
        case .endStreams: endStreams(&stage)
        }
    }

    /// Something that the system, or a network, has put off is due.
    mutating func advanceNetworks(_ stage: inout Stage) {
        for interface in Interface.allCases {
            for matter in Networks.Matter.allCases {
                networks.advance(matter, of: interface, at: now, &stage.networksSteps)
                settleNetworks(&stage)
            }
        }
        followNetworks(&stage)
    }

    /// After any change: what the system will do, and what is true of the connections.
    mutating func followNetworks(_ stage: inout Stage) {
        networks.settle(at: now)
        weather = .unknown
        reassess(&stage)
        servePush(&stage)
    }

    /// What the timeline says of a network. Returns false when nothing was there to change.
    mutating func apply(
        _ stage: inout Stage, _ verb: (inout Networks, Instant, inout Steps<NetworksStep>) -> Bool
    ) -> Bool {
        let applied = verb(&networks, now, &stage.networksSteps)
        settleNetworks(&stage)
        return applied
    }

    private mutating func attach(_ interface: Interface, _ stage: inout Stage) {
        let port = interface.port
        ports[port].up.restart()
        ports[port].down.restart()
        guard interface == .wifi else { return }
        spend(ports[port].radio?.setAssociated(true, at: now), .wifi, &stage)
        guard !networks.hasCoverage(.wifi) else { return }
        spend(ports[port].radio?.setCoverage(false, at: now, profile(.wifi, stage).pointee), .wifi, &stage)
    }

    /// Sockets of a network that is gone, or of one of its addresses.
    private mutating func endSockets(
        on interface: Interface, of address: UInt16?, _ manner: OldPath, isReplaced: Bool, _ stage: inout Stage
    ) {
        let freezes = stage.pathRules[0].pointee.leavesSocketsFrozen
        for slot in Self.slots where phoneEnd[slot].interface == interface && !phoneEnd[slot].canMove {
            if let address, phoneEnd[slot].epoch != address { continue }
            var told = manner
            if freezes && phoneEnd[slot].carrier.door == .framework && isReplaced { told = .error }
            if freezes && phoneEnd[slot].carrier.door == .socket && manner == .error
                && (isReplaced || !session.isForeground)
            {
                told = .silent
            }
            switch told {
            case .error: loseByError(slot, &stage)
            case .silent, .halfOpen: break
            case .reset: loseToPeer(slot, .reset, &stage)
            case .ended: loseToPeer(slot, .ended, &stage)
            }
        }
    }

    /// Who asked the system for a stream instead of a socket is told that it leads nowhere.
    private mutating func endStreams(_ stage: inout Stage) {
        for slot in Self.slots where phoneEnd[slot].carrier.door == .framework && !isOnDefaultPath(slot) {
            loseByError(slot, &stage)
        }
    }

    func isOnDefaultPath(_ slot: Int) -> Bool {
        phoneEnd[slot].interface == session.path && phoneEnd[slot].epoch == session.network.handle
    }
}
