package import DeadzoneBase

/// The result of sending a packet over a link: its arrival time, and how many of its parts arrive.
package struct Transit: Hashable, Sendable {
    package var at: Instant
    /// Number of parts of the packet that arrive before the first lost one.
    package var intact: UInt32
    /// Number of parts of the packet that were dropped because they did not fit into the queue.
    package var dropped: UInt32
    /// Number of parts that entered the queue, but were lost on the way.
    package var lost: UInt32
    /// Parts that do not arrive with the others, for whatever reason. Bit n stands for part n.
    package var missing: UInt64
    /// The missing parts that arrive late, and by how much.
    private var late: UInt64 = 0
    private var lateness = TimeSpan.zero
    /// Time between the arrivals of the first and the last part. `at` is the arrival of the last.
    package var spread: TimeSpan

    package init(
        at: Instant, intact: UInt32, dropped: UInt32 = 0, lost: UInt32 = 0, missing: UInt64 = 0,
        spread: TimeSpan = .zero
    ) {
        self.at = at
        self.intact = intact
        self.dropped = dropped
        self.lost = lost
        self.missing = missing
        self.spread = spread
    }

    /// Delays some parts of the packet. A packet of one part is late itself.
    fileprivate mutating func delay(_ parts: UInt64, by delay: TimeSpan) {
        guard intact > 1 || lost + dropped > 0 else { return at += delay }
        late = parts
        missing |= parts
        lateness = delay
        intact = UInt32(missing.trailingZeroBitCount)
    }

    /// Removes the first late part, of `parts`. Returns its index and its arrival, which is not before that of the
    /// others. `nil` if no more parts are late.
    package mutating func nextLate(of parts: UInt32) -> (part: UInt32, at: Instant)? {
        guard late != 0 else { return nil }
        let part = UInt32(late.trailingZeroBitCount)
        late &= late - 1
        let lead = spread * Int64(parts - 1 - part) / Int64(max(parts - 1, 1))
        return (part, at + max(lateness - lead, .zero))
    }

    /// Returns the next range of neighbouring parts that arrive, at or after part `from`. `nil` if there is none.
    package func arrivals(from: UInt32, of parts: UInt32) -> Range<UInt32>? {
        var begin = from
        while begin < parts && missing >> UInt64(begin) & 1 == 1 { begin += 1 }
        var end = begin
        while end < parts && missing >> UInt64(end) & 1 == 0 { end += 1 }
        return begin < end ? begin..<end : nil
    }
}

