import DeadzoneEngine
import DeadzoneHost
import DeadzoneJournal
import DeadzoneReporting
import DeadzoneScenarios

/// Every event of every strategy as NDJSON, replica by replica and phone by phone. Simulated again, on one thread: events
/// are wanted for few and short runs, and a run that keeps no events needs no memory for them.
final class EventFile {
    private let stream: FileStream?
    private let output: Console

    init(_ path: String, _ surroundings: Surroundings) throws(CommandFault) {
        output = surroundings.output
        do throws(SystemFault) {
            stream = path == Expansion.standardInput ? nil : try FileStream(path)
        } catch {
            throw .unwritable(error)
        }
    }

    func write(
        _ assignment: Assignment, _ names: [String], _ conditions: [Condition],
        _ isStopped: @escaping @Sendable () -> Bool
    ) {
        var lines: [Int: String] = [:]
        for condition in conditions { for change in condition.changes { lines[change] = condition.text } }
        for replica in assignment.seeds.indices {
            for strategy in names.indices {
                let number = assignment.firstReplica + replica
                var writer = Writer(
                    file: self, line: EventLine(strategy: names[strategy], replica: number, conditions: lines))
                assignment.again(strategy, replica, into: &writer, isStopped)
            }
        }
    }

    func finish() throws(CommandFault) {
        do throws(SystemFault) {
            try stream?.finish()
        } catch {
            throw .unwritable(error)
        }
    }

    private func append(_ text: String) {
        if let stream { stream.write(text) } else { output.write(text) }
    }

    private struct Writer: Recorder {
        // One thread writes; `Recorder` is sendable for those that run on several.
        nonisolated(unsafe) let file: EventFile
        let line: EventLine

        mutating func record(_ batch: UnsafeBufferPointer<Record>) {
            var text = ""
            for record in batch { text += line.text(record) + "\n" }
            file.append(text)
        }

        mutating func merge(_ other: Writer) {}
    }
}
