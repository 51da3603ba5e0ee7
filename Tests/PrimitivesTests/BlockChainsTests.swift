import DeadzoneTestKit
import Testing

@testable import DeadzoneBase

@Suite struct BlockChainsTests {
    /// A stored string: `count` bytes with the value `mark`.
    private struct StoredString {
        var chain = BlockChains.Chain()
        var count = 0
        var mark: UInt8 = 0
    }

    /// A buffer for the longest string of these tests, and for the rest of its last block.
    private static let longest = 3_000
    private let buffer = UnsafeMutableRawBufferPointer.allocate(
        byteCount: longest + BlockChains.contentBytes, alignment: 8)

    private func store(_ count: Int, _ mark: UInt8, in string: inout StoredString, _ chains: inout BlockChains) {
        guard let base = buffer.baseAddress else { return }
        base.initializeMemory(as: UInt8.self, repeating: mark, count: count)
        chains.store(base, count: count, in: &string.chain)
        (string.count, string.mark) = (count, mark)
    }

    private func isIntact(_ string: StoredString, _ chains: borrowing BlockChains) -> Bool {
        guard let base = buffer.baseAddress else { return false }
        base.initializeMemory(as: UInt8.self, repeating: string.mark &+ 1, count: string.count)
        chains.load(string.chain, into: base)
        return buffer.prefix(string.count).allSatisfy { $0 == string.mark }
    }

    /// Broken: a block belongs to two strings, or the end of a long string is lost.
    @Test func stringsDoNotOverlap() {
        defer { buffer.deallocate() }
        seedSweep(20) { seed in
            var dice = Dice(seed: seed, phone: PhoneID(0), purpose: .test)
            func below(_ bound: Int) -> Int { Int(dice.next().scaled(below: UInt64(bound))) }
            var chains = BlockChains()
            var strings = Array(repeating: StoredString(), count: 50)
            for _ in 0..<3_000 {
                let index = below(strings.count)
                check(!strings[index].chain.isStored || isIntact(strings[index], chains), "seed \(seed)")
                if below(4) == 0 {
                    chains.remove(&strings[index].chain)
                    check(!strings[index].chain.isStored)
                } else {
                    let count = 1 + below(below(20) == 0 ? Self.longest : 700)
                    store(count, UInt8(below(256)), in: &strings[index], &chains)
                }
            }
            for string in strings where string.chain.isStored { check(isIntact(string, chains), "seed \(seed)") }
        }
    }

    /// Broken: freed blocks are not reused by strings of another length, so a herd with growing strings takes the
    /// memory of all their lengths.
    @Test func everyFreeBlockServesEveryString() {
        defer { buffer.deallocate() }
        var chains = BlockChains()
        var strings = Array(repeating: StoredString(), count: 100)
        let content = BlockChains.contentBytes
        for blocks in [1, 4, 2, 7, 3, 8, 1, 8] {
            // A string that becomes shorter frees its last blocks, and one that is removed frees all.
            for index in strings.indices where index % 3 == 0 { chains.remove(&strings[index].chain) }
            for index in strings.indices { store((blocks - 1) * content + 1, 7, in: &strings[index], &chains) }
        }
        check(chains.blockCount == 800)
        for index in strings.indices { store(content, 8, in: &strings[index], &chains) }
        for index in strings.indices where index > 0 { chains.remove(&strings[index].chain) }
        store(content * 24, 9, in: &strings[0], &chains)
        check(chains.blockCount == 800 && isIntact(strings[0], chains))
    }

    /// Broken: a string takes a block that it does not fill, or a chain reads beyond its chunk.
    @Test func aStringTakesAsFewBlocksAsItNeeds() {
        defer { buffer.deallocate() }
        let content = BlockChains.contentBytes
        for (count, blocks) in [(1, 1), (content, 1), (content + 1, 2), (content * 5, 5)] {
            var chains = BlockChains()
            var string = StoredString()
            store(count, 3, in: &string, &chains)
            check(chains.blockCount == blocks && isIntact(string, chains), "\(count) bytes")
        }
        // More strings than one chunk has blocks.
        var chains = BlockChains()
        var strings = Array(repeating: StoredString(), count: 9_000)
        for index in strings.indices { store(9, UInt8(truncatingIfNeeded: index), in: &strings[index], &chains) }
        check(chains.blockCount == 9_000 && strings.allSatisfy { isIntact($0, chains) })
    }
}
