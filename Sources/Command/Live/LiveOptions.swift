import DeadzoneBase
import DeadzoneClient
import DeadzoneHost
import DeadzoneLive
import DeadzoneRuns
import DeadzoneScenarios
import DeadzoneSimulator

/// The parsed flags of the command `live`.
struct LiveOptions {
    let seed: UInt64?
    let client: [String]
    let server: String?
    let hooks: [LivePlan.Hook]
    let forwards: [(name: String, forward: Sandbox.PortForward)]
    let hasIPv6: Bool
    let gateway: String?
    let runs: Int
    let strategy: String?
    let isStrict: Bool
    let isJSON: Bool
    let output: LiveOutput

    init(_ invocation: Invocation) throws(ToolFault) {
        seed = try invocation.text(.seed).map(RunOptions.checkedSeed)
        client = Array(invocation.arguments.dropFirst())
        server = invocation.text(.server)
        runs = invocation.number(.repeats) ?? 1
        gateway = invocation.text(.gateway)
        guard (gateway == nil) != client.isEmpty else {
            throw ToolFault(
                .conflict,
                gateway == nil ? "no client is given" : "both a program and a real phone are given as the client",
                help: ["deadzone live day.yaml --server ./server -- ./client", "deadzone live day.yaml --gateway usb0"])
        }
        hasIPv6 = invocation.has(.ipv6)
        isStrict = invocation.has(.strict)
        isJSON = invocation.has(.json)
        output = try LiveOutput(invocation)
        if invocation.text(.events) == "-", output.isPrinted {
            throw ToolFault(
                .conflict, "results and events cannot both go to standard output", help: ["write --events FILE"])
        }
        let strategies = invocation.texts(.strategy)
        guard strategies.count < 2 else {
            throw ToolFault(.conflict, "one program can be compared with only one strategy", help: ["name one of them"])
        }
        strategy = strategies.first
        forwards = try invocation.texts(.forward).map(Self.forward)
        var hooks: [LivePlan.Hook] = []
        for text in invocation.texts(.on) {
            let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2 else {
                throw ToolFault(
                    .badFlagValue, "`--on` cannot be \(quote(text))",
                    help: ["write --on EVENT=COMMAND, as in --on screen-off='adb shell input keyevent 223'"])
            }
            guard Scenario.timelineWords.contains(parts[0]) || ConditionChange.isEvent(parts[0]) else {
                throw ToolFault.unknown(
                    .badFlagValue, "`--on` cannot be \(quote(text)): no timeline entry is called \(quote(parts[0]))",
                    parts[0], among: Scenario.timelineWords + ConditionChange.eventNames,
                    help: "`deadzone help live` lists the names")
            }
            hooks.append(LivePlan.Hook(event: parts[0], command: parts[1]))
        }
        self.hooks = hooks
    }

    /// Names in lines as long as those of the help.
    static func wrapped(_ names: [String]) -> String {
        var lines = [""]
        for (index, name) in names.enumerated() {
            let word = index == names.count - 1 ? name : name + ","
            if lines[lines.count - 1].utf8.count + 1 + word.utf8.count > 108 { lines.append("") }
            lines[lines.count - 1] += (lines[lines.count - 1].isEmpty ? "" : " ") + word
        }
        return lines.joined(separator: "\n")
    }

    /// The hooks for a scenario. A word of the timeline that is no name of a change means the changes that begin such
    /// an entry.
    func hooks(for scenario: Scenario) -> [LivePlan.Hook] {
        let count = scenario.world.ofFirstPhone.timeline.count
        return hooks.map { hook in
            var hook = hook
            if !ConditionChange.isEvent(hook.event) {
                // -1 is no change: the hook then never runs, which the report says.
                hook.changes = Set(scenario.starts(of: hook.event).filter { $0 < count } + [-1])
            }
            return hook
        }
    }

    /// Parses `server.test:443=127.0.0.1:8443`.
    private static func forward(_ text: String) throws(ToolFault) -> (name: String, forward: Sandbox.PortForward) {
        let sides = text.split(separator: "=").map { $0.split(separator: ":").map(String.init) }
        let address = sides.last?.first.map { $0 == "localhost" ? "127.0.0.1" : $0 } ?? ""
        let bytes = address.split(separator: ".").compactMap { UInt8($0) }
        guard sides.count == 2, sides.allSatisfy({ $0.count == 2 }), let port = UInt16(sides[0][1]), port > 0,
            let target = UInt16(sides[1][1]), target > 0, bytes.count == 4,
            sides[0][0].utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f })
        else {
            throw ToolFault(
                .badFlagValue, "`--forward` cannot be \(quote(text))",
                help: ["write --forward NAME:PORT=ADDRESS:PORT, as in --forward server.test:443=127.0.0.1:8443"])
        }
        let number = bytes.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        return (sides[0][0], Sandbox.PortForward(port: port, address: number, targetPort: target))
    }

    /// The strategy that the client is compared with: a strategy of the scenario, or a preset.
    func preset(_ scenario: Scenario, _ context: CommandContext) throws -> AnyStrategy? {
        guard let strategy else { return nil }
        if let own = scenario.strategies.first(where: { $0.name == strategy }) { return own.strategy }
        let vocabulary = context.vocabulary
        let names = vocabulary.strategies.map(\.name) + vocabulary.presets.map(\.name)
        guard names.contains(strategy) else {
            throw ToolFault.unknownName(
                strategy, "strategy", among: scenario.strategies.map(\.name) + names,
                help:
                    "\(scenario.name) has these strategies: \(scenario.strategies.map(\.name).joined(separator: ", "))")
        }
        let none = try SettingOverrides([])
        return ParsedStrategy(strategy, with: none.root, vocabulary, read: ScenarioFiles.read).strategy
    }
}

extension Flag {
    static let server = Flag(
        "server", takes: .text("COMMAND"),
        "Command that starts the server; the client connects to the host name server.test")
    static let forward = Flag(
        "forward", takes: .text("NAME:PORT=TARGET"), repeatable: true,
        "Forward TCP port PORT of the host NAME to TARGET, an ADDRESS:PORT of this machine")
    static let gateway = Flag(
        "gateway", takes: .text("INTERFACE"),
        "Use a real phone as the client; this machine is its gateway on this interface")
    static let ipv6 = Flag(
        "ipv6", "Also give the server an IPv6 address; not possible if the scenario has a resolver")
    static let on = Flag(
        "on", takes: .text("EVENT=COMMAND"), repeatable: true,
        "Run COMMAND at each timeline entry, or change of conditions, that is called EVENT")
    static let repeats = Flag("repeat", takes: .number("N", 1...1_000), "Number of runs, one after the other")
    static let strict = Flag("strict", "Refuse the scenario if `live` would list a part of it as not applied")
}
