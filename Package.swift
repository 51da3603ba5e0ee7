// swift-tools-version: 6.2
// Every target lists the modules that it may import. The compiler and the Tidy tests enforce the list, and the diagram
// in Sources/README.md shows it. Folders have short names, modules a prefix, because all modules of a user's package
// graph share one namespace.

import PackageDescription

/// Language settings for all targets. No `unsafeFlags`: a product with those cannot be a dependency.
let strict: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// A target for one module. `ships` are files beside the sources that the module Shipped builds in.
func room(_ name: String, uses: [String] = [], system: [String] = [], ships: [String] = []) -> Target {
    .target(
        name: "Deadzone\(name)",
        dependencies: uses.map { .target(name: "Deadzone\($0)") } + system.map { .target(name: $0) },
        path: "Sources/\(name)",
        exclude: ["README.md"] + ships,
        swiftSettings: strict)
}

/// A test target. Tests are not optimised, even in release builds, because this halves their build time. No product
/// contains a test.
func tests(_ name: String, uses: [String], system: [String] = [], excluding: [String] = []) -> Target {
    .testTarget(
        name: "\(name)Tests",
        dependencies: uses.map { .target(name: "Deadzone\($0)") } + system.map { .target(name: $0) },
        path: "Tests/\(name)Tests",
        exclude: excluding,
        swiftSettings: strict + [.unsafeFlags(["-Onone"])])
}

