import DeadzoneBase
import DeadzoneHost
import DeadzoneReports
import DeadzoneRuns
import DeadzoneScenarios
import DeadzoneSimulator

/// Writes all simulated events to a file, one JSON object per line (NDJSON), ordered by replica, strategy and phone.
/// The runs are simulated again on one thread: events are requested for few and short runs, and runs without events
/// then need no memory for them.
final class EventFile {
    private let stream: FileStream?
    private let output: Console

    /// Checks the file before any work. An existing file is replaced only if it contains events, so that no scenario
    /// or other input is lost.
    init(_ path: String, _ context: CommandContext) throws(ToolFault) {
        output = context.output
        let isReplaceable: Bool
        do throws(SystemFault) {
            let isFile = path != PathExpansion.standardInput && Files.kind(of: path) == .file
            isReplaceable = isFile ? Self.isEmptyOrEvents(try Files.prefix(of: path, count: 65_536)) : true
            stream = path == PathExpansion.standardInput || !isReplaceable ? nil : try FileStream(path)
        } catch {
            throw .unwritable(error)
        }
        guard isReplaceable else {
            throw ToolFault(
                .fileExists, "\(visible(path, atMost: 200)) already exists and is not a file of events",
                help: ["name another file, or remove this one"])
        }
    }

    /// `true` if the file's first line is an event, or if there is no line.
    private static func isEmptyOrEvents(_ bytes: [UInt8]) -> Bool {
        guard !bytes.isEmpty else { return true }
        let line = Array(bytes.prefix { $0 != UInt8(ascii: "\n") })
        return (try? JSON(text: line))?["event"]?.string != nil
    }

    func write(
        _ simulationPlan: SimulationPlan, _ names: [String], _ scenario: Scenario,
        _ isStopped: @escaping @Sendable () -> Bool
    ) {
        let (groups, conditions) = (scenario.groupNames, scenario.changeTexts)
        for replica in simulationPlan.seeds.indices {
            for strategy in names.indices {
                let number = simulationPlan.firstReplica + replica
                var writer = EventRecorder(
                    file: self,
                    lines: EventLineWriter(
                        EventLineFormatter(
                            strategy: names[strategy], groups: groups, replica: number, conditions: conditions)))
                simulationPlan.rerun(strategy, replica, into: &writer, isStopped)
            }
        }
    }

    /// Writes records that already exist.
    func write(_ records: [Record], of strategy: String, replica: Int, _ conditions: [Int: String]) {
        var writer = EventRecorder(
            file: self,
            lines: EventLineWriter(EventLineFormatter(strategy: strategy, replica: replica, conditions: conditions)))
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

    private struct EventRecorder: Recorder {
        // A single thread writes. `Recorder` is sendable because other recorders run on several.
        nonisolated(unsafe) let file: EventFile
        var lines: EventLineWriter

        mutating func record(_ batch: UnsafeBufferPointer<Record>) {
            var bytes: [UInt8] = []
            for record in batch { lines.append(record, to: &bytes) }
            file.append(bytes)
        }

        mutating func merge(_ other: EventRecorder) {}
    }
}

extension Scenario {
    /// The groups of the population.
    var groupNames: [PhoneGroup] {
        zip(population, world.groups).map { group, own in
            PhoneGroup(group.name, of: own.phones, running: group.strategy?.name)
        }
    }
}
