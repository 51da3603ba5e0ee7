import DeadzoneBase
import DeadzoneDevice

/// The Wi-Fi energy model of the tool EnergyBox, including its quirks, for comparison. Source:
/// `engines/EngineWifi.java` and `engines/Engine.java` in rtslab/EnergyBox@150320e. Its states are doze (PSM), awake
/// (CAM) from every packet until a timeout, and a high level (CAMH) that is inserted afterwards where a window holds
/// much data. Time is in microseconds since the first packet.
///
/// Its quirks, kept: windows follow each other from the first packet on, and the last one is always empty; a high range
/// ends a millisecond after its last full window, and only if another packet comes before the end of the capture.
struct EnergyBoxWiFi: EnergyBoxModel {
    private static let doze = 0
    private static let awake = 1
    private static let high = 2
    /// Above this number empty windows are skipped at once; EnergyBox computes their ends by as many additions of 50
    /// ms.
    private static let longSilence: Int64 = 100_000

    private let timeout: Int64
    private let limit: Int
    private var windows: Windows
    private var curve: EnergyBoxCurve
    private var isAwake = false
    private var hasBegun = false
    private var last: Int64 = 0
    /// Packets with the latest timestamp: the window they belong to is known only at the next timestamp.
    private var held: (at: Int64, bytes: Int)?
    /// Points in the open window, without those in the middle of a run of equal states.
    private var pending: [(seconds: Double, place: Int)] = []

    private struct Windows: Sendable {
        let length: Double
        var previousEnd = 0.0
        var end: Double
        var bytes = 0
        var lastHighEnd = 0.0

        init(length: Double) {
            self.length = length
            end = length
        }
    }

    init(_ timers: WiFiTimers, powers: (doze: Double, awake: Double, high: Double)) {
        timeout = timers.tail.nanoseconds / 1_000
        limit = timers.highBytes.map { Int($0) } ?? .max
        windows = Windows(length: timers.highBytes == nil ? 0.05 : timers.highWindow.seconds)
        curve = EnergyBoxCurve([(.idle, powers.doze), (.active, powers.awake), (.active, powers.high)])
    }

    /// Adds a packet to the model. The time `at` of the packet is in microseconds.
    mutating func fold(_ packet: ReplayPacket) {
        if let held, held.at == packet.at {
            self.held = (held.at, held.bytes + Int(packet.bytes))
        } else {
            if let held { process(held, isFinal: false) }
            held = (packet.at, Int(packet.bytes))
        }
    }

    mutating func finish() -> RadioBill {
        guard let held else { return curve.bill }
        process(held, isFinal: true)
        let end = Double(held.at) / 1e6
        for point in pending {
            if point.seconds < end { putLow(point) } else { curve.add(point.seconds, point.place) }
        }
        let idleFrom = Double(last + timeout) / 1e6
        curve.add(idleFrom, Self.awake)
        curve.add(idleFrom, Self.doze)
        return curve.bill
    }

    // MARK: Points

    private mutating func process(_ packets: (at: Int64, bytes: Int), isFinal: Bool) {
        if !hasBegun { last = packets.at }
        if isAwake, packets.at - last > timeout {
            let time = Double(last + timeout) / 1e6
            put((time, Self.awake), isFinal: false)
            put((time, Self.doze), isFinal: false)
            isAwake = false
        }
        let time = Double(packets.at) / 1e6
        if !isAwake { put((time, Self.doze), isFinal: isFinal) }
        put((time, Self.awake), isFinal: isFinal)
        isAwake = true
        last = packets.at
        windows.bytes += packets.bytes
    }

    private mutating func put(_ point: (seconds: Double, place: Int), isFinal: Bool) {
        guard hasBegun else {
            hasBegun = true
            return curve.add(point.seconds, point.place)
        }
        while isFinal ? windows.end < point.seconds : windows.end <= point.seconds {
            closeWindow(before: point.seconds)
        }
        let count = pending.count
        if count >= 2, pending[count - 1].place == point.place, pending[count - 2].place == point.place {
            pending[count - 1] = point
        } else {
            pending.append(point)
        }
    }

    // MARK: Windows

    private mutating func closeWindow(before time: Double) {
        let isHigh = windows.bytes > limit
        if isHigh { windows.lastHighEnd = windows.end }
        for point in pending {
            if isHigh { putHigh(point) } else { putLow(point) }
        }
        pending.removeAll(keepingCapacity: true)
        windows.bytes = 0
        windows.previousEnd = windows.end
        windows.end += windows.length
        let silence = ((time - windows.end) / windows.length).clampedToInt64
        if silence > Self.longSilence {
            windows.end += Double(silence) * windows.length
            windows.previousEnd = windows.end - windows.length
        }
    }

    private mutating func putHigh(_ point: (seconds: Double, place: Int)) {
        guard point.place == Self.awake else { return curve.add(point.seconds, point.place) }
        switch curve.place {
        case Self.high: break
        case Self.awake:
            curve.add(windows.previousEnd, Self.awake)
            curve.add(windows.previousEnd, Self.high)
        default: curve.add(point.seconds, Self.awake)
        }
        curve.add(point.seconds, Self.high)
    }

    private mutating func putLow(_ point: (seconds: Double, place: Int)) {
        if curve.place == Self.high {
            curve.add(windows.lastHighEnd + 0.001, Self.high)
            curve.add(windows.lastHighEnd + 0.001, Self.awake)
        }
        curve.add(point.seconds, point.place)
    }
}
