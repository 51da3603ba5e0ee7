package import DeadzoneBase

/// One push that a push service stores for a phone.
package struct StoredPush: BitwiseCopyable, Sendable {
    package enum Stage: UInt8, Sendable, BitwiseCopyable {
        /// At the push service.
        case waiting
        case onItsWay
        /// At the phone, which has not passed it to the app yet. A real service keeps such a push as well.
        case atPhone
    }

    /// Time at which the server requested the push, or the first of the pushes that it replaces.
    package fileprivate(set) var askedAt: Instant
    package fileprivate(set) var expiresAt: Instant
    /// The collapse key; 0 if it has none.
    fileprivate var key: UInt32
    /// Identifies the push among those of its phone.
    package fileprivate(set) var number: UInt16 = 0
    package fileprivate(set) var isUrgent: Bool
    /// `true` for the notice that pushes were discarded.
    package fileprivate(set) var isNotice = false
    /// `true` once the system has treated the urgent push as a normal one.
    package fileprivate(set) var isDemoted = false
    package fileprivate(set) var stage = Stage.waiting

    /// - Parameter key: The collapse key; 0 if the push has none.
    package init(key: UInt32, isUrgent: Bool, timeToLive: TimeSpan, at now: Instant) {
        askedAt = now
        expiresAt = now + timeToLive
        self.key = key
        self.isUrgent = isUrgent
    }
}

/// A push service that stores several pushes for a phone, and the token that names the app.
///
///     asked ──path──▶ on its way ──▶ at the phone ──▶ now: the app is woken
///       └─ no path: waits for one        └─ not now (Doze, budget): waits for the system's permission
///
/// A newer push replaces a waiting one with the same collapse key. A push that waits longer than its time to live is
/// dropped. If too many wait, all are dropped, and a notice takes their place.
package struct PushQueue: BitwiseCopyable {
    fileprivate var repetition = PushRepeat()
    var token = PushToken()
    package fileprivate(set) var count = 0
    fileprivate var lastNumber: UInt16 = 0

    package init() {}

    package func due(after now: Instant) -> Instant { repetition.due(after: now) }

    /// Schedules another attempt, unless one is scheduled.
    package mutating func scheduleRepeat(at now: Instant) {
        if due(after: now) == .never { repetition.schedule(at: now) }
    }
}

/// Numbers of pushes that a push service stores for a phone.
package struct PushLimits: BitwiseCopyable, Sendable {
    /// Maximum number of pushes without a collapse key.
    package var pending: UInt16
    /// Maximum number of different collapse keys.
    package var keys: UInt8

    /// Number of pushes for which there is space: those that wait, and as many on their way.
    fileprivate var capacity: Int { 2 * (Int(pending) + Int(keys)) + 8 }
    /// Bytes of the memory of these pushes.
    package var bytes: Int { capacity * MemoryLayout<StoredPush>.stride }
}

