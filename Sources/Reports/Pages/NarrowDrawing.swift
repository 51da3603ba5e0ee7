/// A drawing of a chart for the window of a phone. It has the width of that window, so that its text keeps its size and
/// nothing scrolls. Names of curves are in a legend below, because the drawing has no margin for them.
struct NarrowDrawing {
    static let width = 350

    let height: Int
    let svg: String

    /// Names with their marks, below a chart. Only narrow windows show it.
    static func legend(_ entries: [String]) -> String {
        "<p class=\"legend narrow\">" + entries.map { "<span>\($0)</span>" }.joined() + "</p>\n"
    }
}
