import DeadzoneCommand
import Foundation
import Synchronization
import Testing

struct StopTests {
    /// Broken: who stops a run in its statistics or while files are written waits for all of them, gets half a file, or misses one
    /// without a word.
    @Test func aStopAtAnyMomentNamesWhatIsLeftOut() throws {
        let formats = [
            "json": "results.json", "html": "report.html", "perfetto": "trace.perfetto-trace",
            "pcapng": "packets.pcapng", "csv": "results.csv",
        ]
        /// Stopped when it has been asked so often, and how often it was asked.
        func run(until limit: Int, in shop: Workshop) throws -> (outcome: Workshop.Outcome, asked: Int) {
            try shop.write("a.yaml", Workshop.scenario)
            let asked = Atomic(0)
            let outcome = shop.run(
                "run @a.yaml --jobs 1 --out @out --format \(formats.keys.sorted().joined(separator: ",")) --events @happened"
            ) { surroundings in
                surroundings.isInterrupted = { asked.wrappingAdd(1, ordering: .relaxed).newValue > limit }
            }
            return (outcome, asked.load(ordering: .relaxed))
        }
        let (untouched, most) = try run(until: .max, in: Workshop())
        #expect(untouched.code == .ok)
        // Ever farther apart, from the beginning on and back from the end.
        var moments = [1]
        while let last = moments.last, last < most { moments.append(last + max(1, last / 12)) }
        moments = Set(moments + moments.map { most - $0 }).filter { (1..<most).contains($0) }.sorted()
        var stopped = 0
        var (whole, cut, without) = (0, 0, 0)
        for limit in moments {
            let shop = try Workshop()
            let outcome = try run(until: limit, in: shop).outcome
            let files = formats.values.sorted()
            for file in files + ["happened"] {
                #expect(
                    shop.exists(file == "happened" ? file : "out/" + file) != outcome.errors.contains(file),
                    "\(file) at \(limit)")
            }
            let left = try FileManager.default.contentsOfDirectory(atPath: shop.file("out"))
            #expect(left.filter { !files.contains($0) } == [])
            #expect(outcome.code == .interrupted && outcome.errors.contains("stopped"))
            stopped += 1
            let document = try shop.text("out/results.json")
            if document.contains("\"complete\": true") {
                whole += 1
            } else {
                #expect(document.contains("\"incomplete\": true"))
                cut += 1
            }
            if document.contains("\"ci95\": {}") { without += 1 }
        }
        // Before a replica, among intervals, and among the files.
        #expect(
            stopped > 30 && whole > 0 && cut > 0 && without > 0, "\(stopped) \(whole) \(cut) \(without)")
    }
}
