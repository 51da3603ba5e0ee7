import DeadzoneJournal
import DeadzonePrimitives
import DeadzoneWorld

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
    var isInHerd: Bool { herd.isOfChange }

    /// Just before the change takes effect.
    mutating func beginHerd(_ change: Change) {
        guard change.beginsHerd, now != .zero else { return }
        // Who is not back from an earlier one still belongs to that.
        let isUnderWay = herd.phase == .out && herd.isOfChange
        guard !isUnderWay else { return }
        herd = Herd(phase: isConnected ? .whole : .out, isOfChange: true, began: now)
    }

    /// The truth of a connection has changed.
    mutating func followHerd(_ stage: inout Stage) {
        switch (herd.phase, isConnected) {
        case (.whole, false): herd.phase = .out
        case (.out, true):
            herd.phase = .back
            journal(.herdBack, isInHerd, value: (now - herd.began).nanoseconds, &stage)
        default: break
        }
    }

    mutating func finishHerd(_ stage: inout Stage) {
        if herd.phase == .out {
            journal(.herdMissing, isInHerd, value: (now - herd.began).nanoseconds, &stage)
        }
    }

    private var isConnected: Bool { Self.slots.contains { realities[$0].truth == .working } }
}
