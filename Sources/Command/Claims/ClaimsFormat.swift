import DeadzoneMetrics
import DeadzoneReports

/// An output format of the command `claims`. To add a format, add an element to `all`.
struct ClaimsFormat: TextFormat {
    let name: String
    let fileName: String
    let make: @Sendable ([ClaimReport]) -> String
    var extraFiles: @Sendable ([ClaimReport]) -> [(name: String, text: String)] = { _ in [] }

    static let json = ClaimsFormat(name: "json", fileName: "claims.json") { ClaimReport.json($0).text() + "\n" }

    static let all = [
        json,
        ClaimsFormat(name: "md", fileName: "README.md", make: ClaimReport.markdown, extraFiles: ClaimsPage.pictures),
        ClaimsFormat(name: "html", fileName: "claims.html", make: ClaimsPage.html),
    ]
}
