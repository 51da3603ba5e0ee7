import Foundation
package import Testing

/// Compares text with the file `Tests/Snapshots/<name>`. With `DEADZONE_RECORD=1` the function writes the file instead,
/// and the difference is reviewed in version control. A missing file is a failure: an unreviewed snapshot proves
/// nothing.
package func expectSnapshot(
    _ text: String, _ name: String, under folder: String = Repository.root + "/Tests/Snapshots",
    sourceLocation: SourceLocation = #_sourceLocation
) {
    let path = folder + "/" + name
    if ProcessInfo.processInfo.environment["DEADZONE_RECORD"] == "1" {
        record(text, at: path, sourceLocation)
        return
    }
    guard let saved = try? String(contentsOfFile: path, encoding: .utf8) else {
        Issue.record(
            "there is no snapshot \(path); DEADZONE_RECORD=1 swift test writes it", sourceLocation: sourceLocation)
        return
    }
    guard let line = firstDifference(saved, text) else { return }
    Issue.record(
        """
        snapshot \(name) differs at line \(line.number):
          saved: \(line.saved)
          now:   \(line.now)
        If the new text is right: DEADZONE_RECORD=1 swift test, then read the difference.
        """, sourceLocation: sourceLocation)
}

func firstDifference(_ saved: String, _ now: String) -> (number: Int, saved: String, now: String)? {
    // Compares Unicode scalars, not characters: Swift treats differently composed text as equal, but a snapshot must
    // match byte for byte.
    if saved.unicodeScalars.elementsEqual(now.unicodeScalars) { return nil }
    let old = saved.split(separator: "\n", omittingEmptySubsequences: false)
    let new = now.split(separator: "\n", omittingEmptySubsequences: false)
    for index in 0..<max(old.count, new.count) {
        let before = index < old.count ? String(old[index]) : "(end)"
        let after = index < new.count ? String(new[index]) : "(end)"
        if !before.unicodeScalars.elementsEqual(after.unicodeScalars) { return (index + 1, before, after) }
    }
    return (old.count, "(same lines)", "(other line ends)")
}

private func record(_ text: String, at path: String, _ location: SourceLocation) {
    let url = URL(filePath: path)
    do {
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url, options: .atomic)
    } catch {
        Issue.record(error, sourceLocation: location)
    }
}