/// The memory of a `PushQueue` with its pushes, in the order of their requests.
package struct PushQueueMemory: BitwiseCopyable {
    package let queue: UnsafeMutablePointer<PushQueue>
    private let pushes: UnsafeMutablePointer<StoredPush>
    private let limits: PushLimits

    package init(_ limits: PushLimits, in allocator: ArenaAllocator) {
        self.limits = limits
        queue = allocator.allocate(of: PushQueue.self)
        pushes = allocator.allocate(of: StoredPush.self, limits.capacity)
    }

    package subscript(index: Int) -> StoredPush { pushes[index] }

    func demote(_ index: Int) { pushes[index].isDemoted = true }

    private func index(of number: UInt16) -> Int? {
        (0..<queue.pointee.count).first { pushes[$0].number == number }
    }

    /// Drops every push for which `isMeant` returns `true`, and returns their number. The notice of discarded pushes
    /// does not count.
    private func removeAll(where isMeant: (StoredPush) -> Bool) -> Int {
        var (kept, dropped) = (0, 0)
        for index in 0..<queue.pointee.count {
            let push = pushes[index]
            if isMeant(push) {
                if !push.isNotice { dropped += 1 }
            } else {
                pushes[kept] = push
                kept += 1
            }
        }
        let unused = UnsafeMutableRawPointer(pushes + kept)
        unused.initializeMemory(
            as: UInt8.self, repeating: 0, count: (queue.pointee.count - kept) * MemoryLayout<StoredPush>.stride)
        queue.pointee.count = kept
        return dropped
    }

    /// Drops the pushes with a time to live that is over, and returns their number.
    package func expire(at now: Instant) -> Int {
        removeAll { $0.stage != .onItsWay && $0.expiresAt < now && !$0.isNotice }
    }

    /// Drops all pushes that are stored, for example because their token is void, and returns their number.
    package func dropStored() -> Int { removeAll { $0.stage != .onItsWay } }

    /// Stores a push. Returns the pushes that are dropped for it, this one included.
    package func add(_ push: StoredPush) -> (reason: RecordKind, count: Int)? {
        if push.key != 0 {
            if let index = stored(where: { $0.key == push.key }) {
                pushes[index].isUrgent = pushes[index].isUrgent || push.isUrgent
                pushes[index].expiresAt = push.expiresAt
                return (.pushCollapsed, 1)
            }
            guard storedCount(where: { $0.key != 0 }) >= Int(limits.keys),
                let oldest = stored(where: { $0.key != 0 })
            else { return append(push) }
            let number = pushes[oldest].number
            let dropped = removeAll { $0.number == number }
            return append(push) ?? (.pushDiscarded, dropped)
        }
        // Since the service has discarded pushes, it stores no more until the phone is there.
        if stored(where: \.isNotice) != nil { return (.pushDiscarded, 1) }
        guard storedCount(where: { $0.key == 0 }) < Int(limits.pending) else { return discardAll(for: push) }
        return append(push)
    }

    private func append(_ push: StoredPush) -> (reason: RecordKind, count: Int)? {
        guard queue.pointee.count < limits.capacity else { return (.pushDiscarded, 1) }
        queue.pointee.lastNumber &+= 1
        var stored = push
        stored.number = queue.pointee.lastNumber
        pushes[queue.pointee.count] = stored
        queue.pointee.count += 1
        return nil
    }

    private func discardAll(for push: StoredPush) -> (reason: RecordKind, count: Int)? {
        let isUrgent = push.isUrgent || stored(where: \.isUrgent) != nil
        let dropped = dropStored() + 1
        var notice = push
        (notice.isUrgent, notice.isNotice, notice.key, notice.expiresAt) = (isUrgent, true, 0, .never)
        _ = append(notice)
        return (.pushDiscarded, dropped)
    }

    private func stored(where isMeant: (StoredPush) -> Bool) -> Int? {
        (0..<queue.pointee.count).first { pushes[$0].stage != .onItsWay && isMeant(pushes[$0]) }
    }

    private func storedCount(where isMeant: (StoredPush) -> Bool) -> Int {
        (0..<queue.pointee.count).count { pushes[$0].stage != .onItsWay && isMeant(pushes[$0]) }
    }

    // MARK: Delivery

    /// The next push to send to the phone, which is on its way from now on.
    package func sendNext() -> StoredPush? {
        guard let index = (0..<queue.pointee.count).first(where: { pushes[$0].stage == .waiting }) else { return nil }
        pushes[index].stage = .onItsWay
        queue.pointee.repetition.cancel()
        return pushes[index]
    }

    /// A push with a time to live of zero may be passed to the app at this instant.
    package func arrive(_ number: UInt16, at now: Instant) {
        guard let index = index(of: number) else { return }
        pushes[index].expiresAt = max(pushes[index].expiresAt, now)
        pushes[index].stage = .atPhone
        queue.pointee.repetition.restartWaits()
    }

    /// Stores a push that did not arrive, and schedules another attempt.
    package func lose(_ number: UInt16, at now: Instant) {
        guard let index = index(of: number) else { return }
        pushes[index].stage = .waiting
        queue.pointee.scheduleRepeat(at: now)
    }

    /// Ends a push after the app received it.
    package func finish(_ number: UInt16) { _ = removeAll { $0.number == number } }
}
