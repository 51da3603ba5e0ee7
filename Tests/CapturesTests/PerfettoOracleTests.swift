import DeadzoneBase
import DeadzoneCaptures
import DeadzoneTestKit
import Foundation
import Testing

/// Compares the reader of Perfetto traces with Google's protobuf encoder, packet by packet.
struct PerfettoOracleTests {
    private struct Answer: Decodable {
        let trace: String
        let packets: [TracedEvent]
    }

    /// A packet with the names of `NetworkPacketEvent`.
    private struct TracedEvent: Decodable {
        let at: Int64
        let length: UInt32
        let direction: Int
        let networkInterface: String
        let uid: UInt32
        let ipProto: Int
        let tcpFlags: UInt8
        let localPort: UInt16
        let remotePort: UInt16

        var line: String {
            let flow =
                [6, 17].contains(ipProto) ? "\(networkInterface) \(localPort) \(remotePort)" : networkInterface
            let app = uid == 0 ? "-" : "uid \(uid)"
            return "\(at) \(length) \(direction) \(ipProto == 1 ? 0 : ipProto) \(tcpFlags & 63) \(flow) \(app)"
        }
    }

    private static func line(_ packet: CapturedPacket, _ capture: CaptureReader) -> String {
        let (direction, transport) = (packet.direction == .up ? 2 : 1, [.tcp: 6, .udp: 17][packet.transport] ?? 0)
        let name = capture.interfaces[Int(packet.interface)].name ?? "-"
        var flow = name
        if packet.flow.isKnown {
            let ends = capture.flow(packet.flow)
            flow += " \(ends.local.port) \(ends.remote.port)"
        }
        let app = packet.app == .none ? "-" : capture.apps[Int(packet.app.index)].name
        return
            "\(packet.stamp.nanoseconds) \(packet.wireLength) \(direction) \(transport) \(packet.flags.rawValue) \(flow) \(app)"
    }

    /// Broken: a packet that Google's encoder wrote is missing, or has another time, length, context or order.
    @Test(.enabled(if: Oracle.isEnabled, "\(Oracle.advice)"), arguments: 1...6)
    func readsWhatPerfettoWrites(_ seed: Int) throws {
        let output = try Oracle.run(script: "network_trace.py", arguments: ["\(seed)", "3000"])
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let answer = try decoder.decode(Answer.self, from: Data(output.utf8))
        let trace = try #require(Data(base64Encoded: answer.trace))
        let reading = try Reading([UInt8](trace))
        #expect(reading.fault == nil && reading.counts.timeReversals == 0)
        let found = reading.packets.map { Self.line($0, reading.capture) }.sorted()
        #expect(found == answer.packets.map(\.line).sorted())
        #expect(reading.packets.map(\.stamp.nanoseconds) == answer.packets.map { Int128($0.at) })
        let contents = try #require(reading.capture.traceContents)
        #expect(contents.singlePackets == 3_000 && contents.damagedRecords == 0 && contents.packetsWithoutContext == 0)
    }
}
