import DeadzoneTestKit
import Testing

@testable import DeadzoneBase

@Suite struct BlockAllocatorTests {
    private struct HeldBlock {
        let plot: BlockAllocator.MemoryBlock
        let bytes: Int
        let mark: UInt8
    }

    /// Broken: two blocks overlap, or a block is shorter than requested.
    @Test func blocksDoNotOverlap() {
        seedSweep(20) { seed in
            var dice = Dice(seed: seed, phone: PhoneID(0), purpose: .test)
            func below(_ bound: Int) -> Int { Int(dice.next().scaled(below: UInt64(bound))) }
            var plots = BlockAllocator()
            var held: [HeldBlock] = []
            for _ in 0..<3_000 {
                if held.count > 50 || below(3) == 0, !held.isEmpty {
                    let one = held.swapRemove(at: below(held.count))
                    let bytes = UnsafeRawBufferPointer(start: plots[one.plot], count: one.bytes)
                    #expect(bytes.allSatisfy { $0 == one.mark })
                    plots.deallocate(one.plot)
                } else {
                    // Most blocks are short; one in 20 may be as long as a twentieth of a chunk.
                    let bytes = 1 + below(below(20) == 0 ? 50_000 : 700)
                    let one = HeldBlock(plot: plots.allocate(bytes), bytes: bytes, mark: UInt8(below(256)))
                    #expect(one.plot.isAllocated && bytes <= one.plot.bytes)
                    plots[one.plot].initializeMemory(as: UInt8.self, repeating: one.mark, count: bytes)
                    held.append(one)
                }
            }
        }
    }

    /// Broken: freed memory is never reused.
    @Test func freedBlocksAreReused() {
        var plots = BlockAllocator()
        let sizes = [40, 200, 1_000, 5_000]
        var places: Set<UnsafeMutableRawPointer> = []
        for _ in 0..<500 {
            let taken = sizes.map { plots.allocate($0) }
            for plot in taken {
                places.insert(plots[plot])
                plots.deallocate(plot)
            }
        }
        #expect(places.count <= 8, "\(places.count) addresses")
    }

    /// Broken: a small request is not served from a free long block.
    @Test func aLongBlockIsSplitForSmallerRequests() {
        var plots = BlockAllocator()
        let long = plots.allocate(960)
        let place = plots[long]
        plots.deallocate(long)
        let first = plots.allocate(320)
        let second = plots.allocate(640)
        #expect(plots[first] == place && plots[second] == place + 320)
    }
}

extension Array {
    fileprivate mutating func swapRemove(at index: Int) -> Element {
        swapAt(index, count - 1)
        return removeLast()
    }
}
