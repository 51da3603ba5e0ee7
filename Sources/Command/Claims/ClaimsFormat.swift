import DeadzoneCompare
import DeadzoneDocuments
import DeadzonePages

/// A kind of file that claims become. One more line in `all` is one more format of `claims`.
struct ClaimsFormat: TextFormat {
    let name: String
    let fileName: String
    let make: @Sendable ([ClaimReport]) -> String
    var besides: @Sendable ([ClaimReport]) -> [(name: String, text: String)] = { _ in [] }

    static let json = ClaimsFormat(name: "json", fileName: "claims.json") { ClaimReport.json($0).text() + "\n" }

    static let all = [
        json,
        ClaimsFormat(name: "md", fileName: "README.md", make: ClaimReport.markdown, besides: ClaimsPage.pictures),
        ClaimsFormat(name: "html", fileName: "claims.html", make: ClaimsPage.html),
    ]
}
