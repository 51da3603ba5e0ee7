public import DeadzonePrimitives

/// What becomes of what was offered to a link: when it is at the other end, and how much of it.
public struct Transit: Hashable, Sendable {
    public var at: Instant
    /// How many of the parts arrive before the first that was lost.
    public var intact: UInt32
    /// How many of the parts found no place in the queue.
    public var dropped: UInt32
    /// How many of the others were lost.
    public var lost: UInt32

    public init(at: Instant, intact: UInt32, dropped: UInt32 = 0, lost: UInt32 = 0) {
        self.at = at
        self.intact = intact
        self.dropped = dropped
        self.lost = lost
    }
}

/// One direction of a link as one phone meets it: a queue in order of arrival, then a delay, and losses.
/// Delay, loss and spikes are weather: the dice of a packet are addressed by the millisecond it was offered in and its index
/// within that millisecond, never by how many packets there were before. The queue and the order of delivery are state.
public struct Link: ~Copyable {
    /// Packets that meet in one slot are told apart by their index.
    public static let slotLength = TimeSpan.milliseconds(1)

    /// When the last byte accepted so far has left the sender.
    public private(set) var busyUntil = Instant.zero
    /// Packets do not overtake each other.
    private var lastDelivery = Instant.zero
    private var slot: Int64 = -1
    /// Nil where each packet meets its own: no dwells of loss, no spikes, no trace.
    private var weather: UnsafeMutablePointer<Weather>?
    private var indexInSlot: UInt16 = 0

    /// What lasts from one packet to the next.
    fileprivate struct Weather: BitwiseCopyable {
        var loss: LossWeather
        var spikes: SpikeWeather
        var cursor = TraceCursor()
    }

    public init(_ direction: LinkDirection, dwells: Dice) { self = direction.link(dwells: dwells) }

    fileprivate init(_ weather: UnsafeMutablePointer<Weather>?) { self.weather = weather }

    deinit { weather?.deallocate() }

    /// - Parameter parts: How many packets can be lost by themselves; they leave and arrive together.
    public mutating func offer(
        bytes: UInt32, parts: UInt32 = 1, at now: Instant, over direction: UnsafePointer<LinkDirection>, packets: Dice,
        dwells: Dice
    ) -> Transit {
        // Most packets are whole, and on a link that keeps nothing but its order.
        guard parts == 1, weather == nil, direction.pointee.queue == nil,
            case .independent(let loss) = direction.pointee.loss
        else { return offer(bytes, parts, at: now, direction, packets, dwells) }
        busyUntil = max(now, busyUntil) + direction.pointee.airtime(ofBytes: bytes)
        let dice = packets.pair(at: address(at: now))
        lastDelivery = max(lastDelivery, busyUntil + direction.delay(dice.0))
        let lost: UInt32 = loss.hits(dice.1) ? 1 : 0
        return Transit(at: lastDelivery, intact: 1 - lost, lost: lost)
    }

    @inline(never)
    private mutating func offer(
        _ bytes: UInt32, _ parts: UInt32, at now: Instant, _ direction: UnsafePointer<LinkDirection>, _ packets: Dice,
        _ dwells: Dice
    ) -> Transit {
        let fitting = direction.pointee.queue == nil ? parts : room(for: bytes, parts, at: now, direction)
        guard fitting > 0 else {
            _ = address(at: now)
            return Transit(at: now, intact: 0, dropped: parts)
        }
        let accepted = fitting == parts ? bytes : UInt32(UInt64(bytes) * UInt64(fitting) / UInt64(parts))
        if let trace = direction.pointee.trace, let weather {
            busyUntil = max(
                busyUntil, trace.serve(bytes: accepted, at: now, busyUntil: busyUntil, &weather.pointee.cursor))
        } else {
            busyUntil = max(now, busyUntil) + direction.pointee.airtime(ofBytes: accepted)
        }
        var delay = direction.pointee.floor
        var intact: UInt32 = 0
        var lost: UInt32 = 0
        for part in 0..<fitting {
            let dice = packets.pair(at: address(at: now))
            if part == 0 { delay = direction.delay(dice.0) }
            if loses(dice.1, at: now, direction.pointee.loss, dwells) { lost += 1 }
            if lost == 0 { intact += 1 }
        }
        if let model = direction.pointee.spikes, let weather {
            delay += weather.pointee.spikes.extra(at: now, model, dwells: dwells)
        }
        lastDelivery = max(lastDelivery, busyUntil + delay)
        return Transit(at: lastDelivery, intact: intact, dropped: parts - fitting, lost: lost)
    }

