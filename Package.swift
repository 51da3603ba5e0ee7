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

/// A target for one module. `parts` are its folders with a page of their own; the Tidy tests say which of them may use
/// which. `ships` are files beside the sources that the module Shipped builds in.
func module(
    _ name: String, parts: [String] = [], uses: [String] = [], system: [String] = [], ships: [String] = []
) -> Target {
    .target(
        name: "Deadzone\(name)",
        dependencies: uses.map { .target(name: "Deadzone\($0)") } + system.map { .target(name: $0) },
        path: "Sources/\(name)",
        exclude: ["README.md"] + parts.map { "\($0)/README.md" } + ships,
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
        // Values: time, identifiers, random numbers; memory; records; settings.
        module("Base", parts: ["Primitives", "Memory", "Journal", "Settings"]),

        // The interface for strategies, and the shipped strategies.
        module("Client", parts: ["Strategies"], uses: ["Base"]),

        // The simulated world, without input and output.
        module("Device", uses: ["Base"]),
        module("Transport", parts: ["Network"], uses: ["Base"]),
        module(
            "Simulator",
            parts: [
                "AccessPath", "Protocols", "System", "ClientHost", "PhoneEnd", "Server", "Messages", "Connections",
                "PacketNetwork", "World", "PhoneSimulation", "Engine",
            ],
            uses: ["Base", "Client", "Device", "Transport"]),
        module("Kit", uses: ["Base", "Client"]),

        // The edges: files, captures and external programs.
        .systemLibrary(
            name: "CYAML", path: "Sources/CYAML", pkgConfig: "yaml-0.1",
            providers: [.apt(["libyaml-dev"]), .brew(["libyaml"])]),
        module(
            "Scenarios", uses: ["Base", "Client", "Device", "Transport", "Simulator"], system: ["CYAML"]),
        // Without the package's flags: only the benchmark links it.
        .systemLibrary(
            name: "CPcap", path: "Sources/CPcap",
            providers: [.apt(["libpcap-dev"]), .brew(["libpcap"])]),
        .systemLibrary(
            name: "CZlib", path: "Sources/CZlib", pkgConfig: "zlib",
            providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
        .systemLibrary(
            name: "CSQLite", path: "Sources/CSQLite", pkgConfig: "sqlite3",
            providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
        module("Captures", parts: ["Days"], uses: ["Base"], system: ["CPcap", "CZlib", "CSQLite"]),
        module("Replay", uses: ["Base", "Device", "Captures"]),
        module("Fit", uses: ["Base", "Device"]),
        module("Metrics", parts: ["Compare"], uses: ["Base", "Device", "Fit"]),
        module("Laws", uses: ["Base", "Client", "Device", "Transport", "Simulator"]),
        .target(name: "CShipped", path: "Sources/CShipped"),
        module("Shipped", system: ["CShipped"]),
        .target(name: "CTun", path: "Sources/CTun"),
        .target(name: "CBuild", path: "Sources/CBuild"),
        module("Host", uses: ["Base"], system: ["CTun", "CBuild"]),
        module("Live", uses: ["Base", "Device", "Transport", "Simulator", "Captures", "Fit", "Host"]),
        module(
            "Runs", parts: ["Search"],
            uses: [
                "Base", "Client", "Device", "Transport", "Simulator", "Scenarios", "Shipped", "Captures", "Replay",
                "Fit", "Metrics", "Laws", "Host", "Live",
            ]),
        module(
            "Claims", uses: ["Base", "Client", "Simulator", "Scenarios", "Shipped", "Metrics", "Host", "Runs"]),

        // Output.
        module(
            "Reports", parts: ["Documents", "Archive", "Traces", "Pages"],
            uses: ["Base", "Device", "Shipped", "Captures", "Replay", "Fit", "Metrics"], system: ["CSQLite"],
            ships: ["Pages/chart.css", "Pages/page.css", "Pages/page.js"]),

        // The command line.
        module(
            "Command", parts: ["Guide", "Studio"],
            uses: [
                "Base", "Client", "Device", "Simulator", "Scenarios", "Shipped", "Captures", "Replay", "Fit", "Metrics",
                "Host", "Live", "Runs", "Claims", "Reports",
            ],
            ships: [
                "Guide/pages", "Guide/guide.css", "Guide/search.js", "Studio/studio.html", "Studio/studio.css",
                "Studio/answer.js", "Studio/editor.js", "Studio/sliders.js", "Studio/studio.js",
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
                "DeadzoneBase", "DeadzoneClient", "DeadzoneDevice", "DeadzoneTransport", "DeadzoneSimulator",
                "DeadzoneScenarios", "DeadzoneShipped", "DeadzoneCaptures", "DeadzoneReplay", "DeadzoneMetrics",
                "DeadzoneHost", "DeadzoneReports", "CPcap",
            ], path: "Sources/Bench", exclude: ["README.md"], swiftSettings: strict,
            linkerSettings: [.linkedLibrary("pcap")]),

        // Tests.
        .target(
            name: "DeadzoneTestKit",
            dependencies: [
                "DeadzoneBase", "DeadzoneClient", "DeadzoneTransport", "DeadzoneSimulator", "DeadzoneLaws",
                "DeadzoneRuns",
            ],
            path: "Tests/TestKit", swiftSettings: strict),
        .target(
            name: "DeadzoneSamples",
            dependencies: ["DeadzoneBase", "DeadzoneDevice", "DeadzoneMetrics"],
            path: "Tests/Samples", swiftSettings: strict),
        tests("Primitives", uses: ["Base", "TestKit"]),
        tests("Journal", uses: ["Base", "TestKit"]),
        tests("Settings", uses: ["Base", "TestKit"]),
        tests("Device", uses: ["Base", "Device", "Laws", "TestKit"]),
        tests("Network", uses: ["Base", "Transport", "TestKit"]),
        tests("Transport", uses: ["Base", "Transport", "TestKit"]),
        tests(
            "PhoneEnd",
            uses: ["Base", "Client", "Transport", "Simulator", "TestKit"]),
        tests("Server", uses: ["Base", "Client", "Transport", "Simulator", "TestKit"]),
        tests("Messages", uses: ["Base", "Client", "Transport", "Simulator", "TestKit"]),
        tests("System", uses: ["Base", "Client", "Device", "Simulator", "TestKit"]),
        tests("Client", uses: ["Base", "Client", "Laws", "TestKit"]),
        tests(
            "Engine",
            uses: [
                "Base", "Client", "Device", "Transport", "Simulator", "Scenarios", "Shipped", "Metrics", "Laws", "Runs",
                "TestKit",
            ]),
        tests("Metrics", uses: ["Base", "Device", "Metrics", "TestKit"]),
        tests(
            "Scenarios",
            uses: ["Base", "Client", "Device", "Transport", "Simulator", "Scenarios", "Shipped", "TestKit"]),
        tests("Captures", uses: ["Base", "Captures", "TestKit"], system: ["CZlib"]),
        tests("Days", uses: ["Base", "Captures", "TestKit"], system: ["CZlib", "CSQLite"]),
        tests(
            "Replay",
            uses: ["Base", "Device", "Scenarios", "Shipped", "Captures", "Replay", "TestKit"]),
        tests(
            "Fit",
            uses: ["Base", "Client", "Device", "Scenarios", "Shipped", "Captures", "Fit", "Runs", "TestKit"]),
        tests("Search", uses: ["Base", "Runs", "TestKit"]),
        tests("Compare", uses: ["Base", "Metrics", "TestKit", "Samples"]),
        tests(
            "Documents",
            uses: ["Base", "Device", "Captures", "Replay", "Fit", "Metrics", "Reports", "TestKit", "Samples"]),
        tests(
            "Traces", uses: ["Base", "Device", "Metrics", "Reports", "TestKit", "Samples"]),
        tests(
            "Pages",
            uses: ["Base", "Device", "Metrics", "Reports", "TestKit", "Samples"]),
        tests("Host", uses: ["Base", "Host", "TestKit"]),
        tests(
            "Live",
            uses: [
                "Base", "Client", "Device", "Transport", "Simulator", "Scenarios", "Captures", "Fit", "Metrics", "Host",
                "Live", "Runs", "Reports", "Command", "TestKit",
            ], excluding: ["Programs", "Recordings"]),
        tests(
            "Runs",
            uses: [
                "Base", "Client", "Device", "Simulator", "Scenarios", "Captures", "Replay", "Fit", "Metrics", "Laws",
                "Host", "Live", "Runs", "TestKit",
            ]),
        tests(
            "Command",
            uses: [
                "Base", "Client", "Simulator", "Scenarios", "Shipped", "Metrics", "Host", "Runs", "Reports", "Command",
                "TestKit",
            ], system: ["CSQLite"]),
        tests(
            "Claims",
            uses: ["Base", "Device", "Metrics", "Host", "Runs", "Claims", "Reports", "TestKit", "Samples"]),
        tests("Tidy", uses: ["TestKit"]),
        tests("Acceptance", uses: ["Base", "Kit", "Host", "Command", "TestKit"]),
    ],
    swiftLanguageModes: [.v6]
)

// `make part` builds a few test targets only, so a change of one module is tested within a minute.
if let names = Context.environment["DEADZONE_MODULES"]?.split(separator: " ").map(String.init) {
    let known = package.targets.filter { $0.type == .test }.map { String($0.name.dropLast("Tests".count)) }
    if let unknown = names.isEmpty ? "" : names.first(where: { !known.contains($0) }) {
        fatalError(
            "no tests of `\(unknown)`; CONTRIBUTING.md lists the tests of each part. "
                + "MODULES takes: \(known.sorted().joined(separator: " "))")
    }
    package.targets.removeAll { $0.type == .test && !names.contains(String($0.name.dropLast("Tests".count))) }
}
