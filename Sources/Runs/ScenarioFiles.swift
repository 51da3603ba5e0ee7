package import DeadzoneBase
package import DeadzoneHost
package import DeadzoneScenarios

/// File name of the schema that `init` writes beside a scenario. The first line of the scenario refers to it.
package let schemaName = "deadzone.schema.json"

/// Reads the scenario files that the command line names.
package struct ScenarioFiles {
    /// Far above the maximum size of a scenario, so that a too large scenario gets the scenario error instead of a
    /// file error.
    private static let limit = 64 << 20
    private static let suffixes = [".yaml", ".yml"]
    /// Folders with YAML files that are not scenarios: radio profiles and presets.
    private static let skipped = ["profiles", "strategies"]

    /// The files, in the order of the arguments.
    package let files: [(name: String, loaded: LoadedScenarios)]

    /// - Parameters:
    ///   - added: strategies that are added to every scenario.
    ///   - across: the networks on which each scenario runs; `nil` for its own.
    ///   - overrides: settings that are merged over each file; `nil` for none.
    ///   - jobs: number of threads that load files.
    ///   - input: reads standard input, up to a maximum number of bytes.
    package init(
        _ arguments: [String], adding added: [AddedStrategy] = [], across: AcrossSelection? = nil,
        _ vocabulary: Vocabulary, overrides: Node? = nil, jobs: Int = 1, input: InputReader
    ) throws(ToolFault) {
        let names: [String]
        do {
            names = try PathExpansion.files(arguments, suffixes: Self.suffixes, skipping: Self.skipped)
        } catch {
            throw PathExpansion.isUnmatched(error) ? .nothingMatched(error) : .unreadable(error)
        }
        var read: [[UInt8]] = []
        for name in names {
            let isInput = name == PathExpansion.standardInput
            do throws(SystemFault) {
                let place = InstalledFiles.resolved(name)
                read.append(isInput ? try input(Self.limit) : try Files.read(place, limit: Self.limit))
            } catch {
                throw .unreadable(error)
            }
        }
        // Other threads note the files that they read in the same log.
        let (texts, log) = (read, Files.log)
        let loaded = Workers.run(count: names.count, jobs: jobs, stackSize: Thread.readingStackSize) { index in
            var loader = ScenarioLoader(vocabulary, read: Self.read)
            loader.addedStrategies = added
            loader.across = across
            let name = names[index] == PathExpansion.standardInput ? "standard input" : names[index]
            return Files.$log.withValue(log) { loader.load(texts[index], name: name, overrides: overrides) }
        }
        files = zip(names, loaded).compactMap { name, loaded in loaded.map { (name, $0) } }
    }

    /// Reads a file that a scenario refers to.
    package static func read(_ path: String) -> Result<[UInt8], FileError> {
        do throws(SystemFault) {
            return .success(try Files.read(InstalledFiles.resolved(path), limit: limit))
        } catch {
            return .failure(FileError(error.reason))
        }
    }

    /// Wraps the faults of another kind of file, such as a gate file.
    package init(_ faults: Faults, of texts: [SourceText]) {
        files = [(texts.first?.name ?? "", LoadedScenarios(files: texts, faults: faults, scenarios: []))]
    }

    /// Wraps files that are already loaded.
    package init(_ files: [(name: String, loaded: LoadedScenarios)]) { self.files = files }

    package var areValid: Bool { files.allSatisfy { $0.loaded.faults.isEmpty } }

    /// All faults as printed text; `nil` if there are none.
    var faultsText: String? {
        guard !areValid else { return nil }
        return files.flatMap { file in
            file.loaded.faults.sorted.map { DeadzoneBase.faultText($0, files: file.loaded.files) }
        }.joined()
    }
}
