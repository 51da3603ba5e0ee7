import DeadzoneHost

/// A capture of many small packets: a phone that talks to a thousand servers, 107 bytes a packet with its header, as the
/// goal of a gibibyte for ten million has it.
struct CaptureFile {
    static let flows = 1_000

    let path: String
    let packets: Int

    /// Written once for each size, and removed when the process ends what it measures.
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
        var dice = Dice(state: 7)
        var microseconds: UInt64 = 1_700_000_000_000_000
        var sequences = [UInt32](repeating: 1, count: 2 * Self.flows)
        for _ in 0..<packets {
            let index = Int(dice.next() >> 52)
            var packet = pool[index]
            Self.number(&packet, &sequences, own: 2 * Self.flow(index) + index % 2)
            microseconds += dice.next() >> 53
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

    /// Sequence numbers that go on, so that this is new data and no repetition.
    private static func number(_ packet: inout [UInt8], _ sequences: inout [UInt32], own: Int) {
        for (place, number) in [(38, sequences[own]), (42, sequences[own ^ 1])] {
            withUnsafeBytes(of: number.bigEndian) { packet.replaceSubrange(place..<(place + 4), with: $0) }
        }
        sequences[own] &+= UInt32(packet.count - 54)
    }

    /// Ethernet, IPv4, TCP, and what is left of the length as payload.
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

    /// SplitMix64 (Steele, Lea and Flood 2014).
    private struct Dice {
        var state: UInt64
        mutating func next() -> UInt64 {
            state &+= 0x9e37_79b9_7f4a_7c15
            var z = (state ^ (state >> 30)) &* 0xbf58_476d_1ce4_e5b9
            z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
            return z ^ (z >> 31)
        }
    }
}
