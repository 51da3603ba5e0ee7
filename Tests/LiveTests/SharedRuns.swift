import Foundation
import Synchronization
import Testing

extension Live {
    /// A scenario, and the programs that run in it.
    struct RunSetup: Sendable {
        /// The scenario's lines apart from its head, its radios and its strategy.
        var yaml: String
        var seconds: Int
        var platform = ""
        var strategy = "a: {strategy: patient}"
        var flags: [String] = []
        var server: [String]?
        var client: [String]

        var printed: CommandOutput {
            let text = """
                version: 1
                name: live test
                duration: \(seconds)s
                phone: {\(platform)radios: {wifi: wifi-galaxy-s2, cellular: lte-verizon-2021}}
                strategies: {\(strategy)}
                \(yaml)
                """
            let served = server.map { ["--server", $0.joined(separator: " ")] } ?? []
            return CommandOutput(["live", "-", "--json"] + flags + served + ["--"] + client, input: text)
        }
    }

    static let echo = [python, scenarios + "/server.py"]
    static let watchful = [python, scenarios + "/client.py"]

    /// The live runs that the tests inspect. The first test that needs one starts all of them in parallel, because the
    /// programs mostly wait. The starts are one second apart, so that no library loads while all others do.
    enum SharedRun: CaseIterable, Sendable {
        // The longest first.
        case websockets, grpc, steady, paho, kernels, elevator, frozenServer, quic, deploy
        case doze, names, ten, frozenApp, six, access, push, portal, race
    }

