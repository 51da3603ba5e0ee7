import DeadzoneBase
import DeadzoneTestKit
@testable import DeadzoneCaptures

/// One frame, decoded without a file around it.
struct Dissected {
    private(set) var packet: CapturedPacket
    private(set) var result = Dissection()
    private(set) var registry = CaptureRegistry()

    /// - Parameter frame: The captured bytes.
    init(_ frame: [UInt8], _ linkType: UInt32, wireLength: Int? = nil) throws {
        let order = ByteOrder(isSwapped: false)
        packet = CapturedPacket(
            stamp: .epoch, wireLength: UInt32(wireLength ?? frame.count), capturedLength: UInt32(frame.count))
        packet.interface = UInt32(try registry.add(CapturedInterface(linkType: linkType), order, at: 0))
        frame.withBytes { Decoder.decode($0, LinkKind(linkType, order), &registry, &packet, &result) }
    }

    /// Both station addresses, the receiver first.
    var stations: [UInt64] { [result.destinationStation, result.sourceStation] }
    var app: String? { packet.app == .none ? nil : registry.apps[Int(packet.app.index)].name }
    var interface: CapturedInterface { registry.interfaces[Int(packet.interface)] }
}

extension [UInt8] {
    /// The view of the bytes that the reader uses. It traps if a read leaves it.
    func withBytes<Value>(_ body: (Bytes) -> Value) -> Value {
        withUnsafeBytes { buffer in
            // An empty array has no address, and nothing reads there.
            body(Bytes(buffer.baseAddress ?? UnsafeRawPointer(bitPattern: 8)!, count: buffer.count))
        }
    }

    func big(_ offset: Int, _ length: Int) -> UInt128 {
        self[offset..<(offset + length)].reduce(0) { $0 << 8 | UInt128($1) }
    }
}

/// Random numbers of tests.
struct SmallDice {
    private var dice: Dice

    init(_ seed: UInt64) { dice = Dice(seed: seed, phone: PhoneID(0), purpose: .test) }

    mutating func roll(_ sides: Int) -> Int { Int(dice.next() % UInt64(sides)) }
    mutating func one<Value>(of values: [Value]) -> Value { values[roll(values.count)] }
    mutating func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8(roll(256)) } }
}

extension Dissected {
    /// The kind of local traffic that the packet is.
    mutating func kind(_ link: LinkKind) -> NeighbourTraffic { NeighbourTraffic.of(&packet, &result, link) }
}
