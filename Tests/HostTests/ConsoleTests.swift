import DeadzoneBase
import DeadzoneHost
import Testing

struct ConsoleTests {
    @Test func keepsTextInOrder() {
        // Broken: text is lost, doubled or reordered by the buffer.
        let console = Console(.memory)
        for number in 0..<1_000 { console.write("\(number)\n") }
        #expect(console.text == (0..<1_000).map { "\($0)\n" }.joined())
        #expect(console.flush() == nil)
    }

    @Test func stopwatchIsMonotonic() {
        // Broken: progress is computed from a clock that the user can set.
        let watch = Stopwatch()
        var last = TimeSpan.zero
        for _ in 0..<1_000 {
            let now = watch.elapsed
            #expect(now >= last)
            last = now
        }
    }
}
