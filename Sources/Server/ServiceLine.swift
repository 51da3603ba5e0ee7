public import DeadzonePrimitives

/// One after the other, first come, first served: connections that are set up, requests that are worked on, what a database is
/// asked. It does not know who has left meanwhile: what was taken is done.
public struct ServiceLine: Sendable {
    /// What one of them takes.
    public let serviceTime: TimeSpan
    /// How many may wait beside the one that is served; nil: the line has no end.
    public let places: UInt32?
    private var freeAt = Instant.zero
    private var taken = TimeSpan.zero
    /// When those under way are done, in order, from `oldest` on; only of a line that has an end.
    private var ends: [Instant] = []
    private var oldest = 0

    public init(perSecond: UInt32, places: UInt32? = nil) {
        precondition(perSecond > 0, "a line that serves nothing serves no one")
        serviceTime = max(.seconds(1) / Int64(perSecond), .nanoseconds(1))
        self.places = places
    }

    /// When who comes now has been served; nil: there is no place. They come in order of time.
    /// - Parameters:
    ///   - ready: What it needs from elsewhere is there then; until then it stands in the line.
    ///   - cost: What this one takes beside, such as its handshake.
    public mutating func offer(at now: Instant, ready: Instant = .zero, beside cost: TimeSpan = .zero) -> Instant? {
        guard hasPlace(at: now) else { return nil }
        freeAt = max(freeAt, now, ready) + serviceTime + cost
        taken += serviceTime + cost
        if places != nil { ends.append(freeAt) }
        return freeAt
    }

    /// When work on who comes now, and has what it needs at `ready`, would begin.
    func begins(at now: Instant, ready: Instant = .zero) -> Instant { max(freeAt, now, ready) }

    /// Who comes now stands in it until then, and leaves without having been served.
    mutating func stand(until end: Instant) {
        guard places != nil else { return }
        // Who began before that is done, but for the one that is being served.
        let place = ends.lastIndex { $0 <= end } ?? oldest - 1
        ends.insert(end, at: max(place + 1, oldest))
    }

    public mutating func hasPlace(at now: Instant) -> Bool {
        guard let places else { return true }
        while oldest < ends.count, ends[oldest] <= now { oldest += 1 }
        if oldest * 2 > ends.count {
            ends.removeFirst(oldest)
            oldest = 0
        }
        return ends.count - oldest <= Int(places)
    }

    /// How long it has worked by now.
    func worked(by now: Instant) -> TimeSpan { taken - max(freeAt - max(now, .zero), .zero) }

    /// Whatever stood in it is gone.
    mutating func clear(at now: Instant) {
        taken = worked(by: now)
        freeAt = now
        ends.removeAll()
        oldest = 0
    }
}
