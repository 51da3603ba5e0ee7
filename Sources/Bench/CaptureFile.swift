import DeadzoneHost

/// A generated packet capture for benchmarks, with many small packets between a phone and a thousand servers. A packet
/// takes 107 bytes with its header, so that ten million packets take one gibibyte, as the performance goal requires.
struct CaptureFile {
    static let flows = 1_000

    let path: String
    let packets: Int

    /// Writes the file. Each size is written once, and removed after the measurements.
    init(packets: Int) {
        self.packets = packets
        path = (Environment.process["TMPDIR"] ?? "/tmp") + "/deadzone-bench-\(packets).pcap"
        do throws(SystemFault) {
            try write()
        } catch {
            fatalError(error.message)
        }
    }

    func remove() { Files.remove(path) }

    private func write() throws(SystemFault) {
        let file = try FileStream(path)
        file.write(Self.words([0xa1b2_c3d4, 0x0004_0002, 0, 0, 262_144, 1]))
        let pool = (0..<4_096).map(Self.packet)
        var random = SplitMix64(state: 7)
        var microseconds: UInt64 = 1_700_000_000_000_000
        var sequences = [UInt32](repeating: 1, count: 2 * Self.flows)
        for _ in 0..<packets {
            let index = Int(random.next() >> 52)
            var packet = pool[index]
            Self.setSequences(&packet, &sequences, own: 2 * Self.flow(index) + index % 2)
            microseconds += random.next() >> 53
            let length = UInt32(packet.count)
            file.write(
                Self.words([
                    UInt32(microseconds / 1_000_000), UInt32(microseconds % 1_000_000), length, length,
                ]) + packet)
        }
        try file.finish()
    }

    private static func words(_ words: [UInt32]) -> [UInt8] {
        words.flatMap { word in withUnsafeBytes(of: word.littleEndian, Array.init) }
    }

    private static func flow(_ index: Int) -> Int { (index &* 2_654_435_761) % flows }

    /// Sets continuing sequence numbers, so that every packet carries new data and no retransmission.
    private static func setSequences(_ packet: inout [UInt8], _ sequences: inout [UInt32], own: Int) {
        for (place, number) in [(38, sequences[own]), (42, sequences[own ^ 1])] {
            withUnsafeBytes(of: number.bigEndian) { packet.replaceSubrange(place..<(place + 4), with: $0) }
        }
        sequences[own] &+= UInt32(packet.count - 54)
    }

    /// Builds an Ethernet frame with IPv4 and TCP headers. The rest of the length is payload.
    private static func packet(_ index: Int) -> [UInt8] {
        let flow = Self.flow(index)
        let isUp = index % 2 == 0
        let length = [54, 66, 91, 91, 121, 123][index % 6]
        let phone: [UInt8] = [10, 0, 0, 2]
        let server: [UInt8] = [192, 0, UInt8(flow >> 8), UInt8(flow & 0xff)]
        let port = UInt16(40_000 + flow)
        let ports: [UInt8] = [UInt8(port >> 8), UInt8(port & 0xff)]
        let total = UInt16(length - 14)
        let stations: [UInt8] = isUp ? [2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1] : [2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2]
        let header: [UInt8] = [8, 0, 0x45, 0, UInt8(total >> 8), UInt8(total & 0xff), 0, 1, 0x40, 0, 64, 6, 0, 0]
        let ends = isUp ? phone + server + ports + [1, 187] : server + phone + [1, 187] + ports
        let tcp: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0x50, 0x18, 0xff, 0xff, 0, 0, 0, 0]
        return stations + header + ends + tcp + [UInt8](repeating: 0, count: length - 54)
    }

    /// The random number generator SplitMix64 (Steele, Lea and Flood 2014).
    private struct SplitMix64 {
        var state: UInt64
        mutating func next() -> UInt64 {
            state &+= 0x9e37_79b9_7f4a_7c15
            var z = (state ^ (state >> 30)) &* 0xbf58_476d_1ce4_e5b9
            z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
            return z ^ (z >> 31)
        }
    }
}
