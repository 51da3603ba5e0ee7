public import DeadzoneCompare
import DeadzonePrimitives

extension ClaimReport {
    /// An article about articles: what is true, what is not, and what to do. Its pictures are files beside it.
    public static func markdown(_ reports: [ClaimReport]) -> String {
        var text = """
            # Four articles, put to the test

            \(introduction)

            \(tally(reports)). Written by `deadzone claims --format md,html,json --out Results/claims`.


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

    /// What pages begin with.
    public static let introduction = """
        Four well-meant texts tell how a phone should hold a connection. They are read here sentence by sentence: each number in them was \
        measured again, in a world that the sentence describes or by the arithmetic that it implies. Most of what they advise is sound, \
        and whoever wrote it down did others a service. Some of it holds in one world and not in the next, and some of it was never \
        measured. No verdict is anybody's opinion: each comes of a rule that stands beside the measurement, and every line can be \
        repeated by the command at its end.
        """

    /// In the order in which a reader meets them.
    public static let headings: [(ClaimVerdict, String)] = [
        (.confirmed, "What is true"), (.conditional, "What depends"), (.refuted, "What is not so"),
        (.inert, "What changes nothing"), (.contradiction, "Where the article contradicts itself"),
        (.open, "What could not be measured"),
    ]

    private var paragraph: String {
        let holds = holdsFor.isEmpty ? "" : " It holds for \(holdsFor.joined(separator: "; "))."
        return """
            - **\(id)** \(Self.plain(claim)): **\(Self.plain(value))**. Here: \(Self.plain(measured + "." + holds))
              \(Self.plain(instead)) `\(again)`
            \(pictureLine)
            """
    }

    /// The file that a page without drawings of its own shows; nil where there is no picture.
    public var pictureFile: String? { picture.map { _ in "\(id).svg" } }

    private var pictureLine: String {
        guard let picture, let pictureFile else { return "" }
        return "\n  ![\(Self.plain(picture.title))](\(pictureFile))\n\n  \(Self.plain(picture.caption))\n"
    }

    /// Words of ours, but for what Markdown would make of them.
    private static func plain(_ text: String) -> String {
        text.split(separator: "\n").joined(separator: " ")
            .replacing("*", with: "\\*").replacing("_", with: "\\_").replacing("|", with: "\\|").replacing(
                "<", with: "&lt;")
    }
}
