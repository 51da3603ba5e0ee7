import DeadzoneBase

/// A report page that reloads itself when `--watch` writes it again. It also works from disk, where a page can fetch
/// nothing: the page loads a picture that is written beside it, and the width of the picture tells the content of the
/// page. A server would need a port and a secret; a refresh at intervals would close what the reader has opened.
package struct WatchedPage: Sendable {
    private static let maximumWidth = 30_000

    /// The page with its script.
    package let html: String
    /// The picture beside the page, and its file name.
    package let (picture, pictureName): (String, String)

    /// - Parameters:
    ///   - page: a page of `ReportPage`.
    ///   - fileName: the name of its file, such as `report.html`.
    package init(_ page: String, fileName: String) {
        let number = Array(Fingerprint(of: page).hex.utf8).prefix(6).reduce(0) { sum, digit in
            sum * 16 + (UInt8(ascii: "0")...UInt8(ascii: "9") ~= digit ? Int(digit) - 48 : Int(digit) - 87)
        }
        let width = 1 + number % Self.maximumWidth
        pictureName = fileName + ".svg"
        picture = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"\(width)\" height=\"1\"/>\n"
        // After the end of the command the picture can be deleted; the page then stops to look for it.
        let script = """
            (function () {
              var timer = setInterval(function () {
                var picture = new Image();
                picture.onload = function () { if (picture.naturalWidth !== \(width)) location.reload(); };
                picture.onerror = function () { clearInterval(timer); };
                picture.src = '\(pictureName)?' + Date.now();
              }, 500);
            })();
            """
        let end = "</body></html>\n"
        precondition(page.hasSuffix(end), "not a page of ReportPage")
        html =
            String(page.dropLast(end.count)).replacing(
                "script-src '", with: "img-src 'self' file:; script-src '\(ReportPage.policyHash(script))' '",
                maxReplacements: 1) + "<script>\(script)</script>\n" + end
    }
}
