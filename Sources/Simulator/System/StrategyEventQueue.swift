package import DeadzoneClient

/// Queue of events that the strategy has not received yet, in order.
///
/// It grows as needed, up to a limit that no correct strategy reaches. Initial capacity is zero, because the inbox of
/// an app is nearly always empty.
package struct StrategyEventQueue: ~Copyable {
    private let most: Int
    package private(set) var capacity = 0
    private var storage: UnsafeMutablePointer<Event>?
    private var head = 0
    private(set) var count = 0

    package init(atMost most: Int) { self.most = most }

    deinit { storage?.deallocate() }

    @inline(__always)
    package mutating func append(_ event: Event) {
        if count == capacity { grow() }
        guard let storage else { preconditionFailure("a notification queue has no storage after it has grown") }
        let place = head + count
        (storage + (place < capacity ? place : place - capacity)).initialize(to: event)
        count += 1
    }

    private mutating func grow() {
        precondition(capacity < most, "more than \(most) notifications wait for one strategy")
        let larger = min(max(capacity * 2, 8), most)
        let places = UnsafeMutablePointer<Event>.allocate(capacity: larger)
        if let storage {
            for index in 0..<count { (places + index).initialize(to: storage[(head + index) % capacity]) }
            storage.deallocate()
        }
        (storage, capacity, head) = (places, larger, 0)
    }

    package var isEmpty: Bool { count == 0 }

    // Inlined up to the check for an empty queue, which happens after each event.
    package mutating func next() -> Event? { count > 0 ? removeFirst() : nil }

    mutating func removeFirst() -> Event {
        guard let storage else { preconditionFailure("a notification queue that is not empty has no storage") }
        let event = storage[head]
        head = head + 1 < capacity ? head + 1 : 0
        count -= 1
        return event
    }

    /// Appends an event for an app that does not run. It replaces an equivalent older event, and of many network
    /// changes only the latest are kept.
    package mutating func appendCoalescing(_ event: Event) {
        var networks = 0
        for _ in 0..<count {
            guard let waiting = next() else { break }
            if event.replaces(waiting) { continue }
            if case .network = waiting { networks += 1 }
            append(waiting)
        }
        if case .network = event, networks >= Self.networksRemembered { dropFirstNetwork() }
        append(event)
    }

    /// Maximum number of network changes that wait for an app that does not run.
    private static let networksRemembered = 16

    private mutating func dropFirstNetwork() {
        var isDropped = false
        for _ in 0..<count {
            guard let waiting = next() else { return }
            if case .network = waiting, !isDropped { isDropped = true } else { append(waiting) }
        }
    }

    package mutating func removeAll() { count = 0 }

    /// Removes all events about the connection in this slot.
    package mutating func removeAll(about slot: ConnectionSlot) {
        for _ in 0..<count {
            guard let event = next() else { return }
            if event.connection != slot { append(event) }
        }
    }
}

extension Event {
    /// `true` if this event makes an older event, which the strategy has not received, redundant.
    fileprivate func replaces(_ other: Event) -> Bool {
        switch (self, other) {
        case (.received, .received), (.acknowledged, .acknowledged), (.pong, .pong), (.stalled, .writable),
            (.heartbeat, .heartbeat), (.writable, .stalled):
            connection == other.connection
        default: self == other
        }
    }
}
