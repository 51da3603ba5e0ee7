import DeadzoneBase
import DeadzoneCaptures

/// A capture that has been read to its end.
struct Reading {
    let capture: CaptureReader
    private(set) var packets: [CapturedPacket] = []
    private(set) var outages: [Outage] = []

    var counts: CaptureCounts { capture.counts }
    var flows: FlowCounts { capture.flowCounts }
    var fault: CaptureFault? { capture.fault }

    /// - Parameter piece: The number of bytes that the source delivers at once.
    init(
        _ bytes: [UInt8], device: [IPAddress] = [], filter: CaptureFilter? = nil, piece: Int = .max
    ) throws(CaptureFault) {
        capture = try CaptureReader(bytes.source(piece: piece), device: device, filter: filter)
        var (packets, outages): ([CapturedPacket], [Outage]) = ([], [])
        let batch = PacketBatch()
        while capture.next(batch) {
            batch.read { span in for index in span.indices { packets.append(span[index]) } }
            outages += batch.outages
        }
        (self.packets, self.outages) = (packets, outages)
    }
}

extension [UInt8] {
    func source(piece: Int = .max) -> ByteSource {
        var given = 0
        return { buffer throws(SourceFailure) in
            let count = Swift.min(buffer.count, piece, self.count - given)
            self.withUnsafeBytes { buffer.copyMemory(from: .init(rebasing: $0[given..<(given + count)])) }
            given += count
            return count
        }
    }
}
