import DeadzoneBase
import DeadzoneDevice

/// The 3G energy model of the tool EnergyBox, including its quirks, for comparison. Source: `engines/Engine3G.java` in
/// rtslab/EnergyBox@150320e. Its result is a list of points, each a time and the state from there on. Time is in
/// microseconds since the first packet.
///
/// Its quirks, kept: a promotion takes no time, except for a large uplink packet out of idle if the promotion ends
/// before the next packet; the packet that left idle does not fill the FACH buffer; each direction's buffer is emptied
/// by the gap between its own last two packets, which is evaluated again at every packet of the other direction.
///
/// EnergyBox fails if a large uplink packet out of idle is the last of all; here that promotion takes its time.
struct EnergyBoxUMTS: EnergyBoxModel {
    private enum State: Sendable { case idle, fach, dch }

    private let timers: UMTSTimers
    private var curve: EnergyBoxCurve
    private var state = State.idle
    /// Held back by one packet: the model needs the time of the next packet.
    private var held: ReplayPacket?
    private var hasBegun = false
    private var last: Int64 = 0
    private var lastUp: Int64 = 0
    private var lastDown: Int64 = 0
    private var gapUp: Int64 = 0
    private var gapDown: Int64 = 0
    private var upBuffer = 0
    private var downBuffer = 0

    init(_ timers: UMTSTimers, powers: (idle: Double, fach: Double, dch: Double)) {
        self.timers = timers
        curve = EnergyBoxCurve([(.idle, powers.idle), (.fach, powers.fach), (.dch, powers.dch)])
    }

    /// Adds a packet to the model. The time `at` of the packet is in microseconds.
    mutating func fold(_ packet: ReplayPacket) {
        if let held { process(held, next: packet.at) }
        held = packet
    }

    mutating func finish() -> RadioBill {
        if let held { process(held, next: nil) }
        switch state {
        case .idle: break
        case .fach: demote(from: last + fachTimer, to: .idle)
        case .dch:
            demote(from: last + dchTimer, to: .fach)
            demote(from: last + dchTimer + fachTimer, to: .idle)
        }
        return curve.bill
    }

    private var dchTimer: Int64 { timers.dchInactivity.nanoseconds / 1_000 }
    private var fachTimer: Int64 { timers.fachInactivity.nanoseconds / 1_000 }

    private mutating func process(_ packet: ReplayPacket, next: Int64?) {
        if !hasBegun {
            hasBegun = true
            (last, lastUp, lastDown) = (packet.at, packet.at, packet.at)
        }
        let gap = packet.at - last
        if packet.isUp { gapUp = packet.at - lastUp } else { gapDown = packet.at - lastDown }
        expire(after: gap)
        switch state {
        case .idle: promote(packet, next: next)
        case .fach: carryOnFACH(packet)
        case .dch:
            curve.add(Double(packet.at) / 1e6, place(.dch))
            (upBuffer, downBuffer) = (0, 0)
        }
        last = packet.at
        if packet.isUp { lastUp = packet.at } else { lastDown = packet.at }
    }

    private mutating func expire(after gap: Int64) {
        switch state {
        case .idle: break
        case .fach:
            if gap > fachTimer { demote(from: last + fachTimer, to: .idle) }
        case .dch:
            if gap > dchTimer { demote(from: last + dchTimer, to: .fach) }
            if gap > dchTimer + fachTimer { demote(from: last + dchTimer + fachTimer, to: .idle) }
        }
    }

    private mutating func promote(_ packet: ReplayPacket, next: Int64?) {
        let limit = (packet.isUp ? timers.up : timers.down).idleLimit
        guard limit < packet.bytes else { return change(to: .fach, at: packet.at) }
        let ready = packet.at + timers.idleToDCH.nanoseconds / 1_000
        change(to: .dch, at: packet.isUp && next.map { ready < $0 } != false ? ready : packet.at)
    }

    private mutating func carryOnFACH(_ packet: ReplayPacket) {
        // Whole microseconds for each byte, plus ten.
        if gapUp > timers.up.linear / 1_000 * Int64(upBuffer) + 10 { upBuffer = 0 }
        if gapDown > timers.down.constant / 1_000 { downBuffer = 0 }
        if packet.isUp {
            upBuffer += Int(packet.bytes)
        } else {
            downBuffer += Int(packet.bytes)
        }
        let isOver =
            packet.isUp ? upBuffer > Int(timers.up.fachLimit) : downBuffer > Int(timers.down.fachLimit)
        guard isOver else { return curve.add(Double(packet.at) / 1e6, place(.fach)) }
        change(to: .dch, at: packet.at)
        if packet.isUp { upBuffer = 0 } else { downBuffer = 0 }
    }

    private mutating func demote(from time: Int64, to next: State) { change(to: next, at: time) }

    private mutating func change(to next: State, at time: Int64) {
        curve.add(Double(time) / 1e6, place(state))
        state = next
        curve.add(Double(time) / 1e6, place(state))
    }

    private func place(_ state: State) -> Int {
        switch state {
        case .idle: 0
        case .fach: 1
        case .dch: 2
        }
    }
}
