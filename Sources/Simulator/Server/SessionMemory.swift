import DeadzoneBase
import DeadzoneClient
import DeadzoneTransport

/// State that the server program keeps for one phone's session: resumable messages, epoch, received app messages.
struct SessionMemory: ~Copyable {
    private var profile: UnsafePointer<ServerProfile>
    /// Position of the oldest message that the history still keeps under its limits of age and number.
    private var kept: TrafficWalker
    /// Index below which messages were deleted for another reason, such as a confirmation.
    private var purged: UInt32 = 0
    /// Number of the server's current epoch, a lifetime of its process.
    private var epoch: UInt32 = 1
    /// Index of the first message of the server's current epoch.
    private var base: UInt32 = 0
    /// Number of the epoch in which the client counts messages.
    private var clientEpoch: UInt32 = 1
    /// Index of the first message of the epoch in which the client counts messages.
    private var clientBase: UInt32 = 0
    /// Index below which all app messages have been received.
    private(set) var receivedBelow: UInt32 = 0
    /// Time at which the session lost its connection; `.never` if it has one.
    private var detachedAt = Instant.never
    private var hasBegun = false
    private var dedup = DedupMemory()
    private var words: UnsafeMutableBufferPointer<UInt64>

    init(_ profile: UnsafePointer<ServerProfile>, from first: TrafficWalker) {
        self.profile = profile
        kept = first
        // An allocation of zero words would also cost time.
        let count = profile.pointee.dedup.words
        words = count == 0 ? UnsafeMutableBufferPointer(start: nil, count: 0) : .allocate(capacity: count)
        words.initialize(repeating: 0)
    }

    deinit { words.deallocate() }

    /// Continues with other rules for history and sessions. The duplicate detection is the same.
    mutating func adopt(_ version: UnsafePointer<ServerProfile>) { profile = version }

    /// The epoch that the server names when a session starts. 0 if it names none.
    var namedEpoch: UInt32 { profile.pointee.session.namesEpoch ? epoch : 0 }

    // MARK: The session

    func isKnown(at now: Instant) -> Bool { profile.pointee.session.isKnown(left: detachedAt, at: now) }

    mutating func detach(at now: Instant) { detachedAt = now }
    mutating func attach() { detachedAt = .never }

    /// Marks the session as begun. The first call returns the size of its duplicate-detection memory in bytes; later
    /// calls, and sessions without duplicate detection, return `nil`.
    mutating func begin() -> UInt32? {
        guard !hasBegun else { return nil }
        hasBegun = true
        return profile.pointee.dedup == .none ? nil : profile.pointee.dedup.bytes
    }

    mutating func forget() {
        receivedBelow = 0
        detachedAt = .never
        dedup.removeAll(words)
    }

    /// Handles a restart of the server's process: deletes the session's state, unless it survives a restart.
    mutating func restart(isNew: Bool, written: UInt32) {
        guard !profile.pointee.session.survivesRestart else { return }
        if isNew { epoch += 1 }
        base = written
        purged = written
        forget()
    }

    /// Records that the client now counts messages in the server's current epoch.
    mutating func syncClientCount() {
        clientEpoch = epoch
        clientBase = base
    }

    // MARK: Messages of the app

    mutating func recordReceived(before end: UInt32) { receivedBelow = max(receivedBelow, end) }

    /// Stores an app message for duplicate detection.
    /// - Returns: `isNew` is `true` if the message counts as new. `more` is the growth of the memory in bytes.
    mutating func admits(_ index: UInt32, salt: UInt64, at now: Instant) -> (isNew: Bool, more: UInt32) {
        let rules = profile.pointee.dedup
        let before = rules.bytes(holding: dedup.peakCount)
        let isNew = dedup.admits(index, rules, at: now, salt: salt, &words)
        return (isNew, rules.bytes(holding: dedup.peakCount) - before)
    }

    // MARK: Messages of the server

    mutating func purge(before end: UInt32) { purged = max(purged, end) }

    /// Returns the number of the message at which the server resumes for this client; `isGap` is `true` if that skips
    /// requested messages. `nil` if the server resumes with a snapshot of the complete state.
    mutating func resumePosition(
        for resuming: ResumeRequest, _ introduction: Introduction, isKnown: Bool, written: UInt32, at now: Instant,
        _ traffic: borrowing TrafficPlan
    ) -> (next: UInt32, isGap: Bool)? {
        let history = profile.pointee.history
        let oldest = oldestKept(written, at: now, traffic)
        switch resuming {
        case .fresh: return (max(oldest, written - min(history.replay, written)), false)
        case .snapshot: return nil
        case .from(let cursor):
            let asked = isKnown ? resumePosition(of: cursor, introduction) : nil
            if let asked, oldest <= asked { return (min(asked, written), asked != cursor.position) }
            if history.expiredCursorAction == .snapshot { return nil }
            return (isKnown ? max(asked ?? oldest, oldest) : written, true)
        }
    }

    /// `true` if the client's cursor belongs to an earlier epoch.
    func countsAnew(for resuming: ResumeRequest, _ introduction: Introduction) -> Bool {
        guard case .from(let cursor) = resuming else { return false }
        return resumePosition(of: cursor, introduction) != cursor.position || cursor.position < base
    }

    /// Converts the client's cursor to the server's current message numbers. `nil` if it belongs to another epoch and
    /// the server can detect that.
    private func resumePosition(of cursor: Cursor, _ introduction: Introduction) -> UInt32? {
        if profile.pointee.session.namesEpoch {
            return introduction.epoch == 0 || introduction.epoch == epoch ? cursor.position : nil
        }
        guard clientEpoch != epoch else { return cursor.position }
        // The count began again: the same number now means another message.
        return base + (cursor.position - min(clientBase, cursor.position))
    }

    /// Returns the index of the oldest message that can be sent again.
    private mutating func oldestKept(_ written: UInt32, at now: Instant, _ traffic: borrowing TrafficPlan) -> UInt32 {
        guard let schedule = traffic.downSchedule else { return 0 }
        let rules = profile.pointee.history
        if rules.messages != nil || rules.time != nil {
            while kept.index < written, !rules.keeps(age: now - kept.time, newer: written - kept.index - 1) {
                kept.advance(schedule)
            }
        }
        return max(kept.index, purged)
    }
}
