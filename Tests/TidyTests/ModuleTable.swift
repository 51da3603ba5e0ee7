/// The parts of the modules, and the parts that each of them must never use. Package.swift lists the modules that a
/// module uses. This table is narrower: it holds between folders of one module, and even if Package.swift is edited.
struct ModuleRules: Sendable {
    let name: String
    /// Parts that are forbidden: this one must not name their types or import their modules.
    var never: [String] = []
    /// Modules from outside the package that may be imported.
    var outside: [String] = []
    /// `true` if its arithmetic decides results: integers only, no clocks, no hash order.
    var isEngineSide = false
}

enum ModuleTable {
    /// The modules that turn numbers and records into output.
    private static let show = ["Documents", "Traces", "Pages", "Archive", "Guide"]

    static let all = [
        ModuleRules(
            name: "Primitives",
            never: [
                "Journal", "Settings", "Device", "Network", "Transport", "Server", "Messages", "System",
                "Client", "PhoneSimulation", "Engine", "Metrics", "Scenarios", "Compare", "Host", "Command", "Memory",
            ] + show,
            isEngineSide: true),
        ModuleRules(
            name: "Memory",
            never: ["Journal", "Settings", "Device", "Client", "PhoneSimulation", "Engine", "Metrics", "Host"],
            // For a stable address, not for threads: see `AddressStable`.
            outside: ["Synchronization"], isEngineSide: true),
        ModuleRules(
            name: "Journal", never: ["Device", "Client", "PhoneSimulation", "Engine", "Metrics", "Host"],
            isEngineSide: true),
        ModuleRules(
            name: "Settings", never: ["Device", "Client", "PhoneSimulation", "Engine", "Scenarios", "Host"],
            isEngineSide: true),
        ModuleRules(
            name: "Device", never: ["Client", "PhoneSimulation", "Engine", "Host", "Journal"], isEngineSide: true),
        ModuleRules(
            name: "Network", never: ["Client", "PhoneSimulation", "Engine", "Host", "Journal"], isEngineSide: true),
        ModuleRules(
            name: "Transport", never: ["Client", "PhoneSimulation", "Engine", "Host", "Journal"], isEngineSide: true),
        ModuleRules(
            name: "Client", never: ["Device", "Network", "PhoneSimulation", "Engine", "Host", "Journal"],
            isEngineSide: true),
        // A module for one end of a connection, or for the app, must not reach the other parts.
        ModuleRules(
            name: "Protocols",
            never: ["Device", "Network", "Connections", "ClientHost", "PhoneSimulation", "Engine", "Host", "Journal"],
            isEngineSide: true),
        ModuleRules(
            name: "PhoneEnd",
            never: [
                "Device", "Server", "Messages", "System", "Connections", "PacketNetwork", "ClientHost",
                "PhoneSimulation", "Engine", "Host",
            ],
            isEngineSide: true),
        ModuleRules(
            name: "Server",
            never: [
                "Device", "Network", "Messages", "System", "Connections", "PacketNetwork", "ClientHost",
                "PhoneSimulation", "Engine", "Host",
            ],
            isEngineSide: true),
        ModuleRules(
            name: "Messages",
            never: [
                "Device", "Network", "Server", "System", "Connections", "PacketNetwork", "ClientHost",
                "PhoneSimulation", "Engine", "Host",
            ],
            isEngineSide: true),
        ModuleRules(
            name: "System",
            never: [
                "Network", "Transport", "Server", "Messages", "Connections", "PacketNetwork", "ClientHost",
                "PhoneSimulation", "Engine", "Host",
            ],
            isEngineSide: true),
        ModuleRules(
            name: "ClientHost",
            never: [
                "Network", "Transport", "AccessPath", "Protocols", "PhoneEnd", "Server", "Messages", "Connections",
                "PacketNetwork", "Strategies", "PhoneSimulation", "Engine", "Host",
            ],
            isEngineSide: true),
        // The facts about a connection are passed to it as values.
        ModuleRules(
            name: "Connections",
            never: [
                "Device", "Transport", "AccessPath", "Protocols", "PhoneEnd", "Server", "Messages", "System",
                "PacketNetwork", "ClientHost", "PhoneSimulation", "Engine", "Host",
            ],
            isEngineSide: true),
        // Used by a simulated phone and by a live run, so it knows neither.
        ModuleRules(
            name: "AccessPath",
            never: [
                "Journal", "Protocols", "PhoneEnd", "Server", "Messages", "System", "Connections", "PacketNetwork",
                "World", "ClientHost", "PhoneSimulation", "Engine", "Host",
            ],
            isEngineSide: true),
        ModuleRules(
            name: "PacketNetwork",
            never: [
                "Protocols", "PhoneEnd", "Server", "Messages", "Connections", "Strategies", "ClientHost",
                "PhoneSimulation", "Engine", "Host",
            ],
            isEngineSide: true),
        ModuleRules(name: "World", never: ["Strategies", "PhoneSimulation", "Engine", "Host"], isEngineSide: true),
        ModuleRules(
            name: "Strategies",
            never: [
                "Device", "Network", "PhoneSimulation", "Engine", "Metrics", "Scenarios", "Compare", "Host", "Journal",
            ] + show,
            isEngineSide: true),
        ModuleRules(
            name: "PhoneSimulation", never: ["Scenarios", "Metrics", "Compare", "Host", "Strategies"] + show,
            isEngineSide: true),
        ModuleRules(
            name: "Engine", never: ["Scenarios", "Metrics", "Compare", "Host", "Strategies"] + show, isEngineSide: true),
        ModuleRules(
            name: "Live",
            never: ["PhoneSimulation", "Engine", "Scenarios", "Metrics", "Compare", "Strategies", "Runs"] + show),
        ModuleRules(name: "Laws", never: ["Scenarios", "Metrics", "Compare", "Host", "Strategies"] + show),
        ModuleRules(
            name: "Metrics", never: ["PhoneSimulation", "Engine", "Client", "Scenarios", "Compare", "Host"] + show),
        ModuleRules(name: "Shipped", never: ["Primitives"], outside: ["CShipped"]),
        ModuleRules(
            name: "Scenarios", never: ["PhoneSimulation", "Engine", "Compare", "Metrics", "Host", "Strategies"] + show,
            // One lock, so that a preset is read once for all callers: see `PresetMetadataCache`.
            outside: ["CYAML", "Synchronization"]),
        ModuleRules(
            name: "Captures",
            never: ["PhoneSimulation", "Engine", "Client", "Scenarios", "Metrics", "Compare", "Host"] + show,
            outside: ["CPcap", "CZlib", "CSQLite"]),
        ModuleRules(
            name: "Days",
            never: ["Device", "PhoneSimulation", "Engine", "Client", "Scenarios", "Metrics", "Compare", "Host"] + show,
            outside: ["CZlib", "CSQLite"]),
        ModuleRules(name: "Replay", never: ["Compare", "Host", "Command"] + show),
        ModuleRules(
            name: "Fit",
            never: ["Client", "PhoneSimulation", "Engine", "Metrics", "Scenarios", "Compare", "Host", "Live"] + show),
        ModuleRules(
            name: "Search",
            never: [
                "Journal", "Settings", "Device", "PhoneSimulation", "Engine", "Metrics", "Scenarios", "Compare", "Host",
            ]
                + show),
        ModuleRules(name: "Compare", never: ["PhoneSimulation", "Engine", "Client", "Scenarios", "Host"] + show),
        ModuleRules(
            name: "Runs", never: ["Command"] + show,
            // One lock, for the threads that deliver their results: see `ResultCollector`.
            outside: ["Synchronization"]),
        ModuleRules(name: "Claims", never: ["Command"] + show),
        ModuleRules(
            name: "Archive",
            never: [
                "PhoneSimulation", "Engine", "Client", "Scenarios", "Host", "Runs", "Documents", "Traces", "Pages",
                "Guide",
            ],
            // One lock, because several threads add rows: see `ArchiveWriter`.
            outside: ["CSQLite", "Synchronization"]),
        ModuleRules(
            name: "Documents",
            never: ["PhoneSimulation", "Engine", "Client", "Scenarios", "Host", "Traces", "Pages", "Guide"]),
        ModuleRules(
            name: "Traces", never: ["PhoneSimulation", "Engine", "Client", "Scenarios", "Host", "Pages", "Guide"]),
        ModuleRules(name: "Pages", never: ["PhoneSimulation", "Engine", "Client", "Scenarios", "Host", "Guide"]),
        ModuleRules(name: "Guide", never: ["PhoneSimulation", "Engine", "Client", "Scenarios", "Host", "Runs"]),
        ModuleRules(
            name: "Host",
            never: ["Journal", "Settings", "Device", "PhoneSimulation", "Engine", "Metrics", "Scenarios", "Compare"]
                + show,
            outside: ["CBuild", "CTun", "Glibc", "Darwin", "Synchronization"]),
        ModuleRules(name: "Command", never: ["Bench"]),
        ModuleRules(
            name: "Studio", never: ["PhoneSimulation", "Engine", "Client", "Archive", "Live", "Claims"],
            // One counter, for the threads that report progress: see `StudioProgress`.
            outside: ["Synchronization"]),
        ModuleRules(name: "Kit", never: ["Scenarios", "Metrics", "Compare", "Host", "Command"] + show),
        ModuleRules(name: "Main"),
        ModuleRules(name: "Bench", never: ["Command"], outside: ["CPcap", "Synchronization"]),
        ModuleRules(name: "Plugin", outside: ["Foundation", "PackagePlugin"]),
        ModuleRules(name: "CYAML"),
        ModuleRules(name: "CPcap"),
        ModuleRules(name: "CZlib"),
        ModuleRules(name: "CSQLite"),
        ModuleRules(name: "CTun"),
        ModuleRules(name: "CBuild"),
        ModuleRules(name: "CShipped"),
    ]

    static let engineSide = all.filter(\.isEngineSide).map(\.name)
    /// The parts that contain nothing that a strategy is written with.
    static let withoutStrategies = all.map(\.name).filter {
        !["Primitives", "Settings", "Client", "Strategies"].contains($0)
    }
    static let notHost = all.map(\.name).filter { $0 != "Host" }
}
