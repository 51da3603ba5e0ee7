import DeadzoneCommand
import Foundation
import Synchronization
import Testing

struct StopTests {
    /// Broken: a run is interrupted in its statistics or while it writes files, but completes all of them, leaves half
    /// a file, or omits a file without a message.
    @Test func interruptAtAnyMomentNamesTheMissingFiles() throws {
        let formats = [
            "json": "results.json", "html": "report.html", "perfetto": "trace.perfetto-trace",
            "pcapng": "packets.pcapng", "csv": "results.csv",
        ]
        /// Interrupts the run after `limit` checks. Returns the outcome and the number of checks.
        func run(until limit: Int, in workspace: TestWorkspace) throws -> (outcome: TestWorkspace.Outcome, asked: Int) {
            try workspace.write("a.yaml", TestWorkspace.scenario)
            let asked = Atomic(0)
            let outcome = workspace.run(
                "run @a.yaml --jobs 1 --out @out --format \(formats.keys.sorted().joined(separator: ",")) --events @happened"
            ) { surroundings in
                surroundings.isInterrupted = { asked.wrappingAdd(1, ordering: .relaxed).newValue > limit }
            }
            return (outcome, asked.load(ordering: .relaxed))
        }
        let (untouched, most) = try run(until: .max, in: TestWorkspace())
        #expect(untouched.code == .ok)
        // Numbers of checks at growing distances, from the beginning and back from the end.
        var moments = [1]
        while let last = moments.last, last < most { moments.append(last + max(1, last / 12)) }
        moments = Set(moments + moments.map { most - $0 }).filter { (1..<most).contains($0) }.sorted()
        var stopped = 0
        var (whole, cut, without) = (0, 0, 0)
        for limit in moments {
            let workspace = try TestWorkspace()
            let outcome = try run(until: limit, in: workspace).outcome
            let files = formats.values.sorted()
            for file in files + ["happened"] {
                #expect(
                    workspace.exists(file == "happened" ? file : "out/" + file) != outcome.errors.contains(file),
                    "\(file) at \(limit)")
            }
            let left = try FileManager.default.contentsOfDirectory(atPath: workspace.file("out"))
            #expect(left.filter { !files.contains($0) } == [])
            #expect(outcome.code == .interrupted && outcome.errors.contains("stopped"))
            stopped += 1
            let document = try workspace.text("out/results.json")
            if document.contains("\"complete\": true") {
                whole += 1
            } else {
                #expect(document.contains("\"incomplete\": true"))
                cut += 1
            }
            if document.contains("\"ci95\": {}") { without += 1 }
        }
        // Interrupts before a replica, among intervals, and among the files.
        #expect(
            stopped > 30 && whole > 0 && cut > 0 && without > 0, "\(stopped) \(whole) \(cut) \(without)")
    }
}
