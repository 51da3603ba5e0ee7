public import DeadzoneHost
public import DeadzoneScenarios
public import DeadzoneSettings

/// The schema that `init` writes beside a scenario; the scenario's first line names it.
public let schemaName = "deadzone.schema.json"

/// The scenarios that the arguments name, read.
public struct ScenarioFiles {
    /// Far beyond what a scenario may hold, so that one that is too large is refused as a scenario and not as a file.
    private static let limit = 64 << 20
    private static let suffixes = [".yaml", ".yml"]
    /// Radios and presets are YAML too, and no scenarios.
    private static let skipped = ["profiles", "strategies"]

    /// In the order of the arguments.
    public let files: [(name: String, loaded: LoadedScenarios)]

    /// - Parameter input: bytes of standard input, at most so many.
    public init(
        _ arguments: [String], _ vocabulary: Vocabulary, input: (Int) throws(SystemFault) -> [UInt8]
    ) throws(ToolFault) {
        let names: [String]
        do {
            names = try Expansion.files(arguments, suffixes: Self.suffixes, skipping: Self.skipped)
        } catch {
            throw Expansion.isUnmatched(error) ? .nothingMatched(error) : .unreadable(error)
        }
        let loader = ScenarioLoader(vocabulary, read: Self.read)
        var files: [(String, LoadedScenarios)] = []
        for name in names {
            let isInput = name == Expansion.standardInput
            do throws(SystemFault) {
                let place = Installation.resolved(name)
                let bytes = isInput ? try input(Self.limit) : try Files.read(place, limit: Self.limit)
                files.append((name, loader.load(bytes, name: isInput ? "standard input" : name)))
            } catch {
                throw .unreadable(error)
            }
        }
        self.files = files
    }

    /// A file that another one names.
    public static func read(_ path: String) -> Result<[UInt8], FileTrouble> {
        do throws(SystemFault) {
            return .success(try Files.read(Installation.resolved(path), limit: limit))
        } catch {
            return .failure(FileTrouble(error.reason))
        }
    }

    /// Some other file, of which only the faults are of interest.
    public init(_ faults: Faults, of texts: [SourceText]) {
        files = [(texts.first?.name ?? "", LoadedScenarios(files: texts, faults: faults, scenarios: []))]
    }

    /// Some that somebody has read already.
    public init(_ files: [(name: String, loaded: LoadedScenarios)]) { self.files = files }

    public var areSound: Bool { files.allSatisfy { $0.loaded.faults.isEmpty } }

    /// Every fault, as they are printed; nil for sound ones.
    var faultsText: String? {
        guard !areSound else { return nil }
        return files.flatMap { file in
            file.loaded.faults.sorted.map { DeadzoneSettings.faultText($0, files: file.loaded.files) }
        }.joined()
    }
}
