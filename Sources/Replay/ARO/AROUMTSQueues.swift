import DeadzoneCaptures
import DeadzoneDevice
import DeadzonePrimitives

/// What ARO's 3G profile says, in seconds, watts and bytes.
struct AROUMTSNumbers: Sendable {
    var idleToDCH: Double
    var dchTimer: Double
    var fachTimer: Double
    var resetSize: Int
    var resetWindow: Double
    var upLimit: Int
    var downLimit: Int
    /// Milliseconds that a queue of q bytes takes: constant, per byte, per square byte.
    var upDrain: (Double, Double, Double)
    var downDrain: (Double, Double)
    var idlePower: Double
    var idleToDCHPower: Double
    var fachToDCHPower: Double
    var dchPower: Double
    var fachPower: Double

    /// The same in all of ARO's 3G profiles (`*.conf`), and no part of ours.
    static let leastIdleToDCH = 1.5
    static let mostIdleToDCH = 4.0
    static let leastFACHToDCH = 0.8
    /// The defect: `create3G` writes the maximum into the mean and leaves the maximum at zero.
    var fachToDCH = 3.0
    static let mostFACHToDCH = 0.0
}

/// When the DCH timer was last restarted (`DchDemotionQueue`).
struct ARODemotionQueue: Sendable {
    private let numbers: AROUMTSNumbers
    private var up = -1
    private var down = -1
    private(set) var restartedAt = 0.0
    private var lastUp = 0.0
    private var lastDown = 0.0

    init(_ numbers: AROUMTSNumbers) { self.numbers = numbers }

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
        let window = numbers.resetWindow
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
        if up >= numbers.resetSize || down >= numbers.resetSize { restartedAt = now }
    }

    /// What is left of the timer after the last packet.
    var tail: Double { numbers.dchTimer - (max(lastDown, lastUp) - restartedAt) }
}

/// The buffers in front of FACH (`FachQueue`).
struct AROFACHQueue: Sendable {
    private let numbers: AROUMTSNumbers
    private var up = 0
    private var down = 0
    private var upAt = 0.0
    private var downAt = 0.0

    init(_ numbers: AROUMTSNumbers) { self.numbers = numbers }

    mutating func reset() { (up, down, upAt, downAt) = (0, 0, -1000, -1000) }

    /// Adds a packet; whether the buffers then ask for a dedicated channel.
    mutating func isOver(adding packet: AROPacket) -> Bool {
        switch packet.direction {
        case .up:
            let (constant, linear, quadratic) = numbers.upDrain
            let drain = (Double(up &* up) * quadratic + Double(up) * linear + constant) / 1000.0
            if packet.at - upAt > drain { up = 0 }
            up += Int(packet.bytes)
            upAt = packet.at
        case .down:
            // ARO never loads the factor of the square.
            let drain = (Double(down) * numbers.downDrain.1 + numbers.downDrain.0) / 1000.0
            if packet.at - downAt > drain { down = 0 }
            down += Int(packet.bytes)
            downAt = packet.at
        case .unknown: break
        }
        return down > numbers.downLimit || up > numbers.upLimit
    }
}
