import DeadzoneTestKit
import Testing

@testable import DeadzonePrimitives

@Suite struct PlotsTests {
    private struct Held {
        let plot: Plots.Plot
        let bytes: Int
        let mark: UInt8
    }

    /// Broken: two plots share a byte, or one is shorter than it was asked to be.
    @Test func nobodyWritesOnAnothersPlot() {
        seedSweep(20) { seed in
            var dice = Dice(seed: seed, phone: PhoneID(0), purpose: .test)
            func below(_ bound: Int) -> Int { Int(dice.next().scaled(below: UInt64(bound))) }
            var plots = Plots()
            var held: [Held] = []
            for _ in 0..<3_000 {
                if held.count > 50 || below(3) == 0, !held.isEmpty {
                    let one = held.swapRemove(at: below(held.count))
                    let bytes = UnsafeRawBufferPointer(start: plots[one.plot], count: one.bytes)
                    #expect(bytes.allSatisfy { $0 == one.mark })
                    plots.giveBack(one.plot)
                } else {
                    // Most are short; now and then one is as long as a twentieth of a piece.
                    let bytes = 1 + below(below(20) == 0 ? 50_000 : 700)
                    let one = Held(plot: plots.take(bytes), bytes: bytes, mark: UInt8(below(256)))
                    #expect(one.plot.isThere && bytes <= one.plot.bytes)
                    plots[one.plot].initializeMemory(as: UInt8.self, repeating: one.mark, count: bytes)
                    held.append(one)
                }
            }
        }
    }

    /// Broken: what was given back is never used again.
    @Test func whatIsGivenBackIsTakenAgain() {
        var plots = Plots()
        let sizes = [40, 200, 1_000, 5_000]
        var places: Set<UnsafeMutableRawPointer> = []
        for _ in 0..<500 {
            let taken = sizes.map { plots.take($0) }
            for plot in taken {
                places.insert(plots[plot])
                plots.giveBack(plot)
            }
        }
        #expect(places.count <= 8, "\(places.count) places")
    }

    /// Broken: who wants little gets nothing of a long plot that nobody has.
    @Test func aLongPlotIsCutForThoseWhoWantLess() {
        var plots = Plots()
        let long = plots.take(960)
        let place = plots[long]
        plots.giveBack(long)
        let first = plots.take(320)
        let second = plots.take(640)
        #expect(plots[first] == place && plots[second] == place + 320)
    }
}

extension Array {
    fileprivate mutating func swapRemove(at index: Int) -> Element {
        swapAt(index, count - 1)
        return removeLast()
    }
}
