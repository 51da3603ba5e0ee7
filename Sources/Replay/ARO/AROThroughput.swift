import DeadzoneCaptures

/// What ARO charges for a continuous range: half-second windows from its beginning, each at the base power plus what its
/// throughput adds.
///
/// ARO looks through the whole list of packets for every range. In order of time only those of the burst can matter, and
/// that is all that is kept. Where time runs backwards earlier packets matter too: as long as the capture is no longer
/// than `scanLimit` packets, it is looked through as ARO does.
struct AROThroughput: Sendable {
    static let scanLimit = 1 << 16

    private let numbers: AROCellularNumbers
    private var start = 0.0
    private var window = Window()
    /// Windows of this range that are over.
    private var spent = 0.0
    /// Packets with the latest stamp so far: they count only if later ones follow.
    private var latest = 0.0
    private var waitingUp = 0
    private var waitingDown = 0

    private var log: [AROPacket] = []
    private var count = 0
    private var ranBackwards = false

    private struct Window: Sendable {
        var from = 0.0
        var to = 0.0
        var up = 0
        var down = 0

        /// Beyond some 10^15 s a double has no half seconds any more; ARO would go round for ever.
        var hasLength: Bool { from < to }
    }

    init(_ numbers: AROCellularNumbers) { self.numbers = numbers }

    mutating func begin(at time: Double) {
        start = time
        window = Window(from: time, to: time + numbers.window)
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

    /// The energy of the range that ends here.
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

    /// Closes the windows before a stamp.
    private func roll(_ window: inout Window, to stamp: Double) -> Double {
        var joules = 0.0
        while stamp >= window.to, window.hasLength {
            joules += energy(window)
            window = Window(from: window.to, to: window.to + numbers.window)
        }
        return joules
    }

    /// The defect: the open window once when a packet at the end is met, and once more after it.
    private func closing(_ before: Double, _ open: Window, _ end: Double, isMet: Bool = true) -> Double {
        var joules = before + (isMet ? energy(open) : 0)
        var window = open
        repeat {
            joules += energy(window)
            window = Window(from: window.to, to: window.to + numbers.window)
        } while end >= window.from && window.hasLength
        return joules
    }

    private func scan(from begin: Double, to end: Double) -> Double {
        var joules = 0.0
        var window = Window(from: begin, to: begin + numbers.window)
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

    private func energy(_ window: Window) -> Double {
        let period = window.to - window.from
        func mbps(_ bytes: Int) -> Double { Double(bytes * 8) / 1000.0 / period / 1000.0 }
        return
            (numbers.alphaUp / 1000.0 * mbps(window.up) + numbers.alphaDown / 1000.0 * mbps(window.down)
            + numbers.beta) * period
    }
}
