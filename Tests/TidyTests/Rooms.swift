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
    /// Numbers and records to what is looked at.
    private static let show = ["Documents", "Traces", "Pages", "Guide"]

    static let all = [
        Room(
            name: "Primitives",
            never: [
                "Journal", "Settings", "Device", "Network", "Transport", "Server", "Messages", "System",
                "Client", "Lane", "Engine", "Metrics", "Scenarios", "Compare", "Host", "Command",
            ] + show,
            // For an address of its own, not for threads: see `Anchor`.
            outside: ["Synchronization"], isEngineSide: true),
        Room(name: "Journal", never: ["Device", "Client", "Lane", "Engine", "Metrics", "Host"], isEngineSide: true),
        Room(name: "Settings", never: ["Device", "Client", "Lane", "Engine", "Scenarios", "Host"], isEngineSide: true),
        Room(name: "Device", never: ["Client", "Lane", "Engine", "Host", "Journal"], isEngineSide: true),
        Room(name: "Network", never: ["Client", "Lane", "Engine", "Host", "Journal"], isEngineSide: true),
        Room(name: "Transport", never: ["Client", "Lane", "Engine", "Host", "Journal"], isEngineSide: true),
        Room(name: "Client", never: ["Device", "Network", "Lane", "Engine", "Host", "Journal"], isEngineSide: true),
        // What stands at one end of a connection, or in the app, reaches nothing that stands elsewhere.
        Room(name: "Protocols", never: ["Device", "Network", "Lane", "Engine", "Host", "Journal"], isEngineSide: true),
        Room(
            name: "PhoneEnd", never: ["Device", "Server", "Messages", "System", "Lane", "Engine", "Host"],
            isEngineSide: true),
        Room(
            name: "Server", never: ["Device", "Network", "Messages", "System", "Lane", "Engine", "Host"],
            isEngineSide: true),
        Room(
            name: "Messages", never: ["Device", "Network", "Server", "System", "Lane", "Engine", "Host"],
            isEngineSide: true),
        Room(
            name: "System", never: ["Network", "Transport", "Server", "Messages", "Lane", "Engine", "Host"],
            isEngineSide: true),
        Room(name: "World", never: ["Strategies", "Lane", "Engine", "Host"], isEngineSide: true),
        Room(
            name: "Strategies",
            never: ["Device", "Network", "Lane", "Engine", "Metrics", "Scenarios", "Compare", "Host", "Journal"] + show,
            isEngineSide: true),
        Room(
            name: "Lane", never: ["Scenarios", "Metrics", "Compare", "Host", "Strategies"] + show, isEngineSide: true),
        Room(
            name: "Engine", never: ["Scenarios", "Metrics", "Compare", "Host", "Strategies"] + show, isEngineSide: true),
        Room(
            name: "Live", never: ["Lane", "Engine", "Scenarios", "Metrics", "Compare", "Strategies", "Runs"] + show),
        Room(name: "Laws", never: ["Scenarios", "Metrics", "Compare", "Host", "Strategies"] + show),
        Room(name: "Metrics", never: ["Lane", "Engine", "Client", "Scenarios", "Compare", "Host"] + show),
        Room(name: "Shipped", never: ["Primitives"], outside: ["CShipped"]),
        Room(
            name: "Scenarios", never: ["Lane", "Engine", "Compare", "Metrics", "Host", "Strategies"] + show,
            // One lock, so that a preset is read once for all who ask: see `PresetHeads`.
            outside: ["CYAML", "Synchronization"]),
        Room(
            name: "Captures", never: ["Lane", "Engine", "Client", "Scenarios", "Metrics", "Compare", "Host"] + show,
            outside: ["CPcap", "CZlib"]),
        Room(name: "Replay", never: ["Compare", "Host", "Command"] + show),
        Room(
            name: "Fit", never: ["Client", "Lane", "Engine", "Metrics", "Scenarios", "Compare", "Host", "Live"] + show),
        Room(name: "Compare", never: ["Lane", "Engine", "Client", "Scenarios", "Host"] + show),
        Room(
            name: "Runs", never: ["Command"] + show,
            // One lock, where threads bring what they have harvested: see `Barn`.
            outside: ["Synchronization"]),
        Room(name: "Claims", never: ["Command"] + show),
        Room(
            name: "Archive",
            never: ["Lane", "Engine", "Client", "Scenarios", "Host", "Runs", "Documents", "Traces", "Pages", "Guide"],
            // One lock, since threads bring what is written: see `ArchiveWriter`.
            outside: ["CSQLite", "Synchronization"]),
        Room(name: "Documents", never: ["Lane", "Engine", "Client", "Scenarios", "Host", "Traces", "Pages", "Guide"]),
        Room(name: "Traces", never: ["Lane", "Engine", "Client", "Scenarios", "Host", "Pages", "Guide"]),
        Room(name: "Pages", never: ["Lane", "Engine", "Client", "Scenarios", "Host", "Guide"]),
        Room(name: "Guide", never: ["Lane", "Engine", "Client", "Scenarios", "Host", "Runs"]),
        Room(
            name: "Host",
            never: ["Journal", "Settings", "Device", "Lane", "Engine", "Metrics", "Scenarios", "Compare"] + show,
            outside: ["CBuild", "CTun", "Glibc", "Darwin", "Synchronization"]),
        Room(name: "Command", never: ["Bench"]),
        Room(name: "Kit", never: ["Scenarios", "Metrics", "Compare", "Host", "Command"] + show),
        Room(name: "Main"),
        Room(name: "Bench", never: ["Command"], outside: ["CPcap", "Synchronization"]),
        Room(name: "Plugin", outside: ["Foundation", "PackagePlugin"]),
        Room(name: "CYAML"),
        Room(name: "CPcap"),
        Room(name: "CZlib"),
        Room(name: "CSQLite"),
        Room(name: "CTun"),
        Room(name: "CBuild"),
        Room(name: "CShipped"),
    ]

    static let engineSide = all.filter(\.isEngineSide).map(\.name)
    static let notHost = all.map(\.name).filter { $0 != "Host" }
}
