/// The part of a picture that curves lie in: its edges, lines across it at round values, and names where curves end.
struct Plane {
    let left: Int
    let right: Int
    let top: Int
    let bottom: Int

    /// A scale from its lower edge to its upper one.
    func height(_ from: Double, _ to: Double, isLog: Bool = false) -> Scale {
        Scale(from, to, onto: Double(bottom), Double(top), isLog: isLog)
    }

    /// A line across at each round value, with its figure on the left.
    func lines(_ y: Scale, _ figure: (Double) -> String) -> String {
        (y.isLog ? y.powers : y.ticks(5)).map { line(y($0), figure($0)) }.joined()
    }

    /// One line across.
    func line(_ y: Double, _ text: String) -> String {
        "<path class=\"grid\" d=\"M\(left) \(Markup.place(y))H\(right)\"/>"
            + "<text class=\"left\" x=\"\(left - 6)\" y=\"\(Markup.place(y + 4))\">\(text)</text>"
    }

    /// The name of each curve on the right, at the height where it ends or, where another name stands, below that.
    func names(_ ends: [(y: Double, text: String)]) -> String {
        var (drawing, last) = ("", -20.0)
        for end in ends.sorted(by: { $0.y < $1.y }) {
            last = max(end.y, last + 13)
            drawing += "<text class=\"end\" x=\"\(right + 9)\" y=\"\(Markup.place(last + 4))\">\(end.text)</text>"
        }
        return drawing
    }
}
