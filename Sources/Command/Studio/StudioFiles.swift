import DeadzoneBase
import DeadzoneHost
import DeadzoneReports
import DeadzoneRuns
import DeadzoneScenarios

/// The files that the studio's page may read and write. A scenario can come from a link, so it must not name any file
/// of the machine: only files below the working folder and below the folder of the named scenario are read.
struct StudioFiles: Sendable {
    /// Maximum size of a scenario, as for every command.
    static let maximumText = 1 << 20
    private static let unnamed = "mine.yaml"
    private static let endings = [".yaml", ".yml"]

    /// The scenario that the command line names; `nil` without one.
    let path: String?
    /// The text of the scenario at the start.
    let text: String
    private let folder: [Substring]

    init(_ path: String?) throws(ToolFault) {
        self.path = path
        folder = path.map { Array(Self.steps($0).dropLast()) } ?? []
        guard let path else {
            text = starterScenario
            return
        }
        do throws(SystemFault) {
            let bytes = try Files.read(InstalledFiles.resolved(path), limit: Self.maximumText)
            text = String(decoding: bytes, as: UTF8.self)
        } catch {
            throw ToolFault(
                .unreadable, error.message.escapedForTerminal,
                help: ["deadzone init \(ShellWord.text(path)) writes an example"])
        }
    }

    /// The name that faults and relative paths refer to.
    var name: String { path ?? Self.unnamed }

    /// Reads a file that the scenario refers to.
    func read(_ path: String) -> Result<[UInt8], FileError> {
        guard isAllowed(path) else {
            return .failure(FileError("the studio reads only files below its folder; use `deadzone run`"))
        }
        return ScenarioFiles.read(path)
    }

    func isAllowed(_ path: String) -> Bool {
        let steps = Self.steps(path)
        func isBelow(_ folder: [Substring]) -> Bool {
            steps.starts(with: folder) && !steps.dropFirst(folder.count).contains("..")
        }
        return isBelow(folder) && !folder.isEmpty || !path.hasPrefix("/") && isBelow([])
    }

    /// The steps of a path from the working folder, without those that cancel each other. An absolute path begins with
    /// an empty step.
    private static func steps(_ path: String) -> [Substring] {
        var steps: [Substring] = path.hasPrefix("/") ? [""] : []
        for step in path.split(separator: "/") where step != "." {
            if step == "..", let last = steps.last, last != "..", last != "" {
                steps.removeLast()
            } else {
                steps.append(step)
            }
        }
        return steps
    }

    /// The file that Save writes. `nil` if the name is not a plain file name of a scenario.
    /// - Parameter wanted: the name that the page asks for; it only counts if no scenario was named.
    func target(_ wanted: String?) -> String? {
        if let path { return path }
        guard let wanted, wanted.utf8.count <= 100, wanted.first != ".",
            Self.endings.contains(where: { wanted.hasSuffix($0) && wanted != $0 }),
            wanted.utf8.allSatisfy({
                "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-".utf8.contains($0)
            })
        else { return nil }
        return wanted
    }

    /// `true` if the file has another content than the page knows, such as after a change in another editor.
    /// - Parameter known: the content that the page read or wrote last; `nil` if it is a new file.
    func hasChanged(_ target: String, since known: String?) -> Bool {
        guard let bytes = try? Files.read(target, limit: Self.maximumText) else { return false }
        return known.map { Array($0.utf8) != bytes } ?? true
    }
}
