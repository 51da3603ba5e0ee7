public import DeadzoneClient

/// Events that a strategy has yet to be told, in order. It takes places as it needs them, up to a number that no sound strategy
/// comes to: the inbox of an app is nearly always empty.
public struct NoticeQueue: ~Copyable {
    private let most: Int
    public private(set) var capacity = 0
    private var storage: UnsafeMutablePointer<Event>?
    private var head = 0
    @usableFromInline private(set) var count = 0

    public init(atMost most: Int) { self.most = most }

    deinit { storage?.deallocate() }

    public mutating func append(_ event: Event) {
        if count == capacity { grow() }
        guard let storage else { preconditionFailure("a notice queue that grew has places") }
        let place = head + count
        (storage + (place < capacity ? place : place - capacity)).initialize(to: event)
        count += 1
    }

    private mutating func grow() {
        precondition(capacity < most, "more than \(most) notices wait for one strategy")
        let larger = min(max(capacity * 2, 8), most)
        let places = UnsafeMutablePointer<Event>.allocate(capacity: larger)
        if let storage {
            for index in 0..<count { (places + index).initialize(to: storage[(head + index) % capacity]) }
            storage.deallocate()
        }
        (storage, capacity, head) = (places, larger, 0)
    }

    @inlinable public var isEmpty: Bool { count == 0 }

    // Inlined as far as to see that there is none, which is asked after each event.
    @inlinable public mutating func next() -> Event? { count > 0 ? take() : nil }

    @usableFromInline mutating func take() -> Event {
        guard let storage else { preconditionFailure("a notice queue that has notices has places") }
        let event = storage[head]
        head = head + 1 < capacity ? head + 1 : 0
        count -= 1
        return event
    }

    /// For an app that does not run: what it would hear twice it hears once, the latest; of many changes of network it
    /// hears the last ones.
    public mutating func post(_ event: Event) {
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

    /// How many changes of network wait for an app that does not run.
    private static let networksRemembered = 16

    private mutating func dropFirstNetwork() {
        var isDropped = false
        for _ in 0..<count {
            guard let waiting = next() else { return }
            if case .network = waiting, !isDropped { isDropped = true } else { append(waiting) }
        }
    }

    public mutating func removeAll() { count = 0 }

    /// Takes out what is about this connection.
    public mutating func removeAll(about slot: ConnectionSlot) {
        for _ in 0..<count {
            guard let event = next() else { return }
            if event.connection != slot { append(event) }
        }
    }
}

extension Event {
    /// Says all that the other one, which nobody has heard yet, would have said.
    fileprivate func replaces(_ other: Event) -> Bool {
        switch (self, other) {
        case (.received, .received), (.acknowledged, .acknowledged), (.pong, .pong), (.stalled, .writable),
            (.heartbeat, .heartbeat), (.writable, .stalled):
            connection == other.connection
        default: self == other
        }
    }
}
