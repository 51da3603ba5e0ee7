/// The presets in this folder, built into the program so that it runs from any folder.
public let shippedPresets: [(name: String, text: String)] = [
    ("article-grpc-kotlin", text(PackageResources.article_grpc_kotlin_yaml)),
    ("article-grpc-swift", text(PackageResources.article_grpc_swift_yaml)),
    ("article-websocket-code", text(PackageResources.article_websocket_code_yaml)),
    ("grpc-android-okhttp", text(PackageResources.grpc_android_okhttp_yaml)),
    ("grpc-core", text(PackageResources.grpc_core_yaml)),
    ("grpc-go", text(PackageResources.grpc_go_yaml)),
    ("grpc-ios-cfstream", text(PackageResources.grpc_ios_cfstream_yaml)),
    ("grpc-ios-monitor", text(PackageResources.grpc_ios_monitor_yaml)),
    ("grpc-ios-tcp", text(PackageResources.grpc_ios_tcp_yaml)),
    ("grpc-java", text(PackageResources.grpc_java_yaml)),
    ("grpc-spec", text(PackageResources.grpc_spec_yaml)),
    ("grpc-swift-1", text(PackageResources.grpc_swift_1_yaml)),
    ("grpc-swift-2", text(PackageResources.grpc_swift_2_yaml)),
]

private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
