import DeadzoneBase
package import DeadzoneMetrics

extension ClaimReport {
    /// Markdown article about the claims: verdicts, measurements and advice. Its pictures are separate files in the
    /// same folder.
    package static func markdown(_ reports: [ClaimReport]) -> String {
        var text = """
            # Claims of four articles, measured

            \(introduction)

            \(verdictCounts(reports)). \(origin(of: reports))


            """
        for article in Article.allCases {
            let own = reports.filter { $0.article == article }
            guard !own.isEmpty else { continue }
            text += "## \(article.title)\n\n\(article.about)\n\n"
            for (verdict, heading) in headings {
                let some = own.filter { $0.verdict == verdict }
                guard !some.isEmpty else { continue }
                text += "### \(heading)\n\n" + some.map(\.paragraph).joined() + "\n"
            }
        }
        return text
    }

    /// The command that writes the article, or the user's world in which the claims were measured.
    private static func origin(of reports: [ClaimReport]) -> String {
        guard let change = reports.first(where: { !$0.worldChange.isEmpty })?.worldChange else {
            return "Written by `deadzone claims --format md,html,json --out Results/claims`."
        }
        return "Measured with \(escapedMarkdown(change.words))."
    }

    /// Introduction of the Markdown article and of the HTML page.
    package static let introduction = """
        Four articles give advice on how a phone should hold a connection. This page takes their claims one by one. \
        Each number was measured again, in a simulated world that the claim describes, or computed with the arithmetic \
        that it implies. Most of the advice is sound. Some claims hold in one world and not in another. Some claims \
        were never measured. A rule decides each verdict, and it is printed beside the measurement. The command at the \
        end of each entry repeats the measurement.
        """

    /// Verdicts with their headings, in display order.
    package static let headings: [(ClaimVerdict, String)] = [
        (.confirmed, "Confirmed claims"), (.conditional, "Claims that hold only in some worlds"),
        (.refuted, "Refuted claims"),
        (.inert, "Settings without an effect"), (.contradiction, "Contradictions within an article"),
        (.open, "Claims that could not be measured"),
    ]

    private var paragraph: String {
        let holds = holdingConditions.isEmpty ? "" : " It holds for \(holdingConditions.joined(separator: "; "))."
        return """
            - **\(id)** \(Self.escapedMarkdown(claim)): **\(Self.escapedMarkdown(value))**. Measured: \(Self.escapedMarkdown(measured + "." + holds))
              \(Self.escapedMarkdown(instead)) `\(rerunCommand)`
            \(pictureLine)
            """
    }

    /// Name of the picture's file, for formats without inline drawings. `nil` if there is no picture.
    package var pictureFile: String? { picture.map { _ in "\(id).svg" } }

    private var pictureLine: String {
        guard let picture, let pictureFile else { return "" }
        return
            "\n  ![\(Self.escapedMarkdown(picture.title))](\(pictureFile))\n\n  \(Self.escapedMarkdown(picture.caption))\n"
    }

    /// Escapes Markdown syntax in Deadzone's own text.
    private static func escapedMarkdown(_ text: String) -> String {
        text.split(separator: "\n").joined(separator: " ")
            .replacing("*", with: "\\*").replacing("_", with: "\\_").replacing("|", with: "\\|").replacing(
                "<", with: "&lt;")
    }
}
