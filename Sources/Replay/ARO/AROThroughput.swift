import DeadzoneCaptures

/// Computes the energy of a burst as the tool ARO does, in windows of half a second. The windows start at the beginning
/// of the continuous range (ARO's state of active transfer). Each is charged the base power plus the power that its
/// throughput adds.
///
/// ARO scans the whole list of packets for every range. In time order only the packets of the burst matter, and only
/// they are kept. If time runs backwards, earlier packets matter too. Then a capture of at most `scanLimit` packets is
/// scanned as in ARO.
struct AROThroughput: Sendable {
    static let scanLimit = 1 << 16

    private let settings: AROCellularSettings
    private var start = 0.0
    private var window = ThroughputWindow()
    /// Energy of the finished windows of this range.
    private var spent = 0.0
    /// Packets with the latest timestamp; they count only if later ones follow.
    private var latest = 0.0
    private var waitingUp = 0
    private var waitingDown = 0

    private var log: [AROPacket] = []
    private var count = 0
    private var ranBackwards = false

    private struct ThroughputWindow: Sendable {
        var from = 0.0
        var to = 0.0
        var up = 0
        var down = 0

        /// Beyond some 10^15 s a double cannot represent half seconds; ARO would loop forever.
        var hasLength: Bool { from < to }
    }

    init(_ settings: AROCellularSettings) { self.settings = settings }

    mutating func begin(at time: Double) {
        start = time
        window = ThroughputWindow(from: time, to: time + settings.window)
        spent = 0
        latest = time
        waitingUp = 0
        waitingDown = 0
    }

    mutating func add(_ packet: AROPacket) {
        count += 1
        if count <= Self.scanLimit { log.append(packet) }
        if packet.at < latest { ranBackwards = true }
        if latest < packet.at {
            count(latest, waitingUp, waitingDown)
            latest = packet.at
            waitingUp = 0
            waitingDown = 0
        }
        switch packet.direction {
        case .up: waitingUp += Int(packet.bytes)
        case .down: waitingDown += Int(packet.bytes)
        case .unknown: break
        }
    }

    /// Energy of the range that ends here.
    mutating func energy(from begin: Double, to end: Double) -> Double {
        guard end - begin >= 0.00001 else { return 0 }
        if ranBackwards, count <= Self.scanLimit { return scan(from: begin, to: end) }
        return closing(spent, window, end)
    }

    private mutating func count(_ stamp: Double, _ up: Int, _ down: Int) {
        spent += roll(&window, to: stamp)
        window.up += up
        window.down += down
    }

    /// Closes the windows that end before a timestamp.
    private func roll(_ window: inout ThroughputWindow, to stamp: Double) -> Double {
        var joules = 0.0
        while stamp >= window.to, window.hasLength {
            joules += energy(window)
            window = ThroughputWindow(from: window.to, to: window.to + settings.window)
        }
        return joules
    }

    /// The defect: the open window is charged when a packet at the end is found, and once more after it.
    private func closing(_ before: Double, _ open: ThroughputWindow, _ end: Double, isMet: Bool = true) -> Double {
        var joules = before + (isMet ? energy(open) : 0)
        var window = open
        repeat {
            joules += energy(window)
            window = ThroughputWindow(from: window.to, to: window.to + settings.window)
        } while end >= window.from && window.hasLength
        return joules
    }

    private func scan(from begin: Double, to end: Double) -> Double {
        var joules = 0.0
        var window = ThroughputWindow(from: begin, to: begin + settings.window)
        for packet in log {
            if packet.at < begin { continue }
            if packet.at >= end { return closing(joules, window, end) }
            joules += roll(&window, to: packet.at)
            guard packet.at >= window.from else { continue }
            switch packet.direction {
            case .up: window.up += Int(packet.bytes)
            case .down: window.down += Int(packet.bytes)
            case .unknown: break
            }
        }
        return closing(joules, window, end, isMet: false)
    }

    private func energy(_ window: ThroughputWindow) -> Double {
        let period = window.to - window.from
        func mbps(_ bytes: Int) -> Double { Double(bytes * 8) / 1000.0 / period / 1000.0 }
        return
            (settings.alphaUp / 1000.0 * mbps(window.up) + settings.alphaDown / 1000.0 * mbps(window.down)
            + settings.beta) * period
    }
}
