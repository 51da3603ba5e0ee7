internal import CShipped

/// The radio profiles in `Scenarios/profiles`, embedded so that the program runs from any folder.
package let shippedProfiles: [ShippedText] = texts(in: "Scenarios/profiles/")

/// The presets in `Scenarios/strategies`.
package let shippedPresets: [ShippedText] = texts(in: "Scenarios/strategies/")

/// The scenarios in `Scenarios/claims`, with which the claims of articles are measured.
package let shippedClaims: [ShippedText] = texts(in: "Scenarios/claims/")

/// All other scenarios, named by folder and file.
package let shippedScenarios: [ShippedText] = texts(
    in: "Scenarios/", without: ["Scenarios/profiles/", "Scenarios/strategies/", "Scenarios/claims/"])

/// The manual for writing scenarios.
package let scenarioManual = shipped("Scenarios/README.md")

/// An embedded YAML file. The name has neither the folder nor the extension.
package typealias ShippedText = (name: String, text: String)

/// The content of an embedded file by its path in the repository. The path is always a constant of a module, so a
/// missing file is a programming error and traps.
package func shipped(_ path: String) -> String {
    for file in files where file.path == path { return file.text }
    preconditionFailure("\(path) is no line of shipped.c")
}

private struct ShippedFile {
    let path: String
    private let bytes: UnsafePointer<UInt8>

    var text: String { String(cString: bytes) }

    init(_ file: shipped_file) {
        path = String(cString: file.path)
        bytes = file.text
    }
}

private var files: some Sequence<ShippedFile> {
    var count: Int32 = 0
    let first = shipped_files(&count)
    return UnsafeBufferPointer(start: first, count: Int(count)).lazy.map(ShippedFile.init)
}

private func texts(in folder: String, without others: [String] = []) -> [ShippedText] {
    let ending = ".yaml"
    return files.filter { file in
        file.path.hasPrefix(folder) && file.path.hasSuffix(ending) && !others.contains { file.path.hasPrefix($0) }
    }
    .map { (String($0.path.dropFirst(folder.count).dropLast(ending.count)), $0.text) }
}
