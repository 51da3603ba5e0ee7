public import DeadzonePrimitives

/// What becomes of what was offered to a link: when it is at the other end, and how much of it.
public struct Transit: Hashable, Sendable {
    public var at: Instant
    /// How many of the parts arrive before the first that was lost.
    public var intact: UInt32

    public init(at: Instant, intact: UInt32) {
        self.at = at
        self.intact = intact
    }
}

/// One direction of a link as one phone meets it: a queue in order of arrival, then a delay, and losses.
/// Delay and loss are weather: the dice of a packet are addressed by the millisecond it was offered in and its index within
/// that millisecond, never by how many packets there were before. The queue and the order of delivery are state.
public struct Link: Sendable, BitwiseCopyable {
    /// Packets that meet in one slot are told apart by their index.
    public static let slotLength = TimeSpan.milliseconds(1)

    /// When the last byte accepted so far has left the sender.
    public private(set) var busyUntil = Instant.zero
    /// Packets do not overtake each other.
    private var lastDelivery = Instant.zero
    private var slot: Int64 = -1
    private var indexInSlot: UInt16 = 0
    private var weather: LossWeather

    public init(_ direction: LinkDirection, dwells: Dice) {
        weather = LossWeather(direction.loss, dwells: dwells)
    }

    /// - Parameter parts: How many packets can be lost by themselves; they leave and arrive together.
    public mutating func offer(
        bytes: UInt32, parts: UInt32 = 1, at now: Instant, over direction: borrowing LinkDirection, packets: Dice,
        dwells: Dice
    ) -> Transit {
        let departure = max(now, busyUntil) + direction.airtime(ofBytes: bytes)
        busyUntil = departure
        var delay = direction.floor
        var intact: UInt32 = 0
        var isWhole = true
        for part in 0..<parts {
            let dice = packets.pair(at: address(at: now))
            if part == 0 { delay = max(TimeSpan(nanoseconds: direction.delay.draw(dice.0)), direction.floor) }
            if weather.loses(dice.1, at: now, direction.loss, dwells: dwells) { isWhole = false }
            if isWhole { intact += 1 }
        }
        lastDelivery = max(lastDelivery, departure + delay)
        return Transit(at: lastDelivery, intact: intact)
    }

    /// The path is another one now: nothing waits for what went over the old one.
    public mutating func restart() {
        busyUntil = .zero
        lastDelivery = .zero
    }

    private mutating func address(at now: Instant) -> UInt64 {
        let current = now.nanoseconds / Self.slotLength.nanoseconds
        if current == slot {
            indexInSlot &+= 1
        } else {
            slot = current
            indexInSlot = 0
        }
        return UInt64(bitPattern: slot) << 16 | UInt64(indexInSlot)
    }
}

extension LinkDirection {
    /// How long these bytes keep the air busy.
    public func airtime(ofBytes bytes: UInt32) -> TimeSpan {
        TimeSpan(nanoseconds: Int64(bytes) * 8_000_000_000 / max(bitsPerSecond, 1))
    }
}
