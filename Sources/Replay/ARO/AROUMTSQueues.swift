import DeadzoneBase
import DeadzoneCaptures
import DeadzoneDevice

/// The timers, powers and buffer sizes of the 3G profile of the tool ARO, in seconds, watts and bytes.
struct AROUMTSSettings: Sendable {
    var idleToDCH: Double
    var dchTimer: Double
    var fachTimer: Double
    var resetSize: Int
    var resetWindow: Double
    var upLimit: Int
    var downLimit: Int
    /// Milliseconds to drain a queue of q bytes: constant, per byte, per byte squared.
    var upDrain: (Double, Double, Double)
    var downDrain: (Double, Double)
    var idlePower: Double
    var idleToDCHPower: Double
    var fachToDCHPower: Double
    var dchPower: Double
    var fachPower: Double

    /// Equal in all of ARO's 3G profiles (`*.conf`), and not part of this program's profiles.
    static let leastIdleToDCH = 1.5
    static let mostIdleToDCH = 4.0
    static let leastFACHToDCH = 0.8
    /// The defect: `create3G` writes the maximum into the mean and leaves the maximum at zero.
    var fachToDCH = 3.0
    static let mostFACHToDCH = 0.0
}

/// Determines when a packet last restarted the timer of the 3G state DCH, as the tool ARO does. It corresponds to ARO's
/// `DchDemotionQueue`.
struct ARODemotionQueue: Sendable {
    private let settings: AROUMTSSettings
    private var up = -1
    private var down = -1
    private(set) var restartedAt = 0.0
    private var lastUp = 0.0
    private var lastDown = 0.0

    init(_ settings: AROUMTSSettings) { self.settings = settings }

    mutating func begin(_ packet: AROPacket) {
        switch packet.direction {
        case .up: (up, down, lastUp, lastDown) = (Int(packet.bytes), 0, packet.at, -9999)
        case .down: (up, down, lastUp, lastDown) = (0, Int(packet.bytes), -9999, packet.at)
        case .unknown: break
        }
        restartedAt = packet.at
    }

    mutating func update(_ packet: AROPacket) {
        let now = packet.at
        let window = settings.resetWindow
        switch packet.direction {
        case .up:
            up = now > lastUp + window ? Int(packet.bytes) : up + Int(packet.bytes)
            if now > lastDown + window { down = 0 }
            lastUp = now
        case .down:
            down = now > lastDown + window ? Int(packet.bytes) : down + Int(packet.bytes)
            if now > lastUp + window { up = 0 }
            lastDown = now
        case .unknown: break
        }
        if up >= settings.resetSize || down >= settings.resetSize { restartedAt = now }
    }

    /// Time left on the timer after the last packet.
    var tail: Double { settings.dchTimer - (max(lastDown, lastUp) - restartedAt) }
}

/// The fill levels of the uplink and downlink buffers of the 3G state FACH, as the tool ARO computes them. It
/// corresponds to ARO's `FachQueue`.
struct AROFACHQueue: Sendable {
    private let settings: AROUMTSSettings
    private var up = 0
    private var down = 0
    private var upAt = 0.0
    private var downAt = 0.0

    init(_ settings: AROUMTSSettings) { self.settings = settings }

    mutating func reset() { (up, down, upAt, downAt) = (0, 0, -1000, -1000) }

    /// Adds a packet. Returns `true` if the buffers then require a dedicated channel.
    mutating func exceedsLimit(adding packet: AROPacket) -> Bool {
        switch packet.direction {
        case .up:
            let (constant, linear, quadratic) = settings.upDrain
            let drain = (Double(up &* up) * quadratic + Double(up) * linear + constant) / 1000.0
            if packet.at - upAt > drain { up = 0 }
            up += Int(packet.bytes)
            upAt = packet.at
        case .down:
            // ARO never loads the quadratic factor.
            let drain = (Double(down) * settings.downDrain.1 + settings.downDrain.0) / 1000.0
            if packet.at - downAt > drain { down = 0 }
            down += Int(packet.bytes)
            downAt = packet.at
        case .unknown: break
        }
        return down > settings.downLimit || up > settings.upLimit
    }
}
