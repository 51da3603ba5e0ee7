package import DeadzoneBase
import DeadzoneClient
import DeadzoneTransport

/// Applies the server changes that a scenario's timeline contains, such as freezes, restarts and deploys.
extension Server {
    /// Applies a timeline change to the server. Returns `false` if the server already was in that state.
    package mutating func apply(
        _ change: ServerChange, at now: Instant, _ out: inout EffectQueue<ServerEffect>
    ) -> Bool {
        switch change {
        case .frozen:
            guard !isFrozen else { return false }
            isFrozen = true
        case .thawed:
            guard isFrozen else { return false }
            isFrozen = false
            for slot in Self.slots where ends[slot].isHeld && !ends[slot].isDatagram {
                // The program sends what is pending after it has read what arrived meanwhile.
                // Messages of subscriptions are offered one by one (`serve`).
                if ends[slot].isAttached && !ends[slot].isClosing && !ends[slot].isSuperseded,
                    traffic.pointee.subscriptions == 0
                {
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
            out.append(.connectionChanged)
        }
        return true
    }

    /// Continues with the rules of another version of the server. Open connections keep their ping policy, idle timeout
    /// and age limits. Returns `false` if the server already has this version.
    package mutating func adopt(_ version: UnsafePointer<ServerProfile>) -> Bool {
        guard profile != version else { return false }
        profile = version
        memory.adopt(version)
        return true
    }

    /// Requests a push if the server has messages that the phone may not have and no connection of it.
    package func announcePendingMessages(_ out: inout EffectQueue<ServerEffect>) { announcePending(&out) }

    private mutating func resetAll(at now: Instant, _ out: inout EffectQueue<ServerEffect>) {
        for slot in Self.slots where ends[slot].isHeld && !ends[slot].isDatagram { reset(slot, at: now, &out) }
    }

    // MARK: Instances

    /// Applies a change of one instance to the connections of this phone that the instance holds. Returns `false` if
    /// this phone is not affected.
    package mutating func apply(
        _ change: InstanceChange, to instance: UInt8, at now: Instant, _ out: inout EffectQueue<ServerEffect>
    ) -> Bool {
        if change != .frozen, halfOpenConnection?.instance == instance { endHalfOpenConnection(at: now, &out) }
        var isConcerned = change == .up || change == .readmitted
        for slot in Self.slots where ends[slot].isHeld && ends[slot].instance == instance {
            switch change {
            case .down, .ejected: reset(slot, at: now, &out)
            case .frozen: orphan(slot, at: now, &out)
            // The new process does not know this connection.
            case .up where ends[slot].isOrphaned: reset(slot, at: now, &out)
            case .up, .readmitted: continue
            }
            isConcerned = true
        }
        return isConcerned
    }

    /// `true` if the instance holds an open or half-open connection of this phone.
    package func usesInstance(_ instance: UInt8) -> Bool {
        halfOpenConnection?.instance == instance
            || Self.slots.contains { ends[$0].isHeld && ends[$0].instance == instance }
    }

    /// Marks the connection as never served again: its program is frozen for good, but its kernel keeps running.
    private mutating func orphan(_ slot: Int, at now: Instant, _ out: inout EffectQueue<ServerEffect>) {
        if ends[slot].isAttached { memory.detach(at: now) }
        ends[slot].isAttached = false
        ends[slot].isOrphaned = true
        out.append(.connectionChanged)
    }

    // MARK: Deploys

    /// Starts the deploy of the timeline entry with index `entry`. The instance that holds the phone's connection is
    /// drawn at random.
    package mutating func begin(_ deploy: Deploy, entry: UInt32, at now: Instant) {
        self.deploy.begin(deploy, entry: entry, at: now, traffic.pointee)
        deployAt = self.deploy.at
    }

    /// Index of the deploy's entry in the timeline.
    package var deployEntry: Int { Int(deploy.entry) }

    /// Replaces the instance that holds the phone's connection, which ends the connection. The next connection may be
    /// on an instance that is replaced later; then this is called again.
    package mutating func advance(
        _ deploy: Deploy, at now: Instant, _ out: inout EffectQueue<ServerEffect>
    ) {
        if !isDown {
            if deploy.isAbrupt { resetAll(at: now, &out) } else { _ = drain(at: now, &out) }
        }
        self.deploy.advance(deploy, traffic.pointee)
        deployAt = self.deploy.at
    }
}

/// Says when a running deploy next replaces the instance that holds this phone's connection.
struct DeployProgress: BitwiseCopyable {
    private(set) var entry: UInt32 = 0
    private(set) var at = Instant.never
    private var instance: UInt16 = 0
    private var cuts: UInt16 = 0
    private var began = Instant.zero

    mutating func begin(_ deploy: Deploy, entry: UInt32, at now: Instant, _ traffic: borrowing TrafficPlan) {
        self.entry = entry
        began = now
        schedule(to: draw(deploy, traffic), deploy)
    }

    mutating func advance(_ deploy: Deploy, _ traffic: borrowing TrafficPlan) {
        at = .never
        cuts &+= 1
        let next = draw(deploy, traffic)
        if next > instance { schedule(to: next, deploy) }
    }

    private mutating func schedule(to next: UInt16, _ deploy: Deploy) {
        instance = next
        at = began + deploy.over * Int64(next) / Int64(deploy.instances)
    }

    private func draw(_ deploy: Deploy, _ traffic: borrowing TrafficPlan) -> UInt16 {
        let address = UInt64(entry) << 16 | UInt64(cuts)
        return UInt16(traffic.dice(.deploy).at(address).scaled(below: UInt64(deploy.instances)))
    }
}
