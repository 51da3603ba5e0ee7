import DeadzoneDocuments
import DeadzonePages

/// A kind of file that a replay becomes. One more line in `all` is one more format of `replay`.
struct ReplayFormat: TextFormat {
    let name: String
    let fileName: String
    /// A picture of radio time is kept only where somebody draws it.
    var isDrawn = false
    let make: @Sendable (ReplayResult) -> String

    static let json = ReplayFormat(name: "json", fileName: "replay.json") { $0.json.text() + "\n" }

    static let all = [
        json,
        ReplayFormat(name: "html", fileName: "replay.html", isDrawn: true, make: ReplayPage.html),
        ReplayFormat(name: "csv", fileName: "replay.csv", make: \.csv),
        ReplayFormat(name: "md", fileName: "replay.md", make: \.markdown),
    ]
}
