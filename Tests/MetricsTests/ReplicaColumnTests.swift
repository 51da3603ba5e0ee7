import DeadzoneBase
import DeadzoneTestKit
import Testing

@testable import DeadzoneMetrics

@Suite struct ReplicaColumnTests {
    /// The largest number of a column, and the bytes that each number then takes.
    private static let widths: [(largest: Int128, bytes: Int)] = [
        (0, 0), (1, 4), (Int128(UInt32.max), 4), (Int128(UInt32.max) + 1, 8), (Int128(Int64.max) / 40, 8),
        (Int128(Int64.max) / 40 + 1, 8), (Int128(Int64.max), 8), (Int128(Int64.max) + 1, 16), (1 << 100, 16),
    ]

    private func numbers(upTo largest: Int128) -> [Int128] {
        (0..<40).map { [0, largest, largest / 3, largest / 7 * 2][$0 % 4] }
    }

    @Test("The sums of bootstrap draws are exact")
    func drawsAreSummedExactly() throws {
        let draws = try #require(Bootstrap(seed: 7, replicas: 40, SerialMap()))
        for (largest, bytes) in Self.widths {
            let numbers = numbers(upTo: largest)
            var column = ReplicaColumn()
            for number in numbers { column.append(number) }
            #expect(column.bytesPerValue == bytes && column.isConstant == (bytes == 0), "\(largest)")
            #expect(column.sum == numbers.reduce(0, +))
            let sums = column.sums(draws)
            draws.forEach { draw, weights in
                let sum = numbers.indices.reduce(0) { $0 + numbers[$1] * Int128(weights[$1]) }
                #expect(sums[draw] == sum, "\(largest) in draw \(draw)")
            }
        }
    }

    @Test("A column that is appended to another keeps its numbers")
    func appendedColumnKeepsItsNumbers() {
        for (first, _) in Self.widths {
            for (second, _) in Self.widths {
                let both = numbers(upTo: first) + numbers(upTo: second)
                var (column, other) = (ReplicaColumn(), ReplicaColumn())
                for number in numbers(upTo: first) { column.append(number) }
                for number in numbers(upTo: second) { other.append(number) }
                column.append(other)
                #expect((0..<column.count).map { column[$0] } == both)
                #expect(column.isConstant == (Set(both).count == 1))
            }
        }
    }
}
