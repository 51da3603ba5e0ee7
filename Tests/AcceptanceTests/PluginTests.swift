import DeadzoneTestKit
import Foundation
import Testing

/// The plug-in with its own source and its declaration in Package.swift. The command of the package only prints its
/// arguments. A build of the complete command would take minutes.
@Suite(.enabled(if: Toolchain.isThere, "no swiftc in PATH, or no modules beside the tests"))
struct PluginTests {
    private let scratch: Folder
    private var user: String { scratch.path + "/user" }

    init() throws {
        scratch = try Folder()
        let manifest = try String(contentsOfFile: Repository.root + "/Package.swift", encoding: .utf8)
        let declaration = try #require(
            manifest.firstMatch(
                of: /\.plugin\(\s*name: "DeadzonePlugin",\s*capability:[\s\S]*?path: "Sources\/Plugin"\)/)
        )
        try write(
            "deadzone/Package.swift",
            """
            // swift-tools-version: 6.2
            import PackageDescription
            let package = Package(
                name: "deadzone",
                products: [
                    .executable(name: "deadzone", targets: ["deadzone"]),
                    .plugin(name: "DeadzonePlugin", targets: ["DeadzonePlugin"]),
                ],
                targets: [.executableTarget(name: "deadzone", path: "Sources/Main"), \(declaration.0)])
            """)
        try write(
            "deadzone/Sources/Main/main.swift",
            """
            import Foundation
            #if DEBUG
            let configuration = "debug"
            #else
            let configuration = "release"
            #endif
            let words = CommandLine.arguments.dropFirst()
            print(configuration, FileManager.default.currentDirectoryPath, words.joined(separator: "|"))
            exit(words.first == "fail" ? 3 : 0)
            """)
        try FileManager.default.copyItem(
            atPath: Repository.root + "/Sources/Plugin", toPath: scratch.path + "/deadzone/Sources/Plugin")
        try write(
            "user/Package.swift",
            """
            // swift-tools-version: 6.2
            import PackageDescription
            let package = Package(
                name: "user", dependencies: [.package(path: "../deadzone")], targets: [.executableTarget(name: "user")])
            """)
        try write("user/Sources/user/main.swift", "print(1)")
    }

    private func write(_ name: String, _ text: String) throws {
        let file = URL(filePath: scratch.path + "/" + name)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }

    @Test func aPackageThatDependsOnDeadzoneRunsTheCommand() throws {
        // Broken: the plug-in does not find the command, drops arguments, hides a failure, or prints the build among the
        // results.
        let done = try Toolchain.run(["swift", "package", "--package-path", user, "deadzone", "run", "a b", "--json"])
        #expect(done.status == 0, "\(done.errors)")
        #expect(done.text == "release \(user) run|a b|--json\n")
        let failed = try Toolchain.run(["swift", "package", "--package-path", user, "deadzone", "fail"])
        #expect(failed.status == 1 && failed.text == "release \(user) fail\n")
        #expect(failed.errors.contains("deadzone ended with 3"), "\(failed.errors)")
        // The command is built once, for the target. As a dependency of the plug-in it is built for the host.
        let built = try FileManager.default.subpathsOfDirectory(atPath: user + "/.build")
        #expect(built.contains { $0.hasSuffix("/release/deadzone") })
        #expect(!built.contains { $0.hasSuffix("/deadzone-tool") || $0.hasSuffix("/deadzone-tool.build") })
        // A command that does not compile is an error, and an older one does not run.
        try write("deadzone/Sources/Main/main.swift", "let number: Int = \"\"")
        let words = ["swift", "package", "--package-path", user, "deadzone", "run"]
        var broken = try Toolchain.run(words)
        // SwiftPM itself can fail on a busy machine. A defect of the plug-in shows in both runs.
        if broken.status != 1 { broken = try Toolchain.run(words) }
        #expect(broken.status == 1 && broken.text.isEmpty, "\(broken.status) \(broken.text) \(broken.errors)")
        #expect(broken.errors.contains("cannot convert value") && broken.errors.contains("could not be built"))
    }
}