/// Simulates one direction of one phone's link: packets wait in a queue, are delayed, and can be lost. Delay, loss and
/// spikes do not depend on the traffic: the random numbers of a packet are selected by the millisecond in which it was
/// sent and its index within that millisecond. The number of earlier packets has no influence. Only the queue and the
/// order of delivery depend on earlier packets.
package struct Link: ~Copyable {
    /// Length of the time slot that selects the random numbers of a packet. Packets in the same slot are distinguished
    /// by their index.
    package static let slotLength = TimeSpan.milliseconds(1)
    /// Flag in the number of a random draw that decides whether a packet is late. It keeps the draw apart from those for
    /// delay and loss.
    private static let reorderingDraws: UInt64 = 1 << 63

    /// Time at which the last byte in the queue leaves the sender. In the past if the queue is empty.
    package private(set) var busyUntil = Instant.zero
    /// Time of the latest delivery. No later packet arrives before it, because packets do not overtake each other. A
    /// packet that is late by `Reordering` counts as if it were not.
    private var lastDelivery = Instant.zero
    private var slot: Int64 = -1
    /// State of loss, spikes and trace. `nil` if packets are independent of each other: no loss model with dwell times,
    /// no spikes, no trace.
    private var weather: UnsafeMutablePointer<Weather>?
    private var indexInSlot: UInt16 = 0

    /// State that a link keeps from one packet to the next, for its loss model, latency spikes and trace.
    fileprivate struct Weather: BitwiseCopyable {
        var loss: LossWeather
        var spikes: SpikeWeather
        var cursor = TraceCursor()
    }

    package init(_ direction: LinkDirection, dwells: Dice) { self = direction.link(dwells: dwells) }

    fileprivate init(_ weather: UnsafeMutablePointer<Weather>?) { self.weather = weather }

    deinit { weather?.deallocate() }

    /// Sends a packet over the link.
    /// - Parameters:
    ///   - parts: Number of parts, at most 64. Each can be lost or dropped. They are delivered together, when the last
    ///     has arrived.
    ///   - mayBeLate: `false` if the packet is not overtaken, whatever `Reordering` says.
    package mutating func transmit(
        bytes: UInt32, parts: UInt32 = 1, mayBeLate: Bool = true, at now: Instant,
        over direction: UnsafePointer<LinkDirection>, packets: Dice, dwells: Dice
    ) -> Transit {
        // Fast path: most packets have one part, and most links have no state except their order.
        guard parts == 1, weather == nil, direction.pointee.queue == nil, direction.pointee.reordering == nil,
            case .independent(let loss) = direction.pointee.loss
        else { return transmit(bytes, parts, mayBeLate, at: now, direction, packets, dwells) }
        busyUntil = max(now, busyUntil) + direction.pointee.airtime(ofBytes: bytes)
        let dice = packets.pair(at: drawAddress(at: now))
        lastDelivery = max(lastDelivery, busyUntil + direction.delay(dice.0))
        let lost: UInt32 = loss.hits(dice.1) ? 1 : 0
        return Transit(at: lastDelivery, intact: 1 - lost, lost: lost, missing: UInt64(lost))
    }

    @inline(never)
    private mutating func transmit(
        _ bytes: UInt32, _ parts: UInt32, _ mayBeLate: Bool, at now: Instant,
        _ direction: UnsafePointer<LinkDirection>, _ packets: Dice, _ dwells: Dice
    ) -> Transit {
        let fitting = direction.pointee.queue == nil ? parts : fittingParts(for: bytes, parts, at: now, direction)
        guard fitting > 0 else {
            _ = drawAddress(at: now)
            return Transit(at: now, intact: 0, dropped: parts, missing: Self.bits(below: parts))
        }
        let accepted = fitting == parts ? bytes : UInt32(UInt64(bytes) * UInt64(fitting) / UInt64(parts))
        let begin = max(now, busyUntil)
        if let trace = direction.pointee.trace, let weather {
            busyUntil = max(
                busyUntil, trace.departure(bytes: accepted, at: now, busyUntil: busyUntil, &weather.pointee.cursor))
        } else {
            busyUntil = max(now, busyUntil) + direction.pointee.airtime(ofBytes: accepted)
        }
        var delay = direction.pointee.floor
        var intact: UInt32 = 0
        var lost: UInt32 = 0
        var missing = Self.bits(below: parts) & ~Self.bits(below: fitting)
        var late: UInt64 = 0
        for part in 0..<fitting {
            let address = drawAddress(at: now)
            let dice = packets.pair(at: address)
            if part == 0 { delay = direction.delay(dice.0) }
            if loses(dice.1, at: now, direction.pointee.loss, dwells) {
                lost += 1
                missing |= 1 << UInt64(part)
            } else if mayBeLate, let reordering = direction.pointee.reordering,
                reordering.share.hits(packets.at(Self.reorderingDraws | address))
            {
                late |= 1 << UInt64(part)
            }
            if lost == 0 { intact += 1 }
        }
        if let model = direction.pointee.spikes, let weather {
            delay += weather.pointee.spikes.extraDelay(at: now, model, dwells: dwells)
        }
        lastDelivery = max(lastDelivery, busyUntil + delay)
        let spread = (busyUntil - begin) * Int64(fitting - 1) / Int64(fitting)
        var transit = Transit(
            at: lastDelivery, intact: intact, dropped: parts - fitting, lost: lost, missing: missing, spread: spread)
        if late != 0, let reordering = direction.pointee.reordering { transit.delay(late, by: reordering.delay) }
        return transit
    }

    /// Sends a packet over the link. The link direction is passed by value here.
    package mutating func transmit(
        bytes: UInt32, parts: UInt32 = 1, at now: Instant, over direction: LinkDirection, packets: Dice, dwells: Dice
    ) -> Transit {
        withUnsafePointer(to: direction) {
            transmit(bytes: bytes, parts: parts, at: now, over: $0, packets: packets, dwells: dwells)
        }
    }

    /// Resets the link after the phone changed to another path: new data does not wait for data that was sent on the
    /// old one.
    package mutating func resetQueue() {
        busyUntil = .zero
        lastDelivery = .zero
        weather?.pointee.cursor = TraceCursor()
    }

    /// Applies new conditions from now on. Losses and spikes are as if these conditions had applied from the beginning.
    /// Queued data leaves at the time computed before, and later packets do not overtake it.
    package mutating func change(to direction: LinkDirection, dwells: Dice) {
        weather?.deallocate()
        weather = direction.weather(dwells)
    }

    private func loses(_ dice: UInt64, at now: Instant, _ model: LossModel, _ dwells: Dice) -> Bool {
        if case .independent(let probability) = model { return probability.hits(dice) }
        guard let weather else { preconditionFailure("this link has no loss dwells, but its loss model needs them") }
        return weather.pointee.loss.loses(dice, at: now, model, dwells: dwells)
    }

    /// Returns a number with all bits below `count` set.
    private static func bits(below count: UInt32) -> UInt64 { count < 64 ? 1 << UInt64(count) - 1 : .max }

    /// Returns the number of a packet's parts that fit into the queue. An idle link sends the first part at once.
    private func fittingParts(
        for bytes: UInt32, _ parts: UInt32, at now: Instant, _ direction: UnsafePointer<LinkDirection>
    ) -> UInt32 {
        guard let bound = direction.pointee.queue else { return parts }
        let least: UInt32 = now < busyUntil ? 0 : 1
        guard parts > least else { return parts }
        switch bound {
        case .wait(let longest):
            let left = longest - max(busyUntil - now, .zero)
            guard left >= .zero else { return least }
            let airtime = direction.pointee.airtime(ofBytes: bytes / parts)
            // The times of a trace are not known before its packets leave.
            guard direction.pointee.trace == nil, airtime > .zero else { return parts }
            return UInt32(min(Int64(parts), left.nanoseconds / airtime.nanoseconds + 1))
        case .bytes(let most):
            let waiting = now < busyUntil ? waitingBytes(at: now, direction) : 0
            let free = most - waiting
            if free >= Int64(bytes) { return parts }
            guard free > 0, bytes > 0 else { return least }
            return max(UInt32(UInt64(free) * UInt64(parts) / UInt64(bytes)), least)
        }
    }

    private func waitingBytes(at now: Instant, _ direction: UnsafePointer<LinkDirection>) -> Int64 {
        direction.pointee.trace?.backlog(
            at: now, busyUntil: busyUntil, weather?.pointee.cursor ?? TraceCursor())
            ?? direction.pointee.bytes(in: busyUntil - now)
    }

    private mutating func drawAddress(at now: Instant) -> UInt64 {
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
    /// Draws the delay of one packet.
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

    /// Creates a link with these conditions. The link does not copy them.
    package func link(dwells: Dice) -> Link { Link(weather(dwells)) }

    fileprivate func weather(_ dwells: Dice) -> UnsafeMutablePointer<Link.Weather>? {
        guard hasWeather else { return nil }
        let weather = UnsafeMutablePointer<Link.Weather>.allocate(capacity: 1)
        weather.initialize(
            to: Link.Weather(
                loss: LossWeather(loss, dwells: dwells), spikes: SpikeWeather(spikes, dwells: dwells)))
        return weather
    }

    /// Time that sending `bytes` bytes occupies the channel.
    @inlinable package func airtime(ofBytes bytes: UInt32) -> TimeSpan {
        TimeSpan(nanoseconds: Int64(bytes) * 8_000_000_000 / max(bitsPerSecond, 1))
    }

    /// Returns the number of bytes, rounded up, that leave during `span`.
    func bytes(in span: TimeSpan) -> Int64 {
        Int64(clamping: (Int128(span.nanoseconds) * Int128(bitsPerSecond) + 7_999_999_999) / 8_000_000_000)
    }
}

extension Interface {
    /// The random-number purposes of this interface's link. `up` and `down` are for delay and loss of packets. `lossUp`
    /// and `lossDown` are for the length of good and bad times.
    package var linkPurposes: (up: Purpose, down: Purpose, lossUp: Purpose, lossDown: Purpose) {
        switch self {
        case .wifi: (.linkWifiUp, .linkWifiDown, .lossWifiUp, .lossWifiDown)
        case .cellular: (.linkCellularUp, .linkCellularDown, .lossCellularUp, .lossCellularDown)
        case .bluetooth: (.linkBluetoothUp, .linkBluetoothDown, .lossBluetoothUp, .lossBluetoothDown)
        case .sim2: (.linkSIM2Up, .linkSIM2Down, .lossSIM2Up, .lossSIM2Down)
        case .ethernet: (.linkEthernetUp, .linkEthernetDown, .lossEthernetUp, .lossEthernetDown)
        }
    }
}
