import DeadzoneDevice
import DeadzonePrimitives
import DeadzoneTransport
import Testing
@testable import DeadzoneLane

@Suite struct FlightPoolTests {
    @Test("Else of packets that land at once the one that left last comes first")
    func packetsThatLandAtOnceComeAsTheyLeft() {
        var pool = FlightPool()
        var list = FlightList()
        for (number, seconds) in [1, 3, 2, 2, 3, 2].enumerated() {
            let packet = Packet(.probe, cause: .wake, bytes: 40, stamp: .zero)
            pool.insert(
                Flight(
                    at: .zero + .seconds(Int64(seconds)), packet: packet, hop: .toServer, interface: .wifi, slot: 0,
                    generation: UInt16(number), epoch: 0), into: &list)
        }
        var order: [UInt16] = []
        while !list.isEmpty { order.append(pool.removeFirst(&list).generation) }
        #expect(order == [0, 2, 3, 5, 1, 4])
    }
}
