import DeadzoneBase

/// Helpers that generate HTML and SVG text. All text from users' files must go through `escaped`.
package enum Markup {
    /// Most characters of a name; longer names would push other content off the page.
    package static let maxLength = 120

    /// Escapes text so that it is shown literally: control and direction characters are written out, the five special
    /// characters of HTML become entities.
    package static func escaped(_ text: String, atMost limit: Int = maxLength) -> String {
        let shown = text.escapedForTerminal
        var out = ""
        for (index, scalar) in shown.unicodeScalars.enumerated() {
            if index == limit { return out + "…" }
            switch scalar {
            case "&": out += "&amp;"
            case "<": out += "&lt;"
            case ">": out += "&gt;"
            case "\"": out += "&quot;"
            case "'": out += "&#39;"
            default: out.unicodeScalars.append(scalar)
            }
        }
        return out
    }

    /// Cuts a long name in its middle, because names with equal beginnings often differ at their ends.
    static func shortened(_ text: String, to limit: Int) -> String {
        let shown = Array(text.escapedForTerminal.unicodeScalars)
        guard shown.count > limit else { return escaped(text, atMost: limit) }
        let head = (limit - 1) / 2
        let parts = [shown.prefix(head), shown.suffix(limit - 1 - head)].map { String(String.UnicodeScalarView($0)) }
        return escaped(parts[0], atMost: limit) + "…" + escaped(parts[1], atMost: limit)
    }

    /// A coordinate with at most one decimal.
    static func coordinate(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        let (whole, rest) = (abs(tenths) / 10, abs(tenths) % 10)
        return (tenths < 0 ? "-" : "") + "\(whole)" + (rest == 0 ? "" : ".\(rest)")
    }

    /// HTML figure of a chart: title, description in one sentence, and the SVG drawing, labelled with both for screen
    /// readers.
    /// - Parameter narrow: The same chart for the window of a phone. The style sheet shows one of the two drawings. Without
    ///   it, the chart scrolls on a phone.
    static func figure(
        _ id: String, _ title: String, _ about: String, width: Int, height: Int, _ drawing: String,
        narrow: NarrowDrawing? = nil, after: String = ""
    ) -> String {
        let second = narrow.map { narrow in
            """

            <svg viewBox="0 0 \(NarrowDrawing.width) \(narrow.height)" role="img" aria-labelledby="\(id)-t \(id)-d" \
            class="chart narrow"><title>\(title)</title>
            \(narrow.svg)</svg>
            """
        }
        return """
            <figure id="\(id)" class="chart"><figcaption><h3>\(title)</h3><p>\(about)</p></figcaption>
            <div class="wide"><svg viewBox="0 0 \(width) \(height)" role="img" aria-labelledby="\(id)-t \(id)-d" \
            class="chart\(narrow == nil ? "" : " broad")"><title id="\(id)-t">\(title)</title><desc id="\(id)-d">\(about)</desc>
            \(drawing)</svg>\(second ?? "")</div>\(after)</figure>

            """
    }

    /// The same chart as a standalone SVG file: embedded style, title above the drawing, background behind both.
    static func standaloneSVG(_ title: String, _ about: String, width: Int, height: Int, _ drawing: String) -> String {
        let (margin, head) = (16, 34)
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width + 2 * margin) \(height + head + 2 * margin)" role="img">
            <title>\(title)</title><desc>\(about)</desc>
            <style>\(ReportPage.chartStyle)svg{background:var(--paper);font-family:system-ui,sans-serif}</style>
            <text class="row" x="\(margin)" y="\(margin + 14)">\(title)</text>
            <g transform="translate(\(margin) \(margin + head))">\(drawing)</g></svg>

            """
    }

    /// Header cell of a column; an empty cell above the names of rows.
    package static func head(_ words: String) -> String {
        words.isEmpty ? "<td></td>" : "<th scope=\"col\">\(words)</th>"
    }

    /// The numbers of a chart as a collapsible table.
    static func table(_ caption: String, _ head: [String], _ rows: [[String]]) -> String {
        var text =
            "<details class=\"data\"><summary>Data: \(caption)</summary><div class=\"wide\"><table><caption>\(caption)"
        text +=
            "</caption><thead><tr>" + head.map(Self.head).joined() + "</tr></thead><tbody>\n"
        for row in rows {
            text += "<tr>"
            for (index, cell) in row.enumerated() {
                text += index == 0 ? "<th scope=\"row\">\(cell)</th>" : "<td>\(cell)</td>"
            }
            text += "</tr>\n"
        }
        return text + "</tbody></table></div></details>\n"
    }
}
