import DeadzoneJournal
import DeadzonePrimitives

/// Where a phone is in a herd: phones that lose their connections by one change of the timeline, and come back together.
///
///     whole ──connection lost──▶ out ──connection works──▶ back
///       ▲                         ▲                          │
///       └──change, one stands─────┴────change, none stands───┘
///
/// The run itself begins like a change after which none stands.
struct Herd: BitwiseCopyable, Sendable {
    enum Phase: UInt8, BitwiseCopyable, Sendable {
        case whole, out, back
    }

    var phase = Phase.out
    /// By a change of the timeline, not with the run.
    var isOfChange = false
    var began = Instant.zero
}

extension Lane {
    var isInHerd: Bool { desk.pointee.herd.isOfChange }

    /// Just before the change takes effect.
    func beginHerd(_ change: Change) {
        guard change.beginsHerd, now != .zero else { return }
        // Who is not back from an earlier one still belongs to that.
        let isUnderWay = desk.pointee.herd.phase == .out && desk.pointee.herd.isOfChange
        guard !isUnderWay else { return }
        desk.pointee.herd = Herd(phase: isConnected ? .whole : .out, isOfChange: true, began: now)
    }

    /// The truth of a connection has changed.
    func followHerd(_ stage: inout Stage) {
        switch (desk.pointee.herd.phase, isConnected) {
        case (.whole, false): desk.pointee.herd.phase = .out
        case (.out, true):
            desk.pointee.herd.phase = .back
            journal(.herdBack, isInHerd, value: (now - desk.pointee.herd.began).nanoseconds, &stage)
        default: break
        }
    }

    mutating func finishHerd(_ stage: inout Stage) {
        if desk.pointee.herd.phase == .out {
            journal(.herdMissing, isInHerd, value: (now - desk.pointee.herd.began).nanoseconds, &stage)
        }
        for slot in Self.slots where lines[slot].serverHolds { endHold(since: lines[slot].heldSince, &stage) }
        forgetGhost(&stage)
    }

    private var isConnected: Bool { Self.slots.contains { lines[$0].truth == .working } }

    /// The server had a connection, and has it no longer.
    func endHold(since begin: Instant, until end: Instant = .never, _ stage: inout Stage) {
        guard begin != .never else { return }
        journal(.serverHeld, value: max((min(end, now) - begin).nanoseconds, 0), &stage)
    }
}
