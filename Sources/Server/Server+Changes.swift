import DeadzoneClient
import DeadzoneJournal
public import DeadzonePrimitives
import DeadzoneTransport

/// What the timeline does to the server.
extension Server {
    /// Returns false when nothing was there to change.
    public mutating func apply(
        _ change: ServerChange, at now: Instant, _ out: inout Steps<ServerStep>
    ) -> Bool {
        switch change {
        case .frozen:
            guard !isFrozen else { return false }
            isFrozen = true
        case .thawed:
            guard isFrozen else { return false }
            isFrozen = false
            for slot in Self.slots where ends[slot].isHeld && !ends[slot].isDatagram {
                // It says what there is to say once it has read what has come meanwhile.
                if ends[slot].isAttached && !ends[slot].isEnding && !ends[slot].isPassedOn {
                    ends[slot].catchUp(to: written.index)
                }
                out.append(.thaw(slot: slot))
            }
            out.append(.announcePending)
        case .down:
            guard !isDown else { return false }
            isDown = true
            memory.restart(isNew: true, written: written.index)
            resetAll(at: now, &out)
        case .up:
            guard isDown else { return false }
            isDown = false
            memory.restart(isNew: false, written: written.index)
            announcePending(&out)
        case .draining: return drain(at: now, &out)
        case .refusingLogins, .takingLogins:
            let refuses = change == .refusingLogins
            guard refusesLogins != refuses else { return false }
            refusesLogins = refuses
            out.append(.changed)
        }
        return true
    }

    /// It looks again whether there is something to announce.
    public func lookForPending(_ out: inout Steps<ServerStep>) { announcePending(&out) }

    private mutating func resetAll(at now: Instant, _ out: inout Steps<ServerStep>) {
        for slot in Self.slots where ends[slot].isHeld && !ends[slot].isDatagram { reset(slot, at: now, &out) }
    }

    // MARK: Instances

    /// Something becomes of one of its instances, which may have a connection of this phone. Returns false if it has none, and
    /// nothing was lost.
    public mutating func apply(
        _ change: InstanceChange, to instance: UInt8, at now: Instant, _ out: inout Steps<ServerStep>
    ) -> Bool {
        if change != .frozen, ghost?.instance == instance { forgetGhost(at: now, &out) }
        var isConcerned = change == .up || change == .taken
        for slot in Self.slots where ends[slot].isHeld && ends[slot].instance == instance {
            switch change {
            case .down, .ejected: reset(slot, at: now, &out)
            case .frozen: abandon(slot, at: now, &out)
            // What the new process does not know.
            case .up where ends[slot].isForgotten: reset(slot, at: now, &out)
            case .up, .taken: continue
            }
            isConcerned = true
        }
        return isConcerned
    }

    /// It has a connection of this phone, or one whose phone is gone.
    public func isOn(_ instance: UInt8) -> Bool {
        ghost?.instance == instance || Self.slots.contains { ends[$0].isHeld && ends[$0].instance == instance }
    }

    /// Its program stands still for good, and its kernel goes on.
    private mutating func abandon(_ slot: Int, at now: Instant, _ out: inout Steps<ServerStep>) {
        if ends[slot].isAttached { memory.leave(at: now) }
        ends[slot].isAttached = false
        ends[slot].isForgotten = true
        out.append(.changed)
    }

    // MARK: Deploys

    /// The deploy of this place in the timeline begins. Which instance holds the phone's connection is weather.
    public mutating func begin(_ deploy: Deploy, entry: UInt32, at now: Instant) {
        self.deploy.begin(deploy, entry: entry, at: now, said.pointee)
        deployAt = self.deploy.at
    }

    /// Its place in the timeline.
    public var deployEntry: Int { Int(deploy.entry) }

    /// That instance goes. The next connection may be on one whose turn is to come.
    public mutating func advance(
        _ deploy: Deploy, at now: Instant, _ out: inout Steps<ServerStep>
    ) {
        if !isDown {
            if deploy.isAbrupt { resetAll(at: now, &out) } else { _ = drain(at: now, &out) }
        }
        self.deploy.advance(deploy, said.pointee)
        deployAt = self.deploy.at
    }
}

/// Where a deploy is that comes to the phone's connections one by one.
struct Deploying: BitwiseCopyable {
    private(set) var entry: UInt32 = 0
    private(set) var at = Instant.never
    private var instance: UInt16 = 0
    private var cuts: UInt16 = 0
    private var began = Instant.zero

    mutating func begin(_ deploy: Deploy, entry: UInt32, at now: Instant, _ said: borrowing Conversation) {
        self.entry = entry
        began = now
        turn(to: draw(deploy, said), deploy)
    }

    mutating func advance(_ deploy: Deploy, _ said: borrowing Conversation) {
        at = .never
        cuts &+= 1
        let next = draw(deploy, said)
        if next > instance { turn(to: next, deploy) }
    }

    private mutating func turn(to next: UInt16, _ deploy: Deploy) {
        instance = next
        at = began + deploy.over * Int64(next) / Int64(deploy.instances)
    }

    private func draw(_ deploy: Deploy, _ said: borrowing Conversation) -> UInt16 {
        let address = UInt64(entry) << 16 | UInt64(cuts)
        return UInt16(said.dice(.deploy).at(address).scaled(below: UInt64(deploy.instances)))
    }
}
