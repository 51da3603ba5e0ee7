import DeadzoneDevice
import DeadzonePrimitives
import DeadzoneTransport
import Testing
@testable import DeadzonePhoneSimulation

@Suite struct PacketPoolTests {
    @Test("Packets that arrive at the same time come out in the order of insertion")
    func simultaneousPacketsKeepTheirOrder() {
        var pool = PacketPool()
        var list = PacketList()
        for (number, seconds) in [1, 3, 2, 2, 3, 2].enumerated() {
            let packet = Packet(.probe, cause: .wake, bytes: 40, stamp: .zero)
            pool.insert(
                PacketInFlight(
                    at: .zero + .seconds(Int64(seconds)), packet: packet, location: .toServer, interface: .wifi,
                    slot: 0,
                    generation: UInt16(number), epoch: 0), into: &list)
        }
        var order: [UInt16] = []
        while !list.isEmpty { order.append(pool.removeFirst(&list).generation) }
        #expect(order == [0, 2, 3, 5, 1, 4])
    }
}
