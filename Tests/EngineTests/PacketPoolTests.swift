import DeadzoneBase
import DeadzoneDevice
import DeadzoneTestKit
import DeadzoneTransport
import Testing

@testable import DeadzoneSimulator

@Suite struct PacketPoolTests {
    private func flight(_ number: Int, at seconds: Int, _ location: PacketLocation = .toServer) -> PacketInFlight {
        PacketInFlight(
            at: .zero + .seconds(Int64(seconds)), packet: Packet(.probe, cause: .wake, bytes: 40, stamp: .zero),
            location: location, interface: .wifi, slot: 0, generation: UInt16(number), addressNumber: 0)
    }

    @Test("Packets that arrive at the same time come out in the order of insertion")
    func simultaneousPacketsKeepTheirOrder() {
        var pool = PacketPool()
        var list = PacketList()
        for (number, seconds) in [1, 3, 2, 2, 3, 2].enumerated() {
            pool.insert(flight(number, at: seconds), into: &list)
        }
        var order: [UInt16] = []
        while !list.isEmpty { order.append(pool.removeFirst(&list).generation) }
        #expect(order == [0, 2, 3, 5, 1, 4])
    }

    @Test("Lists of one pool behave as sorted arrays, whatever is inserted and removed")
    func arrays() {
        var (most, removals) = (0, 0)
        seedSweep(20) { seed in
            var dice = Dice(seed: seed, phone: PhoneID(0), purpose: .test)
            func draw(_ below: Int) -> Int { Int(dice.next().scaled(below: UInt64(below))) }
            var pool = PacketPool()
            var lists = [PacketList(), PacketList()]
            var models: [[(at: Int, number: Int)]] = [[], []]
            let room = UnsafeMutablePointer<PacketInFlight>.allocate(capacity: 8)
            defer { room.deallocate() }
            for number in 0..<400 {
                let index = draw(2)
                switch draw(10) {
                case 0...5:
                    let at = draw(20)
                    pool.insert(
                        flight(number, at: at), .heldByEdge, at: .zero + .seconds(Int64(at)), into: &lists[index])
                    let place = models[index].firstIndex { $0.at > at } ?? models[index].count
                    models[index].insert((at, number), at: place)
                case 6...7 where !models[index].isEmpty:
                    let first = pool.removeFirst(&lists[index])
                    let expected = models[index].removeFirst()
                    #expect(first.generation == UInt16(expected.number) && first.location == .heldByEdge)
                    #expect(first.at == .zero + .seconds(Int64(expected.at)))
                case 8:
                    let rest = UInt16(draw(5))
                    let taken = pool.removeFirst(from: &lists[index]) { $0.generation % 5 == rest }
                    let place = models[index].firstIndex { $0.number % 5 == Int(rest) }
                    #expect(taken?.generation == place.map { UInt16(models[index][$0].number) }, "seed \(seed)")
                    if let place {
                        models[index].remove(at: place)
                        removals += 1
                    }
                case 9 where draw(8) == 0:
                    let bound = draw(9)
                    let count = pool.takeAll(&lists[index], atMost: bound, to: room)
                    guard models[index].count <= bound else {
                        #expect(count == 0)
                        break
                    }
                    let numbers = (0..<count).map { Int(room[$0].generation) }
                    #expect(numbers == models[index].map(\.number))
                    models[index] = []
                default: break
                }
                most = max(most, models[0].count + models[1].count)
                for (list, model) in zip(lists, models) {
                    var numbers: [Int] = []
                    pool.forEach(in: list) { numbers.append(Int($0.generation)) }
                    #expect(numbers == model.map(\.number) && list.isEmpty == model.isEmpty, "seed \(seed)")
                    let next = pool.nextAt(list)
                    #expect(next == (model.first.map { .zero + .seconds(Int64($0.at)) } ?? .never))
                }
            }
        }
        // More than the pool has at first, so that it has to grow.
        #expect(most > 64 && removals > 50, "\(most), \(removals)")
    }

    @Test("A packet that the radio holds flows as much earlier as its channel is slower")
    func held() {
        for location in [
            PacketLocation.heldByPhone, .toServer, .toEdge, .heldByEdge, .inAcceptQueue, .retryingCall, .processing,
            .retryingAnswer, .timingOut, .resolving,
        ] {
            let packet = flight(0, at: 5, location)
            #expect(packet.isHeld == [.heldByPhone, .heldByEdge].contains(location))
            #expect(location.isRetry == [.retryingCall, .retryingAnswer].contains(location))
        }
    }
}

@Suite struct JournalBufferTests {
    @Test(
        "Records reach the recorder in order, in batches of 1,024, and once",
        arguments: [0, 1, 1_023, 1_024, 1_025, 2_500])
    func batches(count: Int) {
        var sizes: [Int] = []
        var values: [Int64] = []
        do {
            var buffer = JournalBuffer { batch in
                sizes.append(batch.count)
                values += batch.map(\.value)
            }
            for value in 0..<count {
                buffer.append(Record(at: .zero, phone: 0, kind: .opened, tag: 0, value: Int64(value)))
            }
            buffer.flush()
            buffer.flush()
        }
        #expect(values == (0..<count).map { Int64($0) })
        var expected = Array(repeating: 1_024, count: max(count - 1, 0) / 1_024)
        expected += [count - expected.reduce(0, +), 0]
        #expect(sizes == expected)
    }
}

@Suite struct EventSourceTests {
    /// The sources in their order at one instant.
    private let order: [EventSource] = [
        .timeline, .networks, .messageDown, .messageUp, .call, .probe, .deploy, .stall, .flight, .consumer,
        .operatingSystem, .otherApp, .tunnel, .subscription, .presence, .mapping0, .client0, .server0, .mapping1,
        .client1, .server1, .timer,
    ]

    @Test("Weather precedes packets, packets precede the operating system, and timers come last")
    func sources() {
        #expect(order.map(\.rawValue) == (0..<22).map { UInt8($0) })
        for source in order { #expect(source.isWeather == (source.rawValue < 8), "\(source)") }
        #expect(NextEvent.unknown.at == .never && NextEvent.unknown.source == .unknown)
        #expect(!EventSource.unknown.isWeather)
    }
}
