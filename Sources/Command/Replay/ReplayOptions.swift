import DeadzoneBase
import DeadzoneCaptures
import DeadzoneHost
import DeadzoneReplay
import DeadzoneReports
import DeadzoneRuns

/// The parsed flags of the command `replay`.
struct ReplayOptions {
    let request: ReplayRun.ReplayRequest
    /// The command line that repeats this replay.
    let command: String

    init(_ invocation: Invocation) throws(ToolFault) {
        var request = ReplayRun.ReplayRequest(invocation.arguments)
        if request.paths.count > 1, request.paths.contains(PathExpansion.standardInput) {
            throw ToolFault(.conflict, "standard input cannot be combined with files", help: ["name files, or - alone"])
        }
        command = (["deadzone replay"] + request.paths.map(ShellWord.text) + Self.flags(invocation, isBare: false))
            .joined(separator: " ")
        request.flags = Self.flags(invocation, isBare: true)
        request.profile = invocation.text(.profile)
        request.rules = invocation.text(.rules).flatMap { ReplayRules(rawValue: $0) } ?? .physical
        if request.rules != .physical, let flag = [Flag.strategies, .toScenario].first(where: { invocation.has($0) }) {
            throw ToolFault(
                .conflict, "`--\(flag.name)` needs `--rules physical`",
                help: ["only these rules find the application messages of a capture; leave out `--rules`"])
        }
        request.stamps = invocation.text(.stamps).flatMap { TimestampMeaning(rawValue: $0) } ?? .flowed
        request.window = try Self.window(invocation)
        request.interface = invocation.text(.onlyInterface)
        request.device = try Self.devices(invocation)
        do throws(CaptureFault) {
            request.filter = try invocation.text(.filter).map { expression throws(CaptureFault) in
                try CaptureFilter(expression)
            }
        } catch {
            throw ToolFault(
                .badFlagValue, "`--filter`: \(visible(error.message, atMost: 200))",
                help: [error.help ?? "man 7 pcap-filter explains the expressions of tcpdump"])
        }
        self.request = request
    }
}

extension ReplayOptions {
    /// The addresses given with `--device`.
    static func devices(_ invocation: Invocation) throws(ToolFault) -> [IPAddress] {
        try invocation.texts(.device).map { word throws(ToolFault) in
            guard let address = IPAddress(word) else {
                throw ToolFault(
                    .badFlagValue, "`--device` cannot be \(quote(word))",
                    help: ["an IPv4 or IPv6 address, such as 10.0.0.7 or 2001:db8::7"])
            }
            return address
        }
    }

    private static func flags(_ invocation: Invocation, isBare: Bool) -> [String] {
        let plain: [Flag] = (isBare ? [] : [.profile, .rules, .stamps]) + [.from, .until, .filter, .onlyInterface]
        let files: [Flag] = [.strategies]
        func words(_ flag: Flag, _ value: String) -> String { "--\(flag.name) \(ShellWord.text(value))" }
        func bare(_ path: String) -> String { isBare ? path.split(separator: "/").last.map(String.init) ?? path : path }
        return files.compactMap { flag in invocation.text(flag).map { words(flag, bare($0)) } }
            + invocation.texts(.device).map { words(.device, $0) }
            + plain.compactMap { flag in invocation.text(flag).map { words(flag, $0) } }
    }

    private static func window(_ invocation: Invocation) throws(ToolFault) -> ReplayWindow {
        var window = ReplayWindow()
        if let text = invocation.text(.from) { window.from = try ReplayMomentParser.read(text, "--from") }
        if let text = invocation.text(.until) {
            window.until = text == "tail" ? .tail : .moment(try ReplayMomentParser.read(text, "--until"))
        }
        return window
    }
}
