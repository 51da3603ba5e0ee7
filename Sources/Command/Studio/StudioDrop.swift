import DeadzoneBase
import DeadzoneHost
import DeadzoneReports
import DeadzoneRuns

/// Reads a file that was dropped on the studio's page: a packet capture or a battery history. The commands `replay` and
/// `day` do the work, with the file as their standard input.
struct StudioDrop {
    private let bytes: [UInt8]
    private let context: CommandContext
    private let stop: StudioStop

    init(_ bytes: [UInt8], _ context: CommandContext, _ stop: StudioStop) {
        self.bytes = bytes
        self.context = context
        self.stop = stop
    }

    /// Sends the page of the command, and the scenario that it makes of the file.
    func answer(_ frames: StudioFrames) {
        let verb = isHistory ? "day" : "replay"
        let (page, fault) = output([verb, "-", "--format", "html"])
        guard fault.isEmpty else { return frames.send("failure", content: fault) }
        frames.send("page", ["verb": .string(verb)], content: page)
        let (scenario, refusal) = output([verb, "-", "--to-scenario", "-"])
        if refusal.isEmpty { frames.send("scenario", content: scenario) }
    }

    /// A bug report is a zip archive or text. Captures and traces are neither.
    private var isHistory: Bool {
        let head = bytes.prefix(512)
        return head.starts(with: "PK".utf8) || head.allSatisfy { $0 >= 32 || [9, 10, 13].contains($0) }
    }

    /// The output of a command that reads the file; the fault is empty unless the command failed.
    private func output(_ words: [String]) -> (text: String, fault: String) {
        var inner = context
        (inner.output, inner.errors) = (Console(.memory), Console(.memory))
        (inner.outputTerminal, inner.errorTerminal) = (.plain, .plain)
        let bytes = bytes
        inner.inputFile = nil
        inner.input = { _ throws(SystemFault) in bytes }
        inner.isInterrupted = stop.isStopped
        let code = run(words + ["-q"], in: inner)
        return (inner.output.text, code == .ok ? "" : inner.errors.text)
    }
}