    /// Over a direction that has no place of its own.
    public mutating func offer(
        bytes: UInt32, parts: UInt32 = 1, at now: Instant, over direction: LinkDirection, packets: Dice, dwells: Dice
    ) -> Transit {
        withUnsafePointer(to: direction) {
            offer(bytes: bytes, parts: parts, at: now, over: $0, packets: packets, dwells: dwells)
        }
    }

    /// The path is another one now: nothing waits for what went over the old one.
    public mutating func restart() {
        busyUntil = .zero
        lastDelivery = .zero
        weather?.pointee.cursor = TraceCursor()
    }

    /// Other conditions from now on. Their weather is what it would be had they held from the beginning; what waits in the
    /// queue still leaves when it would have left, and nothing overtakes.
    public mutating func change(to direction: LinkDirection, dwells: Dice) {
        weather?.deallocate()
        weather = direction.weather(dwells)
    }

    private func loses(_ dice: UInt64, at now: Instant, _ model: LossModel, _ dwells: Dice) -> Bool {
        if case .independent(let probability) = model { return probability.hits(dice) }
        guard let weather else { preconditionFailure("a link that was made without dwells of loss meets some") }
        return weather.pointee.loss.loses(dice, at: now, model, dwells: dwells)
    }

    /// How many of the parts find a place in the queue.
    private func room(
        for bytes: UInt32, _ parts: UInt32, at now: Instant, _ direction: UnsafePointer<LinkDirection>
    ) -> UInt32 {
        guard let bound = direction.pointee.queue, now < busyUntil else { return parts }
        switch bound {
        case .wait(let longest): return busyUntil - now <= longest ? parts : 0
        case .bytes(let most):
            let waiting =
                direction.pointee.trace?.backlog(
                    at: now, busyUntil: busyUntil, weather?.pointee.cursor ?? TraceCursor())
                ?? direction.pointee.bytes(in: busyUntil - now)
            let free = most - waiting
            if free >= Int64(bytes) { return parts }
            guard free > 0, bytes > 0 else { return 0 }
            return UInt32(UInt64(free) * UInt64(parts) / UInt64(bytes))
        }
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

extension UnsafePointer<LinkDirection> {
    /// Of a packet.
    @inline(__always)
    fileprivate func delay(_ luck: UInt64) -> TimeSpan {
        max(TimeSpan(nanoseconds: pointee.delay.draw(luck)), pointee.floor)
    }
}

extension LinkDirection {
    fileprivate var hasWeather: Bool {
        if case .independent = loss { return spikes != nil || trace != nil }
        return true
    }

    /// A link that is like this, of which nothing is copied for it.
    public func link(dwells: Dice) -> Link { Link(weather(dwells)) }

    fileprivate func weather(_ dwells: Dice) -> UnsafeMutablePointer<Link.Weather>? {
        guard hasWeather else { return nil }
        let weather = UnsafeMutablePointer<Link.Weather>.allocate(capacity: 1)
        weather.initialize(
            to: Link.Weather(
                loss: LossWeather(loss, dwells: dwells), spikes: SpikeWeather(spikes, dwells: dwells)))
        return weather
    }

    /// How long these bytes keep the air busy.
    @inlinable public func airtime(ofBytes bytes: UInt32) -> TimeSpan {
        TimeSpan(nanoseconds: Int64(bytes) * 8_000_000_000 / max(bitsPerSecond, 1))
    }

    /// How many bytes, rounded up, leave in this time.
    func bytes(in span: TimeSpan) -> Int64 {
        Int64(clamping: (Int128(span.nanoseconds) * Int128(bitsPerSecond) + 7_999_999_999) / 8_000_000_000)
    }
}

extension Interface {
    /// Of its link, whose dice those are: delay and loss of a packet, and how long good and bad times last.
    public var linkPurposes: (up: Purpose, down: Purpose, lossUp: Purpose, lossDown: Purpose) {
        switch self {
        case .wifi: (.linkWifiUp, .linkWifiDown, .lossWifiUp, .lossWifiDown)
        case .cellular: (.linkCellularUp, .linkCellularDown, .lossCellularUp, .lossCellularDown)
        }
    }
}
