import DeadzoneBase

/// Tracks whether a phone has lost and restored its connections since the change that started the current herd.
///
/// A herd is all phones that lose their connections through one timeline change and reconnect together.
///
///     whole ──connection lost──▶ out ──connection works──▶ back
///       ▲                         ▲                          │
///       └──change, one stands─────┴────change, none stands───┘
///
/// ("One stands" means that at least one connection works.) The start of the run counts as a change after which no
/// connection works.
struct Herd: BitwiseCopyable, Sendable {
    enum HerdPhase: UInt8, BitwiseCopyable, Sendable {
        case whole, out, back
    }

    var phase = HerdPhase.out
    /// `true` if a timeline change started the current herd, `false` if the start of the run did.
    var isFromTimeline = false
    var began = Instant.zero
}

extension PhoneSimulation {
    var isInHerd: Bool { herd.isFromTimeline }

    /// Starts a herd if the change can affect all phones at once. Call it just before the change takes effect.
    mutating func beginHerd(_ change: ConditionChange) {
        guard change.beginsHerd, now != .zero else { return }
        // A phone that has not reconnected since an earlier change still belongs to that herd.
        let isUnderWay = herd.phase == .out && herd.isFromTimeline
        guard !isUnderWay else { return }
        herd = Herd(phase: isConnected ? .whole : .out, isFromTimeline: true, began: now)
    }

    /// Updates the herd state after the true state of a connection changed.
    mutating func updateHerd(_ context: inout WorkerContext) {
        switch (herd.phase, isConnected) {
        case (.whole, false): herd.phase = .out
        case (.out, true):
            herd.phase = .back
            journal(.herdBack, isInHerd, value: (now - herd.began).nanoseconds, &context)
        default: break
        }
    }

    mutating func finishHerd(_ context: inout WorkerContext) {
        if herd.phase == .out {
            journal(.herdMissing, isInHerd, value: (now - herd.began).nanoseconds, &context)
        }
    }

    /// `true` if at least one connection works.
    var isConnected: Bool { Self.slots.contains { connectionTruths[$0].state == .working } }
}
