// swift-tools-version: 6.2
// A package with its own strategy. Copy it, and replace the path by the URL of Deadzone's repository.

import PackageDescription

let package = Package(
    name: "mine",
    platforms: [.macOS(.v26)],
    dependencies: [.package(name: "deadzone", path: "../..")],
    targets: [
        .executableTarget(
            name: "mine",
            dependencies: [
                .product(name: "DeadzoneKit", package: "deadzone"),
                .product(name: "DeadzoneCommand", package: "deadzone"),
            ]),
        .testTarget(
            name: "mineTests",
            dependencies: [
                "mine",
                .product(name: "DeadzoneKit", package: "deadzone"),
                .product(name: "DeadzoneTestKit", package: "deadzone"),
            ]),
    ]
)
