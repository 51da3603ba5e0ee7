import DeadzoneEngine
import DeadzoneHost
import DeadzoneJournal
import DeadzoneRuns
import DeadzoneScenarios
import DeadzoneTraces
import DeadzoneWorld

/// Every event of every strategy as NDJSON, replica by replica and phone by phone. Simulated again, on one thread: events
/// are wanted for few and short runs, and a run that keeps no events needs no memory for them.
final class EventFile {
    private let stream: FileStream?
    private let output: Console

    init(_ path: String, _ surroundings: Surroundings) throws(ToolFault) {
        output = surroundings.output
        do throws(SystemFault) {
            stream = path == Expansion.standardInput ? nil : try FileStream(path)
        } catch {
            throw .unwritable(error)
        }
    }

    func write(
        _ assignment: Assignment, _ names: [String], _ scenario: Scenario,
        _ isStopped: @escaping @Sendable () -> Bool
    ) {
        let (groups, conditions) = (scenario.groupNames, scenario.textsOfChanges)
        for replica in assignment.seeds.indices {
            for strategy in names.indices {
                let number = assignment.firstReplica + replica
                var writer = Writer(
                    file: self,
                    lines: EventLines(
                        EventLine(strategy: names[strategy], groups: groups, replica: number, conditions: conditions)))
                assignment.again(strategy, replica, into: &writer, isStopped)
            }
        }
    }

    /// What has happened already.
    func write(_ records: [Record], of strategy: String, replica: Int, _ conditions: [Int: String]) {
        var writer = Writer(
            file: self, lines: EventLines(EventLine(strategy: strategy, replica: replica, conditions: conditions)))
        records.withUnsafeBufferPointer { writer.record($0) }
    }

    func finish() throws(ToolFault) {
        do throws(SystemFault) {
            try stream?.finish()
        } catch {
            throw .unwritable(error)
        }
    }

    private func append(_ bytes: [UInt8]) {
        if let stream { stream.write(bytes) } else { output.write(bytes) }
    }

    private struct Writer: Recorder {
        // One thread writes; `Recorder` is sendable for those that run on several.
        nonisolated(unsafe) let file: EventFile
        var lines: EventLines

        mutating func record(_ batch: UnsafeBufferPointer<Record>) {
            var bytes: [UInt8] = []
            for record in batch { lines.append(record, to: &bytes) }
            file.append(bytes)
        }

        mutating func merge(_ other: Writer) {}
    }
}

extension Scenario {
    /// Of its population.
    var groupNames: [GroupName] {
        zip(population, world.groups).map { group, own in
            GroupName(group.name, of: own.phones, running: group.strategy?.name)
        }
    }
}
