package import DeadzoneBase
import DeadzoneHost
package import DeadzoneMetrics
import DeadzoneScenarios

/// A gate file, as passed to `--gates`: bounds on metrics that apply to many scenarios.
///
///     version: 1
///     extends: recommended
///     ignore: 1%
///     gates:
///       - {scenarios: "*", zombie.max: within 5% of baseline}
///       - {scenarios: "Elevator*", strategies: tuned, battery.percent_per_hour: under 0.5%/h}
///       - {scenarios: "Night*", level: warn, battery.joules: at most 60% of naive}
///       - {scenarios: "*clients*", groups: new, recovery.p95: under 10s}
package struct GateFile {
    static let mostGates = 1_000
    private static let limit = 64 << 20
    /// Default of `ignore`: changes below one percent are rarely of interest.
    static let defaultFloor = Billionths(count: 10_000_000)

    /// `true` if the recommended gates apply too: no primary metric may become worse than in the baseline.
    package let extendsRecommended: Bool
    package let floor: Billionths
    package let gates: [Gate]

    /// Gates for a run without a gate file: the recommended ones.
    /// - Parameter preset: a preset with bounds of its own.
    package init(_ preset: GatePreset? = nil) {
        extendsRecommended = true
        floor = Self.defaultFloor
        gates = preset?.gates ?? []
    }

    /// The rules to which a gate file adds its own.
    private enum GateBase: Hashable, Sendable {
        case none, recommended
        case preset(GatePreset)
    }

    package enum GateFileResult {
        case gates(GateFile)
        case faults(Faults, [SourceText])
    }

    package static func read(_ path: String) throws(ToolFault) -> GateFileResult {
        do throws(SystemFault) {
            return read(try Files.read(path, limit: limit), name: path)
        } catch {
            throw .unreadable(error)
        }
    }

    package static func read(_ bytes: [UInt8], name: String) -> GateFileResult {
        let files = [SourceText(name: name, bytes: bytes)]
        let composition = compose(bytes)
        // The general advice for an empty file is about scenarios.
        if var fault = composition.faults.sorted.first, fault.code == .emptyFile {
            fault.help = "a gate file is a map: version: 1, gates: [{scenarios: \"*\", delivery.down.lost: 0}]"
            var faults = Faults()
            faults.note(fault)
            return .faults(faults, files)
        }
        guard let node = composition.node, composition.faults.isEmpty else {
            return .faults(composition.faults, files)
        }
        var reader = SettingsReader(node, of: "a gate file")
        let file = GateFile(&reader, name: name)
        reader.finish()
        return reader.faults.isEmpty ? .gates(file) : .faults(reader.faults, files)
    }

    /// Shape of a gate file.
    package static var shape: Shape {
        var reader = SettingsReader.describing("a gate file")
        _ = GateFile(&reader, name: "")
        return reader.shape
    }

    /// JSON Schema, for editors.
    package static var schema: String {
        jsonSchema(of: shape, title: "Deadzone gates, version 1", requiredOneOf: ["gates", "extends"])
    }

    private init(_ reader: inout SettingsReader, name: String) {
        _ = reader.required(
            "version", ValueFormat<String>.word([("1", "1")]), standIn: "1", "version of the gate language; always 1")
        var bases: [(String, GateBase)] = [("recommended", .recommended), ("none", .none)]
        bases += GatePreset.all.map { ($0.name, .preset($0)) }
        let base: GateBase = reader.value(
            "extends", .word(bases), default: .recommended,
            "recommended: no primary metric may become worse than in the baseline; recommended@1: also the bounds of "
                + "`deadzone check`; none: only the gates of this file")
        extendsRecommended = base != .none
        let millionths = reader.ratio(
            "ignore", default: 10_000, in: 0...1_000_000,
            "relative changes below this value are ignored")
        floor = Billionths(count: Int128(millionths) * 1_000)
        let gates = reader.list(
            "gates", counts: 1...Self.mostGates,
            "bounds for all matching strategies and scenarios; if several match one metric, the last one counts"
        ) { entry, _ in entry.gates(in: name) }
        var inherited: [Gate] = []
        if case .preset(let preset) = base { inherited = preset.gates }
        if gates == nil, inherited.isEmpty, !reader.isDescribing, !reader.has("gates") {
            reader.note(
                Fault(
                    .missing, at: reader.mark, "`gates` is missing", label: "without gates, nothing is checked",
                    help: "example: gates: [{scenarios: \"*\", delivery.down.lost: 0}]"))
        }
        self.gates = inherited + (gates ?? []).flatMap { $0 }
    }
}

extension SettingsReader {
    private static let keys = ["scenarios", "strategies", "groups", "level"]

    /// Reads one list entry: the scenarios, strategies and groups that it matches, and a bound for each metric.
    fileprivate mutating func gates(in file: String) -> [Gate] {
        let scenarios = required(
            "scenarios", .text, standIn: "*", "pattern for scenario names: \"*\" is any text, \"?\" one character")
        let strategies = text("strategies", default: "*", "pattern for strategy names")
        let groups = text(
            "groups", "pattern for groups of the population, each checked separately; without it, all phones together")
        let level = value(
            "level", .word(Gate.GateSeverity.allCases.map { ($0.rawValue, $0) }), default: .error,
            "error: exit code 1; warn: only a warning; off: disables an earlier gate")
        let names = Catalogue.all.map(\.name)
        let bounds = userKeys(of: .text) { entry, faults in
            if Self.keys.contains(entry.key) { return false }
            if names.contains(entry.key) { return true }
            let key = Node(
                .scalar(entry.key, quoted: false), at: entry.keyMark, width: max(1, entry.key.unicodeScalars.count))
            var fault = key.unknown("metric", entry.key, among: names + Self.keys, .unknownMetric)
            fault.help = "`deadzone list metrics` lists the metrics"
            faults.note(fault)
            return false
        }
        if bounds.isEmpty, faults.isEmpty, !isDescribing {
            note(
                Fault(
                    .missing, at: mark, "a gate without a bound", label: "name a metric",
                    help: "example: zombie.max: under 15s"))
        }
        return bounds.compactMap { bound in
            guard let metric = Catalogue.metric(named: bound.name), let node = peek(bound.name) else { return nil }
            do throws(ThresholdFault) {
                return Gate(
                    level, scenarios: scenarios, strategies: strategies, groups: groups, metric: bound.name,
                    threshold: try Threshold(bound.value, in: metric.unit),
                    place: BoundLocation(file: file, line: bound.mark.line, column: bound.mark.column))
            } catch {
                note(node.fault(.badBound, "\(quote(bound.value)): \(error.message)", help: error.help))
                return nil
            }
        }
    }
}
