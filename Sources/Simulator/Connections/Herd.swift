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

    private var began = Instant.zero
    private var phase = HerdPhase.out
    /// `true` if a timeline change started the current herd, `false` if the start of the run did.
    private(set) var isFromTimeline = false

    /// Starts a herd with a change that is about to take effect.
    mutating func begin(isConnected: Bool, at now: Instant) {
        // A phone that has not reconnected since an earlier change still belongs to that herd.
        let isUnderWay = phase == .out && isFromTimeline
        guard !isUnderWay else { return }
        self = Herd(began: now, phase: isConnected ? .whole : .out, isFromTimeline: true)
    }

    /// Notes whether a connection works. Returns the time since the herd began if the phone has just come back.
    mutating func update(isConnected: Bool, at now: Instant) -> TimeSpan? {
        switch (phase, isConnected) {
        case (.whole, false): phase = .out
        case (.out, true):
            phase = .back
            return now - began
        default: break
        }
        return nil
    }

    /// Time since the herd began if the phone has not come back; otherwise `nil`.
    func missing(at now: Instant) -> TimeSpan? { phase == .out ? now - began : nil }
}