let package = Package(
    name: "deadzone",
    platforms: [.macOS(.v26)],
    products: [
        .executable(name: "deadzone", targets: ["deadzone"]),
        .executable(name: "deadzone-bench", targets: ["deadzone-bench"]),
        .library(name: "DeadzoneKit", targets: ["DeadzoneKit"]),
        .library(name: "DeadzoneCommand", targets: ["DeadzoneCommand"]),
        .library(name: "DeadzoneTestKit", targets: ["DeadzoneTestKit"]),
        .plugin(name: "DeadzonePlugin", targets: ["DeadzonePlugin"]),
    ],
    targets: [
        // Values.
        room("Primitives"),
        room("Journal", uses: ["Primitives"]),
        room("Settings", uses: ["Primitives"]),

        // The simulated world, sans-IO.
        room("Device", uses: ["Primitives"]),
        room("Network", uses: ["Primitives"]),
        room("Transport", uses: ["Primitives"]),

        // The interface for strategies, and the shipped strategies.
        room("Client", uses: ["Primitives", "Settings"]),
        room("Strategies", uses: ["Primitives", "Settings", "Client"]),

        // Connections, and the two ends of a connection.
        room("Protocols", uses: ["Primitives", "Transport", "Client"]),
        room("PhoneEnd", uses: ["Primitives", "Journal", "Network", "Transport", "Client", "Protocols"]),
        room("Server", uses: ["Primitives", "Journal", "Transport", "Client", "Protocols"]),

        room("Messages", uses: ["Primitives", "Journal", "Transport", "Client"]),

        // The operating system of the phone, and its networks.
        room("System", uses: ["Primitives", "Journal", "Device", "Client"]),

        // A compiled scenario without its strategies.
        room(
            "World",
            uses: [
                "Primitives", "Journal", "Device", "Network", "Transport", "Server", "Messages", "System",
            ]),

        // One phone, and all phones.
        room(
            "PhoneSimulation",
            uses: [
                "Primitives", "Journal", "Device", "Network", "Transport", "Client", "Protocols", "PhoneEnd",
                "Server", "Messages", "System", "World",
            ]),
        room("Engine", uses: ["Primitives", "Journal", "Client", "Server", "World", "PhoneSimulation"]),
        room("Metrics", uses: ["Primitives", "Journal", "Device"]),
        room("Kit", uses: ["Primitives", "Settings", "Client", "Strategies", "World", "Engine"]),

        // The edges: files, captures and external programs.
        .systemLibrary(
            name: "CYAML", path: "Sources/CYAML", pkgConfig: "yaml-0.1",
            providers: [.apt(["libyaml-dev"]), .brew(["libyaml"])]),
        room(
            "Scenarios",
            uses: [
                "Primitives", "Settings", "Device", "Network", "Transport", "Client", "Server", "Messages", "System",
                "World",
            ],
            system: ["CYAML"]),
        // Without the package's flags: only the benchmark links it.
        .systemLibrary(
            name: "CPcap", path: "Sources/CPcap",
            providers: [.apt(["libpcap-dev"]), .brew(["libpcap"])]),
        .systemLibrary(
            name: "CZlib", path: "Sources/CZlib", pkgConfig: "zlib",
            providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
        room("Captures", uses: ["Primitives"], system: ["CPcap", "CZlib"]),
        room("Days", uses: ["Primitives"], system: ["CZlib"]),
        room("Replay", uses: ["Primitives", "Settings", "Device", "Captures"]),
        room("Fit", uses: ["Primitives", "Device"]),
        room("Search", uses: ["Primitives"]),
        room("Compare", uses: ["Primitives", "Metrics", "Fit"]),
        room(
            "Laws",
            uses: [
                "Primitives", "Journal", "Settings", "Device", "Network", "Transport", "Client", "Server", "Messages",
                "System", "World", "Engine",
            ]),
        .target(name: "CShipped", path: "Sources/CShipped"),
        room("Shipped", system: ["CShipped"]),
        .target(name: "CTun", path: "Sources/CTun"),
        .target(name: "CBuild", path: "Sources/CBuild"),
        room("Host", uses: ["Primitives"], system: ["CTun", "CBuild"]),
        room(
            "Live",
            uses: [
                "Primitives", "Journal", "Device", "Network", "Captures", "Server", "System", "World", "Fit", "Host",
            ]),
        room(
            "Runs",
            uses: [
                "Primitives", "Journal", "Settings", "Device", "Transport", "Client", "Strategies", "World",
                "PhoneSimulation",
                "Engine",
                "Metrics", "Scenarios", "Fit", "Search", "Compare", "Laws", "Shipped", "Captures", "Days", "Replay",
                "Host",
                "Live",
            ]),

        room(
            "Claims",
            uses: [
                "Primitives", "Journal", "Settings", "Client", "Server", "Metrics", "Scenarios", "Compare", "Shipped",
                "Runs", "Host",
            ]),

        // Output.
        .systemLibrary(
            name: "CSQLite", path: "Sources/CSQLite", pkgConfig: "sqlite3",
            providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
        room("Archive", uses: ["Primitives", "Metrics", "Compare"], system: ["CSQLite"]),
        room("Documents", uses: ["Primitives", "Device", "Metrics", "Captures", "Days", "Replay", "Fit", "Compare"]),
        room("Traces", uses: ["Primitives", "Journal", "Device", "Metrics", "Compare", "Documents"]),
        room(
            "Pages",
            uses: [
                "Primitives", "Journal", "Device", "Metrics", "Captures", "Days", "Replay", "Compare", "Documents",
                "Traces", "Shipped",
            ],
            ships: ["chart.css", "page.css", "page.js"]),
        room(
            "Guide", uses: ["Settings", "Documents", "Pages", "Shipped"], ships: ["pages", "guide.css", "search.js"]),

        // The command line.
        room(
            "Command",
            uses: [
                "Primitives", "Journal", "Settings", "Device", "Client", "Strategies", "World", "Engine", "Metrics",
                "Scenarios", "Shipped", "Captures", "Days", "Replay", "Fit", "Compare", "Host", "Live", "Runs",
                "Claims",
                "Documents", "Archive", "Traces", "Pages", "Guide",
            ]),
        .executableTarget(
            name: "deadzone", dependencies: ["DeadzoneCommand"], path: "Sources/Main", swiftSettings: strict),
        // The plug-in builds the command when it runs. As its dependency, the command would be a tool of the host, for
        // which SwiftPM compiles all modules a second time, also for the tests.
        .plugin(
            name: "DeadzonePlugin",
            capability: .command(
                intent: .custom(verb: "deadzone", description: "Runs deadzone: swift package deadzone help")),
            path: "Sources/Plugin"),
        .executableTarget(
            name: "deadzone-bench",
            dependencies: [
                "DeadzonePrimitives", "DeadzoneJournal", "DeadzoneSettings", "DeadzoneDevice",
                "DeadzoneNetwork", "DeadzoneTransport", "DeadzoneClient", "DeadzoneServer", "DeadzoneStrategies",
                "DeadzoneWorld",
                "DeadzoneEngine", "DeadzoneMetrics", "DeadzoneScenarios", "DeadzoneShipped", "DeadzoneCaptures",
                "DeadzoneReplay", "DeadzoneCompare", "DeadzoneDocuments", "DeadzoneHost", "CPcap",
            ], path: "Sources/Bench", exclude: ["README.md"], swiftSettings: strict,
            linkerSettings: [.linkedLibrary("pcap")]),

        // Tests.
        .target(
            name: "DeadzoneTestKit",
            dependencies: [
                "DeadzonePrimitives", "DeadzoneJournal", "DeadzoneSettings", "DeadzoneTransport", "DeadzoneClient",
                "DeadzoneServer", "DeadzoneLaws", "DeadzoneRuns",
            ],
            path: "Tests/TestKit", swiftSettings: strict),
        .target(
            name: "DeadzoneSamples",
            dependencies: [
                "DeadzonePrimitives", "DeadzoneJournal", "DeadzoneDevice", "DeadzoneMetrics", "DeadzoneCompare",
            ],
            path: "Tests/Samples", swiftSettings: strict),
        tests("Primitives", uses: ["Primitives", "TestKit"]),
        tests("Journal", uses: ["Primitives", "Journal", "TestKit"]),
        tests("Settings", uses: ["Primitives", "Settings", "TestKit"]),
        tests("Device", uses: ["Primitives", "Device", "Laws", "TestKit"]),
        tests("Network", uses: ["Primitives", "Network", "TestKit"]),
        tests("Transport", uses: ["Primitives", "Transport", "TestKit"]),
        tests(
            "PhoneEnd",
            uses: ["Primitives", "Journal", "Network", "Transport", "Client", "Protocols", "PhoneEnd", "TestKit"]),
        tests("Server", uses: ["Primitives", "Journal", "Transport", "Client", "Protocols", "Server", "TestKit"]),
        tests("Messages", uses: ["Primitives", "Journal", "Transport", "Client", "Messages", "TestKit"]),
        tests("System", uses: ["Primitives", "Journal", "Device", "Client", "System", "TestKit"]),
        tests("Client", uses: ["Primitives", "Settings", "Client", "Strategies", "Laws", "TestKit"]),
        tests(
            "Engine",
            uses: [
                "Primitives", "Journal", "Settings", "Device", "Network", "Transport", "Client", "PhoneEnd", "Server",
                "Messages", "System", "World", "Strategies", "PhoneSimulation", "Engine", "Metrics", "Scenarios",
                "Shipped",
                "Laws",
                "Runs", "TestKit",
            ]),
        tests("Metrics", uses: ["Primitives", "Journal", "Device", "Metrics", "TestKit"]),
        tests(
            "Scenarios",
            uses: [
                "Primitives", "Settings", "Device", "Network", "Transport", "Client", "Server", "System", "World",
                "Scenarios", "Shipped", "TestKit",
            ]),
        tests("Captures", uses: ["Primitives", "Captures", "TestKit"], system: ["CZlib"]),
        tests("Days", uses: ["Primitives", "Days", "TestKit"], system: ["CZlib"]),
        tests(
            "Replay",
            uses: ["Primitives", "Settings", "Device", "Captures", "Replay", "Scenarios", "Shipped", "TestKit"]),
        tests(
            "Fit",
            uses: ["Primitives", "Client", "Settings", "Device", "Scenarios", "Shipped", "Fit", "Runs", "TestKit"]),
        tests("Search", uses: ["Primitives", "Search", "TestKit"]),
        tests("Compare", uses: ["Primitives", "Metrics", "Compare", "Samples", "TestKit"]),
        tests(
            "Documents",
            uses: [
                "Primitives", "Journal", "Device", "Metrics", "Captures", "Replay", "Fit", "Compare", "Documents",
                "Samples", "TestKit",
            ]),
        tests(
            "Traces", uses: ["Primitives", "Journal", "Device", "Metrics", "Compare", "Traces", "Samples", "TestKit"]),
        tests(
            "Pages",
            uses: ["Primitives", "Journal", "Device", "Metrics", "Compare", "Traces", "Pages", "Samples", "TestKit"]),
        tests("Host", uses: ["Primitives", "Host", "TestKit"]),
        tests(
            "Live",
            uses: [
                "Primitives", "Journal", "Device", "Network", "Captures", "System", "World", "Scenarios", "Metrics",
                "Fit", "Compare", "Host", "Live", "Runs", "Traces", "Command", "TestKit",
            ], excluding: ["Programs", "Recordings"]),
        tests(
            "Runs",
            uses: [
                "Primitives", "Journal", "Device", "Settings", "Compare", "Scenarios", "Metrics", "Laws", "Runs",
                "TestKit",
            ]),
        tests(
            "Command",
            uses: [
                "Primitives", "Settings", "Client", "Shipped", "Metrics", "Compare", "Scenarios", "Runs", "Documents",
                "Guide", "Command", "Host", "TestKit",
            ], system: ["CSQLite"]),
        tests(
            "Claims",
            uses: [
                "Primitives", "Journal", "Device", "Metrics", "Compare", "Host", "Runs", "Claims", "Documents", "Pages",
                "Samples", "TestKit",
            ]),
        tests("Tidy", uses: ["TestKit"]),
        tests("Acceptance", uses: ["Primitives", "Command", "Host", "Kit", "TestKit"]),
    ],
    swiftLanguageModes: [.v6]
)
