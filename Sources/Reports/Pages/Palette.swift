/// All colours of the HTML pages, by meaning, for light and dark mode. A test computes the contrast of each colour to
/// the background. Every meaning of a colour is also shown by a pattern, a shape or a word.
package enum Palette {
    package struct Colour: Sendable {
        package let name: String
        package let light: String
        package let dark: String
        /// `true` for text, which needs a contrast of 4.5; graphics need 3 (WCAG 2.2, 1.4.3 and 1.4.11).
        package let isText: Bool
    }

    package static let paper = (light: "#fcfbf8", dark: "#14171c")

    /// Hues of Okabe and Ito's palette, which people with any kind of colour blindness can distinguish. Each is made
    /// darker or lighter until it contrasts with its background.
    package static let colours: [Colour] = [
        Colour(name: "ink", light: "#1c2126", dark: "#e9e6df", isText: true),
        Colour(name: "soft", light: "#59626c", dark: "#a3acb6", isText: true),
        Colour(name: "good", light: "#0b6b4f", dark: "#5cc9a0", isText: true),
        Colour(name: "bad", light: "#a8320a", dark: "#ff9a72", isText: true),
        Colour(name: "link", light: "#0a5a9c", dark: "#7cbcf2", isText: true),
        // Strategies, in their order.
        Colour(name: "p0", light: "#46525e", dark: "#aab4be", isText: false),
        Colour(name: "p1", light: "#0a66b0", dark: "#5aa9ec", isText: false),
        Colour(name: "p2", light: "#b84a00", dark: "#f08a45", isText: false),
        Colour(name: "p3", light: "#00795a", dark: "#3fbf98", isText: false),
        Colour(name: "p4", light: "#9b3f78", dark: "#dd8dbd", isText: false),
        Colour(name: "p5", light: "#806400", dark: "#d3b13c", isText: false),
        Colour(name: "p6", light: "#3f6fa3", dark: "#86b5e6", isText: false),
        Colour(name: "p7", light: "#7a4a2c", dark: "#c99a78", isText: false),
        // The radio and the connection.
        Colour(name: "active", light: "#0a66b0", dark: "#5aa9ec", isText: false),
        Colour(name: "tail", light: "#b07a1e", dark: "#dba84a", isText: false),
        Colour(name: "promo", light: "#7b4fa3", dark: "#b793dd", isText: false),
        Colour(name: "search", light: "#8a1f4d", dark: "#f08fb4", isText: false),
        Colour(name: "idle", light: "#7d868f", dark: "#7a848e", isText: false),
        Colour(name: "works", light: "#00795a", dark: "#3fbf98", isText: false),
        Colour(name: "blocked", light: "#b07a1e", dark: "#dba84a", isText: false),
        Colour(name: "zombie", light: "#c03a08", dark: "#ff8458", isText: false),
        // Causes of energy, in families.
        Colour(name: "c-payload", light: "#0a66b0", dark: "#5aa9ec", isText: false),
        Colour(name: "c-keep", light: "#b84a00", dark: "#f08a45", isText: false),
        Colour(name: "c-connect", light: "#7b4fa3", dark: "#b793dd", isText: false),
        Colour(name: "c-resume", light: "#00795a", dark: "#3fbf98", isText: false),
        Colour(name: "c-again", light: "#a8320a", dark: "#ff9a72", isText: false),
        Colour(name: "c-poll", light: "#7a4a2c", dark: "#c99a78", isText: false),
        Colour(name: "c-system", light: "#806400", dark: "#d3b13c", isText: false),
        Colour(name: "c-search", light: "#8a1f4d", dark: "#f08fb4", isText: false),
        Colour(name: "c-base", light: "#7d868f", dark: "#7a848e", isText: false),
    ]

    /// CSS custom properties of all colours.
    static var css: String { css(of: colours.map(\.name)) }

    /// CSS custom properties of the named colours only.
    package static func css(of names: [String]) -> String {
        let colours = colours.filter { names.contains($0.name) }
        func block(_ pick: (Colour) -> String, _ paper: String, _ card: String, _ line: String) -> String {
            (["--paper:\(paper)", "--card:\(card)", "--line:\(line)"]
                + colours.map { "--\($0.name):\(pick($0))" }).joined(separator: ";")
        }
        let light = block(\.light, paper.light, "#ffffff", "#dfdbd2")
        let dark = block(\.dark, paper.dark, "#1b2027", "#343b44")
        return """
            :root{color-scheme:light;\(light)}
            @media (prefers-color-scheme:dark){:root{color-scheme:dark;\(dark)}}
            :root[data-theme=light]{color-scheme:light;\(light)}
            :root[data-theme=dark]{color-scheme:dark;\(dark)}
            @media print{:root,:root[data-theme]{color-scheme:light;\(light)}}

            """
    }

    /// Colour of a strategy. Colours repeat after eight strategies; the shapes differ then.
    static func strategy(_ index: Int) -> String { "p\(index % 8)" }
}
