/// The targets, and what must never be imported into each. Package.swift says what each one uses; this table says what it
/// may not come to use, whoever edits Package.swift.
struct Room: Sendable {
    let name: String
    /// Nothing here may depend on these, not even through another target.
    var never: [String] = []
    /// Modules from outside the package.
    var outside: [String] = []
    /// Its arithmetic decides results: integers only, no clocks, no hash order.
    var isEngineSide = false
}

enum Rooms {
    static let all = [
        Room(
            name: "Primitives",
            never: [
                "Journal", "Settings", "Device", "Network", "Transport", "Server", "Messages", "Client", "Engine",
                "Metrics",
                "Scenarios", "Reporting", "Host", "Command",
            ],
            // For an address of its own, not for threads: see `Anchor`.
            outside: ["Synchronization"], isEngineSide: true),
        Room(name: "Journal", never: ["Device", "Client", "Engine", "Metrics", "Host"], isEngineSide: true),
        Room(name: "Settings", never: ["Device", "Client", "Engine", "Scenarios", "Host"], isEngineSide: true),
        Room(name: "Device", never: ["Client", "Engine", "Host", "Journal"], isEngineSide: true),
        Room(name: "Network", never: ["Client", "Engine", "Host", "Journal"], isEngineSide: true),
        Room(name: "Transport", never: ["Client", "Engine", "Host", "Journal"], isEngineSide: true),
        Room(name: "Client", never: ["Device", "Network", "Engine", "Host", "Journal"], isEngineSide: true),
        // What stands at one end of a connection, or in the app, reaches nothing that stands elsewhere.
        Room(name: "Server", never: ["Device", "Network", "Messages", "Engine", "Host"], isEngineSide: true),
        Room(name: "Messages", never: ["Device", "Network", "Server", "Engine", "Host"], isEngineSide: true),
        Room(
            name: "Strategies",
            never: ["Device", "Network", "Engine", "Metrics", "Scenarios", "Reporting", "Host", "Journal"],
            isEngineSide: true),
        Room(
            name: "Engine", never: ["Scenarios", "Metrics", "Reporting", "Host", "Strategies"], isEngineSide: true),
        Room(name: "Laws", never: ["Scenarios", "Metrics", "Reporting", "Host", "Strategies"]),
        Room(name: "Metrics", never: ["Engine", "Client", "Scenarios", "Reporting", "Host"]),
        Room(name: "Shelf", never: ["Primitives"]),
        Room(
            name: "Scenarios", never: ["Reporting", "Metrics", "Host", "Strategies"],
            // One lock, so that a preset is read once for all who ask: see `PresetHeads`.
            outside: ["CYAML", "Synchronization"]),
        Room(
            name: "Captures", never: ["Engine", "Client", "Scenarios", "Metrics", "Reporting", "Host"],
            outside: ["CPcap", "CZlib"]),
        Room(name: "Replay", never: ["Reporting", "Host", "Command"]),
        Room(name: "Reporting", never: ["Engine", "Client", "Scenarios", "Host"]),
        Room(
            name: "Host", never: ["Journal", "Settings", "Device", "Engine", "Metrics", "Scenarios", "Reporting"],
            outside: ["Glibc", "Darwin", "Synchronization"]),
        Room(name: "Command", never: ["Bench"], outside: ["Synchronization"]),
        Room(name: "Kit", never: ["Scenarios", "Metrics", "Reporting", "Host", "Command"]),
        Room(name: "Main"),
        Room(name: "Bench", never: ["Command"], outside: ["CPcap", "Synchronization"]),
        Room(name: "Plugin", outside: ["Foundation", "PackagePlugin"]),
        Room(name: "CYAML"),
        Room(name: "CPcap"),
        Room(name: "CZlib"),
    ]

    static let engineSide = all.filter(\.isEngineSide).map(\.name)
    static let notHost = all.map(\.name).filter { $0 != "Host" }
}
