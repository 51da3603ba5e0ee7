import DeadzoneBase
import Testing

@testable import DeadzoneReplay

/// Bursts of packets: where one ends, and which ones are joined because more data was to come.
struct BurstJoinTests {
    /// The numbers of packets of the bursts, if each list of payloads is sent within a second.
    /// - Parameter gap: silence between two lists, in nanoseconds.
    private static func bursts(_ payloads: [[UInt32]], gap: Int64 = 2_000_000_000) -> [Int] {
        var (at, packets) = (Int64(0), [ReplayPacket]())
        for list in payloads {
            for payload in list {
                var packet = ReplayPacket(at: at, bytes: payload + 40, isUp: true)
                packet.payload = payload
                packets.append(packet)
                at += 100_000_000
            }
            at += gap - 100_000_000
        }
        var detector = BurstDetector()
        detector.add(packets.span, [PacketCost](repeating: PacketCost(), count: packets.count).span)
        detector.finish(0)
        return detector.closed.map(\.packets)
    }

    @Test func aBurstEndsAfterTheGap() {
        // Broken: a pause of exactly 1.5 s divides a burst, or a longer one does not.
        #expect(Self.bursts([[100, 100], [100]], gap: 1_500_000_000) == [3])
        #expect(Self.bursts([[100, 100], [100]], gap: 1_500_000_001) == [2, 1])
        #expect(Self.bursts([]) == [])
    }

    @Test func burstsAreJoinedAfterAUsualLargePacket() {
        // Broken: a download with pauses is several bursts, or separate bursts are one because of a rare packet size.
        let many = [UInt32](repeating: 1_400, count: 5)
        // Three of ten large packets have 1,200 bytes: not more than 30 %.
        #expect(Self.bursts([many + [1_200], [1_200, 1_400], [1_200, 1_400, 500], [500]]) == [6, 5, 1])
        // Four of ten have.
        #expect(Self.bursts([many + [1_200], [1_200, 1_200], [1_200, 1_400, 500], [500]]) == [11, 1])
        // Sizes that occur once do not count, and neither do small packets.
        #expect(Self.bursts([many + [1_300], [1_400]]) == [6, 1])
        #expect(Self.bursts([many + [1_000, 1_000, 1_000], [1_400]]) == [8, 1])
        #expect(Self.bursts([[1_001, 1_001], [9]]) == [3])
        // Without a repeated size it is that of a full Ethernet frame.
        #expect(Self.bursts([[100, 1_460], [100]]) == [3] && Self.bursts([[100, 1_459], [100]]) == [2, 1])
    }

    @Test func sizesBeyondThoseOfIPDoNotCount() {
        // Broken: the largest payload does not count, or a payload that a damaged capture states stops the program.
        for (size, joined) in [(65_535, [3]), (65_536, [2, 1]), (UInt32.max - 40, [2, 1])] as [(UInt32, [Int])] {
            #expect(Self.bursts([[size, size], [9]]) == joined, "\(size)")
        }
        // They are not among the large packets, so each of those has 1,200 bytes.
        #expect(Self.bursts([[70_000, 70_000, 70_000, 1_200, 1_200], [9]]) == [6])
    }
}
