import DeadzoneCaptures
import DeadzoneDocuments
import DeadzoneHost
import DeadzoneReplay
import DeadzoneRuns
import DeadzoneSettings

/// The flags of `replay`, read.
struct ReplayOptions {
    let wanted: ReplayRun.Wanted
    /// The command that makes this again.
    let command: String

    init(_ invocation: Invocation) throws(ToolFault) {
        var wanted = ReplayRun.Wanted(invocation.arguments)
        if wanted.paths.count > 1, wanted.paths.contains(Expansion.standardInput) {
            throw ToolFault(.conflict, "standard input is a capture of its own", help: ["name files, or - alone"])
        }
        command = (["deadzone replay"] + wanted.paths.map(ShellWord.text) + Self.flags(invocation, isBare: false))
            .joined(separator: " ")
        wanted.flags = Self.flags(invocation, isBare: true)
        wanted.profile = invocation.text(.profile)
        wanted.rules = invocation.text(.rules).flatMap { ReplayRules(rawValue: $0) } ?? .physical
        wanted.stamps = invocation.text(.stamps).flatMap { StampMeaning(rawValue: $0) } ?? .flowed
        wanted.window = try Self.window(invocation)
        wanted.interface = invocation.text(.onlyInterface)
        wanted.device = try Self.devices(invocation)
        do throws(CaptureFault) {
            wanted.filter = try invocation.text(.filter).map { expression throws(CaptureFault) in
                try CaptureFilter(expression)
            }
        } catch {
            throw ToolFault(
                .badFlagValue, "`--filter`: \(visible(error.message, atMost: 200))",
                help: [error.help ?? "man 7 pcap-filter explains the expressions of tcpdump"])
        }
        self.wanted = wanted
    }
}

extension ReplayOptions {
    /// What `--device` names.
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
        if let text = invocation.text(.from) { window.from = try ReplayMoments.read(text, "--from") }
        if let text = invocation.text(.until) {
            window.until = text == "tail" ? .tail : .moment(try ReplayMoments.read(text, "--until"))
        }
        return window
    }
}
