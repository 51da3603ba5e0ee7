import DeadzoneReports

/// An output format of the command `replay`. To add a format, add an element to `all`.
struct ReplayFormat: TextFormat {
    let name: String
    let fileName: String
    /// `true` if the format draws the timeline of the radio, which must then be recorded.
    var recordsTimeline = false
    let make: @Sendable (ReplayResult) -> String

    static let json = ReplayFormat(name: "json", fileName: "replay.json") { $0.json.text() + "\n" }

    static let all = [
        json,
        ReplayFormat(name: "html", fileName: "replay.html", recordsTimeline: true, make: ReplayPage.html),
        ReplayFormat(name: "csv", fileName: "replay.csv", make: \.csv),
        ReplayFormat(name: "md", fileName: "replay.md", make: \.markdown),
    ]
}
