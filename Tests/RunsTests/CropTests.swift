import DeadzoneJournal
import DeadzoneMetrics
import DeadzonePrimitives
import Testing

@testable import DeadzoneRuns

struct CropTests {
    private func harvest(_ number: Int64) -> Assignment.Harvest {
        var harvest = Assignment.Harvest()
        let records = [
            Record(at: Instant(nanoseconds: number), lane: UInt32(number % 10), kind: .pinged, value: number)
        ]
        records.withUnsafeBufferPointer { harvest.record($0) }
        return harvest
    }

    private func barn() -> Barn {
        Barn(blocks: [2]) { harvest in
            let prices = Prices(radios: Radios(wifi: nil, cellular: nil))
            return Crop(harvest, Replicas(of: harvest.fold, prices: prices), keepsEach: false)
        }
    }

    private func orders(_ items: [Int]) -> [[Int]] {
        items.isEmpty
            ? [[]] : items.flatMap { first in orders(items.filter { $0 != first }).map { [first] + $0 } }
    }

    @Test func replicasLieInTheirOrderHoweverTheyCame() throws {
        // Broken: more threads, and a run has another digest, or loses replicas between two that it has.
        func brought(_ order: [Int], another changed: Int? = nil) -> Crop? {
            let barn = barn()
            for number in order {
                let first = Int64(10 * number) + (number == changed ? 1_000 : 0)
                for block in 0..<2 { barn.bring(harvest(first + Int64(block)), 0, of: number) }
            }
            return barn.crops.first
        }
        let sorted = try #require(brought(Array(0..<5)))
        #expect(sorted.replicas.count == 5 && sorted.digest != brought(Array(0..<4))?.digest)
        for order in orders(Array(0..<5)) {
            let crop = brought(order)
            #expect(crop?.digest == sorted.digest && crop?.replicas.count == 5, "\(order)")
        }
        // Each of them counts.
        for number in 0..<5 { #expect(brought(Array(0..<5), another: number)?.digest != sorted.digest, "\(number)") }
        // What lies beyond a replica that is missing counts for nothing.
        #expect(brought([0, 1, 3, 4])?.replicas.count == 2 && brought([1, 2]) == nil)
    }

    @Test func theFirstToStopIsTheFirstPhone() {
        // Broken: whoever repeats a run to see why a client was stopped is sent to another phone.
        func stops(_ rows: [(phone: UInt32, second: Int64)]) -> Stops {
            var stops = Stops()
            let records = rows.map {
                Record(at: .zero + .seconds($0.second), lane: $0.phone, kind: .stopped, tag: 1, value: 0)
            }
            records.withUnsafeBufferPointer { stops.record($0) }
            return stops
        }
        var all = stops([(3, 1), (1, 5)])
        #expect(
            all.sentences.first?.hasPrefix("2 phones stopped, the first (phone 1) at 5000 ms") == true,
            "\(all.sentences)")
        all.merge(stops([(2, 0), (1, 4)]))
        #expect(
            all.sentences.first?.hasPrefix("4 phones stopped, the first (phone 1) at 4000 ms") == true,
            "\(all.sentences)")
    }

    @Test(arguments: [(0, 3), (1, 3), (3, 3), (4, 3), (1, 0)])
    func shardsAreCountedFromOne(_ number: Int, _ count: Int) {
        #expect((Shard(number, of: count) != nil) == (1 <= number && number <= count))
    }
}