    static func outcome(_ course: SharedRun) throws -> Outcome { try Outcome(try #require(outcomes[course])) }

    private static let outcomes: [SharedRun: CommandOutput] = {
        let printed = Mutex<[SharedRun: CommandOutput]>([:])
        let courses = SharedRun.allCases.filter { hasLibraries || !$0.needsLibraries }
        let isOver = DispatchGroup()
        for course in courses {
            isOver.enter()
            // A separate thread for each run, because the kernel ends the child processes of a thread with the thread.
            Thread.detachNewThread {
                let own = course.printed
                printed.withLock { $0[course] = own }
                isOver.leave()
            }
            Thread.sleep(forTimeInterval: 1)
        }
        isOver.wait()
        return printed.withLock { $0 }
    }()
}

extension Live.SharedRun {
    var needsLibraries: Bool { [.websockets, .grpc, .paho, .quic].contains(self) }

    fileprivate var printed: Live.CommandOutput {
        if let setting { return setting.printed }
        // The scenario of README's tour.
        let server = ["--server", Live.echo.joined(separator: " ")]
        return Live.CommandOutput(
            ["live", Live.scenarios + "/elevator.yaml", "--json"] + server + ["--"] + Live.watchful)
    }

    private static func timeline(_ entries: String) -> String { "timeline: [{at: 0s, wifi: home}, \(entries)]" }

    private var setting: Live.RunSetup? { librarySetting ?? phoneSetting ?? programSetting }

    /// Runs with clients of real libraries.
    private var librarySetting: Live.RunSetup? {
        switch self {
        case .websockets:
            Live.RunSetup(
                yaml: Self.timeline("{at: 6s, wan-cut: 22s}"), seconds: 38,
                server: Live.program("websockets_server.py"),
                client: Live.program("websockets_client.py"))
        case .grpc:
            Live.RunSetup(
                yaml: Self.timeline("{at: 4s, server: down, for: 18s}"), seconds: 36,
                strategy: "grpc: {strategy: grpc-core}",
                flags: ["--strategy", "grpc"], server: Live.program("grpc_server.py"),
                client: Live.program("grpc_client.py"))
        case .paho:
            Live.RunSetup(
                yaml: Self.timeline("{at: 4s, server: down, for: 16s}"), seconds: 34,
                strategy: "paho: {strategy: paho-python}",
                flags: ["--strategy", "paho"], server: Live.program("broker.py"), client: Live.program("paho_client.py")
            )
        case .quic:
            Live.RunSetup(
                yaml: Self.timeline("{at: 4s, dead-zone: 7s}"), seconds: 18, server: Live.program("quic_server.py"),
                client: Live.program("quic_client.py"))
        default: nil
        }
    }

    /// Runs in which the simulated phone restricts the program.
    private var phoneSetting: Live.RunSetup? {
        switch self {
        case .doze:
            Live.RunSetup(
                yaml: Self.timeline("{at: 2s, screen: off}, {at: 13s, screen: on}"), seconds: 16,
                platform: """
                    platform: {profile: android-14, processor.sleeps: false, life.suspends-after: never, \
                    doze.light.inactive: 1s, doze.light.pre-idle: 1s, doze.light.idle: 4s, doze.light.budget: 2s, \
                    doze.light.inactive-window: 0s, doze.light.idle-window: 0s, doze.light.minimum: 2s, doze.work: 2s}, 
                    """, server: Live.echo, client: Live.program("phone.py", "asks"))
        case .names:
            Live.RunSetup(
                yaml: "resolver: {timeout: 1s, attempts: 2}\n"
                    + Self.timeline("{at: 3s, dns: down}, {at: 8s, dns: up}"),
                seconds: 12, client: Live.program("phone.py", "names"))
        case .frozenApp:
            Live.RunSetup(
                yaml: Self.timeline("{at: 5s, app: background}, {at: 10s, app: foreground}"), seconds: 12,
                platform: "platform: {profile: android-14, processor.sleeps: false, life.suspends-after: 1s}, ",
                client: Live.program("phone.py", "gaps"))
        case .access:
            // Requested in the same way as on iOS; refused packets are dropped silently.
            Live.RunSetup(
                yaml: Self.timeline(
                    "{at: 2s, access: refused, interface: wifi}, {at: 5s, access: open, interface: wifi}"),
                seconds: 8, server: Live.program("six.py", "server"), client: Live.program("phone.py", "beats"))
        case .push:
            // Frozen from 6 s on; the push at 9 s is urgent.
            Live.RunSetup(
                yaml: Self.timeline("{at: 5s, app: background}, {at: 9s, push: high}"), seconds: 12,
                platform: "platform: {profile: android-14, processor.sleeps: false, life.suspends-after: 1s}, ",
                flags: ["--on", "push=date +pushed-%s.%N >&2"], client: Live.program("phone.py", "gaps"))
        case .portal:
            Live.RunSetup(
                yaml: "timeline: [{at: 0s, wifi: cafe, portal: 4s}]", seconds: 8, server: Live.echo,
                client: Live.program("phone.py", "page"))
        default: nil
        }
    }

    /// Runs with programs written for these tests; the elevator scenario is a file.
    private var programSetting: Live.RunSetup? {
        switch self {
        case .steady:
            Live.RunSetup(
                yaml: Self.timeline("{at: 5s, server: down, for: 14s}, {at: 24s, wan-cut: 12s}"), seconds: 36,
                server: Live.program("broker.py"), client: Live.program("steady.py"))
        case .kernels:
            Live.RunSetup(
                yaml: Self.timeline("{at: 5s, dead-zone: 30s}"), seconds: 30, server: Live.echo,
                client: Live.program("sockets.py"))
        case .frozenServer:
            Live.RunSetup(
                yaml: Self.timeline("{at: 3s, server: frozen, for: 9s}"), seconds: 18, server: Live.echo,
                client: Live.watchful)
        case .deploy:
            Live.RunSetup(
                yaml: Self.timeline("{at: 3s, server: down, for: 3s}"), seconds: 14, server: Live.echo,
                client: Live.watchful
            )
        case .six:
            Live.RunSetup(
                yaml: Self.timeline("{at: 2500ms, readdress: wifi, old-path: silent}"), seconds: 8, flags: ["--ipv6"],
                server: Live.program("six.py", "server"), client: Live.program("six.py", "client"))
        case .race:
            Live.RunSetup(
                yaml: "resolver: {ipv6: broken}\n" + Self.timeline(""), seconds: 5,
                server: Live.program("six.py", "server"), client: Live.program("six.py", "races"))
        case .ten:
            Live.RunSetup(
                yaml: Self.timeline(""), seconds: 10, server: Live.echo, client: Live.program("odd.py", "ten"))
        default: nil
        }
    }
}
