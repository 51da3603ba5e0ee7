import DeadzoneDevice
public import DeadzonePrimitives

/// A packet as a radio notices it.
public struct RadioPacket: Hashable, Sendable {
    public var at: Instant
    public var isUp: Bool
    public var bytes: UInt32

    public init(at: Instant, isUp: Bool, bytes: UInt32) {
        self.at = at
        self.isUp = isUp
        self.bytes = bytes
    }
}

/// At which level a radio was when, given when bits flowed.
struct RadioStory {
    /// Packets no further apart flow without a pause: a round trip takes longer.
    private static let flowGap = TimeSpan.milliseconds(20)

    /// In the order of time, one after the other.
    private(set) var periods: [(level: PowerLevel, until: Instant)] = []
    private var radio: Radio
    private var now: Instant
    private let begin: Instant
    private let profile: RadioProfile

    /// - Parameter begin: not later than the first packet.
    init(_ packets: [RadioPacket], _ profile: RadioProfile, from begin: Instant, until end: Instant) {
        self.profile = profile
        self.begin = begin
        now = begin
        radio = Radio(profile: profile, phases: RadioPhases(paging: 0, drx: 0), at: begin)
        if profile.technology == .wifi { note(radio.setAssociated(true, at: begin)) }
        var last: RadioPacket?
        for packet in packets where packet.at <= end {
            if let last, packet.at - last.at <= Self.flowGap {
                note(radio.flowOn(last.isUp && packet.isUp ? .up : .down, until: packet.at, at: now, profile))
                run(until: packet.at)
            }
            flow(packet)
            last = packet
        }
        run(until: max(now, end))
        note(radio.settle(at: now))
    }

    private mutating func flow(_ packet: RadioPacket) {
        let burst = Burst(
            direction: packet.isUp ? .up : .down, bytes: packet.bytes, airtime: .zero, cause: .payload)
        let stamp = max(packet.at, now)
        while true {
            if let carried = radio.flowed(burst, at: stamp, since: now, profile) {
                note(carried.spent)
                return run(until: stamp)
            }
            run(until: radio.nextTransition)
        }
    }

    private mutating func run(until end: Instant) {
        while radio.nextTransition <= end, radio.nextTransition != .never {
            now = radio.nextTransition
            note(radio.advance(profile).spent)
        }
        now = end
    }

    private mutating func note(_ spent: Residency?) {
        guard let spent else { return }
        periods.append((spent.level, (periods.last?.until ?? begin) + spent.span))
    }
}
